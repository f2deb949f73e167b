"""Functions of what is the same at each turn of a loop are computed once.

A power, a logarithm or a sine is a call, which LLVM leaves where it stands.  What each turn computes stands in front of the loop, in a branch
for loops that do not run; what stands in a branch of the loop is computed there when it is first needed, and carried on.  So nothing is
computed that would not have been, and no flag of the processor's is raised by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, Final

from astrace.ir.block import NO_ATTRS, Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder
from astrace.ir.walk import blocks, nodes
from astrace.ops.lowered_rounding import WHOLE
from astrace.passes.fusion.loop_front import BOOL, LoopFront, is_counted, zero_of
from astrace.passes.fusion.statements import is_of_numbers

SLOW: Final = frozenset(
    {"power", "single_power", "call_math", "call_ufunc", "distance", "complex_quotient", "python_quotient"}
)
"""The ops that are worth being computed once."""
CHEAP: Final = frozenset(
    {"add", "sub", "mul", "truediv", "neg", "abs", "square_root", "cast", "select", "minimum", "maximum"}
    | {"eq", "ne", "lt", "le", "gt", "ge", "and_", "or_", "not_", "is_finite"}
    | {"complex_number", "complex_product", "real_part", "imaginary_part"}
    | WHOLE.keys()
)
"""The ops that may lead to one of those; none does anything but compute its number."""
FIRST: Final = 3
"""The place of the first value that a loop carries, among its inputs."""


def with_constants_once(block: Block) -> Block:
    """Return a block whose loops compute fewer functions.

    Args:
        block: a lowered block, whose regions may use the values around them.
    """
    found: list[Node] = []
    for node in block.nodes:
        regions = tuple(map(with_constants_once, node.regions))
        inside = replace(node, regions=regions) if regions else node
        found += _once(inside) if is_counted(inside) else [inside]
    return Block(block.inputs, tuple(found), block.outputs)


def _once(loop: Node) -> Iterator[Node]:
    """Yield what stands in front of a loop, and the loop."""
    same, front = _Same(loop), LoopFront(loop)
    (body,) = loop.regions
    moved = same.worth_it(body.nodes)
    runs = front.is_run()
    if moved and not _is_never(runs):
        body = replace(body, nodes=tuple(node for node in body.nodes if node not in moved))
        yield from front.numbers
        yield from _in_front(moved, same, runs, _used(body))
        loop = replace(loop, regions=(body,))
    yield _with_branches(loop, same) if len(loop.inputs) > FIRST else loop


def _is_never(runs: Operand) -> bool:
    return isinstance(runs, Constant) and not runs.value


class _Same:
    """What is the same at each turn of a loop.

    Args:
        loop: the loop.
    """

    def __init__(self, loop: Node) -> None:
        (body,) = loop.regions
        breaks = bool(loop.attrs["breaks"])
        carried = zip(body.inputs[1:], body.outputs[breaks:], loop.inputs[FIRST:], strict=True)
        self.before: dict[Operand, Operand] = {inner: given for inner, end, given in carried if inner is end}
        self._changing = {value for inner in blocks(body) for value in inner.inputs} - self.before.keys()
        self._changing.update(output for node in nodes(body) for output in node.outputs)
        self._found: set[Node] = set()
        self._collect(body.nodes)

    def _collect(self, level: Sequence[Node]) -> None:
        """Find the nodes of the body, and of the branches in it."""
        for node in level:
            if node.op == "cond":
                for region in node.regions:
                    self._collect(region.nodes)
                if self._changing.isdisjoint(node.inputs) and all(map(self._is_same, _inner(node))):
                    self._add(node)
            elif self._is_same(node):
                self._add(node)

    def _is_same(self, node: Node) -> bool:
        if node in self._found:
            return True
        may_move = node.op in SLOW or (node.op in CHEAP and not _is_to_integer(node))
        return may_move and is_of_numbers(node) and self._changing.isdisjoint(node.inputs)

    def _add(self, node: Node) -> None:
        self._found.add(node)
        self._changing.difference_update(node.outputs)

    def worth_it(self, level: Sequence[Node]) -> list[Node]:
        """Return the nodes of a body or a branch that compute something slow, and those that lead to it, in their order."""
        needed: set[Operand] = set()
        found: list[Node] = []
        for node in reversed(level):
            if node not in self._found:
                continue
            if _is_slow(node) or not needed.isdisjoint(node.outputs):
                found.append(node)
                needed.update(node.inputs)
                needed.update(one for inner in _inner(node) for one in inner.inputs)
        return found[::-1]


def _inner(node: Node) -> Iterator[Node]:
    for region in node.regions:
        yield from nodes(region)


def _is_slow(node: Node) -> bool:
    return node.op in SLOW or any(one.op in SLOW for one in _inner(node))


def _is_to_integer(node: Node) -> bool:
    spec: Any = node.output.spec
    return node.op == "cast" and spec.dtype.kind not in "fc"


def _used(block: Block) -> set[Operand]:
    """All that a block uses."""
    found: set[Operand] = {one for inner in blocks(block) for one in inner.outputs}
    found.update(one for node in nodes(block) for one in node.inputs)
    return found


# -- in front of the loop ------------------------------------------------------------------------------


def _in_front(
    moved: Sequence[Node], same: _Same, runs: Operand, used: AbstractSet[Operand]
) -> Iterator[Node]:
    """Yield nodes of a loop's body as they stand in front of it.

    Args:
        moved: the nodes.
        same: what is the same at each turn.
        runs: whether there is a turn.
        used: all that the rest of the body uses.
    """
    copies = _Copies(same.before)
    if isinstance(runs, Constant):
        yield from (copies.updated(node) for node in moved)
        return
    yield _computed_if(runs, moved, copies, used, holds=True)


def _computed_if(
    test: Operand,
    moved: Sequence[Node],
    copies: _Copies,
    used: AbstractSet[Operand],
    holds: bool,
    others: Sequence[Operand] = (),
) -> Node:
    """A branch that computes what nodes did, and has their outputs.

    Args:
        test: of the branch.
        moved: the nodes.
        copies: makes their copies.
        used: the outputs that something else uses.
        holds: they are computed where the test holds, else where it does not.
        others: what the outputs are otherwise; nothing for zeros.
    """
    outputs = _outputs_of(moved, used)
    computed = tuple(map(copies.copy, moved))
    regions = (
        Block((), computed, copies.operands(outputs)),
        Block((), (), tuple(others or map(zero_of, outputs))),
    )
    ordered = regions if holds else regions[::-1]
    return Node("cond", (test,), outputs, NO_ATTRS, ordered, moved[0].location)


def _outputs_of(moved: Sequence[Node], used: AbstractSet[Operand]) -> tuple[Value, ...]:
    """The outputs of nodes that something else uses."""
    return tuple(one for node in moved for one in node.outputs if one in used)


class _Copies(Builder):
    """Copies of nodes with outputs of their own.

    Args:
        before: what stands for some values.
    """

    def __init__(self, before: Mapping[Operand, Operand]) -> None:
        super().__init__((), lambda node, builder: builder.keep(node))
        for inner, given in before.items():
            assert isinstance(inner, Value)
            self.replace([inner], [given])

    def copy(self, node: Node) -> Node:
        """A copy of a node; later copies use its outputs."""
        outputs = tuple(Value(one.spec, one.name) for one in node.outputs)
        made = replace(self.updated(node), outputs=outputs)
        self.replace(node.outputs, outputs)
        return made


# -- in branches ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Site:
    """What a branch of a loop computes the first time that it is taken.

    Args:
        values: the numbers.
        known: whether they are known when a turn begins.
        given: the numbers then.
        ends: both when it is over.
    """

    values: tuple[Value, ...]
    known: Value = field(default_factory=lambda: Value(BOOL, "known"))
    given: tuple[Value, ...] = ()
    ends: tuple[Operand, ...] = ()

    def __post_init__(self) -> None:
        self.given = tuple(Value(one.spec, one.name) for one in self.values)
        self.ends = (Constant(True), *self.values)

    @property
    def starts(self) -> tuple[Value, ...]:
        """What a turn begins with."""
        return (self.known, *self.given)


def _with_sites(cond: Node, same: _Same) -> tuple[Node, list[_Site]]:
    """A branch of a loop's body that computes what is the same at each turn when it is first taken."""
    regions, found = zip(*(_region_with_sites(region, same) for region in cond.regions), strict=True)
    sites: list[_Site] = [site for own in found for site in own]
    if not sites:
        return cond, []
    ended = [_ending(region, own, sites) for region, own in zip(regions, found, strict=True)]
    ends = [tuple(Value(one.spec, one.name) for one in site.starts) for site in sites]
    outputs = (*cond.outputs, *(one for end in ends for one in end))
    for site, end in zip(sites, ends, strict=True):
        site.ends = end
    return replace(cond, outputs=outputs, regions=tuple(ended)), sites


