"""The items of a ``for_loop``, by the number of the iteration: numbers, items of arrays, tuples of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from astrace.backends.jax.lower.indexing.items import item_at
from astrace.backends.jax.lower.layout import lists
from astrace.backends.jax.lower.layout.flatten import cast
from astrace.backends.jax.lower.scalars.symbolic_sizes import below, size
from astrace.backends.jax.lower.state import BOOL, INT, Lowering
from astrace.backends.jax.lower.value_forms import FULL, MOST, Array, Device, Form, Number, Rows, Stack
from astrace.backends.jax.program_ir import DEVICE, Atom, Lit, is_host
from astrace.ir.block import Value
from astrace.ir.control import ForLoop
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import DeviceSpec
from astrace.ops.jax.arrays import item_spec

Element: TypeAlias = Callable[[Number], Iterator[Form]]
"""Returns the elements of an iteration, given its number."""


@dataclass(frozen=True, slots=True)
class LoopSource:
    """Something to iterate over.

    Args:
        count: the number of iterations.
        last: the limit of the number of an iteration, by a named size.
        most: a bound of the number of iterations.
        element: returns the elements of an iteration.
    """

    count: Atom
    last: tuple[str, int] | None
    most: int
    element: Element


@dataclass(frozen=True, slots=True)
class LoopIterations:
    """The iterations of a loop.

    Args:
        start: the number of the first iteration.
        stop: the number behind the last one.
        bounds: the bounds of these numbers.
        last: their limit, by a named size.
        element: returns the elements of an iteration.
        name: the user's name for the number, if it is the element.
    """

    start: Atom
    stop: Atom
    bounds: tuple[int, int]
    last: tuple[str, int] | None
    element: Element
    name: str = ""

    def bind(self, state: Lowering, loop: ForLoop, index: Value) -> None:
        """Bind the elements of the body to those of iteration ``index``."""
        number = Number(index, PYTHON_INT, self.bounds, most=self.last)
        for value, form in zip(loop.elements, self.element(number), strict=True):
            state.env[value] = form


def iterations(state: Lowering, loop: ForLoop) -> LoopIterations:
    """Return the iterations of a loop, with their elements."""
    over = loop.over
    name = loop.elements[0].name if loop.elements else ""
    if isinstance(over, Range):
        start, stop, step = (_integer(state, loop, index) for index in (over.start, over.stop, over.step))
        if step.atom == Lit(1):
            bounds = (start.bounds[0], max(start.bounds[0], stop.bounds[1] - 1))
            return LoopIterations(
                start.atom, stop.atom, bounds, below(stop), lambda number: iter((number,)), name
            )
    source = _source(state, loop, over)
    return LoopIterations(Lit(0), source.count, (0, max(0, source.most - 1)), source.last, source.element)


def _integer(state: Lowering, loop: ForLoop, index: int) -> Number:
    form = state.form(loop.node.inputs[index])
    if isinstance(form, Device) and isinstance(form.spec, DeviceSpec) and form.spec.dtype.kind in "iu":
        return Number(form.atom, PYTHON_INT)
    if not isinstance(form, Number) or form.dtype.kind not in "iu":
        raise state.refusal("AT301", "a range of values other than integers")
    atom = form.atom if is_host(form.atom) else cast(state, form.atom, form.dtype, INT)
    return replace(form, atom=atom, spec=PYTHON_INT)


def source_of(state: Lowering, loop: ForLoop) -> LoopSource:
    """Return the source of a loop's elements, counted from zero."""
    return _source(state, loop, loop.over)


def _source(state: Lowering, loop: ForLoop, over: Over) -> LoopSource:
    match over:
        case Range():
            return _range(
                state, *(_integer(state, loop, index) for index in (over.start, over.stop, over.step))
            )
        case Each():
            return _each(state, _rows(state.form(loop.node.inputs[over.iterable])))
        case Enumerate():
            return _enumerate(state, _integer(state, loop, over.start), _source(state, loop, over.inner))
        case Reversed():
            return _reversed(state, _source(state, loop, over.inner))
        case Zip():
            return _zip(state, [_source(state, loop, part) for part in over.parts], over.strict)


def _range(state: Lowering, start: Number, stop: Number, step: Number) -> LoopSource:
    """Return the source for a ``range``; a check fails if its step is zero."""
    if step.bounds[0] <= 0 <= step.bounds[1]:
        host = is_host(step.atom)
        state.check(state.expr("ne", (step.atom, Lit(0)), None if host else BOOL))
    atoms = (start.atom, stop.atom, step.atom)
    if all(map(is_host, atoms)):
        count = state.expr("range_length", atoms, None)
    else:
        count = state.expr("support.range_length", atoms, INT)
    low, high = min(start.bounds[0], stop.bounds[0]), max(start.bounds[1], stop.bounds[1])
    if int_at_least(step, 1):
        low, high = start.bounds[0], max(start.bounds[0], stop.bounds[1] - 1)
    if int_at_most(step, -1):
        low, high = min(stop.bounds[0] + 1, start.bounds[1]), start.bounds[1]

    def element(number: Number) -> Iterator[Form]:
        offset = _arithmetic(state, "mul", (number.atom, step.atom))
        found = _arithmetic(state, "add", (start.atom, offset))
        last = below(stop) if int_at_least(step, 1) else start.most if int_at_most(step, -1) else None
        yield Number(found, PYTHON_INT, (low, high), most=last)

    return LoopSource(count, None, min(MOST, max(0, high - low)), element)


