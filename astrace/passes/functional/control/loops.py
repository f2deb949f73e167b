"""Loops: what they carry, the arrays they write, and how they end."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from astrace.ir.block import NO_ATTRS, Block, Node, Value
from astrace.ir.control import ForLoop, WhileLoop, always_raises
from astrace.ir.specs import GenericSpec, ScalarSpec
from astrace.passes.analysis.int_ranges import carried_bounds
from astrace.passes.functional.control.branches import (
    Lower,
    all_of,
    bind,
    captured,
    origins_of,
    possible_roots,
    version_like,
    written_roots,
)
from astrace.passes.functional.control.loop_sources import LoopIterations, iterations
from astrace.passes.functional.conversions import truth
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import Array, ArrayRoot, Form, Number, roots_of
from astrace.passes.functional.layout.array_identity import exchange_of, identities_of
from astrace.passes.functional.layout.flatten import flatten, unflatten, variables
from astrace.passes.functional.layout.lists import lists_of, stack_vars, stacked
from astrace.passes.functional.program import PROMOTES, Atom, Lit, value_like, variable
from astrace.passes.functional.state import Branch, Lowering

STOP = "stop"


class LoopCarry:
    """The carried values of a loop: its own, all arrays that are written, and ``ok``.

    Args:
        state: the lowering.
        loop: the loop.
        heads: variables that the loop carries in front, for itself.
        first: their values before the first iteration.
    """

    def __init__(
        self,
        state: Lowering,
        loop: WhileLoop | ForLoop,
        heads: Sequence[Value] = (),
        first: Sequence[Atom] = (),
    ) -> None:
        self._state = state
        self._loop = loop
        self._heads = heads
        captures = len(loop.captures)
        body = loop.body.inputs
        self.values = body[len(body) - captures - loop.count : len(body) - captures]
        self._initial = [state.form(operand) for operand in loop.carried]
        self._check_initial()
        flat = self._flat(self._initial)
        self._roots = written_roots(state)
        self._like = [version_like(state, root) for root in self._roots]
        self._exchange = exchange_of(
            self._initial, [state.sharing.is_settled(value) for value in self.values]
        )
        specs = [value.spec for value in self.values]
        self._identities = identities_of(state, self._initial, specs, loop.captures, self._exchange.positions)
        versions = (state.versions[root] for root in self._roots)
        self._numbers = (*self._exchange.numbers, *self._identities.numbers)
        self.args = (*first, *flat, *versions, *self._numbers, state.ok)
        self._seen, state.seen = state.seen, set[ArrayRoot]()
        self._family = object()
        self._later: frozenset[ArrayRoot] = frozenset()
        self._put: set[ArrayRoot] = set()
        pairs = zip(self._initial, self.values, strict=True)
        self._promotes = state.device and not all(all_of([form], value.spec) for form, value in pairs)

    @property
    def attrs(self) -> Mapping[str, Any]:
        """The attributes of the loop."""
        return PROMOTES if self._promotes else NO_ATTRS

    def _check_initial(self) -> None:
        """Refuse to carry an array that the body may write under two names, or a part of one."""
        found = [
            root
            for form, value in zip(self._initial, self.values, strict=True)
            if not self._state.sharing.is_settled(value)
            for root in roots_of(form)
        ]
        if any(a.may_share(b) for index, a in enumerate(found) for b in found[:index]):
            raise self._state.refusal("AT302", "a loop carries one array under two names")
        if any(isinstance(form, Array) and form.path and form.root in found for form in self._initial):
            raise self._state.refusal("AT302", "a loop carries a part of an array that is written")

    def fresh(self) -> list[Value]:
        """Return variables for all that is carried."""
        found = [value_like(head) for head in self._heads]
        for value in self.values:
            found += variables(self._state, value.spec, value.name)
        found += [value_like(one) for one in self._like]
        which = (variable(INT, 0, "which") for _ in self._numbers)
        return [*found, *which, variable(BOOL, 0, "ok")]

    @contextmanager
    def region(self, values: Sequence[Value], index: Value | None = None) -> Generator[Branch]:
        """Write a part that is given what is carried, behind the number of the iteration: values of a region stand for it."""
        with self._state.inside(self._state.branch()) as part:
            carried = self.fresh()
            part.scope.inputs.extend(carried if index is None else [index, *carried])
            self.forms(carried, values)
            yield part

    def forms(self, carried: Sequence[Value], values: Sequence[Value]) -> list[Form]:
        """Bind values to the forms that variables hold, bring arrays and ``ok`` up to date, and return the forms."""
        state, atoms = self._state, iter(carried[len(self._heads) :])
        origins = origins_of(state, self._initial) | self._later
        found: list[Form] = []
        for position, (value, initial) in enumerate(zip(self.values, self._initial, strict=True)):
            form = unflatten(state, value.spec, atoms, origins, self._family)
            if isinstance(form, Number) and isinstance(initial, Number):
                form = replace(form, bounds=carried_bounds(self._loop, position, initial.bounds))
            found.append(form)
        for root in self._roots:
            state.versions[root] = next(atoms)
        self._exchange.enter(state, found, atoms)
        self._identities.enter(state, found, atoms)
        state.ok = next(atoms)
        for value, form in zip(values, found, strict=True):
            bind(state, value, form)
        return found

    def put_out(self, forms: Sequence[Form]) -> list[Atom]:
        """Return the atoms that an iteration hands to the next one."""
        state = self._state
        self._check_iteration(forms)
        self._put = possible_roots(forms)
        state.keeps(root for form in forms for root in roots_of(form))
        pairs = zip(forms, self.values, strict=True)
        self._promotes |= state.device and not all(all_of([form], value.spec) for form, value in pairs)
        flat = self._flat(forms)
        versions = [state.versions[root] for root in self._roots]
        numbers = [*self._exchange.leave(state, forms), *self._identities.leave(state, forms)]
        return [*flat, *versions, *numbers, state.ok]

    def _flat(self, forms: Sequence[Form]) -> list[Atom]:
        """Return the atoms of the loop's own carried values."""
        pairs = zip(forms, self.values, strict=True)
        return [atom for form, value in pairs for atom in flatten(self._state, form, value.spec)]

    def _check_iteration(self, forms: Sequence[Form]) -> None:
        """Refuse an array that is written, unless it is whole, comes out once, and is not known outside the loop."""
        found = [(root, form) for form in forms for root in roots_of(form) if root in self._state.unsettled]
        roots = [root for root, _ in found]
        parts = any(isinstance(form, Array) and form.path for _, form in found)
        if parts or len(set(roots)) < len(roots) or any(root in self._roots for root in roots):
            raise self._state.refusal(
                "AT302", "which array a loop goes on with is decided when the program runs"
            )

    def write(
        self,
        op: str,
        parts: Sequence[Block],
        body: Branch,
        bounds: Sequence[Atom] = (),
        rows: Sequence[Value] = (),
    ) -> list[Value]:
        """Write the step of the loop, and bind its outputs.

        Args:
            op: the op.
            parts: its regions.
            body: the last of them, as it was written.
            bounds: the bounds of its iterations.
            rows: the variables of rows that it stacks.

        Returns:
            The variables of all that it carries.
        """
        outs, location = self.fresh(), self._loop.node.location
        args = (*bounds, *self.args)
        self._state.add(Node(op, args, (*outs, *rows), self.attrs, tuple(parts), location))
        self._end(body, outs)
        return outs

    def _end(self, body: Branch, outs: Sequence[Value]) -> None:
        state = self._state
        outputs = self._loop.node.outputs[self._loop.breaks :]
        self._later = frozenset(root for root in self._put if root in state.versions)
        forms = self.forms(outs, self.values)
        self._identities.end(state)
        for output, form in zip(outputs, forms, strict=True):
            bind(state, output, form)
        fresh = {root for root in body.stale - state.stale if root in state.versions}
        if fresh & state.seen:
            raise state.refusal("AT302", "an array that a loop reads may be written under another name")
        state.seen |= self._seen
        state.stale |= fresh - self._exchange.end(state)


