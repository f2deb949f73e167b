"""Block to statements and expressions, in the block's order.

A value that is used once, by what comes next, is written where it is used; everything else gets a variable.
An expression is held back on a stack until its user is reached: the user takes what it needs off the top,
in the order in which Python will evaluate it, and whatever else is waiting is assigned first.  So nothing
is ever evaluated in another order than in the block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from astrace.backends.numpy.statement_forms import STATEMENTS, logic_kind, may_be_expression, stored
from astrace.backends.python_source.expressions import AND, OR, TERNARY, Code, constant, lay_out
from astrace.backends.python_source.names import VariableNames
from astrace.backends.python_source.spelling import Speller
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.walk import uses
from astrace.locations import Location
from astrace.ops.infer import arguments
from astrace.ops.python.operators import ARITHMETIC, COMPARISON, INPLACE, keeps_target
from astrace.ops.rules import spec_of
from astrace.util.trees import Hole, Tree

WIDTH: Final = 96
MOST_WAITING: Final = 64


@dataclass(slots=True)
class Line:
    """A line of generated code."""

    indent: int
    text: str
    location: Location | None = None


@dataclass(slots=True)
class PendingExpression:
    """An expression that waits for its user."""

    value: Value
    code: Code
    location: Location | None


@dataclass(slots=True)
class OpenBlock:
    """The block that is being written.

    Args:
        block: the block.
        counts: how often each of its values is used.
        places: the variables that its outputs go to.
        targets: the same by value.
        waiting: expressions that wait for their users.
    """

    block: Block
    counts: Counter[Value]
    places: Sequence[str | None] = ()
    targets: dict[Value, str] = field(default_factory=dict[Value, str])
    waiting: list[PendingExpression] = field(default_factory=list[PendingExpression])


class Emitter:
    """Writes leaf nodes and expressions; a backend adds its control flow."""

    def __init__(self) -> None:
        self.names = VariableNames()
        self.speller = Speller(self.names)
        self.lines: list[Line] = []
        self.constants: dict[Value, Constant] = {}
        self.indent = 1
        self.scope = OpenBlock(Block((), ()), Counter())

    # -- lines -------------------------------------------------------------------------------------

    def line(self, text: str, location: Location | None = None) -> None:
        """Write a line."""
        self.lines.append(Line(self.indent, text, location))

    # -- operands ----------------------------------------------------------------------------------

    def operand(self, operand: Operand) -> Code:
        """A constant, or a value that has a variable."""
        if isinstance(operand, Value) and operand not in self.constants:
            return Code(self.names[operand])
        known = operand if isinstance(operand, Constant) else self.constants[operand]
        return constant(known.value, self.names)

    def take(self, operands: Sequence[Operand]) -> list[Code]:
        """Expressions for operands that are evaluated now, from left to right."""
        waiting = self.scope.waiting
        held = {one.value for one in waiting}
        wanted = [operand for operand in operands if isinstance(operand, Value) and operand in held]
        top = [one.value for one in waiting[len(waiting) - len(wanted) :]]
        if [id(value) for value in top] != [id(value) for value in wanted]:
            self.flush()
            wanted = []
        top_most = waiting[len(waiting) - len(wanted) :]
        taken = {one.value: replace(one.code, location=one.location) for one in top_most}
        del waiting[len(waiting) - len(wanted) :]
        return [
            taken[operand] if isinstance(operand, Value) and operand in taken else self.operand(operand)
            for operand in operands
        ]

    def flush(self, taken: Sequence[Code] = ()) -> None:
        """Assign all waiting expressions, in order; leave variables alone that waiting or ``taken`` code reads."""
        waiting, self.scope.waiting = self.scope.waiting, []
        read = Counter(word for code in (*taken, *(one.code for one in waiting)) for word in words(code.text))
        self.names.frame.index -= 0.5
        for one in waiting:
            read -= Counter(words(one.code.text))
            self.bind(one.value, one.code, one.location, read)
        self.names.frame.index += 0.5

    def bind(
        self, value: Value, code: Code, location: Location | None, avoid: Container[str] = frozenset()
    ) -> None:
        """Assign a value to a variable, to none of those to ``avoid``."""
        name = self.names.assign(value, self.scope.targets.get(value, ""), avoid)
        self.line(f"{name} = {code.text}", location)

    # -- leaf nodes --------------------------------------------------------------------------------

    def leaf(self, node: Node) -> None:
        """Write a leaf node: a statement, or an expression that waits for its user."""
        inputs = self._taken(node)
        if node.op in STATEMENTS or node.op in INPLACE:
            self.flush(inputs)
            self._statement(node, inputs)
            return
        code = self.speller.spell(node, inputs)
        if not self._is_used(node):
            self.flush([code])
            self.line(code.text, node.location)
            return
        self.expect(node, code)

    def _is_used(self, node: Node) -> bool:
        return any(output in self.scope.counts for output in node.outputs)

    def expect(self, node: Node, code: Code) -> None:
        """Hold the expression for a node's output back, or assign it."""
        (output,) = node.outputs
        if self._waits(node, output, code):
            self.scope.waiting.append(PendingExpression(output, code, node.location))
            return
        self.flush([code])
        self.bind(output, code, node.location)

    def _taken(self, node: Node) -> list[Code]:
        """Return expressions for a node's inputs; an assignment evaluates the value before its place."""
        places = range(len(node.inputs))
        first = stored(node)
        order = [*first, *(index for index in places if index not in first)]
        codes = self.take([node.inputs[index] for index in order])
        return [codes[order.index(index)] for index in places]

    def _waits(self, node: Node, output: Value, code: Code) -> bool:
        """Return whether an expression is short, and used once by a node of the same line."""
        if (
            self.scope.counts[output] != 1
            or len(code.text) > WIDTH // 2
            or len(self.scope.waiting) > MOST_WAITING
        ):
            return False
        user = self.user(output)
        if user is None:  # the block's end: a name of the user's keeps its own line
            return not output.name and all(on_one_line(node, one.location) for one in self.scope.waiting)
        line = None if user.location is None else user.location.line
        return node.location is None or line == node.location.line

    def user(self, value: Value) -> Node | None:
        """The node that uses a value; ``None`` for the block's end."""
        last = self.names.frame.last.get(value, -1)
        nodes = self.scope.block.nodes
        return nodes[last] if 0 <= last < len(nodes) else None

    def _statement(self, node: Node, inputs: Sequence[Code]) -> None:
        args, _ = self.speller.arguments(node, inputs)
        codes = self.speller
        owner = codes.code(args[0]).at(20) if args else ""
        match node.op:
            case "set_item":
                text = f"{codes.spell_item(node, args)} = {codes.code(args[2]).text}"
            case "delete_item":
                text = f"del {codes.spell_item(node, args)}"
            case "set_attr" | "delete_attr":
                text = codes.attribute_statement(args)
            case "append":
                text = f"{owner}.append({codes.code(args[1]).text})"
            case "raise_":
                cause = f" from {codes.code(args[1]).text}" if len(args) > 1 else ""
                text = f"raise {codes.code(args[0]).text}{cause}"
            case "reraise":
                text = "raise"
            case "unpack":
                text = self._unpack(node, codes.code(args[0]))
            case _:
                text = self._update(node, codes.code(args[0]), codes.code(args[1]))
        self.line(text, node.location)

    def _update(self, node: Node, owner: Code, value: Code) -> str:
        """``x += y``: in the variable that ``x`` is in, where that holds the same object afterwards or is not read."""
        operand, output = node.inputs[0], node.output
        name = owner.text
        in_variable = operand not in self.constants and operand in self.names and name.isidentifier()
        is_last = in_variable and self.names.is_last_use(operand)
        keeps = keeps_target(node.op, *map(spec_of, arguments(node)[0]))
        if self._is_used(node) or not (in_variable and (is_last or keeps)):
            wanted = self.scope.targets.get(output, "") or (name if is_last and not output.name else "")
            name = self.names.assign(output, wanted, {*words(value.text)} - {name})
        if name != owner.text:
            self.line(f"{name} = {owner.text}", owner.location or node.location)
        return f"{name} {SYMBOLS[INPLACE[node.op]]}= {value.text}"

    def _unpack(self, node: Node, items: Code) -> str:
        names = [self.names.assign(output, self.scope.targets.get(output, "")) for output in node.outputs]
        if "after" in node.attrs:
            names[node.attrs["before"]] = f"*{names[node.attrs['before']]}"
        if not names:
            return f"() = {items.text}"
        return f"{', '.join(names)}{',' if len(names) == 1 else ''} = {items.text}"

    # -- blocks --------------------------------------------------------------------------------------

    def body(self, block: Block, targets: Sequence[str | None], pinned: set[str] | None = None) -> None:
        """Write the nodes of a block, then put its outputs into ``targets``."""
        outer = self.begin(block, targets, pinned)
        for index, node in enumerate(block.nodes):
            self.names.frame.index = index
            self.node(node)
        self.names.frame.index = len(block.nodes)
        self.put(block.outputs, targets)
        self.end(outer)

    def begin(self, block: Block, targets: Sequence[str | None], pinned: set[str] | None = None) -> OpenBlock:
        """Begin a block; gives the scope to return to."""
        outer = self.scope
        self.names.enter(block, pinned)
        wanted = {
            output: target
            for output, target in zip(block.outputs, targets, strict=False)
            if isinstance(output, Value) and target is not None
        }
        self.scope = OpenBlock(block, self.counted(block), targets, wanted)
        return outer

    def end(self, outer: OpenBlock) -> None:
        """A block is written."""
        self.scope = outer
        self.names.leave()

    def counted(self, block: Block) -> Counter[Value]:
        """Count the uses of each value; only a value used once can be written where it is used.

        ``a and b`` uses ``a`` once; what else a branch captures needs a variable.
        """
        counts = uses(block)
        for node in block.nodes:
            if node.op != "cond":
                continue
            test, *captures = node.inputs
            counts.update(one for one in captures if isinstance(one, Value))
            if logic_kind(node) is not None and isinstance(test, Value):
                counts[test] -= 2
        return counts

    def node(self, node: Node) -> None:
        """Write a node."""
        if not node.regions:
            self.leaf(node)
        else:
            self.control(node)

    def control(self, node: Node) -> None:
        """Write a control flow node; a backend says how."""
        raise NotImplementedError

    def put(self, outputs: Sequence[Operand], targets: Sequence[str | None]) -> None:
        """Assign a block's outputs to variables, all at once where one is still read by another."""
        pairs = [
            (target, output) for target, output in zip(targets, outputs, strict=True) if target is not None
        ]
        codes = self.take([output for _, output in pairs])
        self.flush(codes)
        self.move([(target, code) for (target, _), code in zip(pairs, codes, strict=True)])

    def move(self, moves: Sequence[tuple[str, Code]], location: Location | None = None) -> None:
        """Assign expressions to variables, all at once where one is still read by another."""
        moves = [(target, code) for target, code in moves if target != code.text]
        later = [set(words(code.text)) for _, code in moves]
        tangled = any(
            target in used for index, (target, _) in enumerate(moves) for used in later[index + 1 :]
        )
        if tangled:
            left, right = ", ".join(target for target, _ in moves), ", ".join(code.text for _, code in moves)
            self.line(f"{left} = {right}", location or origin(code for _, code in moves))
            return
        for target, code in moves:
            self.line(f"{target} = {code.text}", location or code.location)

    # -- expressions for control flow --------------------------------------------------------------------

    def expression(self, block: Block) -> Code | None:
        """A block with one output as one expression, if it needs no statement."""
        if not may_be_expression(block):
            return None
        before, bring_back = len(self.lines), self.names.remember()
        outer = self.begin(block, ())
        for index, node in enumerate(block.nodes):
            self.names.frame.index = index
            self.node(node)
        self.names.frame.index = len(block.nodes)
        (code,) = self.take(block.outputs)
        whole = len(self.lines) == before and not self.scope.waiting
        del self.lines[before:]
        self.end(outer)
        bring_back()
        return code if whole and len(code.text) <= WIDTH // 2 else None

    def result(self, tree: Tree, outputs: Sequence[Operand]) -> None:
        """Write the ``return`` statement."""
        codes = self.take(outputs)
        self.flush(codes)

        def leaf(part: Any) -> Code:
            return codes[part.index] if isinstance(part, Hole) else constant(part, self.names)

        self.line(f"return {lay_out(tree, leaf).at(TERNARY)}", origin(codes))


SYMBOLS: Final = {**ARITHMETIC, **COMPARISON}


def on_one_line(node: Node, location: Location | None) -> bool:
    """Return whether a node and a location are on the same line of the user's."""
    return node.location is None or location is None or node.location == location


def origin(codes: Iterable[Code]) -> Location | None:
    """The line that expressions were taken from."""
    return next((code.location for code in codes if code.location is not None), None)


def words(text: str) -> list[str]:
    """The identifiers in a piece of code."""
    return "".join(char if char.isalnum() or char == "_" else " " for char in text).split()


LEVELS: Final = {"and": AND, "or": OR}
