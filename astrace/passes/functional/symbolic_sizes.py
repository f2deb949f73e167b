"""Sizes of arrays as numbers, and known differences of unknown integers: ``i + k`` and ``i``."""

from __future__ import annotations

from astrace.ir.block import Constant
from astrace.ir.specs import INT, Dim
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.analysis.named_sizes import put_together, taken_apart
from astrace.passes.functional.dtypes import INT as INT_DTYPE
from astrace.passes.functional.forms import Array, Number
from astrace.passes.functional.program import Atom, Lit, is_host
from astrace.passes.functional.state import Lowering


def size(state: Lowering, array: Array, axis: int) -> Number:
    """Return the size of an array along an axis, which is known at compile time unless there is an extent."""
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


def difference(state: Lowering, left: Atom, right: Atom) -> Atom | None:
    """Return ``left - right`` as an integer that is known at compile time, or ``None``."""
    found = state.sums.difference(left, right)
    if not all(is_host(var) for term in found for var in term):
        return None
    total: Atom = Lit(found.pop((), 0))
    for term, count in found.items():
        product: Atom = term[0]
        for factor in (*term[1:], Lit(count)):
            product = integer(state, "mul", product, factor)
        total = integer(state, "add", product, total)
    return total


def integer(state: Lowering, op: str, left: Atom, right: Atom) -> Atom:
    """Write a sum or product of integers that do not grow beyond 64 bits, unless it is known or one operand neutral."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Lit(left.value + right.value if op == "add" else left.value * right.value)
    for atom, other in ((left, right), (right, left)):
        if atom == Lit(int(op == "mul")):
            return other
    made = state.arithmetic(op, (left, right), INT_DTYPE)
    state.sums.note(op, made, (left, right))
    return made
