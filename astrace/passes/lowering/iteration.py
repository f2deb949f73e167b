"""Iteration spaces of loops, as ranges: items of other iterables are read by the number of the iteration."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.control import ForLoop
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import INT as PYTHON_INT
from astrace.passes.analysis.int_ranges import FULL, LARGEST_SIZE, range_limits, reached
from astrace.passes.lowering import array_lists
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    ArrayListForm,
    Form,
    NumberForm,
    NumberListForm,
    integer,
)
from astrace.passes.lowering.integers import check_small, minus, plus, times
from astrace.passes.lowering.items import item
from astrace.passes.lowering.list_uses import resized_lists
from astrace.passes.lowering.lists import walked

FormOf: TypeAlias = Callable[[Operand], Form]
"""Gives the form of an operand."""


class Iterations:
    """The iterations of a loop as a range, and what each is given.

    Args:
        start: the first number.
        stop: the number behind the last one.
        step: the difference of two.
        bounds: between which integers the numbers lie.
        most: a size and a difference that they do not exceed.
        elements: gives what an iteration is given, by its number.
    """

    def __init__(
        self,
        start: Operand,
        stop: Operand,
        step: Operand,
        bounds: tuple[int, int],
        most: tuple[Operand, int] | None,
        elements: Callable[[NumberForm], list[Form]],
    ) -> None:
        self.start = start
        self.stop = stop
        self.step = step
        self.bounds = bounds
        self.most = most
        self.elements = elements

    def first(self, writer: LoweredWriter) -> list[Form]:
        """Return what the first iteration is given; the program is given up where there is none."""
        count = writer.emit("extent", (self.start, self.stop, self.step), INT)
        writer.deopt(writer.emit("eq", (count, Constant(0)), BOOL))
        return self.elements(NumberForm(self.start, PYTHON_INT, self.bounds, self.most))

    def after_first(self, writer: LoweredWriter) -> Iterations:
        """Return the iterations behind the first one."""
        start = writer.emit("add", (self.start, self.step), INT)
        return Iterations(start, self.stop, self.step, self.bounds, self.most, self.elements)


def iterations(writer: LoweredWriter, form: FormOf, loop: ForLoop, over: Over) -> Iterations:
    """Return the iteration space of a loop; Python itself counts the numbers of a range."""
    if isinstance(over, Range):
        start, stop, step = (
            _integer(writer, form, loop, index) for index in (over.start, over.stop, over.step)
        )
        return _range(writer, start, stop, step)
    count, elements = _counted(writer, form, loop, over)
    most = (count.most[0], count.most[1] - 1) if count.most is not None else None
    bounds = (0, max(0, min(count.bounds[1], LARGEST_SIZE) - 1))
    return Iterations(Constant(0), count.operand, Constant(1), bounds, most, elements)


def _integer(writer: LoweredWriter, form: FormOf, loop: ForLoop, index: int) -> NumberForm:
    found = form(loop.node.inputs[index])
    if not isinstance(found, NumberForm) or found.dtype.kind not in "iub" or found.tag is not None:
        raise writer.refusal("a range over something else than integers")
    operand = writer.cast(found.operand, found.dtype, INT)
    return NumberForm(operand, PYTHON_INT, found.bounds, found.most)


def _range(writer: LoweredWriter, start: NumberForm, stop: NumberForm, step: NumberForm) -> Iterations:
    """``range``, whose step is not zero."""
    for bound in (start, stop, step):
        check_small(writer, bound)
    start, stop, step = map(writer.limited, (start, stop, step))
    low, high = step.bounds
    if low <= 0 <= high:
        writer.deopt(writer.emit("eq", (step.operand, Constant(0)), BOOL))
    bounds, most = range_limits(start, stop, step) or (FULL, None)
    bounds = reached(start, step, bounds)
    return Iterations(start.operand, stop.operand, step.operand, bounds, most, lambda number: [number])


def _counted(
    writer: LoweredWriter, form: FormOf, loop: ForLoop, over: Over
) -> tuple[NumberForm, Callable[[NumberForm], list[Form]]]:
    """Return the number of iterations, and a function from an iteration's number, from zero, to its elements."""
    match over:
        case Each():
            return _each(writer, form, loop, over)
        case Enumerate():
            count, inner = _counted(writer, form, loop, over.inner)
            start = _integer(writer, form, loop, over.start)
            check_small(writer, start)
            return count, lambda number: [plus(writer, number, start), *inner(number)]
        case Zip():
            parts = [_counted(writer, form, loop, part) for part in over.parts]
            count = _shortest(writer, [part[0] for part in parts], over.strict)
            return count, lambda number: [form for part in parts for form in part[1](number)]
        case Reversed():
            count, inner = _counted(writer, form, loop, over.inner)
            last = minus(writer, count, integer(1))
            return count, lambda number: inner(
                replace(minus(writer, last, number), bounds=(0, last.bounds[1]), most=last.most)
            )
        case Range():
            return _counted_range(writer, form, loop, over)


def _each(
    writer: LoweredWriter, form: FormOf, loop: ForLoop, over: Each
) -> tuple[NumberForm, Callable[[NumberForm], list[Form]]]:
    array = form(loop.node.inputs[over.iterable])
    if isinstance(array, NumberListForm | ArrayListForm):
        walked_over = group_of(writer, loop.node.inputs[over.iterable])
        if any(group_of(writer, one) is walked_over for one in resized_lists(loop.body)):
            raise writer.refusal("a loop over a list that it makes longer or shorter")
        size, at = (
            array_lists.walked(writer, array) if isinstance(array, ArrayListForm) else walked(writer, array)
        )
        return size, lambda number: [at(number)]
    if not isinstance(array, ArrayForm) or array.view is None or not array.shape:
        raise writer.refusal("a loop over something else than an array or a range")
    return array.shape[0], lambda number: [item(writer, array, number)]


def group_of(writer: LoweredWriter, operand: Operand) -> Value | None:
    """Return what is the same for all lists that a list may be; ``None`` where nothing is known."""
    use = writer.lists.get(operand) if isinstance(operand, Value) else None
    return None if use is None else use.group


def _shortest(writer: LoweredWriter, counts: Sequence[NumberForm], strict: bool) -> NumberForm:
    found = counts[0]
    for count in counts[1:]:
        if strict:
            writer.deopt(writer.emit("ne", (found.operand, count.operand), BOOL))
        elif found.operand is not count.operand:
            if count.known is not None and found.known is not None:
                found = integer(min(count.known, found.known))
                continue
            less = writer.emit("lt", (found.operand, count.operand), BOOL)
            operand = writer.emit("select", (less, found.operand, count.operand), INT)
            found = NumberForm(operand, PYTHON_INT, (0, min(found.bounds[1], count.bounds[1])))
    return found


def _counted_range(
    writer: LoweredWriter, form: FormOf, loop: ForLoop, over: Range
) -> tuple[NumberForm, Callable[[NumberForm], list[Form]]]:
    """``range`` beside other things: its numbers follow from that of the iteration."""
    start, stop, step = (_integer(writer, form, loop, index) for index in (over.start, over.stop, over.step))
    found = _range(writer, start, stop, step)
    if start.known == 0 and step.known == 1 and stop.bounds[0] >= 0:
        count = stop
    else:
        operand = writer.emit("extent", (start.operand, stop.operand, step.operand), INT)
        count = NumberForm(operand, PYTHON_INT, (0, FULL[1]))

    def elements(number: NumberForm) -> list[Form]:
        value = plus(writer, start, times(writer, number, step))
        return [replace(value, bounds=found.bounds, most=found.most)]

    return count, elements
