"""Indexing: keys, reading a part of an array, and writing one; keys of views are keys of the whole array."""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from astrace.ir.block import Constant
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, Dim, GenericSpec, ScalarSpec, Spec
from astrace.passes.analysis.named_sizes import is_inside, put_together, taken_apart
from astrace.passes.functional.conversions import assigned, filled
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import FULL, Array, Form, Items, Number, Static, View, view_of
from astrace.passes.functional.program import Atom, Lit, is_host
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import size
from astrace.util.trees import Tree


@dataclass(frozen=True, slots=True)
class Slice:
    """``start:stop:step`` with bounds that are known at compile time."""

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


# -- what is read and written --------------------------------------------------------------------------------


def key_parts(state: Lowering, key: Any) -> list[Part]:
    """Return the parts of a key, which may hold forms, or be one."""
    if isinstance(key, Static):
        key = key.value
    if isinstance(key, Items) and key.cls is not list:
        key = key.items
    keys: tuple[Any, ...] = key if type(key) is tuple else (key,)
    return [_part(state, one) for one in keys]


def _part(state: Lowering, part: Any) -> Part:
    if isinstance(part, Static):
        part = part.value
    if isinstance(part, Items) and part.cls is list:
        part = list(part.items)
    match part:
        case Number():
            return _number(state, part)
        case Array():
            if part.dtype.kind not in "biu":
                raise state.refusal("AT304", "an index that is not an integer")
            return part
        case slice():
            return _slice(state, (part.start, part.stop, part.step))
        case None | types.EllipsisType():
            return Static(part)
        case int() | np.integer() if not isinstance(part, bool):
            return Number(Lit(int(part)), ScalarSpec("int"), (int(part), int(part)), frozenset())
        case list() | np.ndarray():
            return _constant(state, part)
        case _:
            raise state.refusal("AT304", f"an index of type {type(part).__name__}")


def _number(state: Lowering, part: Number) -> Number:
    if part.dtype.kind not in "iu":
        raise state.refusal("AT304", "an index that is not an integer")
    return part


def _constant(state: Lowering, part: Any) -> Array:
    """Return the array of a list of numbers, or of an array, in a key."""
    if any(isinstance(one, Number | Array) for one in part):
        forms = [state.constant(one) if type(one) is int else one for one in part]
        items = [one for one in forms if isinstance(one, Number) and one.dtype.kind in "iu"]
        if len(items) < len(part):
            raise state.refusal("AT304", "an index of mixed items")
        atom = state.expr("xp.asarray", ([one.atom for one in items],), INT, 1)
        return state.array(atom, ArraySpec((len(items),), INT))
    value = np.asarray(part)
    if value.size == 0:
        value = value.astype(np.int64)
    if value.dtype.kind not in "biu":
        raise state.refusal("AT304", "an index that is not an integer")
    return state.array(state.literal(value), ArraySpec(value.shape, value.dtype))


def _slice(state: Lowering, bounds: Sequence[Any]) -> Slice | DynamicSlice:
    """Return a slice, which is loose if a bound is known neither now nor at compile time."""
    if not any(isinstance(one, Number) and not is_host(one.atom) and not one.inputs for one in bounds):
        return Slice(*(_bound(state, one) for one in bounds))
    forms = [state.constant(one) if isinstance(one, int | np.integer) else one for one in bounds]
    numbers = [_number(state, one) if isinstance(one, Number) else None for one in forms]
    return DynamicSlice(*numbers)


def _bound(state: Lowering, bound: Any) -> Atom | None:
    if bound is None or (isinstance(bound, Static) and bound.value is None):
        return None
    if isinstance(bound, int | np.integer):
        return Lit(int(bound))
    if isinstance(bound, Number) and bound.dtype.kind not in "iu":
        raise state.refusal("AT304", "a slice bound that is not an integer")
    return state.host(bound, "the size of a slice")


def check_inside(state: Lowering, array: Array, parts: Sequence[Part]) -> None:
    """Check that indices are in bounds, else NumPy raises."""
    if sum(map(consumed, parts)) > array.rank:
        raise state.refusal("AT304", "too many indices")
    for part, axis in zip(parts, axes(parts, array.rank), strict=True):
        if isinstance(part, Number) and not is_inside(part, array.spec.shape[axis]):
            _check_index(state, part, size(state, array, axis))
        if isinstance(part, Array):
            limit = size(state, array, axis)
            args = (state.read(part), limit.atom)
            if part.dtype != BOOL:
                state.check(state.expr("support.all_inside", args, BOOL))


def _check_index(state: Lowering, index: Number, limit: Number) -> None:
    op = "lt" if index.bounds[0] >= 0 else "support.is_inside"
    state.check(state.arithmetic(op, (index.atom, limit.atom), BOOL))


# -- reading -----------------------------------------------------------------------------------------------


