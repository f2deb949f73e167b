"""Differences that are known when JAX traces, of integers that are not: ``i + k`` and ``i``."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from astrace.backends.jax.lower.state import Lowering
from astrace.backends.jax.program_ir import Atom, Lit, is_host
from astrace.ir.block import Constant, Value

Term: TypeAlias = tuple[Value, ...]
"""A product of variables."""


def difference(state: Lowering, left: Atom, right: Atom) -> Atom | None:
    """Return ``left - right`` as an integer that is known when JAX traces, or ``None``."""
    terms = expanded(state, left)
    terms.subtract(expanded(state, right))
    found = {term: count for term, count in terms.items() if count}
    if not all(is_host(var) for term in found for var in term):
        return None
    total: Atom = Lit(found.pop((), 0))
    for term, count in found.items():
        total = _plus(state, total, term, count)
    return total


def _plus(state: Lowering, total: Atom, term: Term, count: int) -> Atom:
    product: Atom = term[0]
    for var in term[1:]:
        product = state.expr("mul", (product, var), None)
    if count != 1:
        product = state.expr("mul", (product, Lit(count)), None)
    if total == Lit(0):
        return product
    return state.expr("add", (product, total), None)


def expanded(state: Lowering, atom: Atom) -> Counter[Term]:
    """Return an integer as a sum of products of variables."""
    if isinstance(atom, Constant):
        return Counter({(): int(atom.value)})
    made = state.sums.get(atom)
    if made is None:
        return Counter({(atom,): 1})
    op, *operands = made
    left, right = (expanded(state, one) for one in operands)
    if op == "mul":
        return _product(left, right)
    left.update(right) if op == "add" else left.subtract(right)
    return left


def _product(left: Counter[Term], right: Counter[Term]) -> Counter[Term]:
    found: Counter[Term] = Counter()
    for a, many in left.items():
        for b, times in right.items():
            found[tuple(sorted((*a, *b), key=id))] += many * times
    return found
