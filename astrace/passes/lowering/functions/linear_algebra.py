"""Linear algebra of one matrix, by the loops that ``np.linalg`` calls: inverses, solutions, determinants, Cholesky factors.

The loops copy the matrix before they begin, so that its layout makes no difference.  They clear the status flags of what
they compute, and raise the one of invalid operations where ``np.linalg`` would raise an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.arrays import allocated, check_equal, in_own_memory
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, COMPLEX, FLOAT, ArrayForm, Form, NumberForm, typed
from astrace.passes.lowering.functions.array_making import result_dtype, shape_of
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.rules import Kwargs, Rule, store
from astrace.passes.lowering.sizes.few_solutions import solution_of_few

Few: TypeAlias = Callable[[LoweredWriter, ArrayForm], ArrayForm | None]
"""Writes out a function of a matrix of few numbers, if it is known how NumPy's library computes it."""
PRECISE: Final = (FLOAT, COMPLEX)
"""The dtypes that ``np.linalg`` has loops for which it calls."""


def _matrix(writer: LoweredWriter, node: Node, value: Any, ranks: Sequence[int]) -> ArrayForm:
    """An operand in memory of its own.

    Raises:
        Unlowered: it is no array of floats of 64 bits, nor of two such parts, or has other axes.
    """
    if not isinstance(value, ArrayForm) or value.dtype not in PRECISE or len(value.shape) not in ranks:
        raise writer.refusal(f"`{node.op}` of other things than a matrix of float64 or complex128")
    return in_own_memory(writer, value)


def _square(writer: LoweredWriter, node: Node, value: Any) -> ArrayForm:
    """A square matrix, which is not empty."""
    matrix = _matrix(writer, node, value, (2,))
    check_equal(writer, *matrix.shape)
    _check_some(writer, matrix.shape[0])
    return matrix


def _check_some(writer: LoweredWriter, size: NumberForm) -> None:
    """Give up where an axis has no items."""
    if size.bounds[0] <= 0:
        writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))


def _of_one(loop: str, few: Few | None = None) -> Rule:
    """A function of one matrix that gives a matrix, perhaps written out for few numbers."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        if len(args) != 1 or kwargs:
            raise writer.refusal(f"`{node.op}` with more arguments")
        matrix = _square(writer, node, args[0])
        if few is not None and (found := few(writer, matrix)) is not None:
            return found
        made = allocated(writer, matrix.dtype, matrix.shape, "result")
        return _called(writer, loop, made, base_of(matrix))

    return rule


def _called(writer: LoweredWriter, loop: str, made: ArrayForm, *given: Value) -> ArrayForm:
    """Call a loop that gives an array; NumPy lays that out as in C, whatever it is computed from."""
    out = base_of(made)
    writer.uses_floats = writer.flags_decide = True
    writer.in_c_order.add(out)
    attrs = {"ufunc": loop}
    writer.nodes.append(Node("apply_gufunc", (out, *given), (), attrs, location=writer.location))
    return made


def _solve(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 2 or kwargs:
        raise writer.refusal(f"`{node.op}` with more arguments")
    matrix = _square(writer, node, args[0])
    right = _matrix(writer, node, args[1], (1, 2))
    if matrix.dtype != right.dtype:
        raise writer.refusal(f"`{node.op}` of arrays of two dtypes")
    check_equal(writer, matrix.shape[0], right.shape[0])
    for size in right.shape[1:]:
        _check_some(writer, size)
    if (found := solution_of_few(writer, matrix, right)) is not None:
        return found
    made = allocated(writer, right.dtype, right.shape, "result")
    loop = "solve1" if len(right.shape) == 1 else "solve"
    return _called(writer, loop, made, base_of(matrix), base_of(right))


def _inverse_of_few(writer: LoweredWriter, matrix: ArrayForm) -> ArrayForm | None:
    return solution_of_few(writer, matrix, None)


def _det(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    if len(args) != 1 or kwargs:
        raise writer.refusal(f"`{node.op}` with more arguments")
    matrix = _square(writer, node, args[0])
    spec = GenericSpec(matrix.dtype)
    found = Value(spec)
    writer.uses_floats = writer.flags_decide = True
    attrs = {"ufunc": "det"}
    writer.nodes.append(Node("reduce_gufunc", (base_of(matrix),), (found,), attrs, location=writer.location))
    return NumberForm(found, spec)


def _eye(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.eye(n)``: ones on the diagonal."""
    if not args or len(args) > (2 if node.op == "np.eye" else 1) or kwargs.keys() - {"dtype"}:
        raise writer.refusal(f"`{node.op}` with more arguments")
    dtype = result_dtype(writer, node)
    rows, columns = shape_of(writer, (args[0], args[-1]))
    made = allocated(writer, dtype, (rows, columns), "made")
    writer.in_c_order.add(base_of(made))

    def element(indices: Sequence[Operand]) -> Operand:
        same = writer.emit("eq", tuple(indices), BOOL)
        return writer.choose(same, Constant(typed(1, dtype)), Constant(typed(0, dtype)), dtype)

    store(writer, made, ArrayForm(dtype, made.shape, element, ()))
    return made


RULES: Final[Mapping[str, Rule]] = {
    "np.linalg.inv": _of_one("inv", _inverse_of_few),
    "np.linalg.cholesky": _of_one("cholesky_lo"),
    "np.linalg.solve": _solve,
    "np.linalg.det": _det,
    "np.eye": _eye,
    "np.identity": _eye,
}