def int_at_least(number: Number, limit: int) -> bool:
    """Return whether an integer is certainly at least ``limit``."""
    return number.bounds[0] >= limit


def int_at_most(number: Number, limit: int) -> bool:
    """Return whether an integer is certainly at most ``limit``."""
    return number.bounds[1] <= limit


def _arithmetic(state: Lowering, op: str, atoms: tuple[Atom, Atom]) -> Atom:
    """Write a sum or product of integers, unless an operand is neutral."""
    neutral = Lit(0) if op == "add" else Lit(1)
    for atom, other in (atoms, atoms[::-1]):
        if atom == neutral:
            return other
    made = state.expr(op, atoms, None if all(map(is_host, atoms)) else INT)
    state.sums[made] = (op, *atoms)
    return made


def _rows(form: Form) -> Form:
    """Return a list that a loop has stacked as an array; other forms as they are."""
    if not isinstance(form, Rows) or form.before or not isinstance(form.spec, DeviceSpec):
        return form
    spec = form.spec
    return Device(form.atom, DeviceSpec(spec.dtype, spec.ndim + 1, spec.weak, (2, *spec.shape)))


def _each(state: Lowering, form: Form) -> LoopSource:
    """Return the source for the items of an array, each of which is read in its iteration."""
    if isinstance(form, Device) and isinstance(form.spec, DeviceSpec) and form.spec.ndim:
        return _each_of_device(state, form, form.spec)
    if isinstance(form, Stack):
        return _each_of_list(state, form)
    if not isinstance(form, Array) or not form.spec.shape:
        raise state.refusal("AT301", "a loop over a value other than an array or numbers")
    count = size(state, form, 0)
    return LoopSource(count.atom, below(count), MOST, lambda number: iter((item_at(state, form, number),)))


def _each_of_list(state: Lowering, stack: Stack) -> LoopSource:
    """Return the source for the items of a list, which may not change in the loop."""
    if stack.length in state.growing:
        raise state.refusal("AT304", "a loop over a list that changes in it")
    columns = lists.columns_of(state, stack)
    count = lists.length_of(state, stack)

    def element(number: Number) -> Iterator[Form]:
        parts = [item_at(state, column, number) for column in columns]
        yield lists.of_columns(state, stack, parts)

    return LoopSource(count.atom, None, MOST, element)


def _each_of_device(state: Lowering, form: Device, spec: DeviceSpec) -> LoopSource:
    """Return the source for the items of an array of JAX."""
    count = state.expr("dim", (form.atom, Lit(0)), None)
    item = item_spec(spec)

    def element(number: Number) -> Iterator[Form]:
        yield Device(state.expr("item", (form.atom, (number.atom,)), DEVICE, item.ndim), item)

    return LoopSource(count, None, MOST, element)


def _enumerate(state: Lowering, start: Number, inner: LoopSource) -> LoopSource:
    def element(number: Number) -> Iterator[Form]:
        count = _arithmetic(state, "add", (number.atom, start.atom))
        low, high = number.bounds[0] + start.bounds[0], number.bounds[1] + start.bounds[1]
        yield Number(count, PYTHON_INT, (low, high) if high <= FULL[1] else FULL)
        yield from inner.element(number)

    return LoopSource(inner.count, inner.last, inner.most, element)


def _reversed(state: Lowering, inner: LoopSource) -> LoopSource:
    def element(number: Number) -> Iterator[Form]:
        host = None if is_host(inner.count) else INT
        last = state.expr("sub", (inner.count, Lit(1)), host)
        back = state.expr("sub", (last, number.atom), INT)
        yield from inner.element(Number(back, PYTHON_INT, (0, inner.most), most=inner.last))

    return LoopSource(inner.count, inner.last, inner.most, element)


def _zip(state: Lowering, parts: list[LoopSource], strict: bool) -> LoopSource:
    count = parts[0].count
    for part in parts[1:]:
        atoms = (count, part.count)
        host = all(map(is_host, atoms))
        if strict:
            state.check(state.expr("eq", atoms, None if host else BOOL))
        count = state.expr("min" if host else "jnp.minimum", atoms, None if host else INT)

    def element(number: Number) -> Iterator[Form]:
        for part in parts:
            yield from part.element(number)

    last = next((part.last for part in parts if part.last is not None), None)
    return LoopSource(count, last, min(part.most for part in parts), element)
