"""What is sorted, and ``np.median``, of one axis, where any way to sort gives the same bits; places of extremes along an axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec
from astrace.ops.numpy.reductions import neutral_item
from astrace.passes.lowering import lists
from astrace.passes.lowering.arrays import allocated, computed, element_at, loop_nest, materialised, store_all
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    FLOAT,
    INT,
    ArrayForm,
    Form,
    NumberForm,
    NumberListForm,
    StaticForm,
    integer,
)
from astrace.passes.lowering.functions.axes import Axes, listed
from astrace.passes.lowering.functions.list_calls import kept
from astrace.passes.lowering.functions.numpy_calls import base_of, in_memory, part_in_memory
from astrace.passes.lowering.functions.reductions import mean_of
from astrace.passes.lowering.functions.reshaping import flattened
from astrace.passes.lowering.integers import integers, minus, plus
from astrace.passes.lowering.items import item
from astrace.passes.lowering.rules import Kwargs, Rule
from astrace.passes.lowering.together import list_arrays


def sorted_copy(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> ArrayForm:
    """A sorted copy; the program is given up where another way to sort could give other bits."""
    array = listed(writer, args[0]) if len(args) == 1 and not kwargs else None
    if not isinstance(array, ArrayForm) or len(array.shape) != 1 or array.dtype.kind not in "if":
        raise writer.refusal(f"`{node.op}` of other things than one array of one axis")
    made, is_certain = materialised(writer, array), Value(GenericSpec(BOOL))
    writer.nodes.append(Node("sort_items", (base_of(made),), (is_certain,), location=writer.location))
    writer.deopt(writer.inverted(is_certain))
    return made


def _sorted_list(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``sorted(items)`` of numbers of one type; of an array of which only items are read, a sorted copy has the same ones."""
    items = args[0]
    if len(args) > 1:
        raise writer.refusal(f"`{node.op}` with more arguments")
    if not isinstance(items, NumberListForm):
        array = sorted_copy(writer, node, args, kwargs)
        use = writer.lists.get(node.output)
        if use is not None and use.is_read:
            return array
        return lists.joined(writer, *kept(writer, node), [lists.walked(writer, array)])
    if items.element not in (PYTHON_INT, PYTHON_FLOAT):
        raise writer.refusal(f"`{node.op}` of {items.element}")
    array = sorted_copy(writer, node, (list_arrays.as_array(writer, items),), kwargs)
    return list_arrays.of_python(writer, *kept(writer, node), array)


def _sort(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``ndarray.sort``: the items are sorted beside the array, so that nothing is written where the program is given up."""
    array = args[0]
    if not isinstance(array, ArrayForm) or array.view is None:
        raise writer.refusal(f"`{node.op}` of something else than an array")
    items = sorted_copy(writer, node, args, kwargs)
    store_all(writer, array.view, array.shape, items)
    return StaticForm(None)


def _median(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """The mean of the one item in the middle, or the two; of nothing NumPy warns."""
    array = sorted_copy(writer, node, args, kwargs)
    if array.dtype != FLOAT:
        raise writer.refusal(f"`{node.op}` of {array.dtype}")
    size = array.shape[0]
    writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))
    low = integers(writer, "floordiv", (minus(writer, size, integer(1)), integer(2)))
    high = plus(writer, integers(writer, "floordiv", (size, integer(2))), integer(1))
    middle = item(writer, array, slice(low, high))
    assert isinstance(middle, ArrayForm)
    found = mean_of(writer, node, middle)
    assert isinstance(found, NumberForm)
    return found


def _position(op: str) -> Rule:
    """``argmax`` and ``argmin`` along one axis, or of all elements in C order; of nothing they raise."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        axes = Axes(writer, node, args, kwargs)
        if len(axes.reduced) != 1 and not (axes.kept or axes.keeps or axes.names_several):
            axes = Axes(writer, node, (flattened(writer, axes.array),), {})
        if len(axes.reduced) != 1 or axes.names_several:
            raise writer.refusal(f"`{node.op}` along several axes")
        (axis,) = axes.reduced
        size = axes.array.shape[axis]
        writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))
        if axes.kept:
            last = axis == len(axes.array.shape) - 1
            found: ArrayForm | NumberForm = (
                _positions(writer, op, axes) if last else _positions_by_rows(writer, op, axes)
            )
        else:
            most = None if size.most is None else (size.most[0], size.most[1] - 1)
            bounds = (0, max(0, size.bounds[1] - 1))
            place = _place(writer, op, in_memory(writer, axes.array))
            found = NumberForm(place, GenericSpec(INT), bounds, most)
        return axes.result(writer, found)

    return rule


def _place(writer: LoweredWriter, op: str, base: Value) -> Operand:
    out = Value(GenericSpec(INT))
    writer.nodes.append(Node(op, (base,), (out,), location=writer.location))
    return out


def _positions(writer: LoweredWriter, op: str, axes: Axes) -> ArrayForm:
    base = in_memory(writer, axes.array)
    size = axes.array.shape[-1].operand

    def element(indices: Sequence[Operand]) -> Operand:
        places: list[Operand] = [*indices, Constant(0), size, Constant(1)]
        return _place(writer, op, part_in_memory(writer, base, places, "i" * len(indices) + ":"))

    return materialised(writer, ArrayForm(INT, tuple(axes.sizes(axes.kept)), element, ()))


def _positions_by_rows(writer: LoweredWriter, op: str, axes: Axes) -> ArrayForm:
    """The places of extremes along an axis in front of others: one row after the other is compared with what was found so far."""
    array, kept = axes.array, tuple(axes.sizes(axes.kept))
    array = computed(writer, array)
    dtype = array.dtype
    places, tops = (allocated(writer, one, kept, name) for one, name in ((INT, "places"), (dtype, "tops")))
    assert places.view is not None and tops.view is not None
    takes_largest = op == "position_of_max"
    first = Constant(dtype.type(neutral_item("max" if takes_largest else "min", dtype)))
    store_all(writer, tops.view, kept, NumberForm(first, GenericSpec(dtype)))
    store_all(writer, places.view, kept, NumberForm(Constant(0), GenericSpec(INT)))
    stays = "le" if takes_largest else "ge"

    def body(indices: Sequence[Operand]) -> None:
        row, *own = indices
        item = element_at(array, axes.placed(own, [row]))
        top, place = (
            writer.load(base_of(tops), tuple(own), dtype),
            writer.load(base_of(places), tuple(own), INT),
        )
        moves = writer.inverted(writer.emit(stays, (item, top), BOOL))
        if dtype.kind == "f":  # the first one that is not a number stays
            moves = writer.both(moves, writer.emit("eq", (top, top), BOOL))
        writer.store(base_of(tops), tuple(own), writer.choose(moves, item, top, dtype))
        writer.store(base_of(places), tuple(own), writer.choose(moves, row, place, INT))

    loop_nest(writer, (*axes.sizes(axes.reduced), *kept), body)
    return places


RULES: Final[Mapping[str, Rule]] = {
    "np.sort": sorted_copy,
    "sorted": _sorted_list,
    "ndarray.sort": _sort,
    "np.median": _median,
    **{
        f"{owner}.arg{name}": _position(f"position_of_{name}")
        for owner in ("np", "ndarray")
        for name in ("max", "min")
    },
}
