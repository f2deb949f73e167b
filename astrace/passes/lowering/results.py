"""The outputs of a lowered block, and the way from them to the objects that Python sees: numbers, arrays, tuples, lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ANY, ArraySpec, GenericSpec, ListSpec, LiteralSpec, Spec, TupleSpec, options_of
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    MADE_HERE,
    ArrayForm,
    Form,
    NumberForm,
    NumberListForm,
    OptionalForm,
    StaticForm,
    TupleForm,
    dtype_of,
    narrowed,
)
from astrace.passes.lowering.together.array_carry import whole
from astrace.passes.lowering.together.list_arrays import columns_of


@dataclass(frozen=True, slots=True)
class LoweredResult:
    """The way from the outputs of a lowered block to an output of the block.

    Args:
        spec: the type that Python sees.
        number: the place of the machine number.
        tag: of a union, the place of the truth value that tells the first option.
        argument: the input that comes out again, of an array that stays the one it is.
        origin: the place of the number that tells which input it is, counted from 1; 0 for a new number.
        columns: of a list, how many arrays of machine numbers hold its items; the first stands at ``number``.
        passed: of a list, items may be inputs; a part of each tells which.
        items: of a tuple, its items.
        absent: the place of the truth value that tells that there is a literal instead.
        literal: it.
    """

    spec: Spec
    number: int | None = None
    tag: int | None = None
    argument: int | None = None
    origin: int | None = None
    columns: int = 0
    passed: bool = False
    items: tuple[LoweredResult, ...] = ()
    absent: int | None = None
    literal: Any = None


class LoweredOutputs:
    """The outputs of a lowered block, as they are found.

    ``come_out`` are the arrays and lists that outputs may be.

    Args:
        writer: writes nodes.
        given: the arrays that are inputs, by their places.
    """

    def __init__(self, writer: LoweredWriter, given: Mapping[int, Form]) -> None:
        self.come_out: set[Value] = set()
        self._writer = writer
        self._given = given
        self._found: list[Operand] = []

    def values(self, results: Sequence[LoweredResult]) -> tuple[Value, ...]:
        """Return the outputs of the lowered block; one that gives anything has some.

        Args:
            results: the ways to its outputs.
        """
        if not self._found and any(result.argument is None for result in results):
            self._found.append(Constant(True))
        return tuple(map(self._value, self._found))

    def _value(self, operand: Operand) -> Value:
        """Return an output that is of a known dtype; a constant is none."""
        if isinstance(operand, Value):
            return operand
        dtype = dtype_of(operand.spec)
        assert dtype is not None
        found = Value(GenericSpec(dtype))
        self._writer.nodes.append(Node("cast", (operand,), (found,), {"dtype": dtype}))
        return found

    def add(self, form: Form, spec: Spec) -> LoweredResult:
        """Add the machine values of an output; return the way to it.

        Args:
            form: the output.
            spec: what is known of it.

        Raises:
            Unlowered: there is none.
        """
        match form:
            case ArrayForm():
                place = self._argument(form)
                number = None if place is not None else len(self._found)
                self._found += [] if place is not None else [self._made(form)]
                known = spec if isinstance(spec, ArraySpec) else _array_spec(form)
                return LoweredResult(known, number, argument=place)
            case NumberListForm():
                return self._list(form)
            case TupleForm():
                specs = spec.items if isinstance(spec, TupleSpec) else (ANY,) * len(form.items)
                pairs = zip(form.items, specs, strict=True)
                items = tuple(self.add(item, own) for item, own in pairs)
                return LoweredResult(TupleSpec(tuple(item.spec for item in items)), items=items)
            case OptionalForm():
                other = next((one for one in options_of(spec) if one != LiteralSpec(form.literal)), ANY)
                result = self.add(form.other, other)
                absent = self._place(form.absent)
                return replace(result, absent=absent, literal=form.literal)
            case StaticForm() if form.value is None:
                return LoweredResult(LiteralSpec(None))
            case NumberForm() if spec == ANY or dtype_of(narrowed(spec)) == form.dtype:
                return self._number(form)
            case _:
                raise self._writer.refusal("a result that is no number")

    def _number(self, form: NumberForm) -> LoweredResult:
        if len(form.tags) > 1:
            raise self._writer.refusal(f"a result of type {form.spec}")
        number = len(self._found)
        self._found.append(form.operand)
        tag, origin = self._place(form.tag), self._place(form.origin)
        return LoweredResult(form.spec, number, tag, origin=origin)

    def _list(self, form: NumberListForm) -> LoweredResult:
        """A list that comes out, as arrays.

        Raises:
            Unlowered: another list that comes out may be the same one.
        """
        writer = self._writer
        if is_of_many(form.element):
            raise writer.refusal(f"a list of numbers of type {form.element} comes out")
        members = writer.memory.members(form.columns[0])
        if members & self.come_out:
            raise writer.refusal("one list comes out twice")
        self.come_out |= members
        arrays = columns_of(writer, form)
        result = LoweredResult(
            ListSpec(_as_held(form.element)), len(self._found), columns=len(arrays), passed=form.passed
        )
        bases = [array.view.base for array in arrays if array.view is not None]
        self.come_out.update(bases)
        self._found += bases
        return result

    def _place(self, operand: Operand | None) -> int | None:
        """Return the place of one more output; ``None`` for none that has to be told."""
        if operand is None or operand is MADE_HERE:
            return None
        self._found.append(operand)
        return len(self._found) - 1

    def _argument(self, array: ArrayForm) -> int | None:
        """Return the input that an array is, if it is one."""
        return next((index for index, given in self._given.items() if given is array), None)

    def _made(self, array: ArrayForm) -> Value:
        """Return the reference to an array that may have been made; given up where another output is the same array.

        Raises:
            Unlowered: it comes out twice, or NumPy may lay it out in another way.
        """
        writer = self._writer
        base = whole(writer, array)
        same = writer.memory.members(base)
        if base in self._found or not array.shape:
            raise writer.refusal("one array comes out twice, or an array without axes")
        for one in self._found:
            if one in same:
                writer.deopt(writer.emit("same_memory", (base, one), BOOL))
        if same & writer.parts:
            raise writer.refusal("an array comes out that may be a view of another one")
        if same & writer.copies:
            raise writer.refusal("an array comes out that is a copy of what is a view of the user's")
        if same & writer.unordered:
            raise writer.refusal("an array comes out whose axes may be in another order")
        writer.needs_c_order |= len(array.shape) > 1 and not same <= writer.in_c_order
        self.come_out |= same
        return base


def _as_held(spec: Spec) -> Spec:
    """Return the type of an item of a list, as its machine numbers tell it."""
    if isinstance(spec, TupleSpec):
        return replace(spec, items=tuple(map(_as_held, spec.items)))
    if isinstance(spec, ListSpec) and spec.element is not None:
        return ListSpec(_as_held(spec.element))
    return narrowed(spec)


def is_of_many(spec: Spec) -> bool:
    """Return whether a number may be of more than two types, or one that a tuple holds.

    Args:
        spec: the type of an item of a list.
    """
    if isinstance(spec, TupleSpec):
        return any(map(is_of_many, spec.items))
    if isinstance(spec, ListSpec) and spec.element is not None:
        return is_of_many(spec.element)
    return len(options_of(narrowed(spec))) > 2


def _array_spec(array: ArrayForm) -> ArraySpec:
    """Return the type of an array, where what is known of the output is less: that it is one, or a number."""
    return ArraySpec((None,) * len(array.shape), array.dtype)


def kept(node: Node, come_out: AbstractSet[Value]) -> Node:
    """Return a node whose arrays are NumPy's own where they come out of the program.

    Args:
        node: any, with those of its regions.
        come_out: the arrays that do.
    """
    if node.op == "allocate":
        return replace(node, attrs={**node.attrs, "comes_out": True}) if node.output in come_out else node
    regions = tuple(
        Block(region.inputs, tuple(kept(one, come_out) for one in region.nodes), region.outputs)
        for region in node.regions
    )
    return replace(node, regions=regions) if regions else node
