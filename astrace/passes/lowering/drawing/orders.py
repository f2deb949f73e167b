"""Arrays in an order that a random generator draws: ``permutation`` and ``shuffle``, of one axis or of the rows of an array.

NumPy goes from the last item to the second and changes each for one that is not behind it (``_shuffle_raw``).  Whether this
release of NumPy does so is found out once, by a trial.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import GenericSpec
from astrace.ops.lowered_draws import interval
from astrace.ops.numpy.draws import INTERVAL
from astrace.passes.lowering.arrays import (
    allocated,
    check_writeable,
    in_own_memory,
    loop_nest,
    materialised,
    store_all,
)
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, ArrayForm, NumberForm
from astrace.passes.lowering.functions.array_making import shape_of
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.gathers import gathered
from astrace.passes.lowering.integers import index_of
from astrace.passes.lowering.rules import Kwargs

ORDERING: Final = ("permutation", "shuffle")
LARGEST: Final = 2**32 - 1
"""As many bits are drawn at once."""
TRIAL: Final = 40


def in_another_order(
    writer: LoweredWriter, generator: Value, name: str, args: Sequence[Any], kwargs: Kwargs
) -> ArrayForm | None:
    """Return what ``permutation`` gives, or put the items of an array in another order.

    Args:
        writer: writes nodes.
        generator: draws the order.
        name: of the method.
        args: behind the generator.
        kwargs: the same by name.

    Raises:
        Unlowered: it is given something else than a number or an array with machine numbers.
    """
    if len(args) != 1 or kwargs or not is_known_order():
        raise writer.refusal(f"the method `{name}` of a random generator, as it is called")
    (given,) = args
    if not isinstance(given, ArrayForm):
        if name == "shuffle":
            raise writer.refusal("something else than an array is shuffled")
        (size,) = shape_of(writer, given)
        return _places(writer, generator, size)
    if name == "shuffle":
        _shuffle_in_place(writer, generator, given)
        return None
    if len(given.shape) > 1:
        return gathered(writer, given, (_places(writer, generator, given.shape[0]),))
    copy = materialised(writer, given)
    _shuffle(writer, generator, copy)
    return copy


def _places(writer: LoweredWriter, generator: Value, size: NumberForm) -> ArrayForm:
    """The places of as many items, in another order."""
    places = allocated(writer, INT, (size,), "order")
    loop_nest(writer, (size,), lambda indices: writer.store(base_of(places), tuple(indices), indices[0]))
    _shuffle(writer, generator, places)
    return places


def _shuffle_in_place(writer: LoweredWriter, generator: Value, array: ArrayForm) -> None:
    if len(array.shape) != 1 or array.view is None:
        raise writer.refusal("something else than an array of one axis is shuffled")
    check_writeable(writer, array.view)
    own = in_own_memory(writer, array)
    _shuffle(writer, generator, own)
    if own is not array:
        store_all(writer, array.view, array.shape, own)


def _shuffle(writer: LoweredWriter, generator: Value, array: ArrayForm) -> None:
    """Change each item from the last one to the second for one in front of it, or for itself."""
    base, size = base_of(array), array.shape[0].operand
    writer.deopt(writer.emit("gt", (size, Constant(LARGEST)), BOOL))
    last = writer.emit("sub", (size, Constant(1)), INT)
    some = writer.emit("gt", (last, Constant(0)), BOOL)
    count = index_of(writer.choose(some, last, Constant(0), INT))

    def change(indices: Sequence[Operand]) -> None:
        place = writer.emit("sub", (last, indices[0]), INT)
        other = Value(GenericSpec(INT))
        attrs = {"method": INTERVAL}
        writer.nodes.append(Node("draw", (generator, place), (other,), attrs, location=writer.location))
        item, beside = (writer.load(base, (one,), array.dtype) for one in (place, other))
        writer.store(base, (place,), beside)
        writer.store(base, (other,), item)

    loop_nest(writer, (count,), change)


@functools.cache
def is_known_order() -> bool:
    """Return whether NumPy puts items in the order in which it is done here."""
    theirs, own = (np.random.default_rng(TRIAL) for _ in range(2))
    places = np.arange(TRIAL)
    for place in range(TRIAL - 1, 0, -1):
        other = interval(own, place)
        places[[place, other]] = places[[other, place]]
    found = theirs.permutation(TRIAL)
    return bool((found == places).all()) and theirs.bit_generator.state == own.bit_generator.state
