"""``np.pad``: an array with more items around it, which are a number or items of the array.

Axis after axis is filled, as NumPy does it; a pad that is longer than what is repeated there is left to NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import UnionSpec
from astrace.passes.lowering.arrays import allocated, loop_nest, store_all
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    ArrayForm,
    Form,
    MemoryView,
    NumberForm,
    RunningAxis,
    integer,
    is_wider,
)
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.gathers import written_items
from astrace.passes.lowering.integers import check_small, index_of, minus, plus, times
from astrace.passes.lowering.layouts import lay_out_as
from astrace.passes.lowering.numbers import fitted
from astrace.passes.lowering.rules import Kwargs, Rule, form_of, scalar

Width: TypeAlias = tuple[NumberForm, NumberForm]
"""How many items an axis is given in front and behind."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a padded array.

    Args:
        before: items in front.
        size: items of the array.
        after: items behind.
    """

    before: NumberForm
    size: NumberForm
    after: NumberForm


Source: TypeAlias = Callable[[LoweredWriter, Axis, NumberForm, bool], NumberForm]
"""Gives the place that an item of the pad is taken from, counted in the padded axis, by its index in front or behind."""


def _of_edge(writer: LoweredWriter, axis: Axis, index: NumberForm, behind: bool) -> NumberForm:
    if not behind:
        return axis.before
    return minus(writer, plus(writer, axis.before, axis.size), integer(1))


def _reflected(distance: int) -> Source:
    """The array as a mirror shows it, without the item at the edge (2) or with it (1)."""

    def source(writer: LoweredWriter, axis: Axis, index: NumberForm, behind: bool) -> NumberForm:
        if behind:
            end = plus(writer, axis.before, axis.size)
            return minus(writer, end, plus(writer, index, integer(distance)))
        last = minus(writer, times(writer, axis.before, integer(2)), index)
        return minus(writer, last, integer(1)) if distance == 1 else last

    return source


def _of_other_end(writer: LoweredWriter, axis: Axis, index: NumberForm, behind: bool) -> NumberForm:
    return plus(writer, index, axis.before if behind else axis.size)


SOURCES: Final[Mapping[str, tuple[Source, int | None]]] = {
    "edge": (_of_edge, None),
    "reflect": (_reflected(2), 1),
    "symmetric": (_reflected(1), 0),
    "wrap": (_of_other_end, 0),
}
"""By mode, where items come from, and by how much shorter than the array a pad has to be; of any length it may be otherwise."""


def _pad(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    given = dict(zip(("array", "pad_width", "mode"), args, strict=False)) | dict(kwargs)
    array, mode = given.get("array"), _mode(writer, given.get("mode", "constant"))
    fills = mode == "constant"
    allowed = {"array", "pad_width", "mode"} | ({"constant_values"} if fills else set[str]())
    if not isinstance(array, ArrayForm) or not array.shape or not (fills or mode in SOURCES):
        raise writer.refusal(f"`{node.op}` of something else than an array, or in another mode")
    if len(args) > len(("array", "pad_width", "mode")) or not given.keys() <= allowed:
        raise writer.refusal(f"`{node.op}` with more arguments")
    widths = _widths(writer, node, given.get("pad_width"), len(array.shape))
    axes = [Axis(before, size, after) for (before, after), size in zip(widths, array.shape, strict=True)]
    value = _value(writer, node, given.get("constant_values", 0), array) if fills else None
    if value is None:
        _check_lengths(writer, axes, SOURCES[mode][1])
    made = _with_array(writer, array, axes)
    for place in range(len(axes)):
        for behind in (False, True):
            _fill(writer, made, axes, place, behind, value or SOURCES[mode][0])
    return made


def _mode(writer: LoweredWriter, given: Any) -> Any:
    return getattr(form_of(writer, given), "value", None)


def _widths(writer: LoweredWriter, node: Node, given: Any, rank: int) -> list[Width]:
    """The widths of all axes: a number, two for each axis, or such for one axis after the other."""
    items = written_items(given)
    rows = [written_items(one) for one in items] if items is not None else []
    if items is None or all(row is None for row in rows):
        return [_pair(writer, node, (given,) if items is None else items)] * rank
    pairs = [_pair(writer, node, row) for row in rows if row is not None]
    if len(pairs) != len(rows) or len(pairs) not in (1, rank):
        raise writer.refusal(f"`{node.op}` with widths of other axes")
    return pairs * (rank // len(pairs))


def _pair(writer: LoweredWriter, node: Node, given: Sequence[Any]) -> Width:
    """The widths of one axis, which are not negative."""
    found: list[NumberForm] = []
    for one in given:
        form = scalar(writer, one)
        if form.dtype.kind != "i" or form.tag is not None:
            raise writer.refusal(f"`{node.op}` by other widths than integers")
        check_small(writer, form)
        if form.bounds[0] < 0:
            writer.deopt(writer.emit("lt", (form.operand, Constant(0)), BOOL))
        operand = writer.cast(form.operand, form.dtype, integer(0).dtype)
        found.append(NumberForm(operand, integer(0).spec, (0, max(0, form.bounds[1])), form.most))
    if len(found) not in (1, 2):
        raise writer.refusal(f"`{node.op}` by more than two widths for an axis")
    return found[0], found[-1]


def _value(writer: LoweredWriter, node: Node, given: Any, array: ArrayForm) -> Operand:
    """The number that a pad is made of, as an element."""
    form = form_of(writer, given)
    if (
        not isinstance(form, NumberForm)
        or isinstance(form.spec, UnionSpec)
        or is_wider(form.dtype, array.dtype)
        or (array.dtype == BOOL != form.dtype and form.known != 0)
    ):
        raise writer.refusal(f"`{node.op}` of {array.dtype} with other numbers")
    if array.dtype == BOOL and form.dtype != BOOL:
        return Constant(False)
    return fitted(writer, form, array.dtype, stored=True)


def _check_lengths(writer: LoweredWriter, axes: Sequence[Axis], shorter: int | None) -> None:
    """Give up where a pad is longer than what it repeats, or there is nothing to repeat."""
    for axis in axes:
        if shorter is None:
            writer.deopt(writer.emit("eq", (axis.size.operand, Constant(0)), BOOL))
            continue
        longest = minus(writer, axis.size, integer(shorter)).operand
        for width in (axis.before, axis.after):
            writer.deopt(writer.emit("gt", (width.operand, longest), BOOL))


def _with_array(writer: LoweredWriter, array: ArrayForm, axes: Sequence[Axis]) -> ArrayForm:
    """A larger array that has the array inside it."""
    shape = tuple(plus(writer, plus(writer, one.before, one.size), one.after) for one in axes)
    made = allocated(writer, array.dtype, shape, "padded")
    lay_out_as(writer, made, array)
    places = tuple(RunningAxis(place, axis.before.operand, Constant(1)) for place, axis in enumerate(axes))
    store_all(writer, MemoryView(base_of(made), places), array.shape, array)
    return made


def _fill(
    writer: LoweredWriter,
    made: ArrayForm,
    axes: Sequence[Axis],
    place: int,
    behind: bool,
    given: Operand | Source,
) -> None:
    """Fill what is in front of the array or behind it along an axis; along those before it is filled already."""
    base, own = base_of(made), axes[place]
    first = plus(writer, own.before, own.size) if behind else integer(0)
    whole, inner = made.shape[:place], axes[place + 1 :]
    sizes = (*whole, own.after if behind else own.before, *(one.size for one in inner))
    starts = (*(integer(0) for _ in whole), first, *(one.before for one in inner))

    def body(indices: Sequence[Operand]) -> None:
        target = [plus(writer, at, index_of(one)).operand for at, one in zip(starts, indices, strict=True)]
        if isinstance(given, Operand):
            value = given
        else:
            taken = list(target)
            taken[place] = given(writer, own, index_of(indices[place]), behind).operand
            value = writer.load(base, tuple(taken), made.dtype)
        writer.store(base, tuple(target), value)

    loop_nest(writer, sizes, body)


RULES: Final[Mapping[str, Rule]] = {"np.pad": _pad}
