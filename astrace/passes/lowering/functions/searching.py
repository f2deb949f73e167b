"""``np.searchsorted`` and ``np.interp``: places in sorted items, and what lies between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import GenericSpec, UnionSpec
from astrace.passes.lowering.arrays import ZERO, allocated
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, ArrayForm, Form, NumberForm, integer
from astrace.passes.lowering.functions.axes import listed
from astrace.passes.lowering.functions.numpy_calls import base_of, in_memory
from astrace.passes.lowering.rules import Kwargs, Rule, converted_to, form_of, numeric, store


def _items(writer: LoweredWriter, node: Node, given: Any) -> ArrayForm:
    """The items, an array of one axis."""
    array = listed(writer, given)
    if not isinstance(array, ArrayForm) or len(array.shape) != 1 or array.dtype.kind not in "iuf":
        raise writer.refusal(f"`{node.op}` of other things than real numbers along one axis")
    return array


def _searchsorted(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    given = dict(zip(("a", "v", "side"), args, strict=False)) | dict(kwargs)
    side = form_of(writer, given.get("side", "left"))
    known = getattr(side, "value", None)
    if len(args) > len(given) or not given.keys() <= {"a", "v", "side"} or known not in ("left", "right"):
        raise writer.refusal(f"`{node.op}` with more arguments")
    items, keys = _items(writer, node, given.get("a")), numeric(writer, listed(writer, given.get("v")))
    dtype = np.result_type(items.dtype, keys.dtype)
    if (
        dtype.kind not in "iuf"
        or keys.dtype.kind not in "iuf"
        or isinstance(getattr(keys, "spec", None), UnionSpec)
    ):
        raise writer.refusal(f"`{node.op}` of {keys.dtype} among {items.dtype}")
    base = in_memory(writer, _converted(writer, items, dtype))
    where = Constant(int(known == "right"))
    if isinstance(keys, NumberForm):
        key = writer.cast(keys.operand, keys.dtype, dtype)
        size = items.shape[0]
        place = Value(GenericSpec(INT), "place")
        writer.nodes.append(Node("place_in_items", (base, key, where), (place,), location=writer.location))
        bounds = (0, max(0, size.bounds[1]))
        return NumberForm(place, GenericSpec(INT), bounds, (size.operand, 0))
    if len(keys.shape) != 1:
        raise writer.refusal(f"`{node.op}` of keys with several axes")
    made = allocated(writer, INT, keys.shape, "places")
    inputs = base_of(made), base, in_memory(writer, _converted(writer, keys, dtype)), where
    writer.nodes.append(Node("places_in_items", inputs, (), location=writer.location))
    return made


def _converted(writer: LoweredWriter, array: ArrayForm, dtype: np.dtype[Any]) -> ArrayForm:
    found = converted_to(writer, array, dtype)
    assert isinstance(found, ArrayForm)
    return found


# -- between places ------------------------------------------------------------------------------------------


def _interp(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``np.interp`` at a number or along one axis; of no places it raises."""
    if len(args) != 3 or kwargs or not _rounds_twice():
        raise writer.refusal(f"`{node.op}` with more arguments")
    places, values = (_items(writer, node, one) for one in args[1:])
    form = numeric(writer, listed(writer, args[0]))
    if form.dtype.kind not in "iuf" or isinstance(getattr(form, "spec", None), UnionSpec):
        raise writer.refusal(f"`{node.op}` at {form.dtype}")
    size = places.shape[0]
    writer.deopt(writer.emit("ne", (size.operand, values.shape[0].operand), BOOL))
    writer.deopt(writer.emit("eq", (size.operand, Constant(0)), BOOL))
    known = [in_memory(writer, _converted(writer, one, FLOAT)) for one in (places, values)]
    if isinstance(form, NumberForm):
        at = allocated(writer, FLOAT, (integer(1),), "at")
        store(writer, at, form)
        return NumberForm(_interpolated(writer, at, known).element((ZERO,)), GenericSpec(FLOAT))
    if len(form.shape) != 1:
        raise writer.refusal(f"`{node.op}` along several axes")
    return _interpolated(writer, _converted(writer, form, FLOAT), known)


def _interpolated(writer: LoweredWriter, at: ArrayForm, known: Sequence[Value]) -> ArrayForm:
    made = allocated(writer, FLOAT, at.shape, "between")
    inputs = base_of(made), in_memory(writer, at), *known
    writer.nodes.append(Node("interpolate_items", inputs, (), location=writer.location))
    return made


@cache
def _rounds_twice() -> bool:
    """Return whether NumPy was compiled such that `np.interp` rounds a product before it adds: on some processors it need not."""
    random = np.random.default_rng(1)
    values, at = random.random((64, 2)), random.random(64)
    expected = [(two[1] - two[0]) / 1.0 * one + two[0] for two, one in zip(values, at, strict=True)]
    return all(
        np.interp(one, [0.0, 1.0], two) == found for one, two, found in zip(at, values, expected, strict=True)
    )


RULES: Final[Mapping[str, Rule]] = {"np.searchsorted": _searchsorted, "np.interp": _interp}
TAKES_KEYWORDS: Final = frozenset({"np.searchsorted"})
"""The function whose side may be given by name."""
