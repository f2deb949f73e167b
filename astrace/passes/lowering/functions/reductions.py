"""Reductions along some axes: sums, extremes, means, tests of all elements.

NumPy adds up the elements along the last axes of an array by one call of its loop, in the order that the loop has, and
along other axes one after the other, a row of results at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ops.numpy.reductions import BUFFER, OF_NOTHING, UFUNCS, neutral_item, parts_are_copied
from astrace.passes.analysis.int_ranges import EXACT, FULL
from astrace.passes.lowering.arrays import (
    allocated,
    computed,
    element_at,
    elementwise,
    loop_nest,
    materialised,
    store_all,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.complex_numbers import Arithmetic, complexes
from astrace.passes.lowering.forms import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    ArrayForm,
    Form,
    NumberForm,
    integer,
    is_machine_dtype,
    is_wider,
)
from astrace.passes.lowering.functions.accumulation import accumulated, carrying_loops, combined
from astrace.passes.lowering.functions.array_making import product_of
from astrace.passes.lowering.functions.axes import Axes
from astrace.passes.lowering.functions.numpy_calls import base_of, check_forward, in_memory, part_in_memory
from astrace.passes.lowering.integers import index_of, plus, times
from astrace.passes.lowering.layouts import is_in_order, is_one, turned
from astrace.passes.lowering.numbers import floats
from astrace.passes.lowering.rules import Kwargs, Rule, apply

SINGLE: Final = np.dtype(np.float32)
COMPLEXES: Final = (COMPLEX, np.dtype(np.complex64))


# -- one axis, or all of them --------------------------------------------------------------------------------


def reduced(writer: LoweredWriter, name: str, array: ArrayForm, dtype: np.dtype[Any]) -> NumberForm:
    """The reduction of an array of one axis."""
    writer.uses_floats |= dtype.kind in "fc"
    writer.needs_forward = True
    if name not in OF_NOTHING:
        writer.deopt(writer.emit("eq", (array.shape[0].operand, Constant(0)), BOOL))
    check_forward(writer, array)
    return _by_loop(writer, name, in_memory(writer, array), dtype)


def _by_loop(writer: LoweredWriter, name: str, base: Value, dtype: np.dtype[Any]) -> NumberForm:
    out = Value(GenericSpec(dtype))
    attrs = {"ufunc": UFUNCS[name]}
    writer.nodes.append(Node("reduce_ufunc", (base,), (out,), attrs, location=writer.location))
    return NumberForm(out, GenericSpec(dtype), FULL)


def converted(writer: LoweredWriter, name: str, array: ArrayForm, dtype: np.dtype[Any]) -> ArrayForm:
    """The elements in the dtype that is computed in; of ``any`` and ``all`` their truth."""
    given = array.dtype
    if given == dtype:
        return array

    def compute(atoms: Sequence[Operand]) -> Operand:
        if name in ("any", "all"):
            return writer.emit("ne", (atoms[0], writer.cast(Constant(0), INT, given)), BOOL)
        return writer.cast(atoms[0], given, dtype)

    return elementwise(writer, [array], dtype, compute)


def along(writer: LoweredWriter, name: str, axes: Axes, dtype: np.dtype[Any]) -> ArrayForm | NumberForm:
    """A reduction along axes, without those that are kept with one item."""
    array = converted(writer, name, axes.array, dtype)
    axes = axes.with_array(array)
    if len(array.shape) == 1 and writer.exact:
        return reduced(writer, name, array, dtype)
    writer.uses_floats |= dtype.kind in "fc"
    if name not in OF_NOTHING:
        for size in axes.sizes(axes.reduced):
            writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))
    if not writer.exact and (not axes.kept or axes.reduced[-1] == len(array.shape) - 1):
        return accumulated(writer, name, array, axes.reduced, dtype)
    if dtype.kind in "fc" and writer.exact:
        other = turned(array, writer.unordered)
        if other is not None:
            return along(writer, name, axes.turned(other), dtype)
        check_order(writer, array)
    wide = [axis for axis, size in enumerate(array.shape) if not is_one(size)]
    taken = [axis for axis in wide if axis in axes.reduced]
    if taken == wide[len(wide) - len(taken) :]:
        return _along_last(writer, name, axes, dtype)
    if dtype.kind in "fc" and writer.exact:
        _check_rows(writer, axes, taken, wide)
    return _along_first(writer, name, axes, dtype)


def check_order(writer: LoweredWriter, array: ArrayForm) -> None:
    """Make sure that the axes of an array run as in C: the order of the elements follows from it.

    Raises:
        Unlowered: they may not.
    """
    writer.needs_c_order = writer.needs_forward = True
    check_forward(writer, array)
    if not is_in_order(writer, array):
        raise writer.refusal("a reduction of an array whose axes may be in another order")


def _check_rows(writer: LoweredWriter, axes: Axes, taken: Sequence[int], wide: Sequence[int]) -> None:
    """Give up where rows have one item: NumPy then takes the loop that it has for the last axes.

    Raises:
        Unlowered: reduced axes stand on both sides of one that is kept, with the last one among them.
    """
    if wide[-1] in taken:
        raise writer.refusal("a reduction along the last axis and others that are not beside it")
    last = [axis for axis in wide if axis > max(taken)]
    single = writer.emit("eq", (product_of(writer, axes.sizes(last)).operand, Constant(1)), BOOL)
    writer.deopt(single)


def _along_last(writer: LoweredWriter, name: str, axes: Axes, dtype: np.dtype[Any]) -> ArrayForm | NumberForm:
    """A reduction along the last axes, each by one call of NumPy's loop."""
    writer.needs_forward = True
    if axes.reduced != (len(axes.array.shape) - 1,):
        _check_contiguous(writer, name, axes, dtype)
        flat = _flattened(writer, axes, dtype)
    else:
        check_forward(writer, axes.array)
        flat = in_memory(writer, axes.array)
    size = product_of(writer, axes.sizes(axes.reduced)).operand
    if not axes.kept:
        return _by_loop(writer, name, flat, dtype)

    def element(indices: Sequence[Operand]) -> Operand:
        places = [*indices, Constant(0), size, Constant(1)]
        part = part_in_memory(writer, flat, places, "i" * len(indices) + ":")
        return _by_loop(writer, name, part, dtype).operand

    shape = tuple(axes.sizes(axes.kept))
    return materialised(writer, ArrayForm(dtype, shape, element, ()))