def unless_stopped(state: Lowering, goes_on: Atom, stop: Atom | None) -> Atom:
    """Write the condition for a loop to go on: its test holds, it is not left, and nothing has gone wrong."""
    goes_on = state.logical("both", goes_on, state.ok)
    return goes_on if stop is None else state.logical("both", state.invert(stop), goes_on)


def body_outputs(state: Lowering, loop: WhileLoop | ForLoop, carry: LoopCarry, lower: Lower) -> list[Atom]:
    """Write the body of a loop; return the atoms that it puts out."""
    forms = iteration(state, loop, lower)
    stop = [truth(state, forms[0])] if loop.breaks else []
    return [*stop, *carry.put_out(forms[loop.breaks :])]


def iteration(state: Lowering, loop: WhileLoop | ForLoop, lower: Lower) -> list[Form]:
    """Write the nodes of a body; return the forms of its outputs."""
    outer, state.inherited = state.inherited, frozenset(state.versions)
    forms = lower(state, loop.body)
    state.inherited = outer
    return forms


# -- while -----------------------------------------------------------------------------------------------


def while_loop(state: Lowering, node: Node, lower: Lower) -> None:
    """Write ``while_loop``; if its test itself may go wrong or write, the answer is carried."""
    loop = WhileLoop(node)
    captured(state, node)
    if always_raises(loop.body):
        raise state.refusal("AT304", "the body of a loop always raises")
    if _is_pure(state, loop, lower):
        _while(state, loop, lower)
    else:
        _while_with_answer(state, loop, lower)


def _is_pure(state: Lowering, loop: WhileLoop, lower: Lower) -> bool:
    """Return whether the test neither writes nor can go wrong."""
    seen = state.seen
    with state.inside(state.branch()), LoopCarry(state, loop).region(loop.test.inputs[: loop.count]):
        versions, ok = dict(state.versions), state.ok
        truth(state, lower(state, loop.test)[0])
        state.seen = seen
        return state.ok is ok and all(state.versions[root] is atom for root, atom in versions.items())


