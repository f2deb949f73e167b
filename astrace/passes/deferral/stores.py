"""Stores into attributes, and into entries of dicts, moved behind the nodes that they are among.

Takes consecutive nodes of a block; gives nodes that do the same but for the stores, and the last store into each place.
What is stored meanwhile nobody sees, if the nodes run to their end and none of them runs other code, and if a store does
nothing but store: whoever moves the stores has to know both (docs/design/0052).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import always_raises
from astrace.ir.specs import ListSpec
from astrace.passes.deferral.branches import StoringBranches
from astrace.passes.deferral.loops import Carrying, StoredValue, StoringLoop
from astrace.passes.deferral.places import (
    ALWAYS,
    LastStore,
    NamedStore,
    NotDeferred,
    Place,
    Stores,
    appended_by,
    is_deferrable,
    store_of,
)
from astrace.passes.lowering.closing import closed, defined_in, opened, used_in

LOOPS: Final = ("for_loop", "while_loop")


@dataclass(frozen=True, slots=True)
class Deferred:
    """Nodes without their stores.

    Args:
        nodes: the nodes.
        stores: what they have left out, one for each place.
        places: the number that each node, or what it is for, had among the nodes with stores.
    """

    nodes: tuple[Node, ...]
    stores: tuple[LastStore, ...]
    places: tuple[int, ...]


def has_deferrable(nodes: Sequence[Node]) -> bool:
    """Return whether one of the nodes, or one inside them, may be moved.

    Args:
        nodes: any nodes.
    """
    return any(
        is_deferrable(node) or any(has_deferrable(region.nodes) for region in node.regions) for node in nodes
    )


def deferred(nodes: Sequence[Node], needed: Iterable[Value] = ()) -> Deferred:
    """Return nodes with all stores behind them; without any change where a store has to stay.

    What is appended to a list from outside is kept in a list of the nodes' own, by which the other one gets longer behind them.

    Args:
        nodes: consecutive nodes of a block.
        needed: their outputs that are used elsewhere.
    """
    if not has_deferrable(nodes):
        return _as_they_are(nodes)
    bare = [opened(node) for node in nodes]
    stores: Stores = {}
    deferral = _Deferral(frozenset(defined_in(bare)), frozenset({*needed, *used_in(bare)}), {})
    found: list[tuple[Node, int]] = []
    lists: list[tuple[Node, int]] = []
    try:
        for place, node in enumerate(bare):
            found += [(one, place) for one in deferral.without([node], stores)]
            new = list(deferral.appended.values())[len(lists) :]
            lists += [(_made_list(one.value), place) for one in new]
    except NotDeferred:
        return _as_they_are(nodes)
    given, places = zip(*(*lists, *found), strict=True) if lists or found else ((), ())
    last = *stores.values(), *deferral.appended.values()
    return Deferred(closed(Block((), given)).nodes, last, places)


def _as_they_are(nodes: Sequence[Node]) -> Deferred:
    return Deferred(tuple(nodes), (), tuple(range(len(nodes))))


def _made_list(made: Operand) -> Node:
    """Return the node that makes a list without items."""
    assert isinstance(made, Value) and isinstance(made.spec, ListSpec)
    return Node("make_list", (), (made,), {"element": made.spec.element})


@dataclass(frozen=True, slots=True)
class _Deferral:
    """Takes the stores out of open nodes.

    Args:
        defined: the values that the nodes define: an object of theirs may be another one in each iteration.
        used: the values that are used, by the nodes or elsewhere.
        appended: the lists of what is appended to lists from outside.
    """

    defined: frozenset[Value]
    used: frozenset[Value]
    appended: dict[Place, LastStore]

    def without(self, nodes: Sequence[Node], stores: Stores) -> list[Node]:
        """Return nodes without stores; ``stores`` are the last ones in front of them, and then those behind them."""
        found: list[Node] = []
        for node in nodes:
            if store := self._store(node):
                stores[store.place] = LastStore(store, store.value, ALWAYS)
            elif appended := self._appended(node):
                found.append(appended)
            elif not any(has_deferrable(region.nodes) for region in node.regions):
                found.append(node)
            elif node.op == "cond":
                found.append(self._cond(node, stores))
            elif node.op in LOOPS:
                found.append(self._loop(node, stores))
            else:
                raise NotDeferred(next(iter(self._written([node])), None))
        return found

    def _store(self, node: Node) -> NamedStore | None:
        """Return what a node stores, if it may be moved."""
        store = store_of(node)
        if store is not None and store.owner in self.defined:
            raise NotDeferred(store.place)
        return store

    def _appended(self, node: Node) -> Node | None:
        """Return the node that appends to a list of the nodes' own instead of one from outside, if a node does the latter."""
        store = appended_by(node)
        if store is None:
            return None
        spec = ListSpec(store.value.spec)
        known = self.appended.setdefault(store.place, LastStore(store, Value(spec), ALWAYS))
        if store.owner in self.defined or known.value.spec != spec or not self.used.isdisjoint(node.outputs):
            raise NotDeferred(store.place)
        return Node("append", (known.value, store.value), (), location=node.location)

    # -- branches ----------------------------------------------------------------------------------------------

    def _cond(self, node: Node, stores: Stores) -> Node:
        """Return a branch without stores; it puts out what was stored last, and whether anything was."""
        nodes: list[list[Node]] = []
        ends: list[Stores] = []
        for region in node.regions:
            ends.append(dict(stores))
            nodes.append(self.without(region.nodes, ends[-1]))
        live = [
            None if always_raises(region) else end for region, end in zip(node.regions, ends, strict=True)
        ]
        branches = StoringBranches(node, nodes, live)
        for place in dict.fromkeys(place for end in live if end is not None for place in end):
            before = stores.get(place)
            if any(end is not None and end.get(place) is not before for end in live):
                stores[place] = branches.joined(place, before)
        return branches.finished()

    # -- loops -------------------------------------------------------------------------------------------------

    def _loop(self, node: Node, stores: Stores) -> Node:
        """Return a loop without stores, which carries what was stored last, and whether anything was."""
        *tests, body = node.regions
        if by_test := [place for test in tests for place in self._written(test.nodes)]:
            raise NotDeferred(by_test[0])
        loop = StoringLoop(node, stores)
        choices = {place: loop.choices(*found) for place, found in self._written(body.nodes).items()}
        while True:
            carrying = Carrying(loop, {place: _first(place, found) for place, found in choices.items()})
            after = {**stores, **carrying.before}
            try:
                nodes = self.without(body.nodes, after)
                wrong = [place for place, found in choices.items() if not found[0].holds(after[place].value)]
            except NotDeferred as refusal:
                if refusal.place not in choices:
                    raise
                wrong = [refusal.place]
            else:
                if not wrong:
                    return carrying.finished(nodes, after)
            for place in wrong:
                choices[place].pop(0)

    def _written(self, nodes: Sequence[Node]) -> dict[Place, tuple[Node, NamedStore]]:
        """Return the places into which nodes store: the last node of them that does, or that has the store in it, and the store."""
        found: dict[Place, tuple[Node, NamedStore]] = {}
        for node in nodes:
            if store := self._store(node):
                found[store.place] = node, store
            for region in node.regions:
                found.update((place, (node, one)) for place, (_, one) in self._written(region.nodes).items())
        return found


def _first(place: Place, choices: Sequence[StoredValue]) -> StoredValue:
    """Return the first choice for a place.

    Raises:
        NotDeferred: there is none.
    """
    if not choices:
        raise NotDeferred(place)
    return choices[0]
