"""Elementwise statements: nests of loops that store elements, and calls of NumPy's loops on whole arrays.

A *place* says which element of an array a statement touches in an iteration, by the loops of the nest: a number for the variable
of a loop, counted from the outermost one, or the identity of an operand that no iteration changes.  Places are equal where each
iteration touches the same element.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final, TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.iteration import Range
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.block import identity, same_operand

Place: TypeAlias = tuple[Hashable, ...] | None
"""The place of an element; ``None`` where it is computed from more than one loop's variable."""
COUNTING: Final = Range(0, 1, 2)


@dataclass(frozen=True, slots=True)
class Access:
    """What a statement does with an array.

    Args:
        base: the array.
        place: of the element that it touches.
        writes: it stores the element.
    """

    base: Value
    place: Place
    writes: bool


@dataclass(frozen=True, slots=True, eq=False)
class Nest:
    """Loops over all elements of a shape, with a body for each.

    Args:
        node: the outermost loop.
        sizes: of the loops, from the outermost one.
        indices: their variables.
        body: the nodes of the innermost one.
    """

    node: Node
    sizes: tuple[Operand, ...]
    indices: tuple[Value, ...]
    body: tuple[Node, ...]

    @property
    def accesses(self) -> Iterator[Access]:
        """All accesses to arrays, in their order."""
        depth = {index: number for number, index in enumerate(self.indices)}
        computed = {output for node in self.body for output in node.outputs}
        for node in self.body:
            if node.op not in ("load", "store"):
                continue
            base, *indices = node.inputs if node.op == "load" else (node.inputs[0], *node.inputs[2:])
            assert isinstance(base, Value)
            yield Access(base, place_of(indices, depth, computed), node.op == "store")

    @property
    def gives_up(self) -> bool:
        """True where an element may give the program up."""
        return any(node.op == "deopt" for node in self.body)


@dataclass(frozen=True, slots=True, eq=False)
class UfuncCall:
    """A call of NumPy's loop on arrays in memory of their own.

    Args:
        node: the node.
        sizes: of its arrays.
        singles: those of its operands that have one element, for all elements of the others.
    """

    node: Node
    sizes: tuple[Operand, ...]
    singles: frozenset[Operand]

    @property
    def accesses(self) -> Iterator[Access]:
        """All accesses to arrays; the first operand is the one that is written."""
        everywhere = tuple(range(len(self.sizes)))
        for number, base in enumerate(self.node.inputs):
            assert isinstance(base, Value)
            yield Access(base, None if base in self.singles else everywhere, number == 0)


Statement: TypeAlias = Nest | UfuncCall


def statement_of(node: Node, made: Mapping[Value, tuple[Operand, ...]]) -> Statement | None:
    """Return the elementwise statement that a node is; ``None`` if it is none.

    Args:
        node: of a lowered block.
        made: the sizes of the arrays that the program has made.
    """
    if node.op == "apply_ufunc":
        return _call_of(node, made)
    return _nest_of(node) if node.op == "for_loop" else None


def _call_of(node: Node, made: Mapping[Value, tuple[Operand, ...]]) -> UfuncCall | None:
    if not all(isinstance(one, Value) and one in made for one in node.inputs):
        return None
    out, *given = [one for one in node.inputs if isinstance(one, Value)]
    sizes = made[out]
    if not sizes:
        return None
    singles = frozenset(one for one in given if _is_single(made[one]) and not _is_single(sizes))
    if any(len(made[one]) != len(sizes) for one in given if one not in singles):
        return None
    return UfuncCall(node, sizes, singles)


def _is_single(sizes: tuple[Operand, ...]) -> bool:
    return len(sizes) == 1 and isinstance(sizes[0], Constant) and sizes[0].value == 1


def _nest_of(node: Node) -> Nest | None:
    sizes: list[Operand] = []
    indices: list[Value] = []
    inner = node
    while True:
        region = _counted(inner)
        if region is None or inner.inputs[1] in indices:
            return None
        sizes.append(inner.inputs[1])
        indices.append(region.inputs[0])
        if len(region.nodes) != 1 or region.nodes[0].op != "for_loop":
            break
        inner = region.nodes[0]
    if not region.nodes or not all(map(_is_elementwise, region.nodes)):
        return None
    return Nest(node, tuple(sizes), tuple(indices), region.nodes)


def _counted(node: Node) -> Block | None:
    """Return the body of a loop that counts from zero, and carries nothing."""
    if node.attrs["over"] != COUNTING or node.attrs["breaks"] or node.outputs or len(node.inputs) != 3:
        return None
    start, _, step = node.inputs
    from_zero = same_operand(start, Constant(0)) and same_operand(step, Constant(1))
    region = node.regions[0]
    return region if from_zero and len(region.inputs) == 1 and not region.outputs else None


def _is_elementwise(node: Node) -> bool:
    return not node.regions and (node.op in ("load", "store") or is_of_numbers(node))


def is_of_numbers(node: Node) -> bool:
    """Return whether a node is given machine numbers alone, and makes nothing else."""
    given = all(isinstance(one, Constant) or isinstance(one.spec, GenericSpec) for one in node.inputs)
    return given and all(isinstance(one.spec, GenericSpec) for one in node.outputs)


def place_of(indices: Sequence[Operand], depth: Mapping[Value, int], computed: AbstractSet[Value]) -> Place:
    """Return the place that indices name.

    Args:
        indices: of an access.
        depth: the variables of the loops, from the outermost one.
        computed: what the body computes.
    """
    if any(one in computed for one in indices if isinstance(one, Value)):
        return None
    return tuple(depth[one] if isinstance(one, Value) and one in depth else identity(one) for one in indices)


def runs_through(place: Place, depth: int) -> bool:
    """Return whether each iteration has a place of its own: all loops' variables are in it, each of them once.

    Args:
        place: of an access.
        depth: the number of loops.
    """
    return place is not None and sorted(one for one in place if isinstance(one, int)) == list(range(depth))
