"""Loops whose iterations do not depend on each other: each writes items of its own, and reads no item that another writes.

Takes a loop of a lowered block; gives what has to be looked at when it runs: which arrays have to be apart.  An item is an
iteration's own if all that is read and written of its array is at one place along one axis, which is the loop's variable, times a
constant, plus something that no iteration changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.specs import ArraySpec
from astrace.ops.lowered_searches import SEARCHES

METADATA: Final = frozenset({"dim", "same_memory", "is_contiguous", "is_repeated", "lies_in_rows"})
"""Ops that read nothing of an array but its place and its sizes."""
LEFT_OUT: Final = frozenset(
    {"multiply_matrices", "dot", "apply_gufunc", "reduce_gufunc", "sort_items", "draw", "fill_draws"}
    | {"order_items", "order_items_stably", "slide_products", "apply_transform", "reshape_of"}
    | SEARCHES.keys()
)
"""Ops that call a library with threads of its own, or whose order matters."""
NUMBERS: Final = (bool, int)


@dataclass(frozen=True, slots=True)
class OwnIndex:
    """An index that differs from iteration to iteration.

    Args:
        factor: of the loop's variable.
        offset: what is added to it.
        fixed: a value that is added, which no iteration changes.
    """

    factor: int
    offset: int = 0
    fixed: Value | None = None


@dataclass(frozen=True, slots=True)
class Touched:
    """A view of an array.

    Args:
        base: the array; ``None`` for one that the iteration has made.
        places: along its axes; ``None`` for all other indices.
        is_view: it is an array of its own, whose axes are others; what is read of it lies in these places.
    """

    base: Value | None
    places: tuple[OwnIndex | None, ...]
    is_view: bool = False


Known: TypeAlias = OwnIndex | Touched | Value | int
"""What an operand is: an index, an array, a value from outside, a constant."""


@dataclass(frozen=True, slots=True)
class Independent:
    """What has to hold where the loop runs.

    Args:
        apart: pairs of arrays, inputs of the loop's body, that may not share memory.
        work: the sizes of loops inside it, inputs of its body, of which each iteration runs through all.
    """

    apart: tuple[tuple[Value, Value], ...]
    work: tuple[Operand, ...]


def independent(loop: Node) -> Independent | None:
    """Return what has to hold for the iterations of a loop to be independent; ``None`` where they may not be.

    Args:
        loop: a node of a lowered, closed block.
    """
    region = loop.regions[0] if loop.op == "for_loop" else None
    if region is None or loop.outputs or loop.attrs["breaks"] or not _is(loop.inputs[2], 1):
        return None
    body = _Body(region)
    return body.found() if body.visit(region, body.known) else None


def _is(operand: Operand, value: Any) -> bool:
    return isinstance(operand, Constant) and operand.value == value


@dataclass(slots=True)
class _Body:
    """What a loop's body reads and writes.

    Args:
        region: the body.
    """

    region: Block
    known: dict[Value, Known] = field(default_factory=dict[Value, Known])
    reads: list[Touched] = field(default_factory=list[Touched])
    writes: list[Touched] = field(default_factory=list[Touched])
    sizes: list[Operand] = field(default_factory=list[Operand])

    def __post_init__(self) -> None:
        index, *captures = self.region.inputs
        self.known[index] = OwnIndex(1)
        for value in captures:
            is_array = isinstance(value.spec, ArraySpec)
            self.known[value] = Touched(value, (None,) * len(value.spec.shape)) if is_array else value  # type: ignore[union-attr]

    def found(self) -> Independent | None:
        """Return what has to hold, if something is written, and each array that is by parts."""
        written = dict.fromkeys(part.base for part in self.writes if part.base is not None)
        if not written:
            return None
        touched = dict.fromkeys(part.base for part in (*self.writes, *self.reads) if part.base is not None)
        for base in written:
            parts = [part.places for part in (*self.writes, *self.reads) if part.base is base]
            if not any(
                places[0] is not None and len(set(places)) == 1 for places in zip(*parts, strict=True)
            ):
                return None
        pairs = [(one, other) for one in written for other in touched if one is not other]
        once = {frozenset(pair): pair for pair in pairs}
        return Independent(tuple(once.values()), tuple(self.sizes))

    # -- nodes ---------------------------------------------------------------------------------------------

    def visit(self, block: Block, known: dict[Value, Known], depth: int = 0) -> bool:
        """Note what the nodes of a block read and write; false where they do what no part of a loop may do."""
        return all(self._node(node, known, depth) for node in block.nodes)

    def _node(self, node: Node, known: dict[Value, Known], depth: int) -> bool:
        if node.regions:
            return self._control(node, known, depth)
        match node.op:
            case "load" | "store":
                skipped = 2 if node.op == "store" else 1
                places = tuple(self._place(operand, known) for operand in node.inputs[skipped:])
                part = self._part(node.inputs[0], known, places)
                (self.writes if node.op == "store" else self.reads).append(part)
            case "add" | "sub" | "mul":
                self._index(node, known)
            case "slice_of":
                known[node.output] = self._sliced(node, known)
            case "transpose_of":
                part = self._whole(node.inputs[0], known)
                known[node.output] = replace(part, is_view=True)
                self.reads.append(part)
            case "allocate":
                known[node.output] = Touched(None, ())
                return not node.attrs.get("comes_out")
            case _:
                return self._other(node, known)
        return True

    def _other(self, node: Node, known: dict[Value, Known]) -> bool:
        """A node that reads whole arrays, or writes one; an array that it makes is the iteration's own."""
        if node.op in LEFT_OUT:
            return False
        if node.op in METADATA:
            return True
        for position, operand in enumerate(node.inputs):
            if isinstance(operand.spec, ArraySpec):
                writes = node.op == "apply_ufunc" and position == 0
                (self.writes if writes else self.reads).append(self._whole(operand, known))
        known.update((one, Touched(None, ())) for one in node.outputs if isinstance(one.spec, ArraySpec))
        return True

    def _control(self, node: Node, known: dict[Value, Known], depth: int) -> bool:
        """A branch or a loop inside; none that hands arrays on."""
        if any(isinstance(one.spec, ArraySpec) for one in node.outputs):
            return False
        if node.op == "for_loop" and isinstance(node.inputs[0], Constant):
            stop = self._known(node.inputs[1], known)
            if isinstance(stop, Value | int) and depth == len(self.sizes):
                self.sizes.append(Constant(stop) if isinstance(stop, int) else stop)
        for region, inner, outer in region_inputs(node):
            own: dict[Value, Known] = {}
            for value, operand in zip(inner, outer, strict=True):
                found = self._known(operand, known)
                if found is not None:
                    own[value] = found
            if any(isinstance(value.spec, ArraySpec) and value not in own for value in region.inputs):
                return False
            if not self.visit(region, own, depth + 1):
                return False
        return True

    # -- operands ------------------------------------------------------------------------------------------

    def _known(self, operand: Operand, known: Mapping[Value, Known]) -> Known | None:
        if isinstance(operand, Constant):
            return int(operand.value) if type(operand.value) in NUMBERS else None
        return known.get(operand)

    def _place(self, operand: Operand, known: Mapping[Value, Known]) -> OwnIndex | None:
        found = self._known(operand, known)
        return found if isinstance(found, OwnIndex) and found.factor else None

    def _whole(self, operand: Operand, known: Mapping[Value, Known]) -> Touched:
        found = self._known(operand, known)
        assert isinstance(found, Touched), operand
        return found

    def _part(
        self, operand: Operand, known: Mapping[Value, Known], places: Sequence[OwnIndex | None]
    ) -> Touched:
        """What of an array from outside an element or a view of an array is: of a view, what the view is."""
        whole = self._whole(operand, known)
        return whole if whole.base is None or whole.is_view else Touched(whole.base, tuple(places))

    def _sliced(self, node: Node, known: Mapping[Value, Known]) -> Touched:
        given = iter(node.inputs[1:])
        places: list[OwnIndex | None] = []
        for axis in node.attrs["axes"]:
            start = next(given)
            places.append(self._place(start, known) if axis == "i" else None)
            if axis != "i":
                next(given)  # the size
                next(given)  # the step
        part = self._part(node.inputs[0], known, places)
        self.reads.append(part)
        return replace(part, is_view=True)

    def _index(self, node: Node, known: dict[Value, Known]) -> None:
        """A sum, a difference or a product: of an index and what no iteration changes, it is an index."""
        left, right = (self._known(operand, known) for operand in node.inputs)
        found: Known | None = None
        if node.op in ("add", "mul") and isinstance(right, OwnIndex):
            left, right = right, left
        if isinstance(left, OwnIndex) and type(right) is int:
            match node.op:
                case "add":
                    found = OwnIndex(left.factor, left.offset + right, left.fixed)
                case "sub":
                    found = OwnIndex(left.factor, left.offset - right, left.fixed)
                case _ if left.fixed is None:
                    found = OwnIndex(left.factor * right, left.offset * right)
                case _:
                    pass
        elif (
            isinstance(left, OwnIndex)
            and isinstance(right, Value)
            and node.op == "add"
            and left.fixed is None
        ):
            found = OwnIndex(left.factor, left.offset, right)
        if found is not None:
            known[node.output] = found
