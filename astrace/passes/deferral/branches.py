"""The stores of both branches of a node, joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from astrace.ir.block import Node, Operand, Value
from astrace.ir.specs import BOOL, Spec
from astrace.passes.deferral.places import (
    NEVER,
    LastStore,
    NotDeferred,
    Place,
    Stores,
    is_same,
    zero,
)
from astrace.passes.lowering.closing import defined_in


class StoringBranches:
    """The stores of both branches of a node, joined; the node puts out what the branches do not have in common.

    Args:
        node: the node.
        nodes: of each branch, without stores.
        ends: the last stores at the end of each branch; ``None`` of one that raises.
    """

    def __init__(self, node: Node, nodes: Sequence[Sequence[Node]], ends: Sequence[Stores | None]) -> None:
        self._node, self._nodes, self._ends = node, nodes, ends
        self._inside = {value for branch in nodes for value in defined_in(branch)}
        self._outputs: list[Value] = []
        self._more: list[tuple[Operand, ...]] = []

    def joined(self, place: Place, before: LastStore | None) -> LastStore:
        """Return the last store into a place behind the node.

        Args:
            place: the place.
            before: the last one in front of the node.
        """
        found = [before if end is None else end.get(place) for end in self._ends]
        store = next(one for one in found if one is not None and one is not before)
        value = self._common([None if one is None else one.value for one in found])
        if value is None:
            raise NotDeferred(place)
        return LastStore(store.store, value, self._stored(found))

    def _stored(self, found: Sequence[LastStore | None]) -> Operand:
        """Return whether anything was stored."""
        flags = [NEVER if one is None else one.stored for one in found]
        known = [flag for flag, end in zip(flags, self._ends, strict=True) if end is not None]
        if known[0] not in self._inside and all(flag is known[0] for flag in known):
            return known[0]
        return self._put_out(flags, BOOL, "stored")

    def _common(self, values: Sequence[Operand | None]) -> Operand | None:
        """Return what is stored last: what all branches store, an output of the node that is it, or a new one, if there may be one."""
        known = [one for one in values if one is not None]
        if known[0] not in self._inside and all(is_same(one, known[0]) for one in known):
            return known[0]
        for place, output in enumerate(self._node.outputs):
            given = (region.outputs[place] for region in self._node.regions)
            if all(one is None or one is own for one, own in zip(values, given, strict=True)):
                return output
        spec = known[0].spec
        given = [zero(spec) if one is None else one for one in values]
        if any(one is None or one.spec != spec for one in given):
            return None
        return self._put_out([one for one in given if one is not None], spec)

    def _put_out(self, values: Sequence[Operand], spec: Spec, name: str = "") -> Value:
        output = Value(spec, name)
        self._outputs.append(output)
        self._more.append(tuple(values))
        return output

    def finished(self) -> Node:
        """Return the node."""
        regions = (
            replace(region, nodes=tuple(inner), outputs=(*region.outputs, *(one[side] for one in self._more)))
            for side, (region, inner) in enumerate(zip(self._node.regions, self._nodes, strict=True))
        )
        return replace(self._node, outputs=(*self._node.outputs, *self._outputs), regions=tuple(regions))
