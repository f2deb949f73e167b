"""The NumPy backend: Python source over NumPy that a reviewer can read, exact to the bit.

It takes every block.  Statements stand in the block's order, references stay references, so mutation,
aliasing, exceptions and printed output are the original's.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import types
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.base import Executable
from astrace.backends.emitter import LEVELS, Emitter, Line, logic_kind, words
from astrace.backends.spelling import TERNARY, Code, constant
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.control import (
    Each,
    Enumerate,
    ForLoop,
    Over,
    Range,
    Reversed,
    WhileLoop,
    Zip,
    region_inputs,
)
from astrace.ir.walk import uses
from astrace.trees import Tree

MODULES: Final = {"np": np, "math": math, "operator": operator}


def compile_block(block: Block, result: Tree, name: str, file: str) -> Executable:
    """Compile a block to a function over NumPy.

    Args:
        block: any block.
        result: how the block's outputs make up what the function returns.
        name: the name of the function.
        file: the user's file, for tracebacks.
    """
    emitter = NumpyEmitter()
    counts = uses(block)
    used = tuple(index for index, value in enumerate(block.inputs) if value in counts)
    emitter.begin(block, ())
    parameters = [_parameter(emitter, block.inputs[index]) for index in used]
    for index, node in enumerate(block.nodes):
        emitter.names.frame.index = index
        emitter.node(node)
    emitter.names.frame.index = len(block.nodes)
    if not _ends_with_raise(block):
        emitter.result(result, block.outputs, None)
    shown = name if name.isidentifier() else "compiled"
    header = f"def {shown}({', '.join(parameters)}):"
    source = "\n".join([header, *map(_text, emitter.lines)]) + "\n"
    namespace = {**MODULES, **emitter.names.objects}
    function = _load(source, emitter.lines, shown, file, namespace)
    return Executable(source, function, used, "numpy", namespace)


def _parameter(emitter: NumpyEmitter, value: Value) -> str:
    return emitter.names.assign(value, emitter.names.fresh(value.name or "t"))


def _ends_with_raise(block: Block) -> bool:
    return bool(block.nodes) and block.nodes[-1].op == "raise_"


def _text(line: Line) -> str:
    text = "    " * line.indent + line.text
    return text if line.location is None else f"{text}  #@{line.location.root_line or line.location.line}"


def _load(
    source: str, lines: Sequence[Line], name: str, file: str, namespace: dict[str, Any]
) -> types.FunctionType:
    """Compile generated source under the user's file name, with the user's line numbers."""
    tree = ast.parse(source)
    numbers = _user_lines(lines)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword):
            node.lineno = node.end_lineno = numbers[node.lineno - 1]
            node.col_offset = node.end_col_offset = 0
    scope = dict(namespace)
    exec(compile(tree, file, "exec", dont_inherit=True), scope)
    return scope[name]


def _user_lines(lines: Sequence[Line]) -> list[int]:
    """For each line of generated source, the header's first, the user's line it stands for."""
    known = [line.location.root_line or line.location.line for line in lines if line.location is not None]
    current = known[0] if known else 1
    found = [current]
    for line in lines:
        if line.location is not None:
            current = line.location.root_line or line.location.line
        found.append(current)
    return found


class NumpyEmitter(Emitter):
    """Writes control flow nodes as Python statements."""

    def control(self, node: Node) -> None:
        """Write a control flow node."""
        match node.op:
            case "cond":
                self.cond(node)
            case "while_loop":
                self.while_loop(WhileLoop(node))
            case "for_loop":
                self.for_loop(ForLoop(node))
            case "try_":
                self.try_(node)
            case _:
                self.with_(node)

    # -- shared ------------------------------------------------------------------------------------

    def targets(self, node: Node, skip: int = 0) -> list[str | None]:
        """A variable for each output of a node; none for an output that nobody uses."""
        found: list[str | None] = [None] * skip
        taken: set[str] = set()
        for output in node.outputs[skip:]:
            if output not in self.scope.counts:
                found.append(None)
                continue
            wanted = self.scope.targets.get(output, "") or output.name
            free = wanted and wanted not in taken and self.names.is_free(wanted)
            name = wanted if free else self.names.fresh(output.name or "t", taken)
            taken.add(name)
            found.append(name)
        return found

    def captured(self, node: Node, index: int = 0) -> None:
        """Let the captures of a region go by the names of what they are."""
        _, inner, outer = list(region_inputs(node))[index]
        for value, operand in zip(inner, outer, strict=True):
            if isinstance(operand, Constant) or operand in self.constants:
                self.constants[value] = operand if isinstance(operand, Constant) else self.constants[operand]
            elif operand in self.names:
                self.names.share(value, self.names[operand])

    def pinned(self, operands: Sequence[Operand], stop: Stop | None = None) -> set[str]:
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
        stop: Stop | None = None,
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
            if last and stop is not None and self._leaves_inside(stop, inner, block, targets):
                self.cond(inner, stop)
                stop = None
            else:
                self.node(inner)
        self.names.frame.index = len(block.nodes)
        if not (block.nodes and block.nodes[-1].op in ("raise_", "reraise")):
            self.put(block.outputs, targets)
        if stop is not None:
            self._leave(stop, block)
        if len(self.lines) == first:
            self.line("pass")
        self.end(outer)
        self.indent -= 1

    def _leaves_inside(self, stop: Stop, node: Node, block: Block, targets: Sequence[str | None]) -> bool:
        """Whether ``break`` can stand in the branches of a block's last node: nothing is left to do behind it."""
        if not stop.is_inside(node, block.outputs[stop.output]):
            return False
        return all(
            target is None or output in node.outputs or self.operand_text(output) == target
            for output, target in zip(block.outputs, targets, strict=True)
        )

    def operand_text(self, operand: Operand) -> str:
        """What an operand is written as, if it has been written yet."""
        known = isinstance(operand, Constant) or operand in self.names
        return self.operand(operand).text if known else ""

    def _leave(self, stop: Stop, block: Block) -> None:
        """Leave the loop at the end of a region, where its flag says so."""
        flag = block.outputs[stop.output]
        if isinstance(flag, Constant):
            if flag.value:
                self._set_flag(stop, "True")
                self.line("break")
            return
        (code,) = self.take([flag])
        self.flush([code])
        if stop.variable is not None:
            self.line(f"{stop.variable} = {code.text}")
            code = Code(stop.variable)
        self.line(f"if {code.at(TERNARY)}:")
        self.lines.append(Line(self.indent + 1, "break"))

    def _set_flag(self, stop: Stop, value: str) -> None:
        if stop.variable is not None:
            self.line(f"{stop.variable} = {value}")

    # -- cond --------------------------------------------------------------------------------------

    def cond(self, node: Node, stop: Stop | None = None) -> None:
        """``if``; as an expression where both branches are expressions."""
        (test,) = self.take(node.inputs[:1])
        if stop is None and is_expression(node) and self._as_expression(node, test):
            return
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
        outputs = list(node.outputs)
        targets = self.targets(node)
        inner = None
        if stop is not None:
            position = stop.position(node, self.scope.block)
            targets[position] = None
            inner = Stop(stop.variable, position)
        start = len(self.lines)
        self.line(f"if {test.at(TERNARY)}:", node.location)
        self.region(node, 0, targets, stop=inner)
        middle = len(self.lines)
        self.line("else:")
        self.region(node, 1, targets, stop=inner)
        self._tidy_branches(start, middle, test)
        for output, name in zip(outputs, targets, strict=True):
            if name is not None:
                self.names.take(output, name)

    def _tidy_branches(self, start: int, middle: int, test: Code) -> None:
        """Leave out an ``else`` with nothing in it; write ``elif`` where it holds just an ``if``."""
        then, orelse = self.lines[start + 1 : middle], self.lines[middle + 1 :]
        if [line.text for line in orelse] == ["pass"]:
            del self.lines[middle:]
        elif [line.text for line in then] == ["pass"]:
            self.lines[start].text = f"if {negated(test)}:"
            del self.lines[start + 1 : middle + 1]
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
            code = self._region_expression(node, index, region)
            if code is None:
                return False
            codes.append(code)
        if kind is None:
            text = f"{codes[0].at(OR_LEVEL)} if {test.at(OR_LEVEL)} else {codes[1].at(TERNARY)}"
            whole = Code(text, TERNARY)
        else:
            level = LEVELS[kind]
            other = codes[1] if kind == "or" else codes[0]
            whole = Code(f"{test.at(level)} {kind} {other.at(level + 1)}", level)
        self.expect(node, whole)
        return True

    def _region_expression(self, node: Node, index: int, region: Block) -> Code | None:
        (output,) = region.outputs
        if isinstance(output, Constant):
            return constant(output.value, self.names) if not region.nodes else None
        self.captured(node, index)
        return self.expression(region)

    # -- loops -------------------------------------------------------------------------------------

    def carried(self, loop: WhileLoop | ForLoop, header: Sequence[Code] = ()) -> list[str]:
        """Variables for what a loop carries, holding the values before the first turn.

        ``header`` is evaluated afterwards: the variables it reads are left alone.
        """
        node = loop.node
        codes = self.take(loop.carried)
        self.flush([*codes, *header])
        found: list[str] = []
        read = {word for code in header for word in words(code.text)}
        for output, operand in zip(node.outputs[loop.breaks :], loop.carried, strict=True):
            found.append(self._carried_name(output, operand, found, read))
        self.move([(name, code.text) for name, code in zip(found, codes, strict=True)], node.location)
        return found

    def _carried_name(self, output: Value, operand: Operand, found: Sequence[str], read: set[str]) -> str:
        """The variable that holds the first value, if nobody needs it afterwards; else one of its own."""
        inputs = self._current.inputs
        if isinstance(operand, Value) and operand in self.names:
            name = self.names[operand]
            single = sum(one is operand for one in inputs) == 1
            if single and name not in found and self.names.is_free(name):
                return name
        others = {self.names[one] for one in inputs if isinstance(one, Value) and one in self.names}
        return self.names.fresh(output.name or "t", {*found, *others, *read})

    def stopping(self, loop: WhileLoop | ForLoop, carried: Sequence[str]) -> Stop | None:
        """How the body leaves the loop; with a variable if somebody asks afterwards whether it did."""
        if not loop.breaks:
            return None
        flag = loop.node.outputs[0]
        if flag not in self.scope.counts:
            return Stop(None, 0)
        name = self.names.fresh("left", set(carried))
        self.line(f"{name} = False", loop.node.location)
        return Stop(name, 0)

    def for_loop(self, loop: ForLoop) -> None:
        """``for``."""
        node = self._current = loop.node
        header = self.take(loop.iterated)
        carried = self.carried(loop, header)
        stop = self.stopping(loop, carried)
        pinned = self.pinned(loop.captures, stop)
        others = {*carried, *pinned}
        elements = [self._apart_from(value, others) for value in loop.elements]
        self.line(f"for {target(loop.over, list(elements))} in {iterable(loop.over, header)}:", node.location)
        inner = loop.body.inputs[len(elements) : len(elements) + len(carried)]
        given = [*zip(loop.elements, elements, strict=True), *zip(inner, carried, strict=True)]
        targets: list[str | None] = [*([None] if loop.breaks else []), *carried]
        self.region(node, 0, targets, given, pinned, stop)
        self._after_loop(loop, carried, stop)

    def _apart_from(self, value: Value, others: set[str]) -> str:
        name = self.names.fresh(value.name or "item", others)
        others.add(name)
        return name

    def _after_loop(self, loop: WhileLoop | ForLoop, carried: Sequence[str], stop: Stop | None) -> None:
        node = loop.node
        if stop is not None and stop.variable is not None:
            self.names.take(node.outputs[0], stop.variable)
        for output, name in zip(node.outputs[loop.breaks :], carried, strict=True):
            self.names.take(output, name)

    def while_loop(self, loop: WhileLoop) -> None:
        """``while``; with the test inside where it needs statements."""
        node = self._current = loop.node
        carried = self.carried(loop)
        stop = self.stopping(loop, carried)
        pinned = self.pinned(loop.captures, stop)
        test = self._test(loop, carried)
        self.line(f"while {'True' if test is None else test.at(TERNARY)}:", node.location)
        if test is None:
            self._test_inside(loop, carried, pinned)
        given = list(zip(loop.body.inputs[: len(carried)], carried, strict=True))
        targets: list[str | None] = [*([None] if loop.breaks else []), *carried]
        self.region(node, 1, targets, given, pinned, stop)
        self._after_loop(loop, carried, stop)

    def _test(self, loop: WhileLoop, carried: Sequence[str]) -> Code | None:
        (output,) = loop.test.outputs
        if isinstance(output, Constant) and not loop.test.nodes:
            return constant(output.value, self.names)
        self.captured(loop.node, 0)
        for value, name in zip(loop.test.inputs[: len(carried)], carried, strict=True):
            self.names.share(value, name)
        return self.expression(loop.test)

    def _test_inside(self, loop: WhileLoop, carried: Sequence[str], pinned: set[str]) -> None:
        self.indent += 1
        outer = self.begin(loop.test, (), {*pinned, *carried})
        self.captured(loop.node, 0)
        for value, name in zip(loop.test.inputs[: len(carried)], carried, strict=True):
            self.names.share(value, name)
        for index, node in enumerate(loop.test.nodes):
            self.names.frame.index = index
            self.node(node)
        self.names.frame.index = len(loop.test.nodes)
        (code,) = self.take(loop.test.outputs)
        self.flush()
        self.line(f"if {negated(code)}:", loop.node.location)
        self.lines.append(Line(self.indent + 1, "break"))
        self.end(outer)
        self.indent -= 1

    _current: Node

    # -- try and with --------------------------------------------------------------------------------

    def try_(self, node: Node) -> None:
        """``try``: a handler sees what was before the body, so the outputs are assigned at the body's end."""
        self.flush()
        targets = self.targets(node)
        pinned = self.pinned(node.inputs)
        places = [self.names.fresh(name, pinned) if name in pinned else name for name in targets]
        self.line("try:", node.location)
        self.region(node, 0, places, pinned=pinned)
        for index, classes in enumerate(node.attrs["catches"]):
            handler = node.regions[index + 1]
            error = self.names.fresh("error", {name for name in places if name})
            self.line(f"except {self._classes(classes)} as {error}:")
            self.region(node, index + 1, places, [(handler.inputs[0], error)], pinned)
        for output, name in zip(node.outputs, places, strict=True):
            if name is not None:
                self.names.take(output, name)

    def _classes(self, classes: tuple[type, ...]) -> str:
        codes = [constant(cls, self.names).text for cls in classes]
        return codes[0] if len(codes) == 1 else f"({', '.join(codes)})"

    def with_(self, node: Node) -> None:
        """``with``."""
        (manager,) = self.take(node.inputs[:1])
        self.flush([manager])
        targets = self.targets(node)
        block = node.regions[0]
        entered = block.inputs[0]
        needed = entered in uses(block)
        name = self.names.fresh(entered.name or "entered", {one for one in targets if one})
        self.line(f"with {manager.text}{f' as {name}' if needed else ''}:", node.location)
        self.region(node, 0, targets, [(entered, name)])
        for output, one in zip(node.outputs, targets, strict=True):
            if one is not None:
                self.names.take(output, one)