def _while(state: Lowering, loop: WhileLoop, lower: Lower) -> None:
    heads = [variable(BOOL, 0, STOP)] if loop.breaks else []
    carry = LoopCarry(state, loop, heads, [Lit(False) for _ in heads])
    with carry.region(loop.test.inputs[: loop.count]) as test:
        goes_on = truth(state, lower(state, loop.test)[0])
        goes_on = unless_stopped(state, goes_on, test.scope.inputs[0] if heads else None)
    with carry.region(loop.body.inputs[: loop.count]) as body:
        outputs = body_outputs(state, loop, carry, lower)
    _finish(state, loop, carry, (test, goes_on), (body, outputs))


def _finish(
    state: Lowering,
    loop: WhileLoop | ForLoop,
    carry: LoopCarry,
    test: tuple[Branch, Atom],
    body: tuple[Branch, Sequence[Atom]],
    stop: int = 0,
    over: LoopIterations | None = None,
) -> None:
    """Write the step of a loop with a test; in a program of device arrays, a ``for`` keeps its bounds."""
    parts = (test[0].scope.block((test[1],)), body[0].scope.block(tuple(body[1])))
    bounds = (over.start, over.stop) if over is not None and state.device else ()
    outs = carry.write("bounded_while" if bounds else "while_loop", parts, body[0], bounds)
    if loop.breaks:  # the first output says whether the loop was left
        output = loop.node.outputs[0]
        spec = output.spec if isinstance(output.spec, GenericSpec) else ScalarSpec("bool")
        state.env[output] = Number(outs[stop], spec)


def _while_with_answer(state: Lowering, loop: WhileLoop, lower: Lower) -> None:
    """Write a loop whose test is evaluated before it, and at the end of each iteration that does not leave it."""
    for value, operand in zip(loop.test.inputs, loop.carried, strict=False):
        state.env[value] = state.form(operand)
    answer = truth(state, lower(state, loop.test)[0])
    heads = [variable(BOOL, 0, "again"), *([variable(BOOL, 0, STOP)] if loop.breaks else [])]
    carry = LoopCarry(state, loop, heads, [answer, *([Lit(False)] if loop.breaks else [])])
    with carry.region(loop.test.inputs[: loop.count]) as test:
        goes_on = unless_stopped(state, test.scope.inputs[0], None)
    with carry.region(loop.body.inputs[: loop.count]) as body:
        forms = iteration(state, loop, lower)
        stop = truth(state, forms[0]) if loop.breaks else Lit(False)
        for value, form in zip(loop.test.inputs, forms[loop.breaks :], strict=False):
            state.env[value] = form
        with state.guarded(state.invert(stop)):
            again = truth(state, lower(state, loop.test)[0])
        again = state.logical("both", state.invert(stop), again)
        outputs = [again, *([stop] if loop.breaks else []), *carry.put_out(forms[loop.breaks :])]
    _finish(state, loop, carry, (test, goes_on), (body, outputs), stop=1)


# -- for -------------------------------------------------------------------------------------------------


def for_loop(state: Lowering, node: Node, lower: Lower) -> None:
    """Write ``for_loop`` over numbers; one that may be left becomes a ``while_loop``."""
    loop = ForLoop(node)
    captured(state, node)
    if always_raises(loop.body):
        raise state.refusal("AT304", "the body of a loop always raises")
    over = iterations(state, loop)
    if loop.breaks:
        _for_with_break(state, loop, over, lower)
        return
    carry = LoopCarry(state, loop)
    lists = lists_of(state, loop) if state.device else {}
    index = variable(INT, 0, over.name)
    with carry.region(carry.values, index) as body:
        over.bind(state, loop, index)
        state.grown.update((inner, []) for inner in lists)
        outputs = body_outputs(state, loop, carry, lower)
    rows = [row for inner in lists for row in state.grown.pop(inner)]
    stacks = stack_vars(rows)
    part = body.scope.block((*outputs, *(row.atom for row in rows)))
    carry.write("scan" if lists else "for_loop", (part,), body, (over.start, over.stop), stacks)
    stacked(state, lists, rows, stacks)


def _for_with_break(state: Lowering, loop: ForLoop, over: LoopIterations, lower: Lower) -> None:
    heads = [variable(INT, 0, over.name), variable(BOOL, 0, STOP)]
    carry = LoopCarry(state, loop, heads, [over.start, Lit(False)])
    with carry.region(carry.values) as test:
        index, stop, *_ = test.scope.inputs
        in_range = state.expr("lt", (index, over.stop), BOOL)
        goes_on = unless_stopped(state, in_range, stop)
    with carry.region(carry.values) as body:
        index = body.scope.inputs[0]
        over.bind(state, loop, index)
        outputs = body_outputs(state, loop, carry, lower)
        after = state.expr("add", (index, Lit(1)), INT)
    _finish(state, loop, carry, (test, goes_on), (body, [after, *outputs]), stop=1, over=over)
