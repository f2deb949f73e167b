"""Trees of arrays of JAX that are given as arguments: taken apart as JAX itself takes them apart.

A dict, a list, or an instance of a class that JAX knows as a tree, stands for what it holds as long as nothing
changes it or asks which object it is: then loops can carry it and branches merge it by its parts.  Where
something does, tracing starts again with the object itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final

from astrace.guards.access_paths import Argument, Attribute, Item, Path, Root
from astrace.guards.kinds import HasKeys, HasLength, HasType
from astrace.ir.jax_arrays import is_array, jax_module
from astrace.tracing.changes.journal import attributes, restore, slot_names
from astrace.tracing.changes.merge import empty_like
from astrace.tracing.external.slots import has_namespace
from astrace.tracing.values.objects import is_user_class
from astrace.util.trees import ALIKE, is_namedtuple, own_attributes

KIND: Final = "argument"
"""The kind of site of an object that stands for an argument."""


def is_tree(value: Any) -> bool:
    """Return whether an object is a tree of arrays of JAX that can be taken apart.

    Args:
        value: anything.
    """
    if jax_module() is None or not (type(value) in (dict, list) or is_node(value)):
        return False
    return _holds_arrays(value, set())


def _holds_arrays(value: Any, seen: set[int]) -> bool:
    """Return whether an array of JAX is somewhere in a tree, without running code of the user's."""
    if is_array(value):
        return True
    parts = () if id(value) in seen else _parts(value)
    seen.add(id(value))
    return any(_holds_arrays(part, seen) for part in parts)


def _parts(value: Any) -> Iterable[Any]:
    """Return the parts of a tree, without containers of numbers and strings alone."""
    cls = type(value)
    if cls in (list, tuple) or is_namedtuple(value):
        return () if ALIKE.issuperset(map(type, value)) else value
    if cls is dict:
        return value.values()
    return own_attributes(value).values() if is_node(value) else ()


def is_node(value: Any) -> bool:
    """Return whether an object is an instance of a user's class that JAX knows as a tree, with all parts in a dict."""
    cls: type[Any] = type(value)
    plain = is_user_class(cls) and not issubclass(cls, dict | list | tuple) and has_namespace(value)
    return plain and not any(slot_names(cls)) and not jax_module().tree_util.all_leaves([value])


def is_reached(path: Path) -> bool:
    """Return whether a path leads from an argument, or a name, through attributes and items."""
    while isinstance(path, Attribute | Item):
        path = path.owner
    return isinstance(path, Argument | Root)


def site_of(path: Path) -> tuple[Hashable, ...]:
    """Return the site of the stand-in for the object at a path."""
    return (KIND, path)


def stand_in(state: Any, value: Any, path: Path) -> Any:
    """An object made while tracing that stands for a tree from outside.

    Args:
        state: the outside state of the trace.
        value: the tree.
        path: where it was found.
    """
    state.guarded(value, path, HasType(path, type(value)))
    made = empty_like(value)
    match value:
        case list():
            state.guarded(value, path, HasLength(path, len(value)))
            held: Any = [state.enter(item, Item(path, index)) for index, item in enumerate(value)]
        case dict():
            state.guarded(value, path, HasKeys(path, tuple(value)))
            held = {key: state.enter(item, Item(path, key)) for key, item in value.items()}
        case _:
            names = Attribute(path, "__dict__")
            state.guarded(value, path, HasKeys(names, tuple(vars(value))))
            held = {
                name: state.enter(item, Attribute(path, name)) for name, item in attributes(value).items()
            }
    restore(made, held)
    site = site_of(path)
    return state.trace.journal.born(made, site, (site,))
