"""Draws from random streams of Python's, ``random.Random``: floats, and integers of a number of bits.

What else its methods give is made of these by Python code of the standard library, which is traced through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec
from astrace.ops.numpy.draws import BITS
from astrace.ops.python.random_streams import DRAWS, FLOATS, method_called
from astrace.passes.analysis.int_ranges import FULL
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, NumberForm
from astrace.passes.lowering.rules import Kwargs, scalar

MOST_BITS: Final = 63
"""More do not fit into a machine number."""


def is_draw(node: Node) -> bool:
    """Return whether a node calls a method that draws as a function, with a random stream.

    Args:
        node: any; only a ``call`` is one.
    """
    if node.op != "call" or not isinstance(node.inputs[0], Constant):
        return False
    return method_called(node.inputs[0].value, [one.spec for one in node.inputs[1:]]) in DRAWS


def drawn_from_stream(
    writer: LoweredWriter, stream: Value, name: str, args: Sequence[Any], kwargs: Kwargs
) -> NumberForm:
    """Return what a method of a random stream gives.

    Args:
        writer: writes nodes.
        stream: is drawn from.
        name: of the method.
        args: behind the stream.
        kwargs: the same by name.

    Raises:
        Unlowered: the method has no lowered form.
    """
    if name == FLOATS and not args and not kwargs:
        return NumberForm(_draw(writer, FLOAT, (stream,), name), PYTHON_FLOAT)
    if name == BITS and len(args) == 1 and not kwargs:
        return _bits(writer, stream, scalar(writer, args[0]))
    raise writer.refusal(f"the method `{name}` of a random stream, as it is called")


def _bits(writer: LoweredWriter, stream: Value, count: NumberForm) -> NumberForm:
    """An integer of so many bits; where these are too many, or fewer than none, Python draws, or raises."""
    if count.spec != PYTHON_INT:
        raise writer.refusal(f"a number of bits that is {count.spec}")
    lowest, highest = count.bounds
    for test, bound, limit in (("lt", lowest >= 0, 0), ("gt", highest <= MOST_BITS, MOST_BITS)):
        if not bound:
            writer.deopt(writer.emit(test, (count.operand, Constant(limit)), BOOL))
    largest = FULL[1] if highest >= MOST_BITS else (1 << max(highest, 0)) - 1
    return NumberForm(_draw(writer, INT, (stream, count.operand), BITS), PYTHON_INT, (0, largest))


def _draw(writer: LoweredWriter, dtype: Any, inputs: tuple[Operand, ...], name: str) -> Value:
    """Add a node that draws; two that look alike draw one number each."""
    found = Value(GenericSpec(dtype))
    writer.nodes.append(Node("draw", inputs, (found,), {"method": name}, location=writer.location))
    return found