def _check_contiguous(writer: LoweredWriter, name: str, axes: Axes, dtype: np.dtype[Any]) -> None:
    """Give up where the last axes of a view are not one in memory, and NumPy does not copy them so: it then takes them one by one."""
    if axes.array.view is None or dtype.kind not in "fc":
        return
    whole = in_memory(writer, axes.array)
    passes = writer.emit("is_contiguous", (whole, Constant(axes.reduced[0])), BOOL)
    if not axes.kept and parts_are_copied():
        passes = writer.either(passes, _is_copied(writer, name, axes, whole))
    writer.deopt(writer.inverted(passes))


def _is_copied(writer: LoweredWriter, name: str, axes: Axes, whole: Value) -> Operand:
    """Return whether NumPy copies all items of an array into one piece, and reduces that.

    A sum is the same at any distance of the items; of two zeros extremes may then give the other one, so that rows have to be in
    one piece: what is not copied is in one piece as a whole.
    """
    sizes = axes.sizes(axes.reduced)
    found = writer.emit("le", (product_of(writer, sizes).operand, Constant(BUFFER)), BOOL)
    for axis in axes.reduced:
        repeated = writer.emit("is_repeated", (whole, Constant(axis)), BOOL)
        found = writer.both(found, writer.inverted(repeated))
    if name == "sum":
        return found
    rows = writer.emit("is_contiguous", (whole, Constant(axes.reduced[-1])), BOOL)
    long = writer.emit("gt", (sizes[-1].operand, Constant(1)), BOOL)
    return writer.both(found, writer.both(rows, long))


def _flattened(writer: LoweredWriter, axes: Axes, dtype: np.dtype[Any]) -> Value:
    """An array in memory of its own whose last axes are one."""
    array = axes.array
    kept, taken = axes.sizes(axes.kept), axes.sizes(axes.reduced)
    made = allocated(writer, dtype, (*kept, product_of(writer, taken)), "flat")
    base = base_of(made)

    def body(indices: Sequence[Operand]) -> None:
        own, others = indices[: len(kept)], indices[len(kept) :]
        place = index_of(others[0])
        for index, size in zip(others[1:], taken[1:], strict=True):
            place = plus(writer, times(writer, place, size), index_of(index))
        writer.store(base, (*own, place.operand), element_at(array, axes.placed(own, others)))

    loop_nest(writer, (*kept, *taken), body)
    return base


