"""Sizes of arrays, limits of numbers that follow from them, and known differences of unknown integers: ``i + k`` and ``i``.

A size is a number, a name, or a name with a difference (``n-1``); equal names are equal sizes.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, TypeAlias

from astrace.backends.jax.lower.state import INT as INT_DTYPE
from astrace.backends.jax.lower.state import Lowering
from astrace.backends.jax.lower.value_forms import Array, Number
from astrace.backends.jax.program_ir import Atom, Lit, is_host
from astrace.ir.block import Constant, Value
from astrace.ir.specs import INT, Dim
from astrace.passes.analysis.int_ranges import LARGEST_SIZE

SUM: Final = re.compile(r"(.*?)([+-]\d+)?")


def taken_apart(dim: Dim) -> tuple[str, int] | None:
    """Return the name and the difference of a size.

    Example:
        >>> taken_apart("n-1"), taken_apart("n"), taken_apart(3)
        (('n', -1), ('n', 0), ('', 3))
    """
    if dim is None:
        return None
    if isinstance(dim, int):
        return "", dim
    match = SUM.fullmatch(dim)
    assert match is not None
    return match[1], int(match[2] or 0)


def put_together(name: str, difference: int) -> Dim:
    """Return a size from its name and difference.

    Example:
        >>> put_together("n", -1), put_together("n", 0), put_together("", 3)
        ('n-1', 'n', 3)
    """
    if not name:
        return difference
    return f"{name}{difference:+}" if difference else name


def size(state: Lowering, array: Array, axis: int) -> Number:
    """Return the size of an array along an axis, which is known when JAX traces unless there is an extent."""
    extent = array.extents[axis] if array.extents else None
    if extent is not None:
        return Number(extent.length, INT, (0, LARGEST_SIZE), most=taken_apart(extent.capacity))
    dim = array.spec.shape[axis]
    if isinstance(dim, int):
        return Number(Lit(dim), INT, (dim, dim), frozenset(), ("", dim), True)
    atom = named(state, dim)
    if atom is None:
        atom = state.expr("dim", (array.atom, Lit(axis % array.rank)), None)
    return Number(atom, INT, (0, LARGEST_SIZE), frozenset(), taken_apart(dim), dim is not None)


def named(state: Lowering, dim: Dim) -> Atom | None:
    """Return the variable of a size that has a name."""
    return state.dims.get(dim) if isinstance(dim, str) else None


def dim_of(number: Number) -> Dim:
    """Return the size that a number gives to an array; ``None`` if it has no name."""
    if isinstance(number.atom, Constant):
        return int(number.atom.value)
    return put_together(*number.most) if number.most is not None and number.exact else None


def is_inside(number: Number, dim: Dim) -> bool:
    """Return whether an index is certainly at least zero and below a size."""
    limit = taken_apart(dim)
    if number.bounds[0] < 0 or limit is None:
        return False
    if not limit[0] and number.bounds[1] < limit[1]:
        return True
    return number.most is not None and number.most[0] == limit[0] and number.most[1] < limit[1]


def below(stop: Number) -> tuple[str, int] | None:
    """Return the limit of the numbers below another one."""
    return None if stop.most is None else (stop.most[0], stop.most[1] - 1)


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
    for factor in (*term[1:], Lit(count)):
        product = integer(state, "mul", product, factor)
    return integer(state, "add", product, total)


def integer(state: Lowering, op: str, left: Atom, right: Atom) -> Atom:
    """Write a sum or product of integers that do not grow beyond 64 bits, unless it is known or one operand neutral."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Lit(left.value + right.value if op == "add" else left.value * right.value)
    for atom, other in ((left, right), (right, left)):
        if atom == Lit(int(op == "mul")):
            return other
    made = state.arithmetic(op, (left, right), INT_DTYPE)
    state.sums[made] = (op, left, right)
    return made


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
