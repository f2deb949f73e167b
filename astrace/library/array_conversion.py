"""Arrays of one library on their way into a graph that was written for another one, and back.

Lists and dicts that hold such arrays are made anew on the way in; what a call changes in them is put back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from astrace.util.trees import leaves, map_tree

Convert = Callable[[Any], Any]


class Crossing:
    """The arguments of one call, converted between NumPy and JAX.

    Args:
        into: converts an argument that is no container, or gives it as it is.
        back: the same for what comes out.
    """

    def __init__(self, into: Convert, back: Convert) -> None:
        self._into, self._back = into, back
        self._originals: dict[int, Any] = {}
        self._converted: dict[int, Any] = {}
        self._made: list[tuple[Any, Any, list[Any]]] = []

    def into(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments to call the graph with."""
        return tuple(map(self._enter, args)), {name: self._enter(one) for name, one in kwargs.items()}

    def back(self, found: Any) -> Any:
        """Return the result, converted; the contents of containers that were arguments are converted in place."""
        for original, made, before in self._made:
            if [id(one) for one in _contents(made)] != [id(one) for one in before]:
                _put(original, made, self._leave)
        return self._results(found)

    def _enter(self, tree: Any) -> Any:
        """An argument; a container that holds nothing to convert stays the object it is."""
        if id(tree) in self._converted:
            return self._converted[id(tree)]
        made = self._rebuilt(tree) if isinstance(tree, tuple | list | dict) else self._into(tree)
        if made is not tree:
            self._originals[id(made)] = tree
            self._converted[id(tree)] = made
        return made

    def _rebuilt(self, tree: Any) -> Any:
        if type(tree) is dict:
            made: Any = {key: self._enter(one) for key, one in tree.items()}
        elif type(tree) is list:
            made = [self._enter(one) for one in tree]
        else:
            return _same_or(tree, map_tree(self._enter, tree))
        if all(one is other for one, other in zip(_contents(made), _contents(tree), strict=True)):
            return tree
        self._made.append((tree, made, _contents(made)))
        return made

    def _leave(self, value: Any) -> Any:
        return self._originals.get(id(value), value)

    def _results(self, found: Any) -> Any:
        whole = self._originals.get(id(found))
        if isinstance(whole, list | dict):
            return whole
        return _same_or(found, map_tree(self._back, found))


def _same_or(tree: Any, made: Any) -> Any:
    """A container itself where converting has changed nothing in it."""
    return tree if all(one is other for one, other in zip(leaves(tree), leaves(made), strict=True)) else made


def _contents(container: Any) -> list[Any]:
    """Return the items of a list, or the keys and values of a dict."""
    if isinstance(container, dict):
        return [part for item in container.items() for part in item]  # pyright: ignore[reportUnknownVariableType]
    return list(container)


def _put(original: Any, made: Any, leave: Convert) -> None:
    if isinstance(original, list):
        original[:] = map(leave, made)
        return
    original.clear()
    original.update((key, leave(one)) for key, one in made.items())


def as_numpy(value: Any) -> Any:
    """Convert an array of another library to a writable one of NumPy's; other objects stay as they are."""
    kind = type(value)
    foreign = hasattr(kind, "__array__") and hasattr(kind, "__array_namespace__")
    if not foreign or isinstance(value, np.ndarray | np.generic):
        return value
    found = np.asarray(value)
    return found if found.flags.writeable else found.copy()
