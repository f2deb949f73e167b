"""Keys: their parts, the axes that these apply to, and keys of views as keys of the whole array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from astrace.backends.jax.lower.scalars.symbolic_sizes import size
from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import FULL, Array, Number, Static, View, view_of
from astrace.backends.jax.program_ir import Atom, Lit
from astrace.ir.block import Constant
from astrace.ir.specs import INT as PYTHON_INT
from astrace.util.trees import Tree


@dataclass(frozen=True, slots=True)
class Slice:
    """``start:stop:step`` with bounds that are known when JAX traces."""

    start: Atom | None
    stop: Atom | None
    step: Atom | None

    @property
    def is_whole(self) -> bool:
        """True for ``:``."""
        return self.start is None and self.stop is None and self.step is None


@dataclass(frozen=True, slots=True)
class DynamicSlice:
    """``start:stop:step`` of which a bound depends on data: see ``dynamic_slices``."""

    start: Number | None
    stop: Number | None
    step: Number | None


Part: TypeAlias = Number | Array | Slice | DynamicSlice | Static
"""One part of a key; ``Static`` for an ellipsis or a new axis."""


# -- where parts apply -------------------------------------------------------------------------------------


def axes(parts: Sequence[Part], rank: int) -> list[int]:
    """Return for each part the axis it applies to, or the first of several; ``-1`` for a new axis."""
    counts = [consumed(part) for part in parts]
    left = rank - sum(counts)
    found: list[int] = []
    axis = 0
    for part, count in zip(parts, counts, strict=True):
        found.append(-1 if isinstance(part, Static) and not is_dots(part) else axis)
        axis += left if is_dots(part) else count
    return found


def places(parts: Sequence[Part], rank: int) -> list[tuple[int, Part | None]]:
    """Return, for each axis of a part, the axis of the whole, or ``-1`` for a new one, and its part of the key."""
    found: list[tuple[int, Part | None]] = []
    left = rank - sum(map(consumed, parts))
    for part, axis in zip(parts, axes(parts, rank), strict=True):
        if is_dots(part):
            found += [(axis + index, None) for index in range(left)]
        elif not isinstance(part, Number):
            found.append((axis, part))
    if not any(map(is_dots, parts)):
        found += [(axis, None) for axis in range(rank - left, rank)]
    return found


def consumed(part: Part) -> int:
    """Return the number of axes that a part applies to, an ellipsis aside."""
    match part:
        case Static():
            return 0
        case Array() if part.dtype == BOOL:
            return part.rank
        case _:
            return 1


def is_dots(part: Part) -> bool:
    """Return whether a part is an ellipsis."""
    return isinstance(part, Static) and part.value is ...


def is_all(part: Part) -> bool:
    """Return whether a part of a key selects everything."""
    return part.is_whole if isinstance(part, Slice) else isinstance(part, Static) and part.value is ...


def key_tree(state: Lowering, parts: Sequence[Part]) -> tuple[Tree, ...]:
    """Return a key of atoms, slices of them, ``None`` and ``...``."""

    def tree(part: Part) -> Tree:
        match part:
            case Number():
                return part.atom
            case Array():
                return state.read(part)
            case Static():
                return part.value
            case Slice():
                return slice(part.start, part.stop, part.step)
            case DynamicSlice():
                raise state.unknown_size()

    return tuple(map(tree, parts))


# -- keys of views -----------------------------------------------------------------------------------------


def item_view(key: tuple[Tree, ...], rank: int, parts: Sequence[Part], array: Array) -> View:
    """Return the view of a part of an array under a key."""
    return replace(view_of("item", "item", (key,), rank), key=tuple(parts), owner=array)


def whole_key(state: Lowering, array: Array, parts: Sequence[Part]) -> tuple[Array, list[Part]]:
    """Return a key of a part as a key of the whole array: ``x[i][j]`` is ``x[i, j]``, ``x[2:][j]`` is ``x[2 + j]``.

    Args:
        state: the lowering.
        array: the array that the key is for.
        parts: its parts, whose indices are inside.

    Returns:
        The array and the parts themselves where the key can't be one.
    """
    last = array.path[-1] if array.path else None
    if last is None or last.owner is None:
        return array, list(parts)
    inner = _by_axis(parts, last.rank)
    outer = _by_axis(last.key, last.owner.rank)
    if inner is None or outer is None:
        return array, list(parts)
    found: list[Part] = []
    rest = iter(inner)
    for axis, part in enumerate(outer):
        joined = part if isinstance(part, Number) else _joined(state, last.owner, axis, part, next(rest))
        if joined is None:
            return array, list(parts)
        found.append(joined)
    while is_all(found[-1]) and len(found) > 1:
        found.pop()
    return replace(last.owner, extents=()), found


def _by_axis(parts: Sequence[Part], rank: int) -> list[Part] | None:
    """Return one part for each axis; ``None`` if there are new axes, or arrays of indices."""
    if any(not isinstance(one, Number | Slice) and not is_dots(one) for one in parts):
        return None
    whole: Part = Slice(None, None, None)
    found: list[Part] = []
    left = rank - sum(map(consumed, parts))
    for part in parts:
        found += [whole] * left if is_dots(part) else [part]
    return found + [whole] * (rank - len(found))


def _joined(state: Lowering, owner: Array, axis: int, outer: Part, inner: Part) -> Part | None:
    """Return a part of a key of a part as one of a key of the whole; ``None`` if there is none."""
    if is_all(outer):
        return inner
    if is_all(inner):
        return outer
    if not isinstance(outer, Slice) or not isinstance(inner, Number):
        return None
    if _is_plain(outer) and inner.bounds[0] >= 0 and inner.spec == PYTHON_INT:
        start = outer.start or Lit(0)
        return replace(inner, atom=state.once("add", (start, inner.atom), INT), bounds=FULL)
    limit = size(state, owner, axis).atom
    args = (limit, inner.atom, key_tree(state, [outer]))
    return Number(state.once("place", args, INT), PYTHON_INT)


def _is_plain(part: Slice) -> bool:
    """Return whether a slice that is not empty leaves out as many items as its start says, and none in between."""
    counted = part.start is None or (isinstance(part.start, Constant) and part.start.value >= 0)
    return counted and part.step in (None, Lit(1))
