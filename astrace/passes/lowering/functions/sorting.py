"""``np.sort`` and ``np.median`` of an array of one axis, of which any way to sort gives the same bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.arrays import materialised
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, ArrayForm, Form, NumberForm, integer
from astrace.passes.lowering.functions.axes import listed
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.functions.reductions import mean_of
from astrace.passes.lowering.integers import integers, minus, plus
from astrace.passes.lowering.items import item
from astrace.passes.lowering.rules import Kwargs, Rule


def _sorted(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> ArrayForm:
    """A sorted copy; the program is given up where another way to sort could give other bits."""
    array = listed(writer, args[0]) if len(args) == 1 and not kwargs else None
    if not isinstance(array, ArrayForm) or len(array.shape) != 1 or array.dtype.kind not in "if":
        raise writer.refusal(f"`{node.op}` of other things than one array of one axis")
    made, is_certain = materialised(writer, array), Value(GenericSpec(BOOL))
    writer.nodes.append(Node("sort_items", (base_of(made),), (is_certain,), location=writer.location))
    writer.deopt(writer.inverted(is_certain))
    return made


def _median(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """The mean of the one item in the middle, or the two; of nothing NumPy warns."""
    array = _sorted(writer, node, args, kwargs)
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


RULES: Final[Mapping[str, Rule]] = {"np.sort": _sorted, "np.median": _median}