def _along_first(writer: LoweredWriter, name: str, axes: Axes, dtype: np.dtype[Any]) -> ArrayForm:
    """A reduction along axes in front of others: one row of elements after the other is added to the results."""
    array = axes.array
    kept, taken = axes.sizes(axes.kept), axes.sizes(axes.reduced)
    made = allocated(writer, dtype, tuple(kept), "reduced")
    base = base_of(made)
    assert made.view is not None
    start = Constant(dtype.type(neutral_item(name, dtype)))
    store_all(writer, made.view, made.shape, NumberForm(start, GenericSpec(dtype)))
    order = [*(axis for axis in axes.reduced), *axes.kept]
    sizes = axes.sizes(order)

    def body(indices: Sequence[Operand]) -> None:
        others, own = indices[: len(taken)], tuple(indices[len(taken) :])
        operands = writer.load(base, own, dtype), element_at(array, axes.placed(own, others))
        writer.store(base, own, combined(writer, name, operands, dtype))

    loop_nest(writer, sizes, body)
    return made


# -- functions -----------------------------------------------------------------------------------------------


def _dtype(writer: LoweredWriter, node: Node) -> np.dtype[Any]:
    spec = node.output.spec
    if isinstance(spec, GenericSpec | ArraySpec) and is_machine_dtype(spec.dtype):
        return spec.dtype
    raise writer.refusal(f"`{node.op}` that gives {spec}")


def _reduction(name: str) -> Rule:
    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        axes, dtype = Axes(writer, node, args, kwargs), _dtype(writer, node)
        known = (BOOL,) if name in ("any", "all") else (FLOAT, SINGLE, INT)
        known = (*known, *COMPLEXES) if name == "sum" else known
        if dtype not in known or (is_wider(axes.array.dtype, dtype) and dtype != BOOL):
            raise writer.refusal(f"`{node.op}` that gives {dtype}")
        return axes.result(writer, along(writer, name, axes, dtype))

    return rule


def _total(writer: LoweredWriter, axes: Axes, array: ArrayForm, less: int) -> ArrayForm | NumberForm:
    """The sum of elements divided by their number less another one; of nothing NumPy warns."""
    return _divided(writer, axes, along(writer, "sum", axes.with_array(array), FLOAT), FLOAT, less)


def _divided(
    writer: LoweredWriter, axes: Axes, total: ArrayForm | NumberForm, dtype: np.dtype[Any], less: int
) -> ArrayForm | NumberForm:
    """Sums divided by the number of their elements less another one, in double precision, as numbers of a dtype."""
    given, precise = total.dtype, COMPLEX if dtype == COMPLEX else FLOAT
    size = product_of(writer, axes.sizes(axes.reduced))
    writer.deopt(writer.emit("le", (size.operand, Constant(less)), BOOL))
    rest = plus(writer, size, integer(-less))
    count = writer.cast(rest.operand, INT, precise)

    def compute(atoms: Sequence[Operand]) -> Operand:
        operands = writer.cast(atoms[0], given, precise), count
        if precise == COMPLEX:
            return complexes(writer, "truediv", operands, COMPLEX, Arithmetic.ELEMENT)
        return writer.cast(floats(writer, "truediv", operands, FLOAT, checks_zero=False), FLOAT, dtype)

    if isinstance(total, NumberForm):
        return NumberForm(compute([total.operand]), GenericSpec(dtype))
    return materialised(writer, elementwise(writer, [total], dtype, compute))


