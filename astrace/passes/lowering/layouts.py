"""The order in which axes of arrays run in memory, which NumPy takes from the arrays that one is computed from; views of the same memory."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

import numpy as np

from astrace.ir.block import Constant, Operand, Value
from astrace.passes.lowering.block import LoweredWriter, same_operand
from astrace.passes.lowering.forms import ArrayForm, FixedAxis, MemoryView, NumberForm, RunningAxis


def is_one(size: NumberForm) -> bool:
    """Tell whether a size is known to be one: the axis is repeated."""
    return size.known == 1


def lay_out_as(writer: LoweredWriter, made: ArrayForm, array: ArrayForm) -> None:
    """Remember the order of axes that NumPy gives to an array made of another: that of the arrays it is computed from."""
    assert made.view is not None
    if not is_in_order(writer, array):
        writer.unordered.add(made.view.base)


def is_in_order(writer: LoweredWriter, array: ArrayForm) -> bool:
    """Return whether the axes of an array run as in C, if those of the arrays do that the program is given."""
    if array.leads is not None and _all_in_order(writer, (array.leads,)):
        return True
    return _all_in_order(writer, array.reads)


def turned(array: ArrayForm, unordered: AbstractSet[Value]) -> ArrayForm | None:
    """Return an array of two axes with these in the order in which they run in memory, if that is the other one for certain.

    That is, if it is a view with its axes the other way round, or is computed from nothing but such.

    Args:
        array: any.
        unordered: arrays whose axes may be in another order.
    """
    views = array.reads if array.view is None else (array.view,)
    if len(array.shape) != 2 or array.leads is not None or not views:
        return None
    if not all(view.base not in unordered and _runs_the_other_way(view) for view in views):
        return None

    def element(indices: Sequence[Operand]) -> Operand:
        return array.element(indices[::-1])

    return replace(
        array,
        shape=array.shape[::-1],
        element=element,
        reads=tuple(map(_turned_view, array.reads)),
        view=None if array.view is None else _turned_view(array.view),
        is_whole=False,
    )


def _runs_the_other_way(view: MemoryView) -> bool:
    """Return whether a view has two axes in the other order than its memory, at places that are known."""
    running = [place for place in view.places if isinstance(place, RunningAxis)]
    known = all(place.start is not place.step for place in running)
    return view.writeable and known and [place.axis for place in running] == [1, 0]


def _turned_view(view: MemoryView) -> MemoryView:
    """Return a view of two axes with these in the other order."""
    places = tuple(
        replace(place, axis=1 - place.axis) if isinstance(place, RunningAxis) else place
        for place in view.places
    )
    return replace(view, places=places)


def require_order(writer: LoweredWriter, base: Value, what: str) -> None:
    """Take the axes of an array to run as in C: an array that the program has made has the order of those that it is given.

    Args:
        writer: knows the arrays whose axes may be in another order.
        base: the array, which has several axes.
        what: depends on their order, for the reason.

    Raises:
        Unlowered: they may run in another order.
    """
    if base in writer.unordered:
        raise writer.refusal(f"{what} of an array whose axes may be in another order")
    writer.taken_in_order.add(base)
    writer.needs_c_order |= not writer.memory.members(base) <= writer.in_c_order


def may_be_made(writer: LoweredWriter, base: Value) -> bool:
    """Return whether an array may be one that the program makes: one that it is given lies in memory as it does for NumPy."""
    return base in writer.own or writer.memory.members(base) != {base}


def require_forward(writer: LoweredWriter, forms: Sequence[ArrayForm | NumberForm], what: str) -> None:
    """Take only arrays that run forward: NumPy's loop goes another way, and gives other bits, where one does not.

    Args:
        writer: writes nodes.
        forms: the operands of the loop.
        what: the loop, for the reason.

    Raises:
        Unlowered: one is a view that may run backwards.
    """
    writer.needs_forward = True
    views = (form.view for form in forms if isinstance(form, ArrayForm))
    if not all(view is None or _runs_forward(view) for view in views):
        raise writer.refusal(f"{what} of a view that runs backwards")


def _runs_forward(view: MemoryView) -> bool:
    """Return whether the steps of a view are known to be positive."""
    along = [place for place in view.places if isinstance(place, RunningAxis)]
    return all(place.is_forward for place in along)


def _all_in_order(writer: LoweredWriter, views: Sequence[MemoryView]) -> bool:
    bases = {view.base for view in views}
    if not all(map(_runs_as_in_c, views)) or bases & writer.unordered:
        return False
    writer.taken_in_order |= bases
    return True


def _runs_as_in_c(view: MemoryView) -> bool:
    axes = [place.axis for place in view.places if isinstance(place, RunningAxis)]
    return view.writeable and axes == sorted(axes)


def leading(
    writer: LoweredWriter, operands: Sequence[ArrayForm], shape: Sequence[NumberForm]
) -> MemoryView | None:
    """Return the view whose order an elementwise result has, whatever that of the other operands is.

    Where two disagree, NumPy takes the one that runs as in C (``npyiter_find_best_axis_ordering``).  An operand that is computed
    and may run in another order may become the result's own memory, so then there is none.

    Args:
        writer: knows the arrays whose axes may be in another order.
        operands: the arrays.
        shape: of the result.
    """
    if any(one.view is None and one.leads is None for one in operands):
        return None
    found = (one.leads if one.view is None else one.view for one in operands if _is_spread(one, shape))
    known = (view for view in found if view is not None and view.base not in writer.unordered)
    return next((view for view in known if _has_axes(view, len(shape))), None)


def _is_spread(array: ArrayForm, shape: Sequence[NumberForm]) -> bool:
    """Return whether an array has all axes of a shape, of which none is repeated."""
    return len(array.shape) == len(shape) and not any(
        is_one(own) and not is_one(other) for own, other in zip(array.shape, shape, strict=True)
    )


def _has_axes(view: MemoryView, rank: int) -> bool:
    """Return whether a view runs as in C, along as many axes of its memory as it has itself."""
    return _runs_as_in_c(view) and sum(isinstance(place, RunningAxis) for place in view.places) == rank


def repeated_axes(array: ArrayForm, shape: Sequence[NumberForm]) -> frozenset[int]:
    """Return the axes along which an array has one item, which is repeated where it is broadcast to a shape.

    Args:
        array: it.
        shape: has as many axes, or more.
    """
    own = shape[len(shape) - len(array.shape) :]
    pairs = enumerate(zip(array.shape, own, strict=True))
    return frozenset(axis for axis, (size, other) in pairs if is_one(size) and not is_one(other))


def reads_in(array: ArrayForm, shape: Sequence[NumberForm]) -> tuple[MemoryView, ...]:
    """Return what the elements of an array are computed from, which is broadcast to a shape: along an axis of one item they have one place.

    Args:
        array: it.
        shape: has as many axes, or more.
    """
    repeated = repeated_axes(array, shape)
    if not repeated:
        return array.reads
    return tuple(_at_one_place(view, repeated, len(array.shape)) for view in array.reads)


def _at_one_place(view: MemoryView, axes: AbstractSet[int], rank: int) -> MemoryView:
    """Return a view without some axes, which have one item; one that has not all axes of the array is no other view's equal anyway."""
    running = [place for place in view.places if isinstance(place, RunningAxis)]
    if len(running) != rank:
        return view
    places = tuple(
        FixedAxis(place.start) if isinstance(place, RunningAxis) and place.axis in axes else place
        for place in view.places
    )
    return replace(view, places=places)


