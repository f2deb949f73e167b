"""Values that come together, out of branches or from one iteration to the next: numbers, tuples, lists; arrays stand in ``array_carry``.

Each is some machine values: ``parts`` gives the operands for a form, ``number`` the form that the values are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.specs import (
    GenericSpec,
    ListSpec,
    LiteralSpec,
    Spec,
    UnionSpec,
    options_of,
)
from astrace.passes.analysis.int_ranges import EXACT, FULL
from astrace.passes.lowering.block import FALSE, LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    MADE_HERE,
    Form,
    NumberForm,
    NumberListForm,
    OptionalForm,
    StaticForm,
    TupleForm,
    dtype_of,
    narrowed,
    typed,
)
from astrace.passes.lowering.numbers import number
from astrace.passes.lowering.together.array_carry import MergedArray
from astrace.passes.lowering.unions import tags_of
from astrace.passes.lowering.wording import type_in_words

PLACES: Final = ("first", "second", "third")
"""The names of tags."""


class MergedNumber:
    """A number that comes out of branches or is carried by a loop: a machine number, of a union its tags, and its origin.

    Args:
        writer: writes nodes.
        spec: what is known of it.
        name: the user's name for it.
        passed: it may be an object from outside.
        keeps_constants: it may be an object of the program, which is told from others.
    """

    def __init__(
        self, writer: LoweredWriter, spec: Spec, name: str, passed: bool, keeps_constants: bool = False
    ) -> None:
        spec = narrowed(spec)
        dtype = dtype_of(spec)
        if dtype is None:
            raise writer.refusal(type_in_words(spec))
        self._writer = writer
        self._dtype = dtype
        self.spec = spec
        self.values = [Value(GenericSpec(dtype), name)]
        self._tags = len(options_of(spec)) - 1
        for place in range(self._tags):
            self.values.append(Value(GenericSpec(BOOL), f"{name or 'value'}_{PLACES[place]}"))
        self._passed = passed
        self._keeps_constants = keeps_constants
        if passed:
            self.values.append(Value(GenericSpec(INT), f"{name or 'value'}_origin"))

    def parts(self, form: Form) -> list[Operand]:
        """The operands for a form that comes together with others."""
        writer = self._writer
        if is_unset(form):
            return [Constant(typed(0, self._dtype)), *[FALSE] * self._tags, *self._origin(MADE_HERE)]
        if isinstance(form, StaticForm) and isinstance(self.spec, UnionSpec):
            literal = LiteralSpec(form.value)
            if literal in self.spec.options:
                tags = [Constant(literal == option) for option in self.spec.options[:-1]]
                return [Constant(typed(0, self._dtype)), *tags, *self._origin(MADE_HERE)]
        if not isinstance(form, NumberForm):
            raise writer.refusal("a value that is no number")
        if form.dtype == INT and self._dtype != INT and max(map(abs, form.bounds)) > EXACT:
            raise writer.refusal("an integer that a float may not hold")
        tags = tags_of(writer, form, self.spec) if self._tags else ()
        if not tags and form.spec != self.spec:
            raise writer.refusal(f"a number of type {form.spec} in place of {self.spec}")
        return [
            writer.cast(form.operand, form.dtype, self._dtype),
            *tags,
            *self._origin(self._origin_of(form)),
        ]

    def _origin_of(self, form: NumberForm) -> Operand:
        """What tells the object of a number: where floats are kept in lists, those of the program are objects, too.

        The machine number of one of NumPy's scalars is none: it is made anew, of its type.
        """
        value = form.known
        if not self._keeps_constants or form.origin is not MADE_HERE or type(value) not in (float, complex):
            return form.origin
        if isinstance(form.spec, GenericSpec):
            return MADE_HERE
        return Constant(-1 - self._writer.place_of_constant(value))

    def _origin(self, origin: Operand) -> list[Operand]:
        """The operand that tells the object from outside, where that may be one of several."""
        return [origin] if self._passed else []

    def fresh(self) -> MergedNumber:
        """The same, with values of its own for another region."""
        name = self.values[0].name
        return MergedNumber(self._writer, self.spec, name, self._passed, self._keeps_constants)

    def form(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> NumberForm:
        """The number that the values hold."""
        numbers = [form for form in forms if isinstance(form, NumberForm)]
        if bounds is None and numbers:
            bounds = min(one.bounds[0] for one in numbers), max(one.bounds[1] for one in numbers)
        tags = tuple(self.values[1 : 1 + self._tags])
        origin = self.values[-1] if self._passed else MADE_HERE
        return NumberForm(self.values[0], self.spec, bounds or FULL, tags=tags, origin=origin)


class MergedTuple:
    """A tuple that comes out of branches, is carried by a loop, or is an item of a list: the values of its items.

    Args:
        writer: writes nodes.
        items: its items.
    """

    def __init__(self, writer: LoweredWriter, items: Sequence[Merged]) -> None:
        self._writer = writer
        self.items = tuple(items)
        self.values = [value for item in self.items for value in item.values]

    def parts(self, form: Form) -> list[Operand]:
        """The operands for a form that comes together with others.

        Raises:
            Unlowered: it is no tuple of so many items.
        """
        if is_unset(form):
            return [part for item in self.items for part in item.parts(form)]
        forms = items_of(self._writer, form)
        if forms is None or len(forms) != len(self.items):
            raise self._writer.refusal("something else in the place of a tuple")
        return [part for item, own in zip(self.items, forms, strict=True) for part in item.parts(own)]

    def fresh(self) -> MergedTuple:
        """The same, with values of its own for another region."""
        return MergedTuple(self._writer, [item.fresh() for item in self.items])

    def form(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> TupleForm:
        """The tuple that the values hold."""
        return TupleForm(tuple(item.form() for item in self.items))


def items_of(writer: LoweredWriter, form: Form) -> tuple[Form, ...] | None:
    """Return the items of a tuple, which may be a constant; ``None`` for anything else."""
    if isinstance(form, TupleForm):
        return form.items
    if not isinstance(form, StaticForm) or not isinstance(form.value, tuple):
        return None
    values: tuple[Any, ...] = form.value
    return tuple(number(writer, value) or StaticForm(value) for value in values)


class MergedList:
    """A list that is one of several: a reference to it.

    Args:
        writer: writes nodes.
        first: one of them.
        name: the user's name for it.
    """

    def __init__(self, writer: LoweredWriter, first: NumberListForm, name: str) -> None:
        self._writer = writer
        self._first = first
        self._name = name
        self.values = [Value(column.spec, name) for column in first.columns]

    def parts(self, form: Form) -> list[Operand]:
        """The references to a list that comes together with others.

        Raises:
            Unlowered: it is something else, or its items are held in another way.
        """
        if is_unset(form):
            return self._unset()
        if not isinstance(form, NumberListForm) or form.layout != self._first.layout:
            raise self._writer.refusal("something else in the place of a list")
        self._writer.memory.join([self.values[0], form.columns[0]])
        return list(form.columns)

    def _unset(self) -> list[Operand]:
        """A list that nobody reads."""
        columns = [Value(value.spec, "nothing") for value in self.values]
        for column in columns:
            attrs = held_in(column)
            self._writer.nodes.append(Node("new_list", (Constant(0),), (column,), attrs))
        return list(columns)

    def fresh(self) -> MergedList:
        """The same, with values of its own for another region."""
        made = MergedList(self._writer, self.form(), self._name)
        self._writer.memory.join([self.values[0], made.values[0]])
        return made

    def form(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> NumberListForm:
        """The list that the values refer to."""
        return NumberListForm(self._first.element, tuple(self.values), self._first.passed)


def held_in(column: Value) -> dict[str, Any]:
    """Return what a list of machine numbers, or of lists of them, is made with."""
    spec, depth = column.spec, -1
    while isinstance(spec, ListSpec):
        assert spec.element is not None
        spec, depth = spec.element, depth + 1
    assert isinstance(spec, GenericSpec)
    return {"dtype": spec.dtype, "depth": depth} if depth else {"dtype": spec.dtype}


class MergedLiteral:
    """A literal that is the same whatever comes together: it needs no value.

    Args:
        writer: writes nodes.
        value: the literal.
    """

    def __init__(self, writer: LoweredWriter, value: Any) -> None:
        self._writer = writer
        self._value = value
        self.values: list[Value] = []

    def parts(self, form: Form) -> list[Operand]:
        """No operands.

        Raises:
            Unlowered: it is something else.
        """
        if not is_unset(form) and not is_literal(form, self._value):
            raise self._writer.refusal("something else in the place of a literal")
        return []

    def fresh(self) -> MergedLiteral:
        """The same, with values of its own for another region."""
        return self

    def form(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> StaticForm:
        """The literal itself."""
        return StaticForm(self._value)


class MergedOptional:
    """A literal or something else: a truth value that tells which, and the values of what may be there.

    Args:
        writer: writes nodes.
        value: the literal.
        other: what may be there.
    """

    def __init__(self, writer: LoweredWriter, value: Any, other: Merged) -> None:
        self._writer = writer
        self._value = value
        self.other = other
        self._absent = Value(GenericSpec(BOOL), "absent")
        self.values = [self._absent, *other.values]

    def parts(self, form: Form) -> list[Operand]:
        """The operands for a form that comes together with others."""
        if isinstance(form, OptionalForm) and is_literal(StaticForm(form.literal), self._value):
            return [form.absent, *self.other.parts(form.other)]
        absent = is_unset(form) or is_literal(form, self._value)
        return [Constant(absent), *self.other.parts(StaticForm(UNSET) if absent else form)]

    def fresh(self) -> MergedOptional:
        """The same, with values of its own for another region."""
        return MergedOptional(self._writer, self._value, self.other.fresh())

    def form(self, forms: Sequence[Form] = (), bounds: tuple[int, int] | None = None) -> OptionalForm:
        """The value, or the literal in its place, that the values hold."""
        return OptionalForm(self._absent, self._value, self.other.form())


Merged: TypeAlias = MergedNumber | MergedArray | MergedTuple | MergedList | MergedLiteral | MergedOptional


def is_literal(form: Form, value: Any) -> bool:
    """Return whether a form is a literal."""
    return isinstance(form, StaticForm) and LiteralSpec(form.value) == LiteralSpec(value)


def is_unset(form: Form) -> bool:
    """Return whether a form stands where nothing will be read."""
    return isinstance(form, StaticForm) and form.value is UNSET


def is_array_or_literal(merged: Merged) -> bool:
    """Return whether what comes together is an array, or a literal in the place of one.

    Args:
        merged: how it does.
    """
    return isinstance(merged, MergedOptional) and isinstance(merged.other, MergedArray)


def holds_arrays(merged: Merged) -> bool:
    """Return whether something that comes together may be, or hold, an array, beside other things.

    Args:
        merged: how it does.
    """
    if isinstance(merged, MergedOptional):
        return isinstance(merged.other, MergedArray) or holds_arrays(merged.other)
    return isinstance(merged, MergedTuple) and any(
        isinstance(item, MergedArray) or holds_arrays(item) for item in merged.items
    )
