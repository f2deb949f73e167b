"""Lowering of control flow: branches, loops over ranges, what they carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.control import ForLoop, WhileLoop, always_raises
from astrace.ir.iteration import Range
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.block import LoweredWriter, block_of
from astrace.passes.lowering.forms import INT, Env, Form, NumberForm
from astrace.passes.lowering.functions.python_calls import truth_of
from astrace.passes.lowering.iteration import iterations
from astrace.passes.lowering.rules import form_of
from astrace.passes.lowering.together.carry import CarriedValues
from astrace.passes.lowering.together.first_turns import after_first_turn, puts_other_arrays
from astrace.passes.lowering.together.merging import merge
from astrace.passes.lowering.wording import type_in_words

LowerBlock = Callable[[Block], list[Form]]
"""Writes the nodes of a block; gives the forms of its outputs."""


class ControlFlow:
    """Lowers control flow nodes.

    Args:
        writer: writes nodes.
        env: the forms of values.
        lower: lowers the nodes of a region.
    """

    def __init__(self, writer: LoweredWriter, env: Env, lower: LowerBlock) -> None:
        self.writer = writer
        self._env = env
        self._lower = lower

    def form(self, operand: Operand) -> Form:
        """The form of an operand.

        Raises:
            Unlowered: it has none.
        """
        if isinstance(operand, Constant):
            return form_of(self.writer, operand.value)
        found = self._env.get(operand)
        if found is None:
            raise self.writer.refusal(type_in_words(operand.spec))
        return self.writer.limited(found) if isinstance(found, NumberForm) else found

    def captured(self, node: Node) -> None:
        """Let the captures of all regions be what they stand for."""
        for _, inner, outer in region_inputs(node):
            for value, operand in zip(inner, outer, strict=True):
                if isinstance(operand, Constant) or operand in self._env:
                    self._env[value] = self.form(operand)

    # -- cond --------------------------------------------------------------------------------------

    def cond(self, node: Node) -> None:
        """``cond``; a branch that raises gives the program up."""
        writer = self.writer
        test = truth_of(writer, self.form(node.inputs[0]))
        self.captured(node)
        for index, region in enumerate(node.regions):
            if always_raises(region):
                writer.deopt(test if index == 0 else writer.inverted(test))
                self._inline(node, 1 - index)
                return
        if isinstance(test, Constant):
            self._inline(node, 0 if test.value else 1)
            return
        self._branches(node, test)

    def _inline(self, node: Node, index: int) -> None:
        if always_raises(node.regions[index]):
            raise self.writer.refusal("both branches raise")
        self._env.update(zip(node.outputs, self._lower(node.regions[index]), strict=True))

    def _branches(self, node: Node, test: Operand) -> None:
        writer = self.writer
        found: list[list[Form]] = []
        written: list[list[Node]] = []
        for holds, region in zip((True, False), node.regions, strict=True):
            with writer.region() as nodes:
                writer.facts.assume(test, holds)
                found.append(self._lower(region))
            written.append(nodes)
        local = {output for nodes in written for inner in nodes for output in inner.outputs}
        outputs: list[Value] = []
        ends: list[list[Operand]] = [[], []]
        for position, output in enumerate(node.outputs):
            pair = [forms[position] for forms in found]
            if pair[0] is pair[1]:
                self._env[output] = pair[0]
                continue
            merged = merge(writer, pair, output, local)
            for index, form in enumerate(pair):
                with writer.region() as nodes:
                    ends[index] += merged.parts(form)
                written[index] += nodes
            outputs += merged.values
            self._env[output] = merged.form(pair)
            self._note(test, self._env[output], pair)
        regions = tuple(block_of((), nodes, tuple(end)) for nodes, end in zip(written, ends, strict=True))
        writer.nodes.append(Node("cond", (test,), tuple(outputs), node.attrs, regions, node.location))

    def _note(self, test: Operand, output: Form, pair: Sequence[Form]) -> None:
        """Note that a truth value that comes out of branches is ``test and other``."""
        numbers = [one for one in (output, *pair) if isinstance(one, NumberForm)]
        if len(numbers) < 3:
            return
        found, first, second = numbers
        if second.known is False or second.operand is test:
            self.writer.facts.note(found.operand, "and_", (test, first.operand))

    # -- loops -------------------------------------------------------------------------------------

    def while_loop(self, node: Node) -> None:
        """``while_loop``."""
        around, self.writer.in_while = self.writer.in_while, True
        self._while_loop(node)
        self.writer.in_while = around

    def _while_loop(self, node: Node) -> None:
        writer, loop = self.writer, WhileLoop(node)
        self.captured(node)
        forms = [self.form(operand) for operand in loop.carried]
        if puts_other_arrays(loop, forms):
            self._env.update(zip(loop.test.inputs, forms, strict=False))
            (goes_on,) = self._lower(loop.test)
            writer.deopt(writer.inverted(truth_of(writer, goes_on)))
            forms = self._first_turn(loop, loop.body.inputs, forms)
        carry = CarriedValues(writer, loop, forms)
        with writer.region() as test_nodes:
            inner = carry.enter(loop.test.inputs[: loop.count], self._env)
            (goes_on,) = self._lower(loop.test)
            test = truth_of(writer, goes_on)
        with writer.region() as nodes:
            values = carry.enter(loop.body.inputs[: loop.count], self._env)
            writer.facts.assume(test, True, dict(zip(inner, values, strict=True)))
            ends = carry.leave(self._lower(loop.body))
        regions = block_of(inner, test_nodes, (test,)), block_of(values, nodes, ends)
        outputs = carry.end(self._env)
        attrs = {"breaks": loop.breaks}
        writer.nodes.append(Node("while_loop", carry.initial, outputs, attrs, regions, node.location))

    def for_loop(self, node: Node) -> None:
        """``for_loop`` over anything that has a number of iterations: over a range."""
        writer, loop = self.writer, ForLoop(node)
        if always_raises(loop.body):
            raise writer.refusal("the body of a loop always raises")
        self.captured(node)
        source = iterations(writer, self.form, loop, loop.over)
        forms = [self.form(operand) for operand in loop.carried]
        count = len(loop.elements)
        if puts_other_arrays(loop, forms):
            self._env.update(zip(loop.elements, source.first(writer), strict=True))
            forms = self._first_turn(loop, loop.body.inputs[count:], forms)
            source = source.after_first(writer)
        carry = CarriedValues(writer, loop, forms)
        index = Value(GenericSpec(INT), loop.elements[0].name or "index")
        with writer.region() as nodes:
            values = carry.enter(loop.body.inputs[count : count + loop.count], self._env)
            number = NumberForm(index, PYTHON_INT, source.bounds, source.most)
            self._env.update(zip(loop.elements, source.elements(number), strict=True))
            ends = carry.leave(self._lower(loop.body))
        region = block_of((index, *values), nodes, ends)
        inputs = (source.start, source.stop, source.step, *carry.initial)
        attrs = {"over": Range(0, 1, 2), "breaks": loop.breaks}
        outputs = carry.end(self._env)
        writer.nodes.append(Node("for_loop", inputs, outputs, attrs, (region,), node.location))

    def _first_turn(
        self, loop: WhileLoop | ForLoop, inputs: Sequence[Value], forms: Sequence[Form]
    ) -> list[Form]:
        """Write the first turn of a loop; return what the loop carries behind it.

        Args:
            loop: the loop.
            inputs: of its body, from what it carries on.
            forms: what it carries in front of it.
        """
        self._env.update(zip(inputs, forms, strict=False))
        return after_first_turn(self.writer, loop, self._lower(loop.body))