def _ending(region: Block, own: Sequence[_Site], sites: Sequence[_Site]) -> Block:
    """A branch that gives what there is of all sites, its own and those of the other one."""
    given = [one for site in sites for one in (site.ends if site in own else site.starts)]
    return replace(region, outputs=(*region.outputs, *given))


def _region_with_sites(region: Block, same: _Same) -> tuple[Block, list[_Site]]:
    """A region of a branch, and what it computes once."""
    found: list[Node] = []
    sites: list[_Site] = []
    moved = list(same.worth_it(region.nodes))
    left = Block((), tuple(node for node in region.nodes if node not in moved), region.outputs)
    used = _used(left)
    for node in region.nodes:
        if moved and node is moved[0]:
            site = _Site(_outputs_of(moved, used))
            sites.append(site)
            found.append(_computed_if(site.known, moved, _Copies({}), used, holds=False, others=site.given))
        if node in moved:
            continue
        inner, more = _with_sites(node, same) if node.op == "cond" else (node, [])
        found.append(inner)
        sites += more
    return replace(region, nodes=tuple(found)), sites


def _with_branches(loop: Node, same: _Same) -> Node:
    """A loop that carries what its branches have computed."""
    (body,) = loop.regions
    found: list[Node] = []
    sites: list[_Site] = []
    for node in body.nodes:
        inner, more = _with_sites(node, same) if node.op == "cond" else (node, [])
        found.append(inner)
        sites += more
    starts = [one for site in sites for one in site.starts]
    ends = [one for site in sites for one in site.ends]
    region = Block((*body.inputs, *starts), tuple(found), (*body.outputs, *ends))
    outputs = (*loop.outputs, *(Value(one.spec, one.name) for one in starts))
    return replace(loop, inputs=(*loop.inputs, *map(zero_of, starts)), outputs=outputs, regions=(region,))
