"""Branches, and what all control flow shares: variables for outputs, captures, regions, ways out of a loop."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from astrace.backends.numpy.emitter import LEVELS, WIDTH
from astrace.backends.numpy.statement_forms import logic_kind
from astrace.backends.numpy.statements import StatementEmitter
from astrace.backends.python_source.expressions import TERNARY, Code, constant
from astrace.backends.python_source.lines import Line
from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.specs import BOOL
from astrace.ir.walk import nodes
from astrace.ops.effects import may_raise, may_warn

OR_LEVEL: Final = 2


class LoopExit:
    """The flag or statement by which a region leaves the loop around it.

    Args:
        variable: set when it does, if somebody asks afterwards.
        output: the position of the region's output that says so.
    """

    def __init__(self, variable: str | None, output: int) -> None:
        self.variable = variable
        self.output = output

    def is_inside(self, node: Node, flag: Operand) -> bool:
        """Return whether a ``cond`` decides the flag, so that ``break`` can stand in its branches."""
        return (
            node.op == "cond"
            and isinstance(flag, Value)
            and flag in node.outputs
            and logic_kind(node) is None
        )

    def position(self, node: Node, block: Block) -> int:
        """Return which output of a ``cond`` at the end of ``block`` is the flag."""
        return [output is block.outputs[self.output] for output in node.outputs].index(True)


class Branches(StatementEmitter):
    """Writes regions, and ``cond``."""

    # -- shared ------------------------------------------------------------------------------------

    def targets(self, node: Node, stop: LoopExit | None = None) -> list[str | None]:
        """Return a variable for each output of a node; none for an unused one, or for the flag of a loop's exit."""
        found: list[str | None] = []
        taken: set[str] = set()
        flag = None if stop is None else self.scope.block.outputs[stop.output]
        for output in node.outputs:
            if output not in self.scope.counts or output is flag:
                found.append(None)
                continue
            wanted = self.scope.targets.get(output, "") or output.name
            free = wanted and wanted not in taken and self.names.is_free(wanted)
            name = wanted if free else self.names.fresh(output.name or "t", taken)
            taken.add(name)
            self.names.promise(name)
            found.append(name)
        return found

    def captured(self, node: Node, index: int = 0) -> None:
        """Give the captures of a region the names of the operands that they stand for."""
        _, inner, outer = list(region_inputs(node))[index]
        for value, operand in zip(inner, outer, strict=True):
            if isinstance(operand, Constant) or operand in self.constants:
                self.constants[value] = operand if isinstance(operand, Constant) else self.constants[operand]
            elif operand in self.names:
                self.names.share(value, self.names[operand])

    def pinned(self, operands: Sequence[Operand], stop: LoopExit | None = None) -> set[str]:
        """The variables that a loop's captures live in, and the one that says how it was left."""
        flag = {stop.variable} if stop is not None and stop.variable is not None else set[str]()
        values = [operand for operand in operands if isinstance(operand, Value)]
        return flag | {self.names[value] for value in values if value in self.names}

    def region(
        self,
        node: Node,
        index: int,
        targets: Sequence[str | None],
        given: Sequence[tuple[Value, str]] = (),
        pinned: set[str] | None = None,
        stop: LoopExit | None = None,
    ) -> None:
        """Write a region one step further in.

        Args:
            node: the control flow node.
            index: which of its regions.
            targets: the variables that the region's outputs go to.
            given: the variables of the region's own inputs.
            pinned: variables that it must leave alone.
            stop: how it leaves the loop around it, if it can.
        """
        block = node.regions[index]
        self.indent += 1
        outer = self.begin(block, targets, pinned)
        self.captured(node, index)
        for value, name in given:
            self.names.take(value, name)
        first = len(self.lines)
        for number, inner in enumerate(block.nodes):
            self.names.frame.index = number
            last = number == len(block.nodes) - 1
            if last and stop is not None and stop.is_inside(inner, block.outputs[stop.output]):
                stop = None if self.cond(inner, stop) else stop
            else:
                self.node(inner)
        self.names.frame.index = len(block.nodes)
        if not (block.nodes and block.nodes[-1].op in ("raise_", "reraise")):
            self._finish(block.outputs, targets, stop)
        if len(self.lines) == first:
            self.line("pass")
        self.end(outer)
        self.indent -= 1

    def _is_put(self, node: Node, targets: Sequence[str | None]) -> bool:
        """Return whether all outputs of a block are in place once a ``cond`` has put its outputs into ``targets``."""
        found = dict(zip(node.outputs, targets, strict=True))
        return all(
            place is None or place == (found[output] if output in found else self.operand_text(output))
            for output, place in zip(self.scope.block.outputs, self.scope.places, strict=True)
        )

    def operand_text(self, operand: Operand) -> str:
        """Return the text of an operand, if it has been written yet."""
        known = isinstance(operand, Constant) or operand in self.names
        return self.operand(operand).text if known else ""

    def _finish(
        self, outputs: Sequence[Operand], targets: Sequence[str | None], stop: LoopExit | None
    ) -> None:
        """End a region: put its outputs into ``targets``, and leave the loop where its flag says so."""
        if stop is None:
            self.put(outputs, targets)
            return
        flag = outputs[stop.output]
        if isinstance(flag, Constant) or flag in self.constants:
            self.put(outputs, targets)
            if (flag if isinstance(flag, Constant) else self.constants[flag]).value:
                self._leave(stop, self.operand(flag).text)
            return
        code = self._flag(flag, outputs, targets, stop)
        self.line(f"if {code.at(TERNARY)}:", code.location)
        self.indent += 1
        self._leave(stop, "True" if flag.spec == BOOL else code.text)
        self.indent -= 1

    def _flag(
        self, flag: Value, outputs: Sequence[Operand], targets: Sequence[str | None], stop: LoopExit
    ) -> Code:
        """Put outputs into ``targets``; return the flag that leaves the loop, safe from that."""
        in_place = all(
            target is None or target == self.operand_text(output)
            for output, target in zip(outputs, targets, strict=True)
        )
        if in_place and (stop.variable is None or flag.spec == BOOL):
            (code,) = self.take([flag])
            self.flush([code])
            return code
        avoid = {*(target for target in targets if target), *map(self.operand_text, outputs)}
        name = self.operand_text(flag)
        if not name or name in targets:
            name = self.names.fresh(flag.name or "t", avoid)
            self.scope.targets.setdefault(flag, name)
        self.put([flag, *outputs], [name, *targets])
        return Code(name)

    def _leave(self, stop: LoopExit, value: str) -> None:
        """Leave the loop."""
        if stop.variable is not None:
            self.line(f"{stop.variable} = {value}")
        self.line("break")

    # -- cond --------------------------------------------------------------------------------------

    def cond(self, node: Node, stop: LoopExit | None = None) -> bool:
        """``if``; as an expression where both branches are expressions.

        Args:
            node: the branch.
            stop: how the block that ends with it leaves the loop around it, if it can.

        Returns:
            Whether that is done.
        """
        (test,) = self.take(node.inputs[:1])
        if (
            stop is None
            and is_expression(node)
            and is_on_one_line(node, node.regions)
            and self._as_expression(node, test)
        ):
            return False
        self.flush([test])
        if (
            logic_kind(node) is not None
            and isinstance(node.inputs[0], Value)
            and node.inputs[0] not in self.names
        ):
            self.names.frame.index -= 0.5
            self.bind(node.inputs[0], test, node.location)
            self.names.frame.index += 0.5
            test = self.operand(node.inputs[0])
        targets = self.targets(node, stop)
        inner = None if stop is None else LoopExit(stop.variable, stop.position(node, self.scope.block))
        if inner is not None and not self._is_put(node, targets):
            inner, targets = None, self.targets(node)
        start = len(self.lines)
        self.line(f"if {test.at(TERNARY)}:", node.location)
        self.region(node, 0, targets, stop=inner)
        middle = len(self.lines)
        self.line("else:")
        self.region(node, 1, targets, stop=inner)
        self._tidy_branches(start, middle, test)
        for output, name in zip(node.outputs, targets, strict=True):
            if name is not None:
                self.names.take(output, name)
        return inner is not None

    def _tidy_branches(self, start: int, middle: int, test: Code) -> None:
        """Leave out an ``else`` with nothing in it or behind ``break``; write ``elif`` for one with just an ``if``."""
        then, orelse = self.lines[start + 1 : middle], self.lines[middle + 1 :]
        if [line.text for line in orelse] == ["pass"]:
            del self.lines[middle:]
        elif [line.text for line in then] == ["pass"]:
            self.lines[start].text = f"if {negated(test)}:"
            del self.lines[start + 1 : middle + 1]
        elif then[-1].text == "break" and then[-1].indent == self.indent + 1:
            del self.lines[middle]
            for line in orelse:
                line.indent -= 1
        elif is_single_if(orelse, self.indent + 1):
            del self.lines[middle]
            orelse[0].text = f"el{orelse[0].text}"
            for line in orelse:
                line.indent -= 1

    def _as_expression(self, node: Node, test: Code) -> bool:
        """Write a ``cond`` as ``a and b``, ``a or b`` or a conditional expression, if it can be one."""
        if node.outputs[0] not in self.scope.counts:
            return False
        kind = logic_kind(node)
        codes: list[Code] = []
        for index, region in enumerate(node.regions):
            if kind is not None and index == ("or", "and").index(kind):
                codes.append(test)
                continue
            code = self._region_expression(node, index, region, WIDTH if kind is not None else WIDTH // 2)
            if code is None:
                return False
            codes.append(code)
        if kind is None:
            text = f"{codes[0].at(OR_LEVEL)} if {test.at(OR_LEVEL)} else {codes[1].at(TERNARY)}"
            whole = Code(text, TERNARY)
        else:
            level = LEVELS[kind]
            other = codes[1] if kind == "or" else codes[0]
            # `a or (b or c)` is `a or b or c`.
            whole = Code(f"{test.at(level)} {kind} {other.at(level)}", level)
        self.expect(node, whole)
        return True

    def _region_expression(self, node: Node, index: int, region: Block, width: int) -> Code | None:
        (output,) = region.outputs
        if isinstance(output, Constant):
            return constant(output.value, self.names) if not region.nodes else None
        self.captured(node, index)
        return self.expression(region, width)


def is_expression(node: Node) -> bool:
    """Return whether a ``cond`` was an expression in the source, or gives the function's result."""
    return len(node.outputs) == 1 and (bool(node.attrs.get("expression")) or not node.outputs[0].name)


def is_on_one_line(node: Node, regions: Sequence[Block]) -> bool:
    """Return whether all that may raise or warn in regions of a node stands on the node's own line of the user's."""
    return all(
        shown_line(inner) == shown_line(node) or not (may_raise(inner) or may_warn(inner))
        for region in regions
        for inner in nodes(region)
    )


def shown_line(node: Node) -> int | None:
    """The user's line that a traceback shows for a node."""
    return None if node.location is None else node.location.root_line or node.location.line


def negated(test: Code) -> str:
    """``not test``."""
    return f"not {test.at(4)}"


def is_single_if(lines: Sequence[Line], indent: int) -> bool:
    """Return whether lines are one ``if`` statement with all that belongs to it."""
    if not lines or not lines[0].text.startswith("if ") or lines[0].indent != indent:
        return False
    return all(line.indent > indent or re.match(r"el(if|se)\b", line.text) for line in lines[1:])
