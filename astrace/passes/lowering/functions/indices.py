"""Functions that give the indices of an array, or of a part of it: ``np.indices``, ``np.triu_indices``, ``np.tril_indices``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand
from astrace.passes.lowering.arrays import allocated
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, ArrayForm, Form, NumberForm, TupleForm, integer
from astrace.passes.lowering.functions.array_making import shape_of
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.gathers import positions
from astrace.passes.lowering.integers import index_of, plus
from astrace.passes.lowering.rules import Kwargs, Rule, numeric, store


def _indices(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.indices(shape)``: for each axis, an array of the indices along it."""
    if len(args) != 1 or kwargs:
        raise writer.refusal(f"`{node.op}` with more arguments")
    shape = shape_of(writer, args[0])
    made = allocated(writer, INT, (integer(len(shape)), *shape), "indices")
    writer.in_c_order.add(base_of(made))

    def element(indices: Sequence[Operand]) -> Operand:
        along, *places = indices
        found = places[-1]
        for axis, place in enumerate(places[:-1]):
            found = writer.choose(writer.emit("eq", (along, Constant(axis)), BOOL), place, found, INT)
        return found

    store(writer, made, ArrayForm(INT, made.shape, element, ()))
    return made


def _triangle(test: str) -> Rule:
    """``np.triu_indices(n, k)`` and its like: where the column is as the row, moved by ``k``, asks for."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        given = dict(zip(("n", "k"), args, strict=False)) | dict(kwargs)
        if not given.keys() <= {"n", "k"} or len(args) > len(("n", "k")):
            raise writer.refusal(f"`{node.op}` with more arguments")
        size, moved = shape_of(writer, (given["n"],))[0], numeric(writer, given.get("k", 0))
        if not isinstance(moved, NumberForm) or moved.dtype != INT or moved.tag is not None:
            raise writer.refusal(f"`{node.op}` with a diagonal that is no integer")

        def element(indices: Sequence[Operand]) -> Operand:
            row, column = indices
            return writer.emit(test, (column, plus(writer, index_of(row), moved).operand), BOOL)

        shape = (size, size)
        found = positions(writer, ArrayForm(BOOL, shape, element, ()), shape)
        return TupleForm(tuple(_in_own_array(writer, one.array) for one in found))

    return rule


def _in_own_array(writer: LoweredWriter, array: ArrayForm) -> ArrayForm:
    """Return a copy of indices in an array that may come out of the program, as NumPy makes one."""
    made = allocated(writer, INT, array.shape, "indices")
    store(writer, made, array)
    return made


RULES: Final[Mapping[str, Rule]] = {
    "np.indices": _indices,
    "np.triu_indices": _triangle("ge"),
    "np.tril_indices": _triangle("le"),
}
TAKES_KEYWORDS: Final = frozenset({"np.triu_indices", "np.tril_indices"})
"""The functions whose diagonal may be given by name."""
