"""Python objects in a block: containers, items, attributes, calls, strings, names without a value.

These ops take objects of any type.  What they may do outside their arguments (`ordered`), and what they
write, is all that a pass may rely on.
"""

from __future__ import annotations

import builtins
import copy
import types
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

from astrace.ir.constants import UNDEFINED
from astrace.ir.jax_arrays import jax_module
from astrace.ir.specs import (
    Spec,
)

# -- items -------------------------------------------------------------------------------------------


def get_item(owner: Any, key: Any) -> Any:
    """``owner[key]``."""
    return owner[key]


def set_item(owner: Any, key: Any, value: Any) -> None:
    """``owner[key] = value``."""
    owner[key] = value


def delete_item(owner: Any, key: Any) -> None:
    """``del owner[key]``."""
    del owner[key]


# -- names of the world outside ------------------------------------------------------------------------


def read_global(namespace: dict[str, Any], name: str) -> Any:
    """A global or a builtin.

    Raises:
        NameError: there is none of that name.
    """
    found = namespace.get(name, UNDEFINED)
    if found is UNDEFINED:
        found = vars(builtins).get(name, UNDEFINED)
    if found is UNDEFINED:
        raise NameError(f"name '{name}' is not defined", name=name)
    return found


def read_cell(cell: types.CellType, name: str) -> Any:
    """A variable of a function further out.

    Raises:
        NameError: it has no value.
    """
    return cell.cell_contents if cell != EMPTY else check_defined(UNDEFINED, name, True)


EMPTY: Final = types.CellType()


# -- attributes ----------------------------------------------------------------------------------------


def get_attr(owner: Any, name: str) -> Any:
    """``owner.name``."""
    return getattr(owner, name)


def set_attr(owner: Any, name: str, value: Any) -> None:
    """``owner.name = value``."""
    setattr(owner, name, value)


def delete_attr(owner: Any, name: str) -> None:
    """``del owner.name``."""
    delattr(owner, name)


def set_field(owner: Any, name: str, value: Any) -> None:
    """Store an attribute past any ``__setattr__``."""
    object.__setattr__(owner, name, value)


def dim(array: Any, axis: int) -> int:
    """``array.shape[axis]``."""
    return array.shape[axis]


# -- calls ---------------------------------------------------------------------------------------------


