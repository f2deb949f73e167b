"""The rules of a block, checked: closed, in order, well formed, and every spec covers what may be there.

A broken rule is a fault of the pass or builder that made the block; the message names both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, TypeAlias

from astrace.errors import BrokenBlock
from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.constants import UNSET
from astrace.ir.control import CONTROL, ForLoop, Interface, WhileLoop
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip, elements, iterated, numbered
from astrace.ir.specs import ANY, BOOL, INT, ListSpec, LiteralSpec, Spec, covers, is_unset
from astrace.util.trees import Pattern

Infer: TypeAlias = Callable[[Node], "tuple[Spec, ...] | None"]
"""Gives the specs an op infers for a node's outputs, or ``None`` where the op is not known."""

OWN_INPUTS: Final = {"cond": 1, "with_": 1, "try_": 0}
"""The number of inputs of a node that are not captures of its regions."""


def verify(block: Block, infer: Infer, maker: str = "trace", checked: dict[int, Node] | None = None) -> None:
    """Check that a block keeps the rules.

    Args:
        block: what to check.
        infer: the specs that ops infer.
        maker: the pass that made it, for the message.
        checked: leaf nodes, by their ids, that an earlier block had already: what does not depend on where a node
            stands is not checked again.  Those of this block are added.

    Raises:
        BrokenBlock: a rule is broken.
    """
    _Verifier(infer, maker, {} if checked is None else checked).block(block)