class Stop:
    """How a region leaves the loop around it.

    Args:
        variable: set when it does, if somebody asks afterwards.
        output: the position of the region's output that says so.
    """

    def __init__(self, variable: str | None, output: int) -> None:
        self.variable = variable
        self.output = output

    def is_inside(self, node: Node, flag: Operand) -> bool:
        """Whether a ``cond`` decides the flag, so that ``break`` can stand in its branches."""
        return (
            node.op == "cond"
            and isinstance(flag, Value)
            and flag in node.outputs
            and logic_kind(node) is None
        )

    def position(self, node: Node, block: Block) -> int:
        """Which output of a ``cond`` at the end of ``block`` is the flag."""
        return [output is block.outputs[self.output] for output in node.outputs].index(True)


OR_LEVEL: Final = 2


def is_expression(node: Node) -> bool:
    """Whether a ``cond`` was an expression in the source, or gives the function's result."""
    return len(node.outputs) == 1 and (bool(node.attrs.get("expression")) or not node.outputs[0].name)


def target(over: Over, names: list[str]) -> str:
    """What stands between ``for`` and ``in``."""
    match over:
        case Range() | Each():
            return names.pop(0)
        case Enumerate():
            count = names.pop(0)
            return f"{count}, {nested(target(over.inner, names))}"
        case Zip():
            parts = [nested(target(part, names)) for part in over.parts]
            return ", ".join(parts) + ("," if len(parts) == 1 else "")
        case Reversed():
            return target(over.inner, names)


