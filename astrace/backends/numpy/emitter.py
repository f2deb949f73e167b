"""Block to statements and expressions, in the block's order.

A value that is used once, by what comes next, is written where it is used; everything else gets a variable.
An expression is held back on a stack until its user is reached: the user takes what it needs off the top,
in the order in which Python will evaluate it, and whatever else is waiting is assigned first.  So nothing
is ever evaluated in another order than in the block.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, Final

from astrace.backends.numpy.statement_forms import (
    STATEMENTS,
    items_taken,
    logic_kind,
    may_be_expression,
    stored,
    takes_slices,
    written_back,
)
from astrace.backends.python_source.expressions import AND, OR, TERNARY, Code, constant, lay_out
from astrace.backends.python_source.lines import WIDTH, Line, marked, number
from astrace.backends.python_source.names import VariableNames
from astrace.backends.python_source.spelling import Speller
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec
from astrace.ir.walk import nodes, uses
from astrace.locations import Location
from astrace.ops.effects import is_ordered, may_raise, may_warn, written
from astrace.ops.python.operators import INPLACE
from astrace.util.trees import Hole, Tree

MOST_WAITING: Final = 64
MOST_NESTED: Final = 2_000
MOST_BRACKETS: Final = 12
"""How long the text of an expression may be, and how many brackets may stand in one another."""


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
        groups: nodes that are written together, by the first of them.
        stores: nodes that store what one before them has changed in place.
    """

    block: Block
    counts: Counter[Value]
    places: Sequence[str | None] = ()
    targets: dict[Value, str] = field(default_factory=dict[Value, str])
    waiting: list[PendingExpression] = field(default_factory=list[PendingExpression])
    groups: dict[Node, list[Node]] = field(default_factory=dict[Node, list[Node]])
    stores: dict[Node, Node] = field(default_factory=dict[Node, Node])


