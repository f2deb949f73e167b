"""Items of arrays: reads as slices and gathers, writes as scatters, views that do both.

Takes calls, gives tensors, or views where NumPy gives views.  A key is what Python gives: numbers, slices, ``None``,
``...``, and at most one array of integers or booleans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, contains_tensor, row
from astrace.bundle.exports.onnx_values import Form, OnnxArray, OnnxView, Stored, Tensor
from astrace.bundle.exports.onnx_writer import BOOL, INT64
from astrace.ir.specs import ANY

FIRST: Final = 0
LAST: Final = 2**63 - 1
BEFORE_FIRST: Final = -(2**63) + 1
WHOLE: Final = slice(None, None, None)


@dataclass(frozen=True, slots=True)
class Key:
    """A key, one part an axis, and the new axes between them.

    Args:
        parts: numbers, slices, ``None``, and tensors of several numbers.
        is_basic: NumPy gives a view for it.
    """

    parts: tuple[Form, ...]
    is_basic: bool


def key_of(call: OnnxCall, form: Form, rank: int) -> Key:
    """A key of an array of so many dimensions."""
    items = list(form) if isinstance(form, tuple) else [form]
    taken = sum(1 for one in items if one is not None and one is not Ellipsis)
    if taken > rank or sum(1 for one in items if one is Ellipsis) > 1:
        raise call.refused("has a key of more parts than the array has dimensions")
    parts: list[Form] = []
    for one in items:
        parts += [WHOLE] * (rank - taken) if one is Ellipsis else [_part(call, one)]
    parts += [WHOLE] * (rank - sum(1 for one in parts if one is not None))
    several = [one for one in items if isinstance(one, OnnxArray | OnnxView | list | np.ndarray)]
    return Key(tuple(parts), not several)


def _part(call: OnnxCall, form: Form) -> Form:
    if form is None or isinstance(form, slice):
        return form
    if isinstance(form, str):
        raise call.refused("reads a field of a structured array")
    tensor = call.as_tensor(form)
    if tensor.dtype == BOOL:
        raise call.refused("has booleans in its key, which is exported for reads by one mask")
    if tensor.dtype.kind not in "iu":
        raise call.refused(f"has a key of {tensor.dtype}")
    return call.write.cast(tensor, INT64)


def select(call: OnnxCall, tensor: Tensor, key: Key) -> Tensor:
    """The part of a tensor that a key stands for."""
    write, axis = call.write, 0
    slices: list[tuple[int, slice]] = []
    gathers: list[tuple[int, Tensor]] = []
    for part in key.parts:
        if isinstance(part, slice) and not _is_whole(part):
            slices.append((axis, part))
        elif isinstance(part, Tensor):
            gathers.append((axis, part))
        axis += part is not None
    if not key.is_basic:
        _adjacent(call, key.parts)
    made = _sliced(call, tensor, slices)
    for place, index in reversed(gathers):
        made = write.op("Gather", made, index, rank=made.rank - 1 + index.rank, axis=place)
    return write.unsqueeze(made, _new_axes(key.parts))


def _is_whole(part: Form) -> bool:
    return isinstance(part, slice) and part.start is None and part.stop is None and part.step in (None, 1)


def _adjacent(call: OnnxCall, parts: Sequence[Form]) -> None:
    """Numbers beside an array of numbers must be its neighbours: else NumPy moves the axes of the result."""
    places = [index for index, part in enumerate(parts) if isinstance(part, Tensor)]
    several = [index for index in places if parts[index].rank]
    if len(several) > 1 or places != list(range(places[0], places[0] + len(places))):
        raise call.refused("has several arrays of numbers in its key, or one apart from another number")


def _new_axes(parts: Sequence[Form]) -> list[int]:
    """The places of new axes in the result."""
    found: list[int] = []
    place = 0
    for part in parts:
        if part is None:
            found.append(place)
        place += part.rank if isinstance(part, Tensor) else 1
    return found


def _sliced(call: OnnxCall, tensor: Tensor, slices: Sequence[tuple[int, slice]]) -> Tensor:
    if not slices:
        return tensor
    starts, ends, steps = [], [], []
    for _, one in slices:
        step = 1 if one.step is None else _bound(call, one.step)
        if isinstance(step, int) and step == 0:
            raise call.refused("has a slice of step 0, which raises")
        starts.append(_end(call, step, FIRST, LAST) if one.start is None else _bound(call, one.start))
        ends.append(_end(call, step, LAST, BEFORE_FIRST) if one.stop is None else _bound(call, one.stop))
        steps.append(step)
    axes = [axis for axis, _ in slices]
    bounds = [call.write.vector(one) for one in (starts, ends, axes, steps)]
    return call.write.op("Slice", tensor, *bounds, rank=tensor.rank)


def _end(call: OnnxCall, step: Tensor | int, forwards: int, backwards: int) -> Tensor | int:
    """An end of a slice that is left out, which depends on the direction."""
    if isinstance(step, int):
        return forwards if step > 0 else backwards
    write = call.write
    is_forwards = write.compare("Greater", step, write.constant(0))
    return write.where(is_forwards, write.constant(forwards), write.constant(backwards))


def _bound(call: OnnxCall, form: Form) -> Tensor | int:
    return call.as_tensor(form, INT64) if contains_tensor(form) else int(form)


def update(call: OnnxCall, tensor: Tensor, key: Key, value: Tensor) -> Tensor:
    """A tensor with another part."""
    write, value = call.write, call.write.cast(value, tensor.dtype)
    numbers = [part for part in key.parts if isinstance(part, Tensor)]
    leading = key.is_basic and all(isinstance(part, Tensor) for part in key.parts[: len(numbers)])
    if leading and numbers and all(map(_is_whole, key.parts[len(numbers) :])):
        return _put_row(call, tensor, numbers, value)
    size = write.op("Size", tensor, dtype=INT64, rank=0)
    flat = write.op("Range", write.constant(0), size, write.constant(1), rank=1)
    places = select(call, write.op("Reshape", flat, write.shape(tensor), rank=tensor.rank, allowzero=1), key)
    if value.rank > places.rank:
        raise call.refused("stores an array of more dimensions than it is stored in")
    spread = write.op("Expand", value, write.shape(places), rank=places.rank)
    stored = write.reshape(tensor, (-1,)), write.reshape(places, (-1,)), write.reshape(spread, (-1,))
    done = write.op("ScatterElements", *stored, axis=0)
    return write.op("Reshape", done, write.shape(tensor), rank=tensor.rank, allowzero=1)


def _put_row(call: OnnxCall, tensor: Tensor, numbers: Sequence[Tensor], value: Tensor) -> Tensor:
    write, rest = call.write, tensor.rank - len(numbers)
    if value.rank > rest:
        raise call.refused("stores an array of more dimensions than it is stored in")
    index = write.reshape(write.vector(list(numbers)), (1, len(numbers)))
    if rest:
        sizes = write.op("Slice", write.shape(tensor), *map(write.vector, ([len(numbers)], [LAST])), rank=1)
        value = write.op("Expand", value, sizes, rank=rest)
    return write.op("ScatterND", tensor, index, write.unsqueeze(value, [0]), rank=tensor.rank)


# -- rules ------------------------------------------------------------------------------------------------


def _item(call: OnnxCall) -> Form:
    held, form = call["owner"], call["key"]
    if isinstance(held, tuple | list | dict):
        return _of_container(call, held, form)
    tensor = call.tensor("owner")
    if _is_mask(form):
        return _masked(call, tensor, call.as_tensor(form))
    key = key_of(call, form, tensor.rank)
    return part_of(call, held, key, call.out if call.node.output.spec != ANY else None)


def part_of(call: OnnxCall, held: Form, key: Key, out: Stored | None) -> Tensor | OnnxView:
    """The part of a tensor or an array that a key stands for: a view where NumPy gives one.

    Args:
        call: of the node.
        held: the tensor or array.
        key: the key.
        out: how the part is stored, where the graph knows.
    """
    tensor = call.as_tensor(held)

    def get(whole: Tensor) -> Tensor:
        made = select(call, whole, key)
        if out is None:
            return made
        if made.rank != len(out.shape):
            raise call.refused(f"gives an array of {made.rank} dimensions")
        return Tensor(made.name, out)

    def put(whole: Tensor, changed: Tensor) -> Tensor:
        return Tensor(update(call, whole, key, changed).name, whole.stored)

    part = get(tensor)
    if out is None and key.is_basic and not part.rank:
        raise call.refused("gives a number or an array without dimensions, which is not known")
    is_array = bool(part.rank) if out is None else out.is_array
    if not key.is_basic or not is_array or not isinstance(held, OnnxArray | OnnxView):
        return part
    return OnnxView(held, get, put, tensor, part)


def _of_container(call: OnnxCall, held: Any, key: Form) -> Form:
    if contains_tensor(key):
        raise call.refused("takes an item of a tuple, list or dict by a number that only the model knows")
    if isinstance(key, np.integer):
        key = int(key)
    try:
        return held[key]
    except (IndexError, KeyError, TypeError):
        raise call.refused("takes an item that is not there") from None


def _is_mask(form: Form) -> bool:
    return isinstance(form, OnnxArray | OnnxView) and form.read().dtype == BOOL


def _masked(call: OnnxCall, tensor: Tensor, mask: Tensor) -> Tensor:
    write = call.write
    if mask.rank == tensor.rank > 1:
        flat = write.reshape(tensor, (-1,))
        return call.result(write.op("Compress", flat, write.reshape(mask, (-1,)), rank=1, axis=0))
    if mask.rank != 1:
        raise call.refused("takes items by a mask of fewer dimensions than the array")
    return call.result(write.op("Compress", tensor, mask, rank=tensor.rank, axis=0))


def _set_item(call: OnnxCall) -> None:
    held, value = call["owner"], call.tensor("value")
    if not isinstance(held, OnnxArray | OnnxView):
        raise call.refused("changes a container")
    tensor = held.read()
    if _is_mask(call["key"]):
        mask = call.as_tensor(call["key"])
        if mask.rank != tensor.rank or value.rank:
            raise call.refused("stores several values by a mask", "use np.where")
        made = call.write.where(mask, call.write.cast(value, tensor.dtype), tensor)
    else:
        made = update(call, tensor, key_of(call, call["key"], tensor.rank), value)
    held.write(Tensor(made.name, tensor.stored))


def _take(call: OnnxCall) -> Tensor:
    write, given = call.write, call.tensor("a")
    if call["mode"] != "raise":
        raise call.refused("with a mode has no counterpart in ONNX")
    flat = write.reshape(given, (-1,)) if call["axis"] is None else given
    axis = 0 if call["axis"] is None else call.axis("axis", given.rank)
    index = call.tensor("indices", INT64)
    return call.result(write.op("Gather", flat, index, rank=flat.rank - 1 + index.rank, axis=axis))


def _flip(call: OnnxCall) -> Tensor:
    given = call.tensor("m")
    slices = [(axis, slice(None, None, -1)) for axis in call.axes("axis", given.rank)]
    return call.result(_sliced(call, given, slices))


ROWS: Final[Mapping[str, Row]] = {
    "get_item": row(_item, "owner key"),
    "set_item": row(_set_item, "owner key value"),
    "np.take": row(_take, "a indices", axis=None, out=None, mode="raise"),
    "np.flip": row(_flip, "m", axis=None),
}
