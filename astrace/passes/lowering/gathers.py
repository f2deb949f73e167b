"""Items that arrays of integers or truth values name: elements that are read, and places that are stored to.

Indices are looked up element by element, and those outside give the program up.  A mask is turned into the indices of
its true elements; where one number is stored behind a mask, each element is chosen in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec, options_of
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering.arrays import (
    allocated,
    argument,
    check_equal,
    check_fits,
    check_writeable,
    common_shape,
    element_at,
    in_own_memory,
    loop_nest,
    materialised,
    read,
    spread,
    store_all,
    write,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    FLOAT,
    INT,
    ArrayForm,
    FixedAxis,
    ListForm,
    MemoryView,
    NumberForm,
    RunningAxis,
    TupleForm,
    dtype_of,
    integer,
    is_wider,
)
from astrace.passes.lowering.integers import index_of, plus, times
from astrace.passes.lowering.items import bounds_of_slice, checked
from astrace.passes.lowering.layouts import is_in_order
from astrace.passes.lowering.numbers import fitted, number
from astrace.passes.lowering.unions import present


def names_items(parts: Sequence[Any]) -> bool:
    """Return whether arrays are among the parts of a key."""
    return any(isinstance(part, ArrayForm | ListForm) for part in parts)


def written_items(value: Any) -> Sequence[Any] | None:
    """Return the items of a list or a tuple that is written down; ``None`` for anything else."""
    items: Any = value.items if isinstance(value, ListForm | TupleForm) else value
    return items if isinstance(items, list | tuple) else None  # type: ignore[reportUnknownVariableType]


def array_of(writer: LoweredWriter, items: Sequence[Any], dtype: Any) -> ArrayForm:
    """An array of numbers, in memory of its own."""
    made = allocated(writer, dtype, (integer(len(items)),), "items")
    assert made.view is not None
    for index, item in enumerate(items):
        given = item if isinstance(item, NumberForm) else number(writer, item)
        form = None if given is None else present(writer, given)
        if form is None or not has_one_value(form, dtype) or is_wider(form.dtype, dtype):
            raise writer.refusal("an array of other things than numbers of one type")
        writer.store(made.view.base, (Constant(index),), fitted(writer, form, dtype))
    return made


def has_one_value(form: NumberForm, dtype: np.dtype[Any]) -> bool:
    """Return whether an element of a dtype is the same for each type that a number may be of.

    Python's float and NumPy's have one dtype; an integer that is held as a float becomes one in an array of such.

    Args:
        form: the number.
        dtype: of the element.
    """
    held = {dtype_of(one) for one in options_of(form.spec)}
    return held == {form.dtype} or form.dtype == FLOAT == dtype


# -- which items ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IndexedAxis:
    """An axis of which an array names the items.

    Args:
        array: the indices, in memory of their own.
        inside: they are known to lie inside.
        given: the indices as they were written down.
    """

    array: ArrayForm
    inside: bool
    given: ArrayForm


Chosen = FixedAxis | RunningAxis | IndexedAxis


class IndexedPlaces:
    """The places that a key names which arrays are among.

    Args:
        writer: writes nodes.
        shape: the sizes of the array that has the places.
        parts: of the key.
    """

    def __init__(self, writer: LoweredWriter, shape: Sequence[NumberForm], parts: Sequence[Any]) -> None:
        self._writer = writer
        self._shape = shape
        self._chosen: list[Chosen] = []
        self._basic: list[NumberForm] = []
        filled = self._filled(parts)
        named = [place for place, part in enumerate(filled) if isinstance(part, NumberForm | ArrayForm)]
        for part in filled:
            self._choose(part)
        together = named[-1] - named[0] + 1 == len(named)
        self._lead = named[0] if together else 0
        self._named = self._common()
        self.shape = (*self._basic[: self._lead], *self._named, *self._basic[self._lead :])
        self._check_sizes()

    @property
    def indices(self) -> list[IndexedAxis]:
        """The arrays of indices."""
        return [one for one in self._chosen if isinstance(one, IndexedAxis)]

    @property
    def is_in_c_order(self) -> bool:
        """True if NumPy lays the items out in C order, as it does with the array and the indices."""
        after = [one for one in self._chosen if isinstance(one, RunningAxis)]
        return len(self.shape) == 1 or (
            self._lead == 0 and [one.axis for one in after] == list(range(len(after)))
        )

    def go_in_c_order(self) -> bool:
        """Return whether NumPy goes through the indices in C order: it does where one array of them has all axes so, and repeats none."""
        single = [size.known == 1 for size in self._named]
        whole = (one.given for one in self.indices if [size.known == 1 for size in one.given.shape] == single)
        return len(single) == 1 or any(is_in_order(self._writer, one) for one in whole)

    def _filled(self, parts: Sequence[Any]) -> list[Any]:
        """One part for each axis, and ``None`` for each new one."""
        parts = [self._indices(part) for part in parts]
        given = sum(_width(part) for part in parts)
        rest = [slice(None)] * (len(self._shape) - given)
        if given > len(self._shape) or (not rest and any(part is ... for part in parts)):
            raise self._writer.refusal("arrays of indices beside `...`, or more of them than axes")
        filled: list[Any] = []
        for part in parts:
            filled += rest if part is ... else [part]
        return filled if any(part is ... for part in parts) else [*filled, *rest]

    def _indices(self, part: Any) -> Any:
        if isinstance(part, ListForm):
            return array_of(self._writer, part.items, INT)
        if isinstance(part, ArrayForm) and (part.dtype.kind not in "iub" or not part.shape):
            raise self._writer.refusal("indices that are no integers")
        return part

    def _choose(self, part: Any) -> None:
        writer = self._writer
        if part is None:
            self._basic.append(integer(1))
            return
        axis = len(self._chosen)
        match part:
            case slice():
                start, step, count = bounds_of_slice(writer, part, self._shape[axis])
                self._chosen.append(RunningAxis(len(self._basic), start.operand, step.operand))
                self._basic.append(count)
            case NumberForm():
                self._chosen.append(FixedAxis(checked(writer, part, self._shape[axis]).operand))
            case _ if part.dtype == BOOL:
                self._chosen += positions(writer, part, self._shape[axis:])
            case _:
                self._chosen.append(IndexedAxis(in_own_memory(writer, part), False, part))

    def _common(self) -> tuple[NumberForm, ...]:
        return common_shape(self._writer, [one.array.shape for one in self.indices])

    def _check_sizes(self) -> None:
        """Give up where there are indices and no items: NumPy looks whether they lie outside nevertheless."""
        several = len(self.indices) > 1 and len(self._named) > 1
        for size in (*self._basic, *(self._named if several else ())):
            if size.bounds[0] <= 0:
                self._writer.deopt(self._writer.emit("eq", (size.operand, Constant(0)), BOOL))

    def address(self, view: MemoryView, indices: Sequence[Operand]) -> tuple[Operand, ...]:
        """Return the place in memory of the item at some indices."""
        rank, lead = len(self._named), self._lead
        named = indices[lead : lead + rank]
        basic = [*indices[:lead], *indices[lead + rank :]]
        own = [
            self._index(one, axis_size, named, basic)
            for one, axis_size in zip(self._chosen, self._shape, strict=True)
        ]
        found: list[Operand] = []
        for place in view.places:
            if isinstance(place, FixedAxis):
                found.append(place.index)
                continue
            moved = times(self._writer, own[place.axis], index_of(place.step))
            found.append(plus(self._writer, index_of(place.start), moved).operand)
        return tuple(found)

    def _index(
        self, chosen: Chosen, size: NumberForm, named: Sequence[Operand], basic: Sequence[Operand]
    ) -> NumberForm:
        writer = self._writer
        match chosen:
            case FixedAxis():
                return index_of(chosen.index)
            case RunningAxis():
                moved = times(writer, index_of(basic[chosen.axis]), index_of(chosen.step))
                return plus(writer, index_of(chosen.start), moved)
            case IndexedAxis():
                array = chosen.array
                found = NumberForm(writer.cast(element_at(array, named), array.dtype, INT), PYTHON_INT)
                return found if chosen.inside else checked(writer, found, size)


def _width(part: Any) -> int:
    """Return how many axes a part of a key takes."""
    if part is None or part is ...:
        return 0
    return len(part.shape) if isinstance(part, ArrayForm) and part.dtype == BOOL else 1


def positions(writer: LoweredWriter, mask: ArrayForm, shape: Sequence[NumberForm]) -> list[IndexedAxis]:
    """Return the indices of the true elements of a mask, an array for each axis; other sizes raise."""
    for own, other in zip(mask.shape, shape, strict=False):
        check_equal(writer, own, other)
    held = in_own_memory(writer, mask)
    assert held.view is not None
    base, rank = held.view.base, len(mask.shape)
    arrays = writer.made_of(base, 0, lambda: _along_axes(writer, base, rank))
    return [IndexedAxis(array, True, array) for array in arrays]


def _along_axes(writer: LoweredWriter, mask: Value, rank: int) -> list[ArrayForm]:
    found = [true_places(writer, mask, 0)]
    return found + [true_places(writer, mask, axis, found[0].shape[0]) for axis in range(1, rank)]


def true_places(writer: LoweredWriter, mask: Value, axis: int, count: NumberForm | None = None) -> ArrayForm:
    """The indices along an axis of the true elements of a mask, whose number may be known."""
    found = Value(ArraySpec((None,), INT), "positions")
    inputs = (mask, Constant(axis))
    writer.nodes.append(Node("true_positions", inputs, (found,), location=writer.location))
    if count is not None:
        writer.know_size(found, 0, count)
        return argument(writer, found)
    operand = Value(GenericSpec(INT), "count")
    writer.nodes.append(Node("dim", (found, Constant(0)), (operand,), location=writer.location))
    writer.know_size(found, 0, NumberForm(operand, PYTHON_INT, (0, LARGEST_SIZE), (operand, 0)))
    return argument(writer, found)


# -- reading and storing -------------------------------------------------------------------------------------


def gathered(writer: LoweredWriter, array: ArrayForm, parts: Sequence[Any]) -> ArrayForm:
    """``array[key]`` where arrays are among the parts of the key: a new array."""
    if array.view is None:
        array = materialised(writer, array)
    view = array.view
    assert view is not None
    places = IndexedPlaces(writer, array.shape, parts)

    def element(indices: Sequence[Operand]) -> Operand:
        return read(writer, view, places.address(view, indices), array.dtype)

    ordered = places.is_in_c_order and is_in_order(writer, array)
    reads = [_elsewhere(view.base, ordered)]
    reads += [read for one in places.indices for read in one.array.reads]
    return ArrayForm(array.dtype, places.shape, element, tuple(reads))


def _elsewhere(base: Value, ordered: bool) -> MemoryView:
    """A view that is no other one: elements are read from any place of an array."""
    unknown = Value(GenericSpec(INT))
    axes = (0,) if ordered else (1, 0)
    return MemoryView(base, tuple(RunningAxis(axis, unknown, unknown) for axis in axes))


def put(
    writer: LoweredWriter,
    target: ArrayForm,
    parts: Sequence[Any],
    value: ArrayForm | NumberForm,
    combine: Callable[[Operand, Operand], Operand] | None = None,
) -> None:
    """``target[key] = value`` where arrays are among the parts of the key; of equal indices the last one counts.

    Args:
        writer: writes nodes.
        target: the view that is stored into.
        parts: of the key.
        value: of the dtype of the target.
        combine: gives what is stored, from the element that is there and that of the value.
    """
    view = target.view
    assert view is not None
    if combine is None and isinstance(value, NumberForm) and _is_mask_of_all(target, parts):
        _choose(writer, target, view, parts[0], value)
        return
    check_writeable(writer, view)
    places = IndexedPlaces(writer, target.shape, parts)
    for one in places.indices:
        _check_order(writer, one, view)
    if not places.go_in_c_order():
        raise writer.refusal("indices that NumPy may go through in another order")
    if isinstance(value, ArrayForm):
        value = _fitting(writer, target, places.shape, value)

    def body(indices: Sequence[Operand]) -> None:
        place = places.address(view, indices)
        found = element_at(value, indices) if isinstance(value, ArrayForm) else value.operand
        if combine is not None:
            found = combine(read(writer, view, place, target.dtype), found)
        write(writer, view, place, found)

    loop_nest(writer, places.shape, body)


def _fitting(
    writer: LoweredWriter, target: ArrayForm, shape: Sequence[NumberForm], value: ArrayForm
) -> ArrayForm:
    """A value that can be read while its elements are stored."""
    assert target.view is not None
    base = target.view.base
    check_fits(writer, shape, value)
    value = spread(writer, value, shape)
    if any(writer.memory.may_share(view.base, base) for view in value.reads):
        return materialised(writer, value)
    writer.apart.update((base, view.base) for view in value.reads)
    return value


def _check_order(writer: LoweredWriter, one: IndexedAxis, target: MemoryView) -> None:
    """Make sure that NumPy goes through indices in the same order, and that they stay what they are.

    Raises:
        Unlowered: it may not.
    """
    view = one.array.view
    assert view is not None
    if writer.memory.may_share(view.base, target.base):
        raise writer.refusal("indices that are stored to")
    writer.apart.add((target.base, view.base))
    steps = [place.step for place in view.places if isinstance(place, RunningAxis)]
    forward = all(isinstance(step, Constant) and step.value > 0 for step in steps)
    if not forward:
        raise writer.refusal("indices that run backwards")
    writer.needs_forward = True


def _is_mask_of_all(target: ArrayForm, parts: Sequence[Any]) -> bool:
    (mask, *others) = parts
    return (
        not others
        and isinstance(mask, ArrayForm)
        and mask.dtype == BOOL
        and len(mask.shape) == len(target.shape)
    )


def _choose(
    writer: LoweredWriter, target: ArrayForm, view: MemoryView, mask: ArrayForm, value: NumberForm
) -> None:
    """Put a number in the place of the elements for which a mask is true."""
    for own, other in zip(target.shape, mask.shape, strict=True):
        check_equal(writer, own, other)
    mask = spread(writer, mask, target.shape)

    def element(indices: Sequence[Operand]) -> Operand:
        return writer.choose(
            element_at(mask, indices), value.operand, element_at(target, indices), target.dtype
        )

    chosen = ArrayForm(target.dtype, target.shape, element, (view, *mask.reads))
    store_all(writer, view, target.shape, chosen)