class _Verifier:
    """Checks one block and its regions; every value may be defined once in all of them."""

    def __init__(self, infer: Infer, maker: str, checked: dict[int, Node]) -> None:
        self.infer = infer
        self.maker = maker
        self.checked = checked
        self._defined: set[Value] = set()

    def block(self, block: Block) -> None:
        """Check a block."""
        known: set[Value] = set()
        for value in block.inputs:
            self._define(value, known, None)
        for node in block.nodes:
            self._operands(node.inputs, known, node)
            (self._control if node.op in CONTROL else self._leaf)(node)
            for value in node.outputs:
                self._define(value, known, node)
        self._operands(block.outputs, known, None)

    def fail(self, rule: str, node: Node | None) -> NoReturn:
        """Raise for a broken rule."""
        where = f" at `{node.op}`" if node is not None else ""
        line = f", line {node.location.line}" if node is not None and node.location else ""
        raise BrokenBlock(f"{self.maker} made a block that breaks a rule{where}{line}: {rule}")

    def need(self, kept: bool, rule: str, node: Node | None) -> None:
        """Raise unless a rule is kept."""
        if not kept:
            self.fail(rule, node)

    def _define(self, value: Any, known: set[Value], node: Node | None) -> None:
        if not isinstance(value, Value):
            self.fail(f"{value!r} is defined, which is not a value", node)
        self.need(value not in self._defined, "a value is defined twice", node)
        self._defined.add(value)
        known.add(value)

    def _operands(self, operands: Sequence[Any], known: set[Value], node: Node | None) -> None:
        for operand in operands:
            if isinstance(operand, Constant):
                continue
            if not isinstance(operand, Value):
                self.fail(f"{operand!r} is neither a value nor a constant", node)
            if operand not in known:
                self.fail(f"`{operand.name or 'a value'}` is used where it is not defined", node)

    def _covers(self, wide: Spec, narrow: Spec, node: Node) -> None:
        if not is_unset(narrow) and not covers(wide, narrow):
            self.fail(f"the spec {wide} does not cover {narrow}", node)

    def _counts(self, found: int, expected: int, what: str, node: Node) -> None:
        self.need(found == expected, f"{what}: {found} instead of {expected}", node)

    # -- leaf nodes --------------------------------------------------------------------------------

    def _leaf(self, node: Node) -> None:
        if self.checked.get(id(node)) is node:
            return
        self.need(not node.regions, "only control flow nodes have regions", node)
        pattern = node.attrs.get("pattern")
        if pattern is not None:
            self._pattern(pattern, node)
        inferred = self.infer(node)
        if inferred is None:
            self.fail("the op is not in the table", node)
        for index, (output, spec) in enumerate(zip(node.outputs, inferred, strict=True)):
            raises = spec == ANY and output.spec != ANY
            known = self.infer(_of_specs(node)) if raises else inferred
            self._covers(output.spec, (known or inferred)[index], node)
        self.checked[id(node)] = node

    def _pattern(self, pattern: Any, node: Node) -> None:
        self.need(isinstance(pattern, Pattern), "the pattern is none", node)
        found = sorted({hole.index for hole in pattern.holes()})
        expected = list(range(len(node.inputs)))
        self.need(found == expected, f"the pattern has holes for the inputs {found}, not {expected}", node)

    # -- control flow nodes --------------------------------------------------------------------------

    def _control(self, node: Node) -> None:
        for region in node.regions:
            self._region(region, node)
        match node.op:
            case "while_loop":
                self._while(WhileLoop(node))
            case "for_loop":
                self._for(ForLoop(node))
            case "function":
                self._function(node)
            case _:
                self._branches(node)
        for _, inner, outer in region_inputs(node):
            for value, operand in zip(inner, outer, strict=True):
                self._covers(value.spec, operand.spec, node)

    def _region(self, region: Any, node: Node) -> None:
        self.need(isinstance(region, Block), "a region is not a block", node)
        self.block(region)

    def _branches(self, node: Node) -> None:
        """``cond``, ``try_`` and ``with_``: each region is given the captures, and puts out the outputs."""
        regions = {"cond": 2, "with_": 1}.get(node.op, 1)
        if node.op == "try_":
            regions += self._handlers(node)
        self._counts(len(node.regions), regions, "regions", node)
        given = len(node.inputs) - OWN_INPUTS[node.op]
        self.need(given >= 0, "inputs are missing", node)
        for index, region in enumerate(node.regions):
            own = 1 if node.op == "with_" or (node.op == "try_" and index > 0) else 0
            self._counts(len(region.inputs), own + given, "inputs of a region", node)
            self._counts(len(region.outputs), len(node.outputs), "outputs of a region", node)
            for output, inner in zip(node.outputs, region.outputs, strict=True):
                self._covers(output.spec, inner.spec, node)

    def _function(self, node: Node) -> None:
        self._counts(len(node.regions), 1, "regions", node)
        self._counts(len(node.outputs), 1, "outputs", node)
        form: Any = node.attrs.get("form")
        self.need(isinstance(form, Interface), f"how it is called is told by {form!r}", node)
        given = len(node.regions[0].inputs) - len(node.inputs)
        self.need(given >= 0, "inputs of the body are missing", node)
        self.need(not form.flat or form.arguments == given, "arguments are no inputs of the body", node)

    def _handlers(self, node: Node) -> int:
        """Count the handlers, and check the classes that they catch."""
        catches: Any = node.attrs.get("catches")
        self.need(isinstance(catches, tuple), "`catches` is not a tuple", node)
        for classes in catches:
            kept = isinstance(classes, tuple) and all(map(_is_exception, classes))
            self.need(kept, f"a handler catches {classes!r}, which are not exceptions", node)
        return len(catches)

    def _while(self, loop: WhileLoop) -> None:
        node = loop.node
        self._counts(len(node.regions), 2, "regions", node)
        self._loop(loop, 0)
        for region in node.regions:
            self._counts(len(region.inputs), len(node.inputs), "inputs of a region", node)
        self._counts(len(loop.test.outputs), 1, "outputs of the test", node)
        self._carried(loop, 0)

    def _for(self, loop: ForLoop) -> None:
        node = loop.node
        self._counts(len(node.regions), 1, "regions", node)
        over: Any = node.attrs.get("over")
        self.need(_is_over(over), f"the loop is over {over!r}", node)
        first, expected = elements(over), list(range(iterated(over)))
        found = sorted(numbered(over))
        self.need(found == expected, f"the loop is over the inputs {found}, not {expected}", node)
        self._loop(loop, len(expected))
        self._counts(
            len(loop.body.inputs), len(node.inputs) - len(expected) + first, "inputs of the body", node
        )
        for value, spec in zip(loop.elements, self._element_specs(over, node), strict=True):
            self._covers(value.spec, spec, node)
        self._carried(loop, first)

    def _loop(self, loop: WhileLoop | ForLoop, iterated: int) -> None:
        """Check a loop's carried values, captures and elements."""
        node = loop.node
        self.need(isinstance(node.attrs.get("breaks"), bool), "`breaks` is not a bool", node)
        self.need(0 <= loop.count <= len(node.inputs) - iterated, "not all that is carried is an input", node)
        self._counts(len(loop.body.outputs), len(node.outputs), "outputs of the body", node)

    def _carried(self, loop: WhileLoop | ForLoop, first: int) -> None:
        """Check that carried values fit their places before and after each iteration, in regions and behind the loop."""
        node, ends = loop.node, loop.body.outputs
        for region in node.regions:
            inner = region.inputs[first : first + loop.count]
            for value, start, end in zip(inner, loop.carried, ends[loop.breaks :], strict=True):
                self._covers(value.spec, start.spec, node)
                self._covers(value.spec, end.spec, node)
        for output, end in zip(node.outputs, ends, strict=True):
            self._covers(output.spec, end.spec, node)
        if isinstance(loop, WhileLoop) and _is_true(loop.test.outputs[0]):
            return  # there is a first iteration, and the loop ends in one
        for output, start in zip(node.outputs[loop.breaks :], loop.carried, strict=True):
            self._covers(output.spec, start.spec, node)
        if loop.breaks:
            self._covers(node.outputs[0].spec, BOOL, node)

    def _element_specs(self, over: Over, node: Node) -> Iterator[Spec]:
        """Return the specs of one iteration's elements, as far as they are known."""
        match over:
            case Range():
                yield INT
            case Each():
                yield over.element or self._element(node.inputs[over.iterable])
            case Enumerate():
                yield INT
                yield from self._element_specs(over.inner, node)
            case Zip():
                for part in over.parts:
                    yield from self._element_specs(part, node)
            case Reversed():
                yield from self._element_specs(over.inner, node)

    def _element(self, iterable: Operand) -> Spec:
        """Return the spec of an item of ``iterable``, as the op ``list`` infers it; unset where it is unknown."""
        (listed,) = self.infer(Node("list", (iterable,), (Value(ANY),))) or (ANY,)
        element = listed.element if isinstance(listed, ListSpec) else None
        return LiteralSpec(UNSET) if element is None else element


def _is_true(operand: Operand) -> bool:
    return isinstance(operand, Constant) and bool(operand.value)


def _is_exception(one: Any) -> bool:
    return isinstance(one, type) and issubclass(one, BaseException)


def _is_over(over: Any) -> bool:
    match over:
        case Range() | Each():
            return True
        case Enumerate() | Reversed():
            return _is_over(over.inner)
        case Zip():
            return all(map(_is_over, over.parts))
        case _:
            return False


def _of_specs(node: Node) -> Node:
    """Return a node with values for constants: nothing is known of ``1 / 0``, but it is a ``float`` all the same."""
    inputs = tuple(Value(one.spec) if isinstance(one, Constant) else one for one in node.inputs)
    return replace(node, inputs=inputs)
