"""Ops of lowered blocks on lists of machine numbers: a list of Python's is one such list for each part of its items.

The functions here are the meaning of the ops; a backend may have faster ones.  Indices are known to lie inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import GenericSpec, ListSpec, Spec
from astrace.ops.registry import Op, always
from astrace.ops.rules import nothing, spec_of


def new_list(size: int, dtype: np.dtype[Any], depth: int = 0) -> list[Any]:
    """A list whose items are not set; they are lists themselves, so many times."""
    return [None] * size


def size_of_list(items: list[Any]) -> int:
    """The number of items."""
    return len(items)


def address_of_list(items: list[Any]) -> int:
    """Tell a list from others."""
    return id(items)


def item_of_list(items: list[Any], index: int) -> Any:
    """Return an item of a list, at an index that is inside."""
    return items[index]


def put_in_list(items: list[Any], index: int, value: Any) -> None:
    """Replace an item of a list, at an index that is inside."""
    items[index] = value


def append_to_list(items: list[Any], value: Any) -> None:
    """Add an item at the end."""
    items.append(value)


def grow_list(items: list[Any], count: int) -> None:
    """Add items at the end that are not set."""
    items.extend([None] * count)


def insert_in_list(items: list[Any], index: int, value: Any) -> None:
    """Add an item in front of another one."""
    items.insert(index, value)


def take_from_list(items: list[Any], index: int) -> Any:
    """Remove an item, and return it."""
    return items.pop(index)


def cut_list(items: list[Any], size: int) -> None:
    """Remove all items but the first."""
    del items[size:]


def place_in_list(items: list[Any], value: Any) -> int:
    """Return the first place of a number; -1 if it is not there."""
    return next((place for place, item in enumerate(items) if item == value), -1)


LISTS: Final[Mapping[str, Callable[..., Any]]] = {
    function.__name__: function
    for function in (
        *(size_of_list, address_of_list, item_of_list, put_in_list, append_to_list, grow_list),
        *(insert_in_list, take_from_list, cut_list, place_in_list),
    )
}
"""The ops that are written as calls of a function of their name, and what they do."""
CHANGES: Final = frozenset(
    {"put_in_list", "append_to_list", "grow_list", "insert_in_list", "take_from_list", "cut_list"}
)
"""The ops that change a list."""


def _made(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    found: Spec = GenericSpec(kwargs["dtype"])
    for _ in range(1 + kwargs.get("depth", 0)):
        found = ListSpec(found)
    return found


def _is_fresh(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether what a list holds are numbers; lists in it stay the ones that they are."""
    spec = spec_of(args[0])
    return not (isinstance(spec, ListSpec) and isinstance(spec.element, ListSpec))


def _item(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | None:
    spec = spec_of(args[0])
    return spec.element if isinstance(spec, ListSpec) else None


def _size(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return GenericSpec(np.dtype(np.int64))


RULES: Final = {
    "size_of_list": _size,
    "address_of_list": _size,
    "place_in_list": _size,
    "item_of_list": _item,
    "take_from_list": _item,
}
"""The types of results, of ops that have one."""


def rows() -> Iterator[Op]:
    """One row for each op."""
    yield Op("new_list", new_list, _made, safe=always, fresh=always, creates=True)
    for name, function in LISTS.items():
        writes = (0,) if name in CHANGES else ()
        yield Op(name, function, RULES.get(name, nothing), writes=writes, safe=always, fresh=_is_fresh)