def get_parts(state: Lowering, array: Array, parts: Sequence[Part], spec: Spec) -> Form:
    """Write ``array[key]`` for a key whose parts are known."""
    check_inside(state, array, parts)
    if any(isinstance(part, Array) and part.dtype == BOOL for part in parts):
        raise state.refusal("AT303", "the number of items that a mask selects depends on data")
    return _get(state, array, parts, spec)


def _get(state: Lowering, array: Array, parts: Sequence[Part], spec: Spec) -> Form:
    owner, whole = whole_key(state, array, parts)
    key = key_tree(state, whole)
    rank = len(spec.shape) if isinstance(spec, ArraySpec) else 0
    current = state.padded(owner)
    atom = state.expr("item", (current, key), array.dtype, rank)
    if isinstance(spec, GenericSpec):
        return Number(atom, spec)
    if not isinstance(spec, ArraySpec):
        raise state.refusal("AT301", f"an item of type {spec}")
    if any(isinstance(part, Array) for part in parts):
        return state.array(atom, spec)
    view = item_view(key, rank, whole, owner)
    refined = ArraySpec(_sizes(array.spec, parts, spec), spec.dtype)
    return Array(owner.root, (*owner.path, view), refined, atom, state.versions[owner.root])


def item_at(state: Lowering, array: Array, index: Number) -> Form:
    """Write the item along the first axis at an index that is inside."""
    rest = array.spec.shape[1:]
    spec: Spec = ArraySpec(rest, array.dtype) if rest else GenericSpec(array.dtype)
    found = _get(state, array, [index], spec)
    extents = array.extents[1:]
    return replace(found, extents=extents) if isinstance(found, Array) and any(extents) else found


def _sizes(owner: ArraySpec, parts: Sequence[Part], spec: ArraySpec) -> tuple[Dim, ...]:
    """Return the sizes of a part: those that its key tells, else those that are known of the result."""
    found = sizes(owner, places(parts, len(owner.shape)))
    if len(found) != len(spec.shape):
        return spec.shape
    return tuple(known if mine is None else mine for mine, known in zip(found, spec.shape, strict=True))


def sizes(owner: ArraySpec, found: Sequence[tuple[int, Part | None]]) -> tuple[Dim, ...]:
    """Return the sizes of a part, by the axes of the whole; slices with constant bounds take a constant off."""
    dims = [(1 if axis < 0 else owner.shape[axis], part) for axis, part in found]
    return tuple(sliced(dim, part) if isinstance(part, Slice) else dim for dim, part in dims)


def sliced(dim: Dim, part: Slice) -> Dim:
    """Return a size that a slice with constant bounds leaves at least; ``None`` for other bounds."""
    bounds = [one.value if isinstance(one, Constant) else one for one in (part.start, part.stop, part.step)]
    size_ = taken_apart(dim)
    if part.is_whole or bounds == [None, None, -1]:
        return dim
    if (
        size_ is None
        or bounds[2] not in (None, 1)
        or not all(isinstance(one, int | None) for one in bounds[:2])
    ):
        return None
    start, stop = (0 if one is None else one for one in bounds[:2])
    if not isinstance(start, int) or not isinstance(stop, int) or start < 0 or stop > 0 or bounds[1] == 0:
        return None
    return put_together(size_[0], size_[1] - start + stop)


# -- writing -----------------------------------------------------------------------------------------------


def set_parts(state: Lowering, array: Array, parts: Sequence[Part], value: Form) -> None:
    """Write ``array[key] = value`` for a key whose parts are known."""
    check_inside(state, array, parts)
    if any(isinstance(part, Array) and part.dtype == BOOL for part in parts):
        raise state.refusal("AT303", "the number of items that a mask selects depends on data")
    content = assigned(state, value, array.dtype)
    if any(isinstance(part, Array) for part in parts):
        _check_once(state, parts)
    if all(map(is_all, parts)):
        state.write(array, lambda whole: filled(state, whole, content))
        return
    owner, whole = whole_key(state, array, parts)
    key = key_tree(state, whole)
    rank = owner.rank
    checks = _may_be_empty(array, parts, value)

    def change(whole: Atom) -> Atom:
        fit = content
        if checks and isinstance(value, Array):
            fit = state.expr("fit_to_part", (content, whole, key), owner.dtype, value.rank)
        return state.expr("update", (whole, fit, key), owner.dtype, rank)

    state.write(owner, change)


def _may_be_empty(array: Array, parts: Sequence[Part], value: Form) -> bool:
    """Return whether a part may have no items: a compiler then stores nothing, and does not check that the value fits."""
    if not isinstance(value, Array) or not value.spec.shape:
        return False
    sliced_off = any(isinstance(part, Slice) and not part.is_whole for part in parts)
    return sliced_off or None in array.spec.shape


def _check_once(state: Lowering, parts: Sequence[Part]) -> None:
    """Check that no place is stored to twice: NumPy keeps the last value, a compiled program any."""
    arrays = [state.read(part) for part in parts if isinstance(part, Array)]
    state.check(state.expr("support.are_distinct", arrays, BOOL))
