"""Arrays that come together: out of the branches of a ``cond``, or where a loop puts one array in the place of another.

Such an array is a reference in the lowered program, too: ``old, new = new, old`` moves no elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final

from astrace.ir.block import Block, Node, Operand, Value, region_inputs
from astrace.ir.constants import UNSET
from astrace.ir.control import ForLoop, WhileLoop, carried_places, loop_of
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import nodes
from astrace.ops.infer import arguments
from astrace.ops.python.operators import INPLACE
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering.arrays import allocated, argument, check_equal, materialised
from astrace.passes.lowering.block import LoweredWriter, same_operand
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    Form,
    NumberForm,
    StaticForm,
    integer,
)
from astrace.passes.lowering.functions.numpy_calls import check_forward, in_memory
from astrace.passes.lowering.numbers import UFUNCS


class MergedArray:
    """An array that is one of several, all of one dtype, and of one size along all axes but some.

    Args:
        writer: writes nodes.
        first: one of them.
        name: the user's name for it.
        varying: the axes along which their sizes differ; these sizes come together with the array.
        takes_views: it may be a part of an array.
    """

    def __init__(
        self,
        writer: LoweredWriter,
        first: ArrayForm,
        name: str,
        varying: Sequence[int] = (),
        takes_views: bool = False,
    ) -> None:
        self._writer = writer
        self._dtype = first.dtype
        self._name = name
        self._varying = tuple(varying)
        self._takes_views = takes_views
        base = Value(ArraySpec((None,) * len(first.shape), first.dtype), name)
        sizes = {axis: Value(GenericSpec(INT), "size") for axis in self._varying}
        self._shape = tuple(
            NumberForm(sizes[axis], PYTHON_INT, (0, LARGEST_SIZE), (sizes[axis], 0))
            if axis in sizes
            else size
            for axis, size in enumerate(first.shape)
        )
        for axis, size in enumerate(self._shape):
            writer.know_size(base, axis, size)
        self.values = [base, *sizes.values()]

    def parts(self, form: Form) -> list[Operand]:
        """Return the reference to an array that comes together with others; the program is given up for other sizes.

        Raises:
            Unlowered: it is a part of an array, or of another type.
        """
        if isinstance(form, StaticForm) and form.value is UNSET:
            form = self._unset()
        if (
            not isinstance(form, ArrayForm)
            or form.dtype != self._dtype
            or len(form.shape) != len(self._shape)
        ):
            raise self._writer.refusal("an array in the place of a value of another type")
        for axis, (own, other) in enumerate(zip(self._shape, form.shape, strict=True)):
            if axis not in self._varying:
                check_equal(self._writer, own, other)
        base = self._reference(form)
        self._writer.memory.join([self.values[0], base])
        self._keep_order(base)
        return [base, *(form.shape[axis].operand for axis in self._varying)]

    def _reference(self, form: ArrayForm) -> Value:
        """The reference to an array, or to a view, which shares its array's memory; its axes may run in any order.

        Raises:
            Unlowered: a view may run backwards: NumPy's loops take another way then, and nothing would tell.
        """
        writer = self._writer
        if not self._takes_views or form.view is None or form.is_whole or form.view.part:
            return whole(writer, form)
        check_forward(writer, form)
        made = in_memory(writer, form)
        writer.memory.join([made, form.view.base])
        writer.parts.add(made)
        writer.unordered |= {made, self.values[0]} if len(form.shape) > 1 else set[Value]()
        return made

    def _keep_order(self, base: Value) -> None:
        """Remember that the axes of all arrays that come together may be in another order, if those of one may.

        Raises:
            Unlowered: a loop has been written that takes them to run as in C.
        """
        writer = self._writer
        together = writer.memory.members(base)
        if not together & writer.unordered:
            return
        if together & writer.taken_in_order:
            raise writer.refusal("an array whose axes may be in another order in the place of one in C order")
        writer.unordered |= together

    def _unset(self) -> ArrayForm:
        """An array that nobody reads; along axes that vary it has no items."""
        shape = tuple(integer(0) if axis in self._varying else size for axis, size in enumerate(self._shape))
        return allocated(self._writer, self._dtype, shape, "nothing")

    def fresh(self) -> MergedArray:
        """Return the same, with values of its own for another region."""
        made = MergedArray(self._writer, self.form(), self._name, self._varying)
        self._writer.memory.join([self.values[0], made.values[0]])
        return made

    def form(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> ArrayForm:
        """Return the array that the first of the values refers to."""
        return argument(self._writer, self.values[0])


def varying(forms: Sequence[ArrayForm], local: AbstractSet[Operand] = frozenset()) -> tuple[int, ...]:
    """Return the axes along which arrays are not known to have one size.

    Args:
        forms: arrays with as many axes each.
        local: what is known in the regions alone that they come from.
    """
    return tuple(
        axis
        for axis, sizes in enumerate(zip(*(form.shape for form in forms), strict=False))
        if any(not same_operand(sizes[0].operand, size.operand) for size in sizes[1:])
        or sizes[0].operand in local
    )


def unknown_array(spec: ArraySpec) -> ArrayForm:
    """Return an array of which nothing but the type is known, for `MergedArray`: its sizes vary along all axes.

    Args:
        spec: its type.
    """
    shape = (integer(0),) * len(spec.shape)
    return ArrayForm(spec.dtype, shape, lambda indices: indices[0], ())


def whole(writer: LoweredWriter, array: ArrayForm) -> Value:
    """Return the memory that an array is all of; an expression is put into memory of its own.

    Raises:
        Unlowered: it is a view: other names may see what is written to it.
    """
    if array.view is None:
        array = materialised(writer, array)
    assert array.view is not None
    if not array.is_whole:
        raise writer.refusal("a view of an array in the place of an array")
    return array.view.base


# -- which arrays a loop replaces ------------------------------------------------------------------------------


def is_replaced(body: Block, carried: Value, end: Operand) -> bool:
    """Return whether an iteration may leave another array than it was given; operations in place leave the same one."""
    return source_of(body, end) is not carried


def source_of(block: Block, operand: Operand) -> Operand:
    """Return the earliest value of a block that an array is known to be.

    Args:
        block: that holds the node that gives the array.
        operand: an array.
    """
    made = {output: (node, index) for node in block.nodes for index, output in enumerate(node.outputs)}
    while isinstance(operand, Value) and operand in made:
        earlier = _before(*made[operand])
        if earlier is None:
            break
        operand = earlier
    return operand


def resized_axes(body: Block, end: Operand) -> tuple[int, ...]:
    """Return the axes along which an array that an iteration leaves may have another size than the one it was given.

    Args:
        body: of the loop.
        end: the array.
    """
    if not isinstance(end.spec, ArraySpec):
        return ()  # of several types: there is no place for all of them
    is_resized = _resized(end, _leads(body), set())
    return tuple(axis for axis, size in enumerate(end.spec.shape) if size is None) if is_resized else ()


def _resized(
    value: Operand, leads: Mapping[Value, tuple[Node | None, Sequence[Operand]]], seen: set[Value]
) -> bool:
    """Return whether an array may have another size than those that a turn begins with.

    What is computed item by item has the size of any of its operands, as the lowered program takes for granted.
    """
    if not isinstance(value, Value) or value in seen:
        return False
    seen.add(value)
    node, sources = leads.get(value, (None, ()))
    if node is not None and _resizes(node):
        return True
    found = (_resized(one, leads, seen) for one in sources)
    return bool(sources) and all(found) if node is not None and node.op in ITEM_BY_ITEM else any(found)


def _leads(body: Block) -> dict[Value, tuple[Node | None, Sequence[Operand]]]:
    """Return, for each value of a body, the node that makes it and the arrays whose sizes it may have."""
    found: dict[Value, tuple[Node | None, Sequence[Operand]]] = {}
    for node in nodes(body):
        arrays = [one for one in node.inputs if isinstance(one.spec, ArraySpec)]
        for place, output in enumerate(node.outputs):
            inner = [region.outputs[place] for region in node.regions if len(region.outputs) > place]
            found[output] = (node, inner or arrays)
        for _, inner_values, outer in region_inputs(node):
            found.update((value, (None, (one,))) for value, one in zip(inner_values, outer, strict=True))
    return found


def _resizes(node: Node) -> bool:
    """Return whether a node gives an array of another size than it is given."""
    if node.op != "get_item":
        return node.op in RESIZING
    key = arguments(node)[0][1]
    return any(map(_is_part, key if isinstance(key, tuple) else (key,)))  # type: ignore[reportUnknownArgumentType]


ITEM_BY_ITEM: Final = UFUNCS.keys() | {f"np.{ufunc.__name__}" for ufunc in UFUNCS.values()}
"""Functions of several arrays that give one of the same size."""
RESIZING: Final = frozenset({"np.concatenate", "np.append", "np.repeat"})
"""Functions that give arrays of other sizes than they are given."""


def _is_part(part: Any) -> bool:
    """Return whether a part of a key may leave items of an axis out: a slice, or a mask."""
    if isinstance(part, slice):
        return part != slice(None)
    return isinstance(part, ArraySpec) and part.dtype == BOOL


def _before(node: Node, index: int) -> Operand | None:
    """Return the input of a node that an output of it always is; ``None`` if it may be something else."""
    match node.op:
        case "cond":
            found = [
                _outside(node, region, region.outputs[index]) for region in node.regions if region.outputs
            ]
            return found[0] if found and all(one is found[0] for one in found) else None
        case _:
            loop = loop_of(node)
            if loop is not None:
                return _before_loop(loop, index)
            return node.inputs[0] if node.op in INPLACE else None


def _before_loop(loop: ForLoop | WhileLoop, index: int) -> Operand | None:
    position = index - loop.breaks
    places = list(carried_places(loop))
    if position < 0 or is_replaced(loop.body, places[position][-1], loop.body.outputs[index]):
        return None
    return loop.carried[position]


def _outside(node: Node, region: Block, operand: Operand) -> Operand | None:
    """Return the operand around a region that a value in it is."""
    found = source_of(region, operand)
    for other, inner, outer in region_inputs(node):
        if other is region and isinstance(found, Value) and found in inner:
            return outer[inner.index(found)]
    return None