def nested(text: str) -> str:
    """A target inside another one."""
    return f"({text})" if "," in text else text


def iterable(over: Over, inputs: Sequence[Code]) -> str:
    """What stands behind ``in``."""
    match over:
        case Range():
            start, stop, step = (inputs[index] for index in (over.start, over.stop, over.step))
            if step.text != "1":
                return f"range({start.text}, {stop.text}, {step.text})"
            return f"range({stop.text})" if start.text == "0" else f"range({start.text}, {stop.text})"
        case Each():
            return inputs[over.iterable].text
        case Enumerate():
            start = inputs[over.start].text
            inner = iterable(over.inner, inputs)
            return f"enumerate({inner})" if start == "0" else f"enumerate({inner}, {start})"
        case Zip():
            parts = ", ".join(iterable(part, inputs) for part in over.parts)
            return f"zip({parts}, strict=True)" if over.strict else f"zip({parts})"
        case Reversed():
            return f"reversed({iterable(over.inner, inputs)})"


def negated(test: Code) -> str:
    """``not test``."""
    return f"not {test.at(4)}"


def is_single_if(lines: Sequence[Line], indent: int) -> bool:
    """Whether lines are one ``if`` statement with all that belongs to it."""
    if not lines or not lines[0].text.startswith("if ") or lines[0].indent != indent:
        return False
    return all(line.indent > indent or re.match(r"el(if|se)\b", line.text) for line in lines[1:])
