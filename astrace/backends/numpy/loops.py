"""``for`` and ``while`` loops."""

from __future__ import annotations

from collections.abc import Sequence

from astrace.backends.numpy.branches import Branches, LoopExit, is_on_one_line, negated
from astrace.backends.numpy.emitter import words
from astrace.backends.python_source.expressions import TERNARY, Code, constant
from astrace.backends.python_source.lines import Line
from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.walk import uses


class Loops(Branches):
    """Writes loops."""

    _current: Node

    def carried(self, loop: WhileLoop | ForLoop, header: Sequence[Code] = ()) -> list[str]:
        """Return variables for the carried values of a loop, holding those from before the first iteration.

        ``header`` is evaluated afterwards: the variables it reads are left alone.
        """
        node = loop.node
        codes = self.take(loop.carried)
        self.flush([*codes, *header])
        found: list[str] = []
        read = {word for code in header for word in words(code.text)}
        for output, operand in zip(node.outputs[loop.breaks :], loop.carried, strict=True):
            found.append(self._carried_name(output, operand, found, read))
        self.move(list(zip(found, codes, strict=True)), node.location)
        return found

    def _carried_name(self, output: Value, operand: Operand, found: Sequence[str], read: set[str]) -> str:
        """Return the variable that holds the first value, if it is not needed afterwards; else one of its own."""
        others = self._variables()
        if isinstance(operand, Value) and operand in self.names:
            name = self.names[operand]
            if others.count(name) == 1 and name not in found and self.names.is_free(name):
                return name
        return self.names.fresh(output.name or "t", {*found, *others, *read})

    def _variables(self) -> list[str]:
        """The variables that the loop's inputs are in."""
        inputs = self._current.inputs
        return [self.names[one] for one in inputs if isinstance(one, Value) and one in self.names]

    def stopping(
        self, loop: WhileLoop | ForLoop, carried: Sequence[str], header: Sequence[Code] = ()
    ) -> LoopExit | None:
        """Return how the body leaves the loop; with a variable if that is asked for afterwards.

        The variables that ``header`` reads are left alone.
        """
        if not loop.breaks:
            return None
        flag = loop.node.outputs[0]
        if flag not in self.scope.counts:
            return LoopExit(None, 0)
        read = {word for code in header for word in words(code.text)}
        name = self.names.fresh("left", {*carried, *self._variables(), *read})
        self.line(f"{name} = False", loop.node.location)
        return LoopExit(name, 0)

    def for_loop(self, loop: ForLoop) -> None:
        """``for``."""
        node = self._current = loop.node
        header = self.take(loop.iterated)
        carried = self.carried(loop, header)
        stop = self.stopping(loop, carried, header)
        pinned = self.pinned(loop.captures, stop)
        others = {*carried, *pinned}
        elements = [self._apart_from(value, others) for value in loop.elements]
        start = len(self.lines)
        self.line(f"for {target(loop.over, list(elements))} in {iterable(loop.over, header)}:", node.location)
        inner = loop.body.inputs[len(elements) : len(elements) + len(carried)]
        given = [*zip(loop.elements, elements, strict=True), *zip(inner, carried, strict=True)]
        targets: list[str | None] = [*([None] if loop.breaks else []), *carried]
        self.region(node, 0, targets, given, pinned, stop)
        if (place := unpacked(loop)) is not None and self._unpack_in_header(elements, place, start):
            items = target(loop.over, list(elements))
            self.lines[start].text = f"for {items} in {iterable(loop.over, header)}:"
        self._after_loop(loop, carried, stop)

    def _unpack_in_header(self, elements: list[str], place: int, start: int) -> bool:
        """Take the variables that a loop unpacks an element to into its header, if no other element is in one of them.

        The header is line ``start``, the line behind it unpacks.
        """
        items, _, element = self.lines[start + 1].text.rpartition(" = ")
        if element != elements[place] or {*words(items)} & {*elements}:
            return False
        elements[place] = items
        del self.lines[start + 1]
        if len(self.lines) == start + 1:
            self.lines.append(Line(self.indent + 1, "pass"))
        return True

    def _apart_from(self, value: Value, others: set[str]) -> str:
        name = self.names.fresh(value.name or "item", others)
        others.add(name)
        return name

    def _after_loop(self, loop: WhileLoop | ForLoop, carried: Sequence[str], stop: LoopExit | None) -> None:
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
        if not is_on_one_line(loop.node, (loop.test,)):
            return None
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


def unpacked(loop: ForLoop) -> int | None:
    """Return which element a loop does nothing with but unpack it, first of all and in its own line."""
    first = loop.body.nodes[0] if loop.body.nodes else None
    if first is None or first.op != "unpack" or first.location != loop.node.location or not first.outputs:
        return None
    place = next((i for i, one in enumerate(loop.elements) if one is first.inputs[0]), None)
    return place if place is not None and uses(loop.body)[loop.elements[place]] == 1 else None


def target(over: Over, names: list[str]) -> str:
    """Write the target between ``for`` and ``in``."""
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
    """Write the iterable behind ``in``."""
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
