"""What functions that are written out need beside ops: NumPy's own loops, and copies whose elements are at other places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astrace.ir.block import Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.passes.lowering.arrays import allocated, element_at, is_whole, loop_nest, materialised
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, ArrayForm, NumberForm
from astrace.passes.lowering.functions.numpy_calls import base_of, check_forward, in_memory
from astrace.passes.lowering.functions.reshaping import in_one_piece as in_one_piece_of
from astrace.passes.lowering.gathers import true_places
from astrace.passes.lowering.integers import index_of, plus, times
from astrace.passes.lowering.rules import form_of
from astrace.passes.lowering.written.terms import Steps, Term, laid_out


def reduced(steps: Steps, ufunc: str, array: Term) -> Term:
    """Return the reduction of an array of floats of one axis, by NumPy's own loop; of nothing the program is given up.

    Args:
        steps: writes nodes.
        ufunc: the name of the function of two elements.
        array: it.
    """
    form = array.form
    assert isinstance(form, ArrayForm)
    steps.unless(steps("gt", array.shape[0], 0))
    steps.writer.uses_floats = steps.writer.needs_forward = True
    check_forward(steps.writer, form)
    found = Value(GenericSpec(form.dtype))
    base = in_memory(steps.writer, form)
    steps.writer.nodes.append(
        Node("reduce_ufunc", (base,), (found,), {"ufunc": ufunc}, location=steps.writer.location)
    )
    return Term(steps, NumberForm(found, GenericSpec(form.dtype)))


def order(steps: Steps, array: Term, stable: bool = False) -> Term:
    """Return the places of an array's items in the order of their size; where two are equal the program is given up.

    Args:
        steps: writes nodes.
        array: of one axis.
        stable: where two are equal they keep their order.
    """
    writer, form = steps.writer, array.form
    assert isinstance(form, ArrayForm)
    items = materialised(writer, form)
    places = allocated(writer, INT, form.shape, "order")
    is_certain = Value(GenericSpec(BOOL))
    bases = base_of(places), base_of(items)
    op = "order_items_stably" if stable else "order_items"
    writer.nodes.append(Node(op, bases, (is_certain,), location=writer.location))
    writer.deopt(writer.inverted(is_certain))
    return Term(steps, places)


def joined(steps: Steps, array: Term, counts: Sequence[tuple[Any, Any]]) -> Term:
    """Return a copy of an array in which two axes each are one.

    Args:
        steps: writes nodes.
        array: it, with an axis for each count; where it has one item, that is repeated.
        counts: the sizes of the two axes that become one.
    """
    writer, form = steps.writer, array.form
    assert isinstance(form, ArrayForm)
    numbers = [steps.number(size, "iu") for pair in counts for size in pair]
    for size in numbers if len(counts) > 1 else ():
        steps.unless(steps("gt", steps.given(size), 0))  # NumPy gives other strides to nothing
    outer = tuple(steps.number(count * size, "iu") for count, size in counts)
    made = allocated(writer, form.dtype, outer, "joined")

    def store(indices: Sequence[Operand]) -> None:
        pairs = zip(indices[::2], indices[1::2], numbers[1::2], strict=True)
        places = (
            plus(writer, times(writer, index_of(one), size), index_of(other)).operand
            for one, other, size in pairs
        )
        writer.store(base_of(made), tuple(places), element_at(form, indices))

    loop_nest(writer, numbers, store)
    return Term(steps, made)


def slide(steps: Steps, out: Term, numbers: Term, weights: Term) -> None:
    """Store the products of weights with the numbers from each place on, by NumPy's loop; all are in one piece.

    Args:
        steps: writes nodes.
        out: where to, of one axis.
        numbers: as many, and as there are weights, less one.
        weights: they.
    """
    writer = steps.writer
    forms = [one.form for one in (out, numbers, weights)]
    bases = tuple(in_memory(writer, form) for form in forms if isinstance(form, ArrayForm))
    writer.uses_floats = True
    writer.nodes.append(Node("slide_products", bases, (), location=writer.location))


def in_c_order(steps: Steps, array: Term) -> Term:
    """Return an array whose elements follow each other in memory as in C; the program is given up where they do not.

    Args:
        steps: writes nodes.
        array: it.

    Raises:
        Unlowered: the order of its axes is not known.
    """
    kept = steps.kept(array)
    form = kept.form
    assert isinstance(form, ArrayForm)
    in_one_piece_of(steps.writer, form)
    return kept


def product_sum(steps: Steps, left: Term, right: Term) -> Term:
    """Return the sum of the products of two arrays of one axis, as ``np.einsum`` makes it up.

    Args:
        steps: writes nodes.
        left: one.
        right: the other one, of the same size.
    """
    writer, forms = steps.writer, [one.form for one in (left, right)]
    bases = tuple(in_memory(writer, form) for form in forms if isinstance(form, ArrayForm))
    writer.uses_floats = True
    found = Value(GenericSpec(FLOAT))
    writer.nodes.append(Node("sum_of_products", bases, (found,), location=writer.location))
    return Term(steps, NumberForm(found, GenericSpec(FLOAT)))


def transform(steps: Steps, loop: str, out: Term, given: Term, factor: Any) -> None:
    """Store a Fourier transform, by NumPy's own loop.

    Args:
        steps: writes nodes.
        loop: its name.
        out: where to, of one axis.
        given: what is transformed, of one axis: filled up with zeros, or cut.
        factor: a float by which the result is multiplied.
    """
    writer, forms = steps.writer, [one.form for one in (out, given)]
    bases = tuple(in_memory(writer, form) for form in forms if isinstance(form, ArrayForm))
    number = form_of(writer, laid_out(factor))
    assert isinstance(number, NumberForm)
    writer.uses_floats = True
    node = Node("apply_transform", (*bases, number.operand), (), {"ufunc": loop}, location=writer.location)
    writer.nodes.append(node)


def positions(steps: Steps, mask: Term, axis: int) -> Term:
    """Return the indices along an axis of the true elements of an array.

    Args:
        steps: writes nodes.
        mask: it.
        axis: along which.
    """
    form = mask.form
    assert isinstance(form, ArrayForm)
    return Term(steps, true_places(steps.writer, in_memory(steps.writer, form), axis))


def in_one_piece(steps: Steps, array: Term) -> Term:
    """Return an array of one axis whose elements follow each other in memory: itself if that is known, or a copy.

    Args:
        steps: writes nodes.
        array: it.
    """
    form = array.form
    assert isinstance(form, ArrayForm)
    if (
        form.view is not None
        and form.view.base in steps.writer.own
        and is_whole(steps.writer, form, form.view)
    ):
        return array
    return Term(steps, materialised(steps.writer, form))
