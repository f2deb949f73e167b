"""Nests of a group as one nest: an element that one stores and another loads is a number between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.passes.fusion.statements import Access, Nest, Statement
from astrace.passes.lowering.block import identity

MOST_TESTS: Final = 8
"""The number of pairs of arrays up to which LLVM tests whether they overlap, to compute several elements at once."""
MOST_NODES: Final = 160
"""The number of nodes of a body up to which its numbers have room in the processor's registers, or nearly."""


def merged(statements: Sequence[Statement], temporaries: AbstractSet[Value]) -> list[Statement]:
    """Return statements with nests that follow each other merged, where that keeps them fast.

    Args:
        statements: of a group.
        temporaries: the arrays that nothing outside of the group uses.
    """
    users = Counter(base for statement in statements for base in _touched(statement))
    found: list[Statement] = []
    while statements:
        made, count = _joined(statements, users, temporaries)
        before = Counter(base for one in statements[:count] for base in _touched(one))
        users.subtract({base: uses - 1 for base, uses in before.items()})
        found.append(made)
        statements = statements[count:]
    return [
        _without_stores(one, {base for base in _touched(one) if users[base] == 1} & temporaries)
        for one in found
    ]


def _joined(
    statements: Sequence[Statement], users: Mapping[Value, int], temporaries: AbstractSet[Value]
) -> tuple[Statement, int]:
    """Return one nest for as many of the first statements as it stays fast with, and their number.

    A nest that is not fast may become so with the next one, behind which nothing touches some arrays.

    Args:
        statements: those that are left.
        users: the number of statements that touch an array.
        temporaries: as for `merged`.
    """
    best, count = statements[0], 1
    if not isinstance(best, Nest):
        return best, count
    joined, inside = best, Counter(_touched(best))
    for place, statement in enumerate(statements[1:], 2):
        if not isinstance(statement, Nest) or statement.gives_up != best.gives_up:
            break
        if not _touched(joined) & _touched(statement) or len(joined.body) > MOST_NODES:
            break
        joined = joined_nest(joined, statement)
        inside.update(_touched(statement))
        own = {base for base, uses in inside.items() if users[base] == uses}
        if _stays_fast(joined, own & temporaries):
            best, count = joined, place
    return best, count


def _touched(statement: Statement) -> set[Value]:
    return {one.base for one in statement.accesses}


def joined_nest(first: Nest, second: Nest) -> Nest:
    """Return one nest that does for each element what two do."""
    named: dict[Value, Operand] = dict(zip(second.indices, first.indices, strict=True))
    body = [*first.body, *(_with_operands(node, named) for node in second.body)]
    return _nest(first, _forwarded(Nest(first.node, first.sizes, first.indices, tuple(body))))


def _nest(like: Nest, body: tuple[Node, ...]) -> Nest:
    """Return a nest with another body."""
    return Nest(nested(like.node, body), like.sizes, like.indices, body)


def nested(loop: Node, body: tuple[Node, ...]) -> Node:
    """Return a loop whose innermost loop has another body."""
    (region,) = loop.regions
    inner = region.nodes[0] if len(region.nodes) == 1 else None
    nodes = (nested(inner, body),) if inner is not None and inner.op == "for_loop" else body
    return replace(loop, regions=(Block(region.inputs, nodes),))


def _with_operands(node: Node, named: Mapping[Value, Operand]) -> Node:
    """Return a node with other operands in the place of some."""
    if not any(one in named for one in node.inputs if isinstance(one, Value)):
        return node
    return replace(
        node, inputs=tuple(named.get(one, one) if isinstance(one, Value) else one for one in node.inputs)
    )


def _forwarded(nest: Nest) -> tuple[Node, ...]:
    """Return a body in which no element is loaded that was loaded or stored before, and not written since."""
    known: dict[Value, dict[Hashable, Operand]] = {}
    places: dict[Hashable, Operand] = {}
    named: dict[Value, Operand] = {}
    found: list[Node] = []
    for one in nest.body:
        node = _with_operands(one, named)
        if node.op == "load":
            base, *indices = node.inputs
            assert isinstance(base, Value)
            elements, indexed = known.setdefault(base, {}), tuple(map(identity, indices))
            if indexed in elements:
                named[node.output] = elements[indexed]
                continue
            elements[indexed] = node.output
        elif node.op == "wrapped":
            place = ("wrapped", *map(identity, node.inputs))
            if place in places:
                named[node.output] = places[place]
                continue
            places[place] = node.output
        elif node.op == "store":
            base, value, *indices = node.inputs
            assert isinstance(base, Value)
            known[base] = {tuple(map(identity, indices)): value} if _is_of_dtype(value, base) else {}
        found.append(node)
    return tuple(found)


def _is_of_dtype(value: Operand, base: Value) -> bool:
    """Return whether a number that is stored comes back as it is."""
    assert isinstance(base.spec, ArraySpec)
    return isinstance(value.spec, GenericSpec) and value.spec.dtype == base.spec.dtype


def _stays_fast(nest: Nest, own: AbstractSet[Value]) -> bool:
    """Return whether a nest is as fast as the two that it was: LLVM computes several elements at once, if it does so of either.

    Args:
        nest: both.
        own: the temporaries that nothing else touches.
    """
    accesses = [one for one in nest.accesses if one.base not in own]
    stores = [one for one in accesses if one.writes]
    stored = {one.base for one in stores}
    loaded = {one.base for one in accesses if not one.writes} - stored
    tests = len(stored) * len(loaded) + len(stored) * (len(stored) - 1) // 2
    one_by_one = bool(stores) and all(_is_far_apart(one, len(nest.sizes) - 1) for one in stores)
    return len(nest.body) <= MOST_NODES and (one_by_one or tests <= MOST_TESTS)


def _is_far_apart(access: Access, innermost: int) -> bool:
    """Return whether the elements of an access do not follow each other in the innermost loop."""
    return access.place is not None and access.place[-1] != innermost


def _without_stores(statement: Statement, own: AbstractSet[Value]) -> Statement:
    """Return a nest that does not store the elements of temporaries that it alone uses, and does not load."""
    if not isinstance(statement, Nest):
        return statement
    unused = own - {one.base for one in statement.accesses if not one.writes}
    body = tuple(node for node in statement.body if node.op != "store" or node.inputs[0] not in unused)
    return statement if len(body) == len(statement.body) else _nest(statement, body)
