"""Items and slices of arrays: indices that are checked, bounds that are clipped as Python clips them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from astrace.ir.block import Constant, Operand
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.passes.analysis.int_ranges import FULL
from astrace.passes.lowering.arrays import integer, materialised, viewed
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    FixedAxis,
    Form,
    ListForm,
    MemoryView,
    NumberForm,
    RunningAxis,
    StaticForm,
    TupleForm,
    bounds_of_dtype,
)
from astrace.passes.lowering.integers import check_small, index_of, minus, plus, times
from astrace.passes.lowering.numbers import number
from astrace.passes.lowering.unions import is_none, present


def parts_of(writer: LoweredWriter, key: Any, *, arrays: bool = False) -> list[Any]:
    """The parts of a key: numbers, slices, ``None`` and ``...``.

    Args:
        writer: writes nodes.
        key: laid out, with forms for values.
        arrays: it may have arrays and lists of indices as well.
    """
    key = key.value if isinstance(key, StaticForm) else key
    key = key.items if isinstance(key, TupleForm) else key
    items: tuple[Any, ...] = key if isinstance(key, tuple) else (key,)
    return [_part(writer, item, arrays) for item in items]


def _part(writer: LoweredWriter, item: Any, arrays: bool) -> Any:
    """One part of a key.  A tuple within a key is no number, even if it has one item: NumPy makes an array of it."""
    if arrays and isinstance(item, ArrayForm | ListForm):
        return item
    if arrays and isinstance(item, list):
        return ListForm(tuple(item))
    if isinstance(item, slice) or item is None or item is ...:
        return item
    return _index(writer, item, "an index")


def _index(writer: LoweredWriter, value: Any, what: str) -> NumberForm:
    """An integer of 64 bits; ``what`` it is for tells why there is none."""
    if isinstance(value, StaticForm):
        value = value.value
    found = present(writer, value) if isinstance(value, NumberForm) else number(writer, value)
    if not isinstance(found, NumberForm) or found.dtype.kind not in "iu":
        raise writer.refusal(f"{what} that is no integer")
    return NumberForm(writer.cast(found.operand, found.dtype, INT), found.spec, found.bounds, found.most)


def item(writer: LoweredWriter, array: ArrayForm, key: Any) -> Form:
    """``array[key]``: a number, or a view; of an expression all elements are computed, since NumPy may warn of any."""
    parts = parts_of(writer, key)
    place = parts[0].known if len(parts) == 1 and isinstance(parts[0], NumberForm) else None
    if place is not None and -len(array.numbers) <= place < len(array.numbers):
        return numbers_of(array)[place]
    if array.view is None:
        array = materialised(writer, array)
    assert array.view is not None
    view, shape = part_of(writer, array.view, array.shape, parts)
    made = viewed(writer, view, array.dtype, shape)
    if shape or any(part is ... for part in parts):
        return made
    return element(writer, made)


def element(writer: LoweredWriter, array: ArrayForm) -> NumberForm:
    """The only element of an array without axes, as a NumPy scalar."""
    return _scalar(array, array.element(()))


def scalar_or_array(writer: LoweredWriter, made: Form, spec: Spec) -> Form:
    """What a node gives: of an array without axes NumPy makes a scalar, unless it is to be an array."""
    if not isinstance(made, ArrayForm) or made.shape or isinstance(spec, ArraySpec):
        return made
    return element(writer, made)


def _scalar(array: ArrayForm, operand: Operand) -> NumberForm:
    """An element of an array as a NumPy scalar."""
    bounds = bounds_of_dtype(array.dtype) if array.dtype.kind in "iu" else FULL
    return NumberForm(operand, GenericSpec(array.dtype), bounds)


def numbers_of(array: ArrayForm) -> tuple[NumberForm, ...]:
    """The elements of an array that are computed already and in no memory."""
    return tuple(_scalar(array, operand) for operand in array.numbers)


def part_of(
    writer: LoweredWriter, view: MemoryView, shape: tuple[NumberForm, ...], parts: Sequence[Any]
) -> tuple[MemoryView, tuple[NumberForm, ...]]:
    """The part of a view that a key names, and its shape."""
    given = [part for part in parts if part is not None and part is not ...]
    if len(given) > len(shape):
        raise writer.refusal("more indices than axes")
    missing = len(shape) - len(given)
    rest = [slice(None)] * missing
    filled: list[Any] = []
    for part in parts:
        filled += rest if part is ... else [part]
    filled += [] if any(part is ... for part in parts) else rest
    return _Selection(writer, view, shape).of(filled)


class _Selection:
    """The choice of a part of a view, axis by axis.

    Args:
        writer: writes nodes.
        view: the view.
        shape: its sizes.
    """

    def __init__(self, writer: LoweredWriter, view: MemoryView, shape: tuple[NumberForm, ...]) -> None:
        self._writer = writer
        self._view = view
        self._shape = shape
        self._chosen: list[FixedAxis | RunningAxis] = []
        self._sizes: list[NumberForm] = []

    def of(self, parts: Sequence[Any]) -> tuple[MemoryView, tuple[NumberForm, ...]]:
        """Choose; one part for each axis, and ``None`` for each new one."""
        for part in parts:
            if part is None:
                self._sizes.append(integer(1))
                continue
            size = self._shape[len(self._chosen)]
            if isinstance(part, slice):
                start, step, count = bounds_of_slice(self._writer, part, size)
                ascends = step.bounds[0] > 0
                self._chosen.append(RunningAxis(len(self._sizes), start.operand, step.operand, ascends))
                self._sizes.append(count)
            else:
                self._chosen.append(FixedAxis(checked(self._writer, part, size).operand))
        places = tuple(map(self._place, self._view.places))
        return replace(self._view, places=places), tuple(self._sizes)

    def _place(self, place: FixedAxis | RunningAxis) -> FixedAxis | RunningAxis:
        if isinstance(place, FixedAxis):
            return place
        chosen = self._chosen[place.axis]
        writer, start, step = self._writer, index_of(place.start), index_of(place.step)
        inner = chosen.index if isinstance(chosen, FixedAxis) else chosen.start
        first = plus(writer, start, times(writer, index_of(inner), step)).operand
        if isinstance(chosen, FixedAxis):
            return FixedAxis(first)
        ascends = chosen.is_forward and place.is_forward
        return RunningAxis(chosen.axis, first, times(writer, index_of(chosen.step), step).operand, ascends)


def checked(writer: LoweredWriter, index: NumberForm, size: NumberForm) -> NumberForm:
    """An index counted from the start; where it lies outside, NumPy raises, so the program is given up."""
    is_less = writer.facts.is_less(index.operand, size.operand)
    if index.bounds[0] < 0:
        if index.bounds[1] < 0:
            index = plus(writer, size, index)
        else:
            counted = writer.emit("counted", (index.operand, size.operand), INT)
            index = NumberForm(counted, index.spec, (index.bounds[0], index.bounds[1]), index.most)
    inside = index.bounds[0] >= 0 and (is_less or is_below(index, size))
    if not inside:
        writer.deopt(writer.emit("outside", (index.operand, size.operand), BOOL))
    return NumberForm(index.operand, index.spec, (0, max(0, index.bounds[1])), index.most)


def _only_item(writer: LoweredWriter, part: slice, size: NumberForm) -> NumberForm | None:
    """Return the index of the only item of `[i : i + 1]`, `[:1]` or `[-1:]`; where it is not there, the program is given up.

    Most probably it is, and its axis repeats along others.
    """
    if any(bound is not None and is_none(writer, bound) is not None for bound in (part.start, part.stop)):
        return None
    first, behind = _integer(writer, part.start, 0), _integer(writer, part.stop, 0)
    if first.known is None or behind.known is None:
        if part.stop is None or not writer.is_next(first.operand, behind.operand):
            return None
    elif behind.known != first.known + 1 or (behind.known == 0 and part.stop is not None):
        return None
    elif first.known < 0:
        return checked(writer, first, size)
    _check_inside(writer, first, size)
    return first


def _check_inside(writer: LoweredWriter, index: NumberForm, size: NumberForm) -> None:
    """Give up where an index, which counts from the start, lies outside."""
    if not (index.bounds[0] >= 0 and is_below(index, size)):
        writer.deopt(writer.emit("outside", (index.operand, size.operand), BOOL))


def is_below(index: NumberForm, size: NumberForm) -> bool:
    """Tell whether an index is known to be less than a size."""
    if index.known is not None and size.known is not None:
        return bool(index.known < size.known)
    return index.most is not None and index.most[0] is size.operand and index.most[1] < 0


def bounds_of_slice(
    writer: LoweredWriter, part: slice, size: NumberForm
) -> tuple[NumberForm, NumberForm, NumberForm]:
    """The start, the step and the number of items of a slice.

    A step of which nothing is known is most probably above zero.
    """
    step = _integer(writer, part.step, 1)
    check_small(writer, step)
    low, high = step.bounds
    if low <= 0 <= high:
        writer.deopt(writer.emit("lt", (step.operand, Constant(1)), BOOL))
        step, low = NumberForm(step.operand, step.spec, (1, max(1, high)), step.most), 1
    only = _only_item(writer, part, size) if step.known == 1 else None
    if only is not None:
        return only, step, integer(1)
    if low > 0:
        start = _clipped(writer, part.start, size, integer(0), "clipped")
        stop = _clipped(writer, part.stop, size, size, "clipped")
        return start, step, _count(writer, start, stop, step)
    last = minus(writer, size, integer(1))
    if step.known == -1 and part.start is None and part.stop is None:
        return last, step, size
    start = _clipped(writer, part.start, size, last, "clipped_down")
    stop = _clipped(writer, part.stop, size, integer(-1), "clipped_down")
    found = writer.emit("extent", (start.operand, stop.operand, step.operand), INT)
    return start, step, NumberForm(found, size.spec, (0, size.bounds[1]))


def _count(writer: LoweredWriter, start: NumberForm, stop: NumberForm, step: NumberForm) -> NumberForm:
    if start.known == 0 and step.known == 1:
        return stop
    distance = writer.distance(start.operand, stop.operand)
    if step.known == 1 and distance is not None and distance >= 0:
        return integer(distance)
    if step.known == 1 and is_at_most(start, stop):
        return minus(writer, stop, start)
    found = writer.emit("extent", (start.operand, stop.operand, step.operand), INT)
    return NumberForm(
        found, stop.spec, (0, max(0, stop.bounds[1])), stop.most if stop.known is None else None
    )


def is_at_most(left: NumberForm, right: NumberForm) -> bool:
    """Tell whether one integer is known to be at most another."""
    if left.bounds[1] <= right.bounds[0]:
        return True
    return left.most is not None and left.most[0] is right.operand and left.most[1] <= 0


def _integer(writer: LoweredWriter, value: Any, default: int) -> NumberForm:
    if value is None:
        return integer(default)
    return _index(writer, value, "the bound of a slice")


def _clipped(writer: LoweredWriter, value: Any, size: NumberForm, default: NumberForm, op: str) -> NumberForm:
    """The bound of a slice, as Python clips it: ``clipped`` for positive steps, ``clipped_down`` for negative ones."""
    if value is None:
        return default
    low, most = (0, 0) if op == "clipped" else (-1, -1)
    absent = is_none(writer, value)
    if absent is not None:  # `:n or None`
        bound = _clipped(writer, replace(value, spec=PYTHON_INT, tags=()), size, default, op)
        chosen = writer.choose(absent, default.operand, bound.operand, INT)
        return NumberForm(chosen, size.spec, (low, max(size.bounds[1], 0)), (size.operand, most))
    bound = _integer(writer, value, 0)
    if op == "clipped" and bound.bounds[0] >= 0 and is_at_most(bound, size):
        return bound
    if op == "clipped" and bound.known == 0:
        return bound
    clipped = writer.emit(op, (bound.operand, size.operand), INT)
    if op == "clipped" and bound.bounds[0] >= 0:
        writer.unclipped[clipped] = bound.operand
    return NumberForm(clipped, bound.spec, (low, size.bounds[1]), (size.operand, most))