class Emitter:
    """Writes leaf nodes and expressions; a backend adds its control flow."""

    def __init__(self) -> None:
        self.names = VariableNames()
        self.speller = Speller(self.names)
        self.lines: list[Line] = []
        self.constants: dict[Value, Constant] = {}
        self.written: set[Node] = set()
        self.restless: set[Operand] = set()
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
        if not waiting:
            return [self.operand(operand) for operand in operands]
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
        if not waiting:
            return
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
            self.statement(node, inputs)
            return
        code = self.speller.spell(node, inputs)
        if not self.is_used(node):
            self.flush([code])
            self.line(code.text, node.location)
            return
        self.expect(node, code)

    def is_used(self, node: Node) -> bool:
        """Return whether something uses an output of a node."""
        return any(output in self.scope.counts for output in node.outputs)

    def expect(self, node: Node, code: Code) -> None:
        """Hold the expression for a node's output back, or assign it."""
        (output,) = node.outputs
        if self._waits(node, output, code):
            user = self.user(output)
            line = node.location and number(node.location)
            if user is not None and user.location and line and line != number(user.location):
                code = replace(code, text=marked(code.text, line), update=None)
            if not is_still(node) or any(one in self.restless for one in node.inputs):
                self.restless.add(output)
            self.scope.waiting.append(PendingExpression(output, code, node.location))
            return
        if self.scope.waiting and self._may_go_first(node):
            self.bind(output, code, node.location, self._read_by_waiting())
            return
        self.flush([code])
        self.bind(output, code, node.location)

    def _may_go_first(self, node: Node) -> bool:
        """Return whether nobody can tell that a node is evaluated before what waits, which then needs no names."""
        at_hand = all(
            one in self.names or one in self.constants for one in node.inputs if isinstance(one, Value)
        )
        calm = at_hand and not node.regions and is_still(node) and not may_warn(node)
        silent = calm and (takes_slices(node) or not may_raise(node))
        return silent and all(one.value not in self.restless for one in self.scope.waiting)

    def _read_by_waiting(self) -> set[str]:
        return {word for one in self.scope.waiting for word in words(one.code.text)}

    def _taken(self, node: Node) -> list[Code]:
        """Return expressions for a node's inputs; an assignment evaluates the value before its place."""
        places = range(len(node.inputs))
        first = stored(node)
        order = [*first, *(index for index in places if index not in first)]
        codes = self.take([node.inputs[index] for index in order])
        return [codes[order.index(index)] for index in places]

    def _waits(self, node: Node, output: Value, code: Code) -> bool:
        """Return whether an expression is used once, by what may be written around it.

        While it has no name, NumPy may write the result of the next operation into its memory.
        """
        most = WIDTH // 2 if output.name else MOST_NESTED
        if self.scope.counts[output] != 1 or len(code.text) > most or len(self.scope.waiting) > MOST_WAITING:
            return False
        if depth(code.text) > MOST_BRACKETS:
            return False
        user = self.user(output)
        if user is None:  # the block's end: a name of the user's keeps its own line
            return not output.name and all(on_one_line(node, one.location) for one in self.scope.waiting)
        line = None if user.location is None else user.location.line
        if node.location is None or line == node.location.line:
            return True
        apart = bool(output.name) or bool(user.regions) or user.location is None
        return not apart and (is_array(output) or any(is_array(one.value) for one in self.scope.waiting))

    def user(self, value: Value) -> Node | None:
        """The node that uses a value; ``None`` for the block's end."""
        last = self.names.frame.last.get(value, -1)
        nodes = self.scope.block.nodes
        return nodes[last] if 0 <= last < len(nodes) else None

    def statement(self, node: Node, inputs: Sequence[Code]) -> None:
        """Write a node that is a statement; see `StatementEmitter`."""
        raise NotImplementedError

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
        counts, groups, stores = self.counted(block), items_taken(block), written_back(block)
        for node in (*groups, *stores):
            if isinstance(read := node.inputs[0], Value):
                counts[read] = 1
        self.scope = OpenBlock(block, counts, targets, wanted, groups=groups, stores=stores)
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
        if node in self.written:
            return
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

    def expression(self, block: Block, width: int = WIDTH // 2) -> Code | None:
        """A block with one output as one expression, if it needs no statement, and is not longer than the width."""
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
        self.written.difference_update(nodes(block))
        self.end(outer)
        bring_back()
        return code if whole and len(code.text) <= width else None

    def result(self, tree: Tree, outputs: Sequence[Operand]) -> None:
        """Write the ``return`` statement."""
        codes = self.take(outputs)
        self.flush(codes)

        def leaf(part: Any) -> Code:
            return codes[part.index] if isinstance(part, Hole) else constant(part, self.names)

        self.line(f"return {lay_out(tree, leaf).at(TERNARY)}", origin(codes))


def is_array(value: Value) -> bool:
    """Return whether a value is an array with memory of its own, or a view."""
    return isinstance(value.spec, ArraySpec)


def is_still(node: Node) -> bool:
    """Return whether a node changes nothing, and runs nothing that might."""
    inner = [node, *(one for region in node.regions for one in nodes(region))]
    return not any(is_ordered(one) or (not one.regions and written(one)) for one in inner)


def on_one_line(node: Node, location: Location | None) -> bool:
    """Return whether a node and a location are on the same line of the user's."""
    return node.location is None or location is None or node.location == location


def origin(codes: Iterable[Code]) -> Location | None:
    """The line that expressions were taken from."""
    return next((code.location for code in codes if code.location is not None), None)


def words(text: str) -> list[str]:
    """The identifiers in a piece of code."""
    return re.findall(r"\w+", text)


def depth(text: str) -> int:
    """How many brackets stand in one another at most."""
    turns = re.findall(r"[(\[{]|[)\]}]", text)
    return max(accumulate(1 if turn in "([{" else -1 for turn in turns), default=0)


LEVELS: Final = {"and": AND, "or": OR}