def call(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``."""
    return function(*args, **kwargs)


def spread(items: Any) -> list[Any]:
    """``[*items]``, which complains in other words than ``list`` does."""
    return [*items]


def call_spread(function: Callable[..., Any], items: Any, /, **kwargs: Any) -> Any:
    """``function(*items, **kwargs)``."""
    return function(*items, **kwargs)


def call_mapping(function: Callable[..., Any], items: Any, names: Sequence[str | None], *values: Any) -> Any:
    """``function(*items, name=value, **mapping)``: each value has its name, or none where it is a mapping.

    Raises:
        TypeError: a keyword is given twice, or something is no mapping, in Python's words.
    """
    named: dict[str, Any] = {}
    for name, value in zip(names, values, strict=True):
        if name is None and type(value) is not dict:
            function(*items, **value)  # it is no mapping
        found = value if name is None else {name: value}
        if not named.keys().isdisjoint(found):
            function(*items, **named, **found)
        named |= found
    return function(*items, **named)


def copied_mapping(value: Any) -> Any:
    """Return the dict that ``**value`` gives in a call; a value that is no mapping as it is, for the call to refuse."""
    return {**value} if hasattr(value, "keys") else value


def displayed_mapping(value: Any) -> dict[Any, Any]:
    """Return the dict that ``**value`` gives in a display; its keys may be anything."""
    return {**value}


def call_method(owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """``owner.name(*args, **kwargs)``; of a built-in class errors tell the class that has the method."""
    found = getattr(type(owner), name, None)
    if isinstance(found, types.MethodDescriptorType) and not type(owner).__flags__ & HEAP_TYPE:
        return found(owner, *args, **kwargs)
    return getattr(owner, name)(*args, **kwargs)


HEAP_TYPE: Final = 1 << 9
"""The flag of classes that Python code made."""


def warn_at(message: Any, category: Any, file: str, line: int, namespace: dict[str, Any]) -> None:
    """``warnings.warn`` as if from a line of the user's, in the module with these globals.

    Raises:
        TypeError: the category is no class of warnings, in Python's words.
    """
    found = type(message) if isinstance(message, Warning) else UserWarning if category is None else category
    if not (isinstance(found, type) and issubclass(found, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(found).__name__}'")
    registry = namespace.setdefault("__warningregistry__", {})
    warnings.warn_explicit(message, found, file, line, namespace.get("__name__", "<string>"), registry)


def update_device(array: Any, key: Any, method: str, *values: Any, **options: Any) -> Any:
    """``array.at[key].set(value)`` and its like."""
    return getattr(array.at[key], method)(*values, **options)


def pullback(function: Any, *primals: Any) -> Any:
    """The function that ``jax.vjp(function, *primals)`` gives beside the value."""
    return jax_module().vjp(function, *primals)[1]


def tangents(function: Any, *primals: Any) -> Any:
    """The function that ``jax.linearize(function, *primals)`` gives beside the value."""
    return jax_module().linearize(function, *primals)[1]


def apply_device(function: Any, flat: bool, *args: Any, gives: Spec, **kwargs: Any) -> Any:
    """A call of what JAX made of functions: ``jax.grad(f)(x)``.

    Args:
        function: what is called.
        flat: it gives a leaf or a tuple of leaves; else a tree, of which the leaves are given.
        args: its arguments.
        gives: what is known of the result.
        kwargs: its other arguments.
    """
    found = function(*args, **kwargs)
    return found if flat else jax_module().tree.leaves(found)


def raise_(error: Any, cause: Any = UNDEFINED) -> None:
    """``raise error`` or ``raise error from cause``."""
    if cause is UNDEFINED:
        raise error
    raise error from cause


def reraise(error: BaseException | None = None) -> None:
    """Do ``raise`` in a handler: the exception propagates as if it had not been caught.

    Without ``error``: whichever exception the caller is handling.

    Raises:
        RuntimeError: it is handling none.
    """
    if error is None:
        raise  # noqa: PLE0704 - the caller's handler is around
    raise error


def copied(error: BaseException) -> BaseException:
    """A fresh copy of an exception that was made while tracing."""
    return copy.copy(error)


# -- containers and strings --------------------------------------------------------------------------


def another(value: Any) -> Any:
    """Return a number or a text that is equal to a constant but another object."""
    match value:
        case str() | bytes():
            return (value + value[:1])[:-1]  # type: ignore[operator]
        case complex():
            return complex(value.real, value.imag)
        case int():
            return value + 1 - 1
        case _:
            return value * 1.0


def make_list(*items: Any, element: Spec | None = None) -> list[Any]:
    """``[…]``; ``element`` is the spec of everything that will ever be in it, where it grows later."""
    return list(items)


def make_tuple(*items: Any) -> tuple[Any, ...]:
    """``(…,)``."""
    return items


def make_namedtuple(cls: type, *items: Any) -> Any:
    """A named tuple of class ``cls`` that holds ``items``, whatever its constructor would make of them."""
    return cls._make(items)  # type: ignore[attr-defined]


def make_dict(*items: Any) -> dict[Any, Any]:
    """``{key: value, …}``, from keys and values in turn."""
    return dict(zip(items[::2], items[1::2], strict=True))


def make_set(*items: Any) -> set[Any]:
    """``{…}``."""
    return set(items)


def make_object(cls: type, names: tuple[str, ...], *values: Any) -> Any:
    """An instance of ``cls`` with the attributes ``names``, as its constructor left it."""
    made = object.__new__(cls)
    if names:
        for name, value in zip(names, values, strict=True):
            object.__setattr__(made, name, value)
    return made


def chosen(which: int, made: Any, *given: Any) -> Any:
    """Return the object among ``given`` that branches and loops selected; ``made`` where it is none of them."""
    return made if which < 0 else given[which]


def append(items: list[Any], item: Any) -> None:
    """``items.append(item)``."""
    items.append(item)


def format_value(value: Any, conversion: int = -1, spec: str = "") -> str:
    """Format one ``{value!r:spec}`` of an f-string."""
    convert: dict[int, Callable[[Any], str]] = {115: str, 114: repr, 97: ascii}
    return format(convert[conversion](value) if conversion >= 0 else value, spec)


def join_strings(*parts: str) -> str:
    """An f-string's pieces put together."""
    return "".join(parts)


# -- by keys -------------------------------------------------------------------------------------------


def sorted_by(items: list[Any], keys: list[Any], *, reverse: Any = False) -> list[Any]:
    """The items in the order of their keys."""
    return [items[index] for index in sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)]


def max_by(items: list[Any], keys: list[Any], **default: Any) -> Any:
    """The first item with the largest key."""
    return items[max(range(len(items)), key=keys.__getitem__)] if items or not default else default["default"]


def min_by(items: list[Any], keys: list[Any], **default: Any) -> Any:
    """The first item with the smallest key."""
    return items[min(range(len(items)), key=keys.__getitem__)] if items or not default else default["default"]


# -- names without a value -----------------------------------------------------------------------------


def check_defined(value: Any, name: str, free: bool) -> Any:
    """The value of a local name.

    Raises:
        UnboundLocalError: it has none.
        NameError: likewise, for a name of a function further out.
    """
    if value is not UNDEFINED:
        return value
    kind = "free" if free else "local"
    where = " in enclosing scope" if free else ""
    message = f"cannot access {kind} variable '{name}' where it is not associated with a value{where}"
    raise NameError(message, name=name) if free else UnboundLocalError(message)


def check_next(item: Any) -> Any:
    """The item that ``next`` gives.

    Raises:
        StopIteration: there was none.
    """
    if item is UNDEFINED:
        raise StopIteration
    return item


def check_iterator(value: Any) -> Any:
    """Return the result of an ``__iter__``, which has to be an iterator.

    Raises:
        TypeError: it is none, in Python's words.
    """
    return iter(Walkable(value))


class Walkable:
    """An object that gives a value for its iterator.

    Args:
        value: what it gives.
    """

    def __init__(self, value: Any) -> None:
        self._value = value

    def __iter__(self) -> Any:
        return self._value


def check_bound(bound: Any) -> Any:
    """The bound of a range: an integer, where it may be a number that is none.

    Raises:
        TypeError: it is one.
    """
    range(bound)
    return bound


def check_step(step: Any) -> Any:
    """The step of a range, which may not be zero.

    Raises:
        ValueError: it is.
    """
    range(0, 0, step)
    return step
