"""Rules of the lowering: their signature, and what many of them share."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from astrace.ir.block import Constant, Node
from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.passes.functional.conversions import converted
from astrace.passes.functional.forms import Array, Form, Items, Number, Stack, Static
from astrace.passes.functional.layout import lists
from astrace.passes.functional.layout.flatten import cast
from astrace.passes.functional.operands import made
from astrace.passes.functional.program import Atom, Lit, atom_dtype
from astrace.passes.functional.state import Lowering

Kwargs: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """A function that writes the steps of one op.

    Args:
        make: returns the form of the result, given the state, the node, and the arguments as the call lays them out.
            Its own parameters are those that the op may be given: calls with others are refused.
        unions: it accepts operands of several types as they are.
        names: the names that NumPy gives to the parameters, if others may be ``None``.
    """

    make: Callable[..., Any]
    unions: bool = False
    names: tuple[str, ...] = ()

    def apply(self, state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Any:
        """Return the form of a result.

        Raises:
            Refused: the rule does not take these arguments.
        """
        if self.names:
            args, kwargs = self._by_name(args, kwargs)
        if kwargs or 2 + len(args) not in counts_of(self.make):
            try:
                parameters_of(self.make).bind(state, node, *args, **kwargs)
            except TypeError:
                raise state.refusal("AT304", f"`{node.op}` with these arguments") from None
        return self.make(state, node, *args, **kwargs)

    def _by_name(self, args: Sequence[Any], kwargs: Kwargs) -> tuple[Sequence[Any], Kwargs]:
        """Return arguments by the names of parameters, as far as there are names, without those that are ``None``."""
        own = list(parameters_of(self.make).parameters)[2:]
        called = {name: name if name in own else own[index] for index, name in enumerate(self.names)}
        given = dict(zip(called, args, strict=False)) | dict(kwargs)
        given = {called.get(key, key): one for key, one in given.items() if key in own or one is not None}
        return args[len(called) :], given


parameters_of: Final = functools.cache(inspect.signature)
"""Returns the signature of a function."""


@functools.cache
def counts_of(function: Callable[..., Any]) -> range:
    """Return how many arguments a function takes by position."""
    given = parameters_of(function).parameters.values()
    plain = [one for one in given if one.kind is one.POSITIONAL_OR_KEYWORD]
    least = sum(one.default is one.empty for one in plain)
    any_number = any(one.kind is one.VAR_POSITIONAL for one in given)
    return range(least, sys.maxsize if any_number else len(plain) + 1)


def signature(
    state: Lowering, function: Callable[..., Any], args: Sequence[Any], kwargs: Kwargs
) -> dict[str, Any]:
    """Return arguments by the names that NumPy gives them.

    Raises:
        Refused: they do not fit.
    """
    try:
        return dict(parameters_of(function).bind(*args, **kwargs).arguments)
    except TypeError:
        raise state.refusal("AT304", f"`{function.__name__}` does not take these arguments") from None


def needed(state: Lowering, kind: type[T], value: object, what: str) -> T:
    """Return an argument as the form that it has to be.

    Raises:
        Refused: it is another one.
    """
    if not isinstance(value, kind):
        raise state.refusal("AT301", f"{what} of a value that is not {SHOWN[kind]}")
    return value


T = TypeVar("T", Array, Number)
SHOWN: Final[Mapping[type, str]] = {Array: "an array", Number: "a number"}


def constant_of(state: Lowering, value: Any) -> Any:
    """Return an argument that has to be a constant, or a tuple of them.

    Raises:
        Refused: it depends on data.
    """
    match value:
        case Static():
            return value.value
        case Items():
            return tuple(constant_of(state, one) for one in value.items)
        case Number() if isinstance(value.atom, Constant):
            return value.atom.value
        case Number() | Array():
            raise state.refusal("AT303", "an axis depends on data")
        case _:
            return value


def array_of(state: Lowering, form: Any) -> Array:
    """Return an argument as an array.

    Raises:
        Refused: it is not an array.
    """
    if isinstance(form, Static):
        form = form.value
    match form:
        case Array():
            return form
        case Number():
            return state.array(as_array(state, form), ArraySpec((), form.dtype))
        case Stack():
            return lists.as_array(state, form)
        case list() | tuple():
            return stacked(state, form)  # pyright: ignore[reportUnknownArgumentType]
        case Items():
            return stacked(state, form.items)
        case np.ndarray() | np.generic() | bool() | int() | float() | complex():
            return array_of(state, state.constant(form))
        case _:
            raise state.refusal("AT301", "an argument is not an array")


def as_array(state: Lowering, form: Number) -> Atom:
    """Return a number as an atom that has a dtype of its own."""
    if isinstance(form.atom, Constant) or atom_dtype(form.atom) is None:
        return state.expr("xp.asarray", (form.atom, Lit(form.dtype)), form.dtype)
    return form.atom


def stacked(state: Lowering, items: Sequence[Any]) -> Array:
    """Return a list of numbers or arrays as one array; lists in it become rows."""
    forms = [array_of(state, one) for one in items]
    if not forms:
        raise state.refusal("AT304", "an empty list as an array")
    dtype = np.result_type(*(one.dtype for one in forms))
    atoms = [cast(state, state.read(one), one.dtype, dtype) for one in forms]
    atom = state.expr("xp.stack", (atoms,), dtype, forms[0].rank + 1)
    return state.array(atom, ArraySpec((len(forms), *forms[0].spec.shape), dtype))


def computed(state: Lowering, form: Any, dtype: np.dtype[Any] | None) -> Atom:
    """Return an argument in the dtype of the computation."""
    given = form if isinstance(form, Number | Array) else array_of(state, form)
    atom = as_array(state, given) if isinstance(given, Number) else state.read(given)
    return atom if dtype is None else cast(state, atom, given.dtype, dtype)


def result(state: Lowering, atom: Atom, given: np.dtype[Any], spec: Spec) -> Form:
    """Return a result that was computed in one dtype as NumPy returns it."""
    wanted = spec.dtype if isinstance(spec, ArraySpec | GenericSpec) else given
    return made(state, converted(state, atom, given, wanted), spec)


def value_dtype(state: Lowering, spec: Spec) -> np.dtype[Any]:
    """Return the dtype of a result.

    Raises:
        Refused: it has none.
    """
    if isinstance(spec, ArraySpec | GenericSpec) and spec.dtype.kind in "biufc":
        return spec.dtype
    raise state.refusal("AT301", f"a result of type {spec}")
