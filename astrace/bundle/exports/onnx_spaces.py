"""Iteration spaces of loops: how many iterations there are, and the elements of each.

Takes what a ``for_loop`` iterates over, gives a number of iterations and a function of the iteration's number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from astrace.bundle.exports.onnx_calls import OnnxCall, is_number
from astrace.bundle.exports.onnx_indexing import key_of, part_of
from astrace.bundle.exports.onnx_shapes import trips
from astrace.bundle.exports.onnx_values import Form, OnnxArray, OnnxView, Stored, Tensor
from astrace.bundle.exports.onnx_writer import INT64
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.iteration import elements as count_elements

NUMBER = Stored(INT64, (), (int,))


@dataclass(frozen=True, slots=True)
class OnnxSpace:
    """What a loop iterates over.

    Args:
        count: the number of iterations.
        elements: the elements of an iteration, for its number.
    """

    count: Tensor
    elements: Callable[[Tensor], list[Form]]


def space_of(call: OnnxCall, over: Over, given: Sequence[Form], outs: Sequence[Stored]) -> OnnxSpace:
    """The iteration space of a loop.

    Args:
        call: of the loop's node.
        over: what it iterates over.
        given: the node's inputs.
        outs: how the elements are stored.
    """
    match over:
        case Range():
            return _range(call, given[over.start], given[over.stop], given[over.step])
        case Each():
            return _each(call, given[over.iterable], outs[0])
        case Enumerate():
            return _enumerated(call, space_of(call, over.inner, given, outs[1:]), given[over.start])
        case Zip():
            if over.strict:
                raise call.refused("over zip(strict=True) raises where lengths differ, which ONNX does not")
            return _zipped(call, over, given, outs)
        case Reversed():
            return _reversed(call, space_of(call, over.inner, given, outs))


def _range(call: OnnxCall, start: Form, stop: Form, step: Form) -> OnnxSpace:
    write = call.write
    if is_number(step) and step == 0:
        raise call.refused("over range(…, 0) raises")
    if any(call.as_tensor(one).dtype.kind not in "iub" for one in (start, stop, step)):
        raise call.refused("over a range of floats raises")
    begin, end, by = (call.as_tensor(one, INT64) for one in (start, stop, step))
    is_plain = is_number(start) and is_number(step) and (start, step) == (0, 1)
    count = trips(write, begin, end, by) if not is_plain else end

    def elements(number: Tensor) -> list[Form]:
        if is_plain:
            return [Tensor(number.name, NUMBER)]
        moved = write.op("Add", begin, write.op("Mul", number, by))
        return [Tensor(moved.name, NUMBER)]

    return OnnxSpace(count, elements)


def _each(call: OnnxCall, held: Form, out: Stored) -> OnnxSpace:
    if not isinstance(held, OnnxArray | OnnxView | Tensor) or not call.as_tensor(held).rank:
        raise call.refused("has a counterpart in ONNX over ranges and arrays", "iterate over an array")
    rank = call.as_tensor(held).rank

    def elements(number: Tensor) -> list[Form]:
        return [part_of(call, held, key_of(call, number, rank), out)]

    return OnnxSpace(call.write.dim(call.as_tensor(held), 0), elements)


def _enumerated(call: OnnxCall, inner: OnnxSpace, start: Form) -> OnnxSpace:
    def elements(number: Tensor) -> list[Form]:
        moved = call.write.op("Add", number, call.as_tensor(start, INT64))
        return [Tensor(moved.name, NUMBER), *inner.elements(number)]

    return OnnxSpace(inner.count, elements)


def _zipped(call: OnnxCall, over: Zip, given: Sequence[Form], outs: Sequence[Stored]) -> OnnxSpace:
    spaces: list[OnnxSpace] = []
    for part in over.parts:
        spaces.append(space_of(call, part, given, outs))
        outs = outs[count_elements(part) :]
    count = spaces[0].count
    for one in spaces[1:]:
        count = call.write.where(call.write.compare("Less", one.count, count), one.count, count)

    def elements(number: Tensor) -> list[Form]:
        return [form for one in spaces for form in one.elements(number)]

    return OnnxSpace(count, elements)


def _reversed(call: OnnxCall, inner: OnnxSpace) -> OnnxSpace:
    write = call.write
    zero = write.constant(0)
    count = write.where(write.compare("Less", inner.count, zero), zero, inner.count)

    def elements(number: Tensor) -> list[Form]:
        last = write.op("Sub", count, write.constant(1))
        return inner.elements(write.op("Sub", last, number))

    return OnnxSpace(count, elements)
