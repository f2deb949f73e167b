"""Checks, behind code that is not known, that arrays still have the shape and type that is known of them.

Such code may set ``x.shape``, ``x.dtype`` or ``x.strides``, or call ``x.resize``, of any array that it may know: an argument, one
that was read from outside, one that it was given.  While tracing, a mark is left where it may have run.  When all is
recorded, it is known which arrays are used behind each mark in a way that depends on what is known of them; these are checked there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.specs import ArraySpec
from astrace.ir.walk import nodes
from astrace.locations import Location
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.unset_values import unset_values

if TYPE_CHECKING:
    from astrace.tracing.context import Trace
    from astrace.tracing.tracer import Tracer

CHECK: Final = "check_array"
"""The op of checks. Until these are put in, one without inputs is a mark, and one of an array alone says that the trace has looked at it."""
NONE: Final[Mapping[Value, Value]] = MappingProxyType({})
LOOPS: Final = ("for_loop", "while_loop")
CHECKED_INSIDE: Final = (*LOOPS, "cond")
"""Control flow whose regions come to their end where the nodes behind it run."""
MOVING: Final = frozenset(
    [
        *("call", "call_pure", "call_spread", "call_mapping", "call_method", CHECK),
        *("is_", "is_not", "id", "type", "make_list", "make_tuple", "make_namedtuple", "make_dict", "append"),
        *("set_attr", "set_field", "make_object", "raise_", "callable"),
    ]
)
"""Ops that do the same with an array of any shape and type."""


def mark(trace: Trace) -> None:
    """Leave a mark: code that is not known may have run here."""
    trace.recorder.append(Node(CHECK, (), (), {}, (), trace.location()))


def look_at(trace: Trace, array: Tracer) -> None:
    """Take note that the trace goes on as the shape or type of an array tells, which no node shows."""
    if trace.state.opaque and isinstance(array.value.spec, ArraySpec):
        trace.recorder.append(Node(CHECK, (trace.operand(array.value),), (), {}, (), trace.location()))


def is_mark(node: Node) -> bool:
    """Return whether a node is a mark."""
    return node.op == CHECK and not node.inputs


def _is_look(node: Node) -> bool:
    """Return whether a node says that the trace has looked at an array."""
    return node.op == CHECK and len(node.inputs) == 1


def _has_notes(block: Block) -> bool:
    """Return whether a block has marks, or says that the trace has looked at arrays."""
    return any(is_mark(node) or _is_look(node) for node in nodes(block))


def with_array_checks(block: Block) -> Block:
    """Return a block with checks in the place of marks.

    Args:
        block: all that a trace has recorded.
    """
    if not _has_notes(block):
        return block
    alone = replace(block, outputs=())  # what is returned may be of any shape
    checked = _Checker(Sharing(block, views_apart=True), unset_values(block)).block(alone, ())
    return replace(checked, outputs=block.outputs)


class _Checker:
    """Puts checks in the place of marks.

    Args:
        sharing: of the whole block.
        unset: the values that may not be there yet; nothing reads them but to hand them on.
    """

    def __init__(self, sharing: Sharing, unset: AbstractSet[Value]) -> None:
        self._sharing = sharing
        self._unset = unset

    def block(self, block: Block, around: Iterable[Value], behind: Mapping[Value, Value] = NONE) -> Block:
        """Return a block with checks.

        Args:
            block: any.
            around: its inputs that are used behind it, or in its next iteration.
            behind: of a handler, the arrays that code which is not known may have changed before, with their shapes.
        """
        shapes = _Shapes(behind)
        written: list[Node] = []
        defined = dict.fromkeys(filter(self._may_change, block.inputs))
        doubted = dict.fromkeys(behind)
        last = {*around, *_values(block.outputs)}
        used = _used_behind(block, last)
        for node, after in zip(block.nodes, used, strict=True):
            now = _depending(node)
            written += [shapes.check(array, node.location) for array in doubted if array in now]
            doubted = {array: None for array in doubted if array not in now}
            if is_mark(node):
                doubted = dict(defined)
                continue
            if _is_look(node):
                continue
            marked = _has_mark(node)
            noted = any(map(_has_notes, node.regions))
            written.append(self._with_regions(node, after, shapes) if noted else node)
            if marked:
                done = _captured(node) if node.op in CHECKED_INSIDE else set[Value]()
                doubted |= {array: None for array in defined if array not in done}
            defined |= dict.fromkeys(filter(self._may_change, node.outputs))
        end = block.nodes[-1].location if block.nodes else None
        written += [shapes.check(array, end) for array in doubted if array in last]
        return Block(block.inputs, tuple(shapes.read(block.inputs, written)), block.outputs)

    def _may_change(self, value: Value) -> bool:
        """Return whether a value is an array of known type that others may know."""
        is_there = isinstance(value.spec, ArraySpec) and value not in self._unset
        return is_there and self._sharing.is_known_outside(value)

    def _with_regions(self, node: Node, after: frozenset[Value], shapes: _Shapes) -> Node:
        """Return a control flow node with checks in its regions; in a loop, what any iteration uses is used later on."""
        used = after | _depending(node) if node.op in LOOPS else after
        arrays: list[Value] = []
        if node.op == "try_" and _has_mark(node):
            arrays = [one for one in node.inputs if isinstance(one, Value) and self._may_change(one)]
        before = [shapes.of(array, node.location) for array in arrays]
        regions: list[Block] = []
        for region, inner, outer in region_inputs(node):
            stands = dict(zip(outer, inner, strict=True))
            given = [Value(shape.spec) for shape in before]
            behind = {stands[array]: shape for array, shape in zip(arrays, given, strict=True)}
            around = _used_around(node, region, inner, outer, used)
            wider = replace(region, inputs=(*region.inputs, *given))
            regions.append(self.block(wider, around, behind if regions else NONE))
        return replace(node, inputs=(*node.inputs, *before), regions=tuple(regions))


class _Shapes:
    """The shapes of the arrays of one block, read where these are made.

    Args:
        given: those that are inputs.
    """

    def __init__(self, given: Mapping[Value, Value]) -> None:
        self._given = given
        self._nodes: dict[Value, Node] = {}

    def of(self, array: Value, location: Location | None) -> Value:
        """Return the shape of an array."""
        if array in self._given:
            return self._given[array]
        if array not in self._nodes:
            inputs = (array, Constant("shape"))
            made = tuple(map(Value, infer(OPS["get_attr"], inputs, {}, 1)))
            self._nodes[array] = Node("get_attr", inputs, made, {}, (), location)
        return self._nodes[array].output

    def check(self, array: Value, location: Location | None) -> Node:
        """Return the check of an array."""
        assert isinstance(array.spec, ArraySpec)
        inputs = (array, self.of(array, location), Constant(array.spec.dtype))
        return Node(CHECK, inputs, (), {}, (), location)

    def read(self, inputs: Iterable[Value], written: Iterable[Node]) -> Iterator[Node]:
        """Yield nodes, and behind what makes each array that is checked the node that reads its shape."""
        yield from (self._nodes[array] for array in inputs if array in self._nodes)
        for node in written:
            yield node
            yield from (self._nodes[array] for array in node.outputs if array in self._nodes)


def _used_behind(block: Block, last: set[Value]) -> list[frozenset[Value]]:
    """Return for each node the values that are used behind it."""
    behind, found = set(last), list[frozenset[Value]]()
    for node in reversed(block.nodes):
        found.append(frozenset(behind))
        behind |= _depending(node)
    return found[::-1]


def _captured(node: Node) -> set[Value]:
    """Return the values that regions of a node capture in which code that is not known may run."""
    pairs = ((region, outer) for region, _, outer in region_inputs(node))
    return {one for region, outer in pairs if any(map(is_mark, nodes(region))) for one in _values(outer)}


def _has_mark(node: Node) -> bool:
    return any(is_mark(inner) for region in node.regions for inner in nodes(region))


def _used_around(
    node: Node, region: Block, inner: Sequence[Value], outer: Sequence[Operand], used: frozenset[Value]
) -> Iterator[Value]:
    """Yield the inputs of a region that are used behind it, or when it runs again."""
    yield from (value for value, operand in zip(inner, outer, strict=True) if operand in used)
    if node.op in LOOPS:
        yield from region.inputs[: len(region.inputs) - len(inner)]


def _depending(node: Node) -> set[Value]:
    """Return the values of whose shapes and types a node makes use."""
    if not node.regions:
        return set() if node.op in MOVING and not _is_look(node) else _values(node.inputs)
    found, captures = set[Value](), 0
    for region, inner, outer in region_inputs(node):
        inside = _values(region.outputs).union(*map(_depending, region.nodes))
        found |= _values(operand for value, operand in zip(inner, outer, strict=True) if value in inside)
        captures = len(outer)
    return found | _values(node.inputs[: len(node.inputs) - captures])


def _values(operands: Iterable[Operand]) -> set[Value]:
    return {operand for operand in operands if isinstance(operand, Value)}
