"""The axes of an array along which a call reduces it, and the shape of what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from astrace.ir.block import Node, Operand
from astrace.passes.lowering.arrays import materialised
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import ArrayForm, Form, NumberForm, TupleForm, integer
from astrace.passes.lowering.functions.array_making import list_as_tuple
from astrace.passes.lowering.gathers import array_of, written_items
from astrace.passes.lowering.rules import Kwargs, form_of, numeric


class Axes:
    """The axes of an array along which it is reduced.

    Args:
        writer: writes nodes.
        node: the call.
        args: its arguments.
        kwargs: those that are named.
    """

    def __init__(self, writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> None:
        array = listed(writer, args[0]) if args else None
        if not isinstance(array, ArrayForm) or len(args) > 2 or kwargs.keys() - {"axis", "keepdims"}:
            raise writer.refusal(f"`{node.op}` of something else than an array, or with more arguments")
        self.array = array
        self.keeps = _known(writer, kwargs.get("keepdims", False))
        given = args[1] if len(args) > 1 else kwargs.get("axis")
        rank = len(array.shape)
        items = given.items if isinstance(given, TupleForm) else list_as_tuple(given)
        if items is None or _is_none(items):
            places = list(range(rank))
        else:
            several = items if isinstance(items, tuple) else (items,)
            places = [_known(writer, one) for one in several]
        if (
            any(type(one) is not int or not -rank <= one < rank for one in places)
            or type(self.keeps) is not bool
        ):
            raise writer.refusal(f"`{node.op}` along axes that are not known")
        self.names_several = isinstance(items, tuple)
        self.reduced = tuple(sorted(one % rank for one in places))
        self.kept = tuple(axis for axis in range(rank) if axis not in self.reduced)
        if len(set(self.reduced)) != len(places) or not places:
            raise writer.refusal(f"`{node.op}` along one axis twice, or along none")

    @property
    def is_whole(self) -> bool:
        """True if nothing is left but a number."""
        return not self.kept

    def sizes(self, axes: Sequence[int]) -> list[NumberForm]:
        """Return the sizes of some axes."""
        return [self.array.shape[axis] for axis in axes]

    def placed(self, kept: Sequence[Operand], reduced: Sequence[Operand]) -> list[Operand]:
        """Return indices in the order of the array's axes."""
        found = {**dict(zip(self.kept, kept, strict=True)), **dict(zip(self.reduced, reduced, strict=True))}
        return [found[axis] for axis in range(len(self.array.shape))]

    def with_array(self, array: ArrayForm) -> Axes:
        """The same axes of another array of the same shape."""
        made = object.__new__(Axes)
        made.array, made.keeps, made.reduced, made.kept = array, self.keeps, self.reduced, self.kept
        made.names_several = self.names_several
        return made

    def turned(self, array: ArrayForm) -> Axes:
        """The axes of an array of two with these in the other order."""
        made = self.with_array(array)
        made.reduced, made.kept = (
            tuple(sorted(1 - axis for axis in places)) for places in (self.reduced, self.kept)
        )
        return made

    def result(self, writer: LoweredWriter, found: ArrayForm | NumberForm, keeps: bool | None = None) -> Form:
        """A result with the axes that it keeps."""
        if not (self.keeps if keeps is None else keeps):
            return found
        shape = tuple(size if axis in self.kept else integer(1) for axis, size in enumerate(self.array.shape))
        dtype = found.dtype

        def element(indices: Sequence[Operand]) -> Operand:
            own = [indices[axis] for axis in self.kept]
            return found.operand if isinstance(found, NumberForm) else found.element(own)

        return materialised(
            writer, ArrayForm(dtype, shape, element, found.reads if isinstance(found, ArrayForm) else ())
        )


def listed(writer: LoweredWriter, given: Any) -> Any:
    """Return the array that NumPy makes of a list or tuple of numbers of one dtype; anything else as it is."""
    items = written_items(given)
    numbers = [numeric(writer, one) for one in items] if items else []
    dtypes = {one.dtype for one in numbers}
    if len(dtypes) != 1 or not all(isinstance(one, NumberForm) for one in numbers):
        return given
    return array_of(writer, numbers, dtypes.pop())


def _known(writer: LoweredWriter, value: Any) -> Any:
    form = form_of(writer, value)
    return form.known if isinstance(form, NumberForm) else None


def _is_none(value: Any) -> bool:
    return getattr(value, "value", value) is None
