"""Nested Python containers with holes: how arguments and results are laid out.

A node's inputs are a flat tuple of values; ``np.stack([a, b])`` or ``return {"loss": x}`` need to say
where those values sit.  A *tree* is any nesting of tuples, named tuples, lists, dicts and slices in
which a `Hole` stands for a value.  This module knows containers, not values.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

Tree: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Hole:
    """The place of value number ``index`` in a tree."""

    index: int


@dataclass(frozen=True, slots=True)
class Pattern:
    """The layout of one call: positional and keyword arguments with holes for the values.

    Example:
        >>> Pattern(([Hole(0), Hole(1)],), {"axis": 0}).fill(["a", "b"])
        ((['a', 'b'],), {'axis': 0})
    """

    args: tuple[Tree, ...]
    kwargs: dict[str, Tree]

    def fill(self, values: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Put ``values`` into the holes; returns positional and keyword arguments."""
        return fill(self.args, values), fill(self.kwargs, values)

    def holes(self) -> Iterator[Hole]:
        """The holes, in the order in which Python would evaluate the arguments."""
        yield from holes(self.args)
        yield from holes(self.kwargs)


def is_namedtuple(value: object) -> bool:
    """Return whether ``value`` is an instance of a named tuple class that consists of its items alone.

    A subclass may hold attributes beside the items, or say itself how instances are made and walked; members of
    enumerations are what they are by identity.
    """
    cls = type(value)
    if not issubclass(cls, tuple) or not hasattr(cls, "_fields"):
        return False
    return type(cls) is type and not own_attributes(value) and not _walks_itself(cls)


def _walks_itself(cls: type) -> bool:
    """Return whether a subclass of a named tuple class makes or walks its instances in its own way."""
    for base in resolution_order(cls):
        held = members(base)
        made = held.get("__new__")
        if isinstance(made, staticmethod) and str(made.__func__.__module__).startswith("namedtuple_"):
            return False
        if not WALKING.isdisjoint(held):
            return True
    return False


WALKING: Final = frozenset({"__new__", "__init__", "_make", "__iter__", "__len__", "__getitem__", "__del__"})


def is_namedtuple_class(cls: type) -> bool:
    """Return whether a class was made by ``namedtuple``; its constructor only stores."""
    return (
        issubclass(cls, tuple)
        and hasattr(cls, "_fields")
        and getattr(cls.__new__, "__module__", "").startswith("namedtuple_")
    )


def tuple_like(sample: Any, items: Iterable[Any]) -> Any:
    """A tuple of the items, of the named tuple class of ``sample`` if it has one."""
    cls: Any = type(sample)
    return cls._make(items) if is_namedtuple(sample) else tuple(items)


def map_tree(function: Callable[[Any], Any], tree: Tree) -> Tree:
    """Rebuild ``tree`` with ``function`` applied to everything that is not a plain container."""
    kind = type(tree)
    if kind is tuple or kind is list:
        return kind(map_tree(function, item) for item in tree)
    if kind is dict:
        return {map_tree(function, key): map_tree(function, item) for key, item in tree.items()}
    if kind is slice:
        return slice(*(map_tree(function, part) for part in (tree.start, tree.stop, tree.step)))
    if is_namedtuple(tree):
        return kind._make(map_tree(function, item) for item in tree)
    return function(tree)


def leaves(tree: Tree) -> Iterator[Any]:
    """Everything in ``tree`` that is not a plain container, in evaluation order."""
    kind = type(tree)
    if kind is tuple or kind is list or is_namedtuple(tree):
        for item in tree:
            yield from leaves(item)
    elif kind is dict:
        for key, item in tree.items():
            yield from leaves(key)
            yield from leaves(item)
    elif kind is slice:
        yield from leaves((tree.start, tree.stop, tree.step))
    else:
        yield tree


ALIKE: Final = frozenset(
    {bool, int, float, complex, str, bytes, type(None), np.ndarray, *np.sctypeDict.values()}
)
"""Classes whose instances are leaves in which nothing else is to be found."""

NESTED: Final = frozenset({tuple, list, dict, slice})
"""Classes of containers, beside those of named tuples."""


def telling_leaves(tree: Tree) -> list[Any]:
    """The leaves of ``tree``; of numbers, strings and arrays alone in a container, one of each class stands for all.

    For questions to which all instances of such a class give one answer; a list may hold millions of them.

    Example:
        >>> telling_leaves([[1, 2, 3.5, 4], ("a", [])])
        [4, 3.5, 'a']
    """
    found: list[Any] = []
    _tell(tree, (), found)
    return found


def _tell(tree: Tree, around: tuple[int, ...], found: list[Any]) -> None:
    """Add the telling leaves of a tree to those found, but for what contains itself."""
    kind = type(tree)
    if kind is tuple or kind is list or (issubclass(kind, tuple) and is_namedtuple(tree)):
        parts: Any = tree
        if ALIKE.issuperset(map(type, parts)):
            parts = dict(zip(map(type, parts), parts, strict=True)).values()
    elif kind is dict:
        parts = (tuple(tree), tuple(tree.values()))
    elif kind is slice:
        parts = (tree.start, tree.stop, tree.step)
    else:
        found.append(tree)
        return
    if kind in (list, dict):
        if id(tree) in around:
            return
        around = (*around, id(tree))
    for part in parts:
        kind = type(part)
        if kind in NESTED or issubclass(kind, tuple):
            _tell(part, around, found)
        else:
            found.append(part)


def fill(tree: Tree, values: Sequence[Any]) -> Tree:
    """Put ``values`` into the holes of ``tree``.

    Example:
        >>> fill((Hole(1), {"k": Hole(0)}), ["x", "y"])
        ('y', {'k': 'x'})
    """
    return map_tree(lambda leaf: values[leaf.index] if isinstance(leaf, Hole) else leaf, tree)


def holes(tree: Tree) -> Iterator[Hole]:
    """The holes of ``tree`` in evaluation order."""
    return (leaf for leaf in leaves(tree) if isinstance(leaf, Hole))


def held_by(container: Any) -> Iterable[Any]:
    """Return what a container of Python's holds, whatever a class derived from its class makes of iterating; else nothing.

    Example:
        >>> class Loud(list):
        ...     __iter__ = None
        >>> [*held_by(Loud([1, 2]))], [*held_by({"a": 1})], [*held_by(3)]
        ([1, 2], ['a', 1], [])
    """
    cls = type(container)
    if issubclass(cls, dict):
        return (*dict.keys(container), *dict.values(container))
    for kind in ITERABLE:
        if issubclass(cls, kind):
            return kind.__iter__(container)
    return ()


ITERABLE: Final = (list, tuple, set, frozenset, collections.deque)
"""Containers that hold what iterating over them gives."""


def own_attributes(value: Any) -> dict[str, Any]:
    """The attributes that an instance has of its own; past a ``__getattr__`` of the user's."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}


def resolution_order(cls: type) -> tuple[type, ...]:
    """The classes that an attribute is looked up in, whatever the metaclass says; none while the class is made."""
    return RESOLUTION_ORDER.__get__(cls) or ()


def members(cls: type) -> Mapping[str, Any]:
    """Return the attributes of a class itself, as they are stored."""
    return MEMBERS.__get__(cls)


RESOLUTION_ORDER: Final[Any] = vars(type)["__mro__"]
MEMBERS: Final[Any] = vars(type)["__dict__"]
