"""Lists of the items that something else has, in another order or as Python's numbers: ``sorted(x)``, ``x.tolist()``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Node
from astrace.ir.specs import BOOL as PYTHON_BOOL
from astrace.ir.specs import COMPLEX as PYTHON_COMPLEX
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ListSpec, Spec, TupleSpec, options_of
from astrace.passes.lowering import lists
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, ArrayForm, Form, NumberForm, NumberListForm
from astrace.passes.lowering.functions.sorting import sorted_copy
from astrace.passes.lowering.list_uses import ListUse
from astrace.passes.lowering.rules import Kwargs, Rule

OF_PYTHON: Final = {"b": (BOOL, PYTHON_BOOL), "i": (INT, PYTHON_INT), "f": (FLOAT, PYTHON_FLOAT)}
"""By kind of dtype, the dtype and the type of Python's numbers."""


def kept(writer: LoweredWriter, node: Node) -> tuple[Spec | None, bool]:
    """The type of the items of the list that a node gives, and whether they may be objects that there are besides.

    Such are objects from outside, and, in a list that comes out, floats that are written down in the program.

    Raises:
        Unlowered: it gives something else.
    """
    spec = node.output.spec
    if not isinstance(spec, ListSpec):
        raise writer.refusal(f"`{node.op}` that gives {spec}")
    use = writer.lists.get(node.output, ListUse(spec.element))
    return use.element, writer.passes_items or (use.comes_out and _holds_floats(use.element))


def _holds_floats(spec: Spec | None) -> bool:
    """Return whether Python's floats may be among what a type describes."""
    if isinstance(spec, TupleSpec):
        return any(map(_holds_floats, spec.items))
    return spec is not None and not {PYTHON_FLOAT, PYTHON_COMPLEX}.isdisjoint(options_of(spec))


def _sorted(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``sorted(items)`` of numbers of one type; of an array of which only items are read, a sorted copy has the same ones."""
    items = args[0]
    if len(args) > 1:
        raise writer.refusal(f"`{node.op}` with more arguments")
    if not isinstance(items, NumberListForm):
        array = sorted_copy(writer, node, args, kwargs)
        use = writer.lists.get(node.output)
        if use is not None and use.is_read:
            return array
        return lists.joined(writer, *kept(writer, node), [lists.walked(writer, array)])
    if items.element not in (PYTHON_INT, PYTHON_FLOAT):
        raise writer.refusal(f"`{node.op}` of {items.element}")
    array = sorted_copy(writer, node, (lists.as_array(writer, items),), kwargs)
    return _of_python(writer, node, array)


def _tolist(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``x.tolist()`` of an array of one axis."""
    array = args[0]
    if not isinstance(array, ArrayForm) or len(array.shape) != 1 or array.dtype.kind not in "bif":
        raise writer.refusal(f"`{node.op}` of other things than one array of one axis")
    return _of_python(writer, node, array)


def _of_python(writer: LoweredWriter, node: Node, array: ArrayForm) -> NumberListForm:
    """The elements of an array as a list of Python's numbers."""
    element, passed = kept(writer, node)
    size, at = lists.walked(writer, array)

    def number_at(index: NumberForm) -> Form:
        return _python_number(at(index), writer)

    return lists.joined(writer, element, passed, [(size, number_at)])


def _python_number(form: Form, writer: LoweredWriter) -> NumberForm:
    """A number of NumPy's as one of Python's."""
    assert isinstance(form, NumberForm)
    dtype, spec = OF_PYTHON[form.dtype.kind]
    return NumberForm(writer.cast(form.operand, form.dtype, dtype), spec, form.bounds)


LISTS_OF_ITEMS: Final[Mapping[str, Rule]] = {"sorted": _sorted, "ndarray.tolist": _tolist}
