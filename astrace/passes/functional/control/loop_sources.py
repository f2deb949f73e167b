"""The iterations of a ``for_loop``, which runs over a range; items that are read by the number of an iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from astrace.ir.block import Node, Value
from astrace.ir.control import ForLoop
from astrace.ir.iteration import Range
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import DeviceSpec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE, range_limits
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import Array, Device, Form, Number, Rows, Stack
from astrace.passes.functional.indexing.items import item_at
from astrace.passes.functional.layout import lists
from astrace.passes.functional.layout.flatten import cast
from astrace.passes.functional.program import DEVICE, Atom, Lit, is_host
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import integer

Element: TypeAlias = Callable[[Number], Number]
"""Returns the number that an iteration is given, from its own."""


@dataclass(frozen=True, slots=True)
class LoopIterations:
    """The iterations of a loop.

    Args:
        start: the number of the first iteration.
        stop: the number behind the last one.
        bounds: the bounds of these numbers.
        last: their limit, by a named size.
        element: returns the element of an iteration.
        name: the user's name for the number, if it is the element.
    """

    start: Atom
    stop: Atom
    bounds: tuple[int, int]
    last: tuple[str, int] | None
    element: Element
    name: str = ""

    def bind(self, state: Lowering, loop: ForLoop, index: Value) -> None:
        """Bind the element of the body to that of iteration ``index``."""
        (value,) = loop.elements
        state.env[value] = self.element(Number(index, PYTHON_INT, self.bounds, most=self.last))


def iterations(state: Lowering, loop: ForLoop) -> LoopIterations:
    """Return the iterations of a loop, with their elements.

    Raises:
        Refused: it does not run over a range.
    """
    start, stop, step = range_of(state, loop)
    if step.atom != Lit(1):
        return _stepping(state, start, stop, step)
    name, limits = loop.elements[0].name, range_limits(start, stop, step)
    assert limits is not None
    return LoopIterations(start.atom, stop.atom, *limits, lambda number: number, name)


def range_of(state: Lowering, loop: ForLoop) -> list[Number]:
    """Return the start, the stop and the step of a loop.

    Raises:
        Refused: it does not run over a range.
    """
    forms = [state.form(operand) for operand in loop.iterated]
    if not isinstance(loop.over, Range):
        if any(isinstance(form, Stack) for form in forms):
            raise state.refusal("AT304", "a loop over a list that changes in it")
        raise state.refusal("AT301", "a loop over a value other than an array or numbers")
    return [_integer(state, form) for form in forms]


def _integer(state: Lowering, form: Form) -> Number:
    if isinstance(form, Device) and isinstance(form.spec, DeviceSpec) and form.spec.dtype.kind in "iu":
        return Number(form.atom, PYTHON_INT)
    if not isinstance(form, Number) or form.dtype.kind not in "iu":
        raise state.refusal("AT301", "a range of values other than integers")
    atom = form.atom if is_host(form.atom) else cast(state, form.atom, form.dtype, INT)
    return replace(form, atom=atom, spec=PYTHON_INT)


def range_length(state: Lowering, numbers: list[Number]) -> Number:
    """Write the number of integers in a range; a check fails if its step is zero."""
    start, stop, step = numbers
    if step.bounds[0] <= 0 <= step.bounds[1]:
        state.check(state.arithmetic("ne", (step.atom, Lit(0)), BOOL))
    host = all(is_host(one.atom) for one in numbers)
    op = "range_length" if host else "support.range_length"
    count = state.expr(op, [one.atom for one in numbers], None if host else INT)
    low, high = min(start.bounds[0], stop.bounds[0]), max(start.bounds[1], stop.bounds[1])
    return Number(count, PYTHON_INT, (0, min(LARGEST_SIZE, max(0, high - low))))


def _stepping(state: Lowering, start: Number, stop: Number, step: Number) -> LoopIterations:
    """Return the iterations of a range with steps, counted from zero."""
    count = range_length(state, [start, stop, step])
    hull = min(start.bounds[0], stop.bounds[0]), max(start.bounds[1], stop.bounds[1])
    (low, high), last = range_limits(start, stop, step) or (hull, None)

    def element(number: Number) -> Number:
        offset = integer(state, "mul", number.atom, step.atom)
        return Number(integer(state, "add", start.atom, offset), PYTHON_INT, (low, high), most=last)

    bounds = (0, max(0, min(LARGEST_SIZE, high - low) - 1))
    return LoopIterations(Lit(0), count.atom, bounds, None, element)


def item_inside(state: Lowering, node: Node) -> Form:
    """Write an item of a list, or along the first axis of an array, at an index that is inside."""
    owner, index = map(state.form, node.inputs)
    assert isinstance(index, Number)
    match owner:
        case Array():
            return item_at(state, owner, index)
        case Stack():
            return lists.item_inside(state, owner, index)
        case Device() | Rows(before=()):
            spec = node.output.spec
            rank = spec.ndim if isinstance(spec, DeviceSpec) else 0
            return Device(state.expr("item", (owner.atom, (index.atom,)), DEVICE, rank), spec)
        case _:
            raise state.refusal("AT301", "a loop over a value other than an array or numbers")
