"""Nests of a group as one nest: an element that one stores and another loads is a number between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.passes.fusion.statements import Nest, Statement, same_place

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
    found: list[Statement] = []
    for position, statement in enumerate(statements):
        last = found[-1] if found else None
        if isinstance(last, Nest) and isinstance(statement, Nest):
            joined = joined_nest(last, statement)
            others = [*found[:-1], *statements[position + 1 :]]
            if _stays_fast(last, statement, joined, others, temporaries):
                found[-1] = joined
                continue
        found.append(statement)
    return [_without_stores(one, found, temporaries) for one in found]


def joined_nest(first: Nest, second: Nest) -> Nest:
    """Return one nest that does for each element what two do."""
    named: dict[Value, Operand] = dict(zip(second.indices, first.indices, strict=True))
    body = [*first.body, *(_with_operands(node, named) for node in second.body)]
    return _nest(first, _forwarded(Nest(first.loop, first.sizes, first.indices, tuple(body))))


def _nest(like: Nest, body: tuple[Node, ...]) -> Nest:
    """Return a nest with another body."""
    return Nest(nested(like.loop, body), like.sizes, like.indices, body)


def nested(loop: Node, body: tuple[Node, ...]) -> Node:
    """Return a loop whose innermost loop has another body."""
    (region,) = loop.regions
    inner = region.nodes[0] if len(region.nodes) == 1 else None
    nodes = (nested(inner, body),) if inner is not None and inner.op == "for_loop" else body
    return replace(loop, regions=(Block(region.inputs, nodes),))


def _with_operands(node: Node, named: Mapping[Value, Operand]) -> Node:
    """Return a node with other operands in the place of some."""
    return replace(
        node, inputs=tuple(named.get(one, one) if isinstance(one, Value) else one for one in node.inputs)
    )


def _forwarded(nest: Nest) -> tuple[Node, ...]:
    """Return a body in which no element is loaded that was loaded or stored before, and not written since."""
    known: list[tuple[Value, Sequence[Operand], Operand]] = []
    named: dict[Value, Operand] = {}
    found: list[Node] = []
    for one in nest.body:
        node = _with_operands(one, named)
        if node.op == "load":
            base, *indices = node.inputs
            before = _element(known, base, indices)
            if before is not None:
                named[node.output] = before
                continue
            assert isinstance(base, Value)
            known.append((base, indices, node.output))
        elif node.op == "store":
            base, value, *indices = node.inputs
            assert isinstance(base, Value)
            known = [entry for entry in known if entry[0] is not base]
            if _is_of_dtype(value, base):
                known.append((base, indices, value))
        found.append(node)
    return tuple(found)


def _is_of_dtype(value: Operand, base: Value) -> bool:
    """Return whether a number that is stored comes back as it is."""
    assert isinstance(base.spec, ArraySpec)
    return isinstance(value.spec, GenericSpec) and value.spec.dtype == base.spec.dtype


def _element(
    known: Iterable[tuple[Value, Sequence[Operand], Operand]], base: Operand, indices: Sequence[Operand]
) -> Operand | None:
    for other, places, value in known:
        if other is base and same_place(tuple(places), tuple(indices)):
            return value
    return None


def _stays_fast(
    first: Nest, second: Nest, joined: Nest, others: Sequence[Statement], temporaries: AbstractSet[Value]
) -> bool:
    """Return whether one nest is as fast as two: LLVM still computes several elements at once."""
    if first.gives_up != second.gives_up or len(joined.body) > MOST_NODES:
        return False
    shared = {one.base for one in first.accesses} & {one.base for one in second.accesses}
    return bool(shared) and _tests(joined, others, temporaries) <= MOST_TESTS


def _tests(nest: Nest, others: Sequence[Statement], temporaries: AbstractSet[Value]) -> int:
    """Return the number of pairs of arrays that may overlap, of which one is written."""
    kept = temporaries - _accessed(others)
    stored = {one.base for one in nest.accesses if one.writes} - kept
    loaded = {one.base for one in nest.accesses if not one.writes} - kept - stored
    return len(stored) * len(loaded) + len(stored) * (len(stored) - 1) // 2


def _accessed(statements: Iterable[Statement]) -> set[Value]:
    return {one.base for statement in statements for one in statement.accesses}


def _without_stores(
    statement: Statement, statements: Sequence[Statement], temporaries: AbstractSet[Value]
) -> Statement:
    """Return a nest that does not store the elements of temporaries that it alone uses, and does not load."""
    if not isinstance(statement, Nest):
        return statement
    others = _accessed(one for one in statements if one is not statement)
    loaded = {one.base for one in statement.accesses if not one.writes}
    unused = temporaries - others - loaded
    body = tuple(node for node in statement.body if node.op != "store" or node.inputs[0] not in unused)
    return statement if len(body) == len(statement.body) else _nest(statement, body)
