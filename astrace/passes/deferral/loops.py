"""A loop that carries what it stores last into a place, mostly as what it carries anyway, and whether it has stored anything.

The latter, since a loop may have no iteration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import loop_of
from astrace.ir.specs import BOOL, Spec
from astrace.passes.deferral.places import (
    ALWAYS,
    NEVER,
    LastStore,
    NamedStore,
    Place,
    Stores,
    is_same,
    zero,
)
from astrace.passes.lowering.closing import defined_in


@dataclass(frozen=True, slots=True)
class StoredValue:
    """What may be the last value that is stored into a place, in a loop.

    Args:
        store: a store into the place.
        at_start: it, at the start of an iteration.
        at_end: the same at the end; ``None`` for any value of the right spec, which the loop is to carry.
        behind: the same behind the loop; ``None`` where the loop is to carry it.
        first: the same in front of the loop.
        always: each iteration stores.
    """

    store: NamedStore
    at_start: Operand
    at_end: Operand | None
    behind: Operand | None
    first: Operand
    always: bool

    def holds(self, value: Operand) -> bool:
        """Return whether a value that is the last one at the end of an iteration is as expected."""
        if self.at_end is None:
            return value.spec == self.at_start.spec
        return is_same(value, self.at_end)


class StoringLoop:
    """A loop that stores, and what was stored in front of it.

    Args:
        node: the loop, open.
        stores: the last stores in front of it; it adds its own.
    """

    def __init__(self, node: Node, stores: Stores) -> None:
        view = loop_of(node)
        assert view is not None
        self.node, self.stores, self.breaks = node, stores, view.breaks
        self.firsts = node.inputs[len(view.iterated) :]
        self.starts = view.body.inputs[len(view.body.inputs) - len(self.firsts) :]
        self.ends = view.body.outputs[view.breaks :]
        self.behind = node.outputs[view.breaks :]
        self.inside = {*view.body.inputs, *defined_in(view.body.nodes)}

    def choices(self, last: Node, store: NamedStore) -> list[StoredValue]:
        """Return what may be the last value that is stored into a place, the best first.

        Args:
            last: the last node of the body that stores into it, or has such a node inside it.
            store: a store into it.
        """
        place, always = store.place, not last.regions
        value, before = store.value, self.stores.get(place)
        first = None if before is None else before.value
        found: list[StoredValue] = []
        if value not in self.inside and (first is None or is_same(value, first)):
            found.append(StoredValue(store, value, value, value, value, always))
        ends = (value,) if always else last.outputs
        for index, end in enumerate(self.ends):
            if end in ends and (first is None or first is self.firsts[index]):
                found.append(
                    StoredValue(
                        store, self.starts[index], end, self.behind[index], self.firsts[index], always
                    )
                )
        spec = value.spec
        first = self._any_first(value, spec) if first is None else first
        if first is not None and first.spec == spec:
            found.append(StoredValue(store, Value(spec), None, None, first, always))
        return found

    def _any_first(self, value: Operand, spec: Spec) -> Operand | None:
        """Return anything of a spec that there is in front of the loop; ``None`` if that is not known."""
        if value in self.starts:
            return self.firsts[self.starts.index(value)]
        return zero(spec)


class Carrying:
    """A loop that carries what it stores.

    Args:
        loop: the loop.
        chosen: what the last value is, for each place.
    """

    def __init__(self, loop: StoringLoop, chosen: Mapping[Place, StoredValue]) -> None:
        self._loop, self._chosen = loop, chosen
        self._ran = Value(BOOL, "ran")
        self.before: Stores = {}
        for place, choice in chosen.items():
            self.before[place] = LastStore(choice.store, choice.at_start, self._stored(place))

    def _stored(self, place: Place) -> Operand:
        """Return whether anything has been stored at the start of an iteration."""
        before = self._loop.stores.get(place)
        if before is not None:
            return ALWAYS if before.stored is ALWAYS else Value(BOOL, "stored")
        return self._ran if self._chosen[place].always else Value(BOOL, "stored")

    def finished(self, nodes: Sequence[Node], after: Stores) -> Node:
        """Return the loop, and add its stores to those in front of it.

        Args:
            nodes: of the body, without stores.
            after: the last stores at the end of an iteration.
        """
        carried: dict[Value, tuple[Operand, Operand, Value]] = {}
        loop = self._loop
        for place, choice in self._chosen.items():
            value, flag, end = choice.behind, self.before[place].stored, after[place]
            before = loop.stores.get(place)
            if value is None:
                assert isinstance(choice.at_start, Value)
                value = Value(choice.at_start.spec, choice.at_start.name)
                carried[choice.at_start] = choice.first, end.value, value
            if isinstance(flag, Value) and flag not in carried:
                first = NEVER if before is None else before.stored
                carried[flag] = first, end.stored, Value(BOOL, flag.name)
            stored = carried[flag][2] if isinstance(flag, Value) else flag
            loop.stores[place] = LastStore(choice.store, value, stored)
        firsts, ends, behind = zip(*carried.values(), strict=True) if carried else ((), (), ())
        *tests, body = loop.node.regions
        own = [Value(one.spec, one.name) for one in carried]
        regions = [replace(test, inputs=(*test.inputs, *own)) for test in tests]
        outputs = (*body.outputs, *ends)
        regions.append(Block((*body.inputs, *carried), tuple(nodes), outputs))
        return replace(
            loop.node,
            inputs=(*loop.node.inputs, *firsts),
            outputs=(*loop.node.outputs, *behind),
            regions=tuple(regions),
        )