# -- views of the same memory ----------------------------------------------------------------------------------


def is_same_view(left: MemoryView, right: MemoryView) -> bool:
    """Return whether two views have the same elements at the same indices."""
    return (
        left.base is right.base
        and left.part == right.part
        and all(map(is_same_place, left.places, right.places))
    )


def is_same_place(left: FixedAxis | RunningAxis, right: FixedAxis | RunningAxis) -> bool:
    """Return whether two views have the same index of an axis of their memory, or run along it in the same way."""
    match left, right:
        case FixedAxis(), FixedAxis():
            return same_operand(left.index, right.index)
        case RunningAxis(), RunningAxis():
            starts, steps = same_operand(left.start, right.start), same_operand(left.step, right.step)
            return left.axis == right.axis and starts and steps
        case _:
            return False


def never_meet(writer: LoweredWriter, one: MemoryView, other: MemoryView) -> bool:
    """Return whether two views of the same memory have no item in common: along an axis they take turns, as ``x[::2]`` and ``x[1::2]``.

    Args:
        writer: knows distances of integers.
        one: a view.
        other: another one.
    """
    return any(
        isinstance(left, RunningAxis) and isinstance(right, RunningAxis) and _take_turns(writer, left, right)
        for left, right in zip(one.places, other.places, strict=True)
    )


def _take_turns(writer: LoweredWriter, left: RunningAxis, right: RunningAxis) -> bool:
    """Return whether one axis of memory is run along by the same step from starts that it does not lead from one to the other.

    A start that is clipped is the axis' end, and there are no items then.
    """
    if not isinstance(left.step, Constant) or not same_operand(left.step, right.step) or left.step.value < 2:
        return False
    starts = (writer.unclipped.get(one.start, one.start) for one in (left, right))
    distance = writer.distance(*starts)
    return distance is not None and distance % left.step.value != 0


COMPLEX: Final = frozenset({np.add, np.subtract, np.divide, np.negative, np.positive, np.conjugate})
"""The ufuncs of complex numbers that give the same bits for several elements at once as for one after the other."""
FLOATS: Final = COMPLEX | frozenset(
    (
        *(np.multiply, np.square, np.reciprocal, np.absolute, np.fabs, np.sqrt, np.floor_divide, np.remainder, np.fmod),
        *(np.minimum, np.maximum, np.fmin, np.fmax, np.floor, np.ceil, np.trunc, np.rint, np.sign, np.copysign),
        *(np.radians, np.deg2rad, np.degrees, np.rad2deg),
    )
)  # fmt: skip
"""The same for floats."""


def require_no_overlap(
    writer: LoweredWriter, target: ArrayForm, forms: Sequence[NumberForm | ArrayForm], ufunc: np.ufunc
) -> None:
    """Take only operands that are the view of the result itself, or other memory, where the bits depend on that.

    NumPy's loops take one element at a time where the bytes from the first to the last one of an operand meet those of the result, and
    the two are not the same view (``is_mem_overlap``); of items that are read before they are stored NumPy makes no copy first.

    Args:
        writer: knows what may share memory.
        target: the view that the result is stored into.
        forms: the operands.
        ufunc: the ufunc.

    Raises:
        Unlowered: an operand may be other items of the same array.
    """
    same = {"c": COMPLEX, "f": FLOATS}.get(target.dtype.kind)
    if same is None or ufunc in same or not writer.exact or target.view is None:
        return
    for form in forms:
        view = form.view if isinstance(form, ArrayForm) else None
        if not isinstance(form, ArrayForm) or view is None:
            continue
        if is_same_view(view, target.view) and not repeated_axes(form, target.shape):
            continue
        if writer.memory.may_share(view.base, target.view.base):
            raise writer.refusal(
                f"`np.{ufunc.__name__}` of items of the array that the result is stored into"
            )