def _mean(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """The mean."""
    axes = Axes(writer, node, args, kwargs)
    dtype = axes.array.dtype
    if dtype.kind in "biu" and writer.exact:
        return axes.result(writer, _mean_of_integers(writer, node, axes))
    if dtype not in (FLOAT, SINGLE, COMPLEX) or (dtype == COMPLEX and not writer.exact):
        raise writer.refusal(f"`{node.op}` of {dtype}")
    total = along(writer, "sum", axes, dtype)
    if dtype == SINGLE and isinstance(
        total, ArrayForm
    ):  # NumPy 1 divides in single precision: the same, as far as that counts
        size = product_of(writer, axes.sizes(axes.reduced))
        writer.deopt(writer.emit("gt", (size.operand, Constant(EXACT_SINGLE)), BOOL))
    return axes.result(writer, _divided(writer, axes, total, dtype, 0))


def _mean_of_integers(writer: LoweredWriter, node: Node, axes: Axes) -> ArrayForm | NumberForm:
    """The mean of integers, which NumPy adds up as floats: in any order, as long as these hold all sums exactly."""
    dtype = axes.array.dtype
    bits = 8 * dtype.itemsize
    if bits > MOST_BITS and dtype != INT:
        raise writer.refusal(f"`{node.op}` of {dtype}")
    size = product_of(writer, axes.sizes(axes.reduced))
    if dtype == INT:
        _check_exact(writer, axes.array, size)
    else:
        writer.deopt(writer.emit("gt", (size.operand, Constant(EXACT >> bits)), BOOL))
    return _divided(writer, axes, along(writer, "sum", axes, INT), FLOAT, 0)


def _check_exact(writer: LoweredWriter, array: ArrayForm, size: NumberForm) -> None:
    """Give up where the sum of so many elements may be more than floats hold exactly, or there are none."""
    writer.deopt(writer.emit("le", (size.operand, Constant(0)), BOOL))
    share = writer.emit("floordiv", (Constant(EXACT), size.operand), INT)

    def larger(indices: Sequence[Operand], so_far: Operand) -> Operand:
        element = element_at(array, indices)
        below = writer.emit("sub", (Constant(-1), element), INT)  # as large as a negative number, less one
        return writer.emit("maximum", (so_far, writer.emit("maximum", (element, below), INT)), INT)

    largest = carrying_loops(writer, array.shape, [], Constant(0), INT, larger)
    writer.deopt(writer.emit("ge", (largest, share), BOOL))


EXACT_SINGLE: Final = 2**24
"""Up to this, single precision holds every integer."""
MOST_BITS: Final = 32
"""Of larger integers, few may add up to what no float holds."""


def mean_of(writer: LoweredWriter, node: Node, array: ArrayForm) -> Form:
    """The mean of all elements of an array."""
    return _mean(writer, node, (array,), {})


def _spread(takes_root: bool) -> Rule:
    """The variance, or its root: the mean of the squares of what is left when the mean is taken away."""

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        less = kwargs.get("ddof", 0)
        axes = Axes(writer, node, args, {name: one for name, one in kwargs.items() if name != "ddof"})
        if axes.array.dtype != FLOAT or type(less) is not int or less < 0 or not writer.exact:
            raise writer.refusal(f"`{node.op}` of {axes.array.dtype}, or with more arguments")
        axes = axes.with_array(computed(writer, axes.array))
        mean = _total(writer, axes, axes.array, 0)
        mean = mean if isinstance(mean, NumberForm) else axes.result(writer, mean, keeps=True)
        left = apply(writer, "sub", (axes.array, mean), node.output.spec)
        squares = apply(writer, "mul", (left, left), node.output.spec)
        assert isinstance(squares, ArrayForm)
        found = _total(writer, axes, materialised(writer, squares), less)
        return axes.result(writer, _root(writer, found) if takes_root else found)

    return rule


def _root(writer: LoweredWriter, found: NumberForm | ArrayForm) -> NumberForm | ArrayForm:
    """The square roots of floats."""
    if isinstance(found, NumberForm):
        return NumberForm(writer.emit("square_root", (found.operand,), FLOAT), GenericSpec(FLOAT))
    return elementwise(writer, [found], FLOAT, lambda atoms: writer.emit("square_root", (atoms[0],), FLOAT))


def _norm(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.linalg.norm`` of all elements: the root of their product with themselves."""
    array = args[0]
    if kwargs or len(args) != 1 or not isinstance(array, ArrayForm) or array.dtype not in (FLOAT, SINGLE):
        raise writer.refusal(f"`{node.op}` of other things than an array of floats")
    if not writer.exact:
        return _root_of_squares(writer, Axes(writer, node, (array,), {}))
    if len(array.shape) > 1:
        check_order(writer, array)
    base = _flattened(writer, Axes(writer, node, (array,), {}), array.dtype)
    found = Value(GenericSpec(array.dtype))
    writer.uses_floats = True
    writer.nodes.append(Node("dot", (base, base), (found,), location=writer.location))
    return NumberForm(writer.emit("square_root", (found,), array.dtype), GenericSpec(array.dtype))


def _root_of_squares(writer: LoweredWriter, axes: Axes) -> NumberForm:
    dtype = axes.array.dtype

    def square(atoms: Sequence[Operand]) -> Operand:
        return floats(writer, "mul", (atoms[0], atoms[0]), dtype, checks_zero=False)

    squares = elementwise(writer, [axes.array], dtype, square)
    total = accumulated(writer, "sum", squares, axes.reduced, dtype)
    assert isinstance(total, NumberForm)
    return NumberForm(writer.emit("square_root", (total.operand,), dtype), GenericSpec(dtype))


RULES: Final[Mapping[str, Rule]] = {
    **{f"{owner}.{name}": _reduction(name) for name in UFUNCS for owner in ("np", "ndarray")},
    "np.mean": _mean,
    "ndarray.mean": _mean,
    **{f"{owner}.var": _spread(False) for owner in ("np", "ndarray")},
    **{f"{owner}.std": _spread(True) for owner in ("np", "ndarray")},
    "np.linalg.norm": _norm,
}
