"""The methods of lists of numbers that have a lowered form, and ``x in items``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import BOOL as PYTHON_BOOL
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.lowering import lists
from astrace.passes.lowering.arrays import loop_nest
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import BOOL, INT, Form, NumberForm, NumberListForm, integer
from astrace.passes.lowering.integers import index_of, minus
from astrace.passes.lowering.items import parts_of
from astrace.passes.lowering.rules import Kwargs, Rule, form_of

Method: TypeAlias = Callable[[LoweredWriter, NumberListForm, Sequence[Any]], "Form | None"]
"""Writes what a method of a list does."""


def index_form(writer: LoweredWriter, value: Any) -> NumberForm:
    """An index of a list: an integer.

    Raises:
        Unlowered: it is something else.
    """
    parts = parts_of(writer, value)
    if len(parts) == 1 and isinstance(parts[0], NumberForm) and not isinstance(value, tuple):
        return parts[0]
    raise writer.refusal("an index of a list that is no integer")


def place_of(writer: LoweredWriter, items: NumberListForm, value: Any) -> Operand:
    """The first place of a number in a list of numbers of its type, or -1.

    Raises:
        Unlowered: they are of other types.
    """
    form = form_of(writer, value)
    if not isinstance(form, NumberForm) or form.spec not in (PYTHON_INT, PYTHON_FLOAT):
        raise writer.refusal("the place of something else than a number of Python's")
    if form.spec != items.element:
        raise writer.refusal(f"the place of {form.spec} in a list of {items.element}")
    if items.element == PYTHON_FLOAT:  # Python takes an object for equal to itself
        writer.deopt(writer.emit("ne", (form.operand, form.operand), BOOL))
    found = Value(GenericSpec(INT), "place")
    inputs = items.columns[0], form.operand
    writer.nodes.append(Node("place_in_list", inputs, (found,), location=writer.location))
    return found


def of_containers(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """Return the rules of ``value in items`` and ``value not in items``, beside those for anything else.

    Args:
        rules: by op.
    """

    def rule(name: str, test: str) -> Rule:
        def contains(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
            value, owner = args
            if not isinstance(owner, NumberListForm) and name in rules:
                return rules[name](writer, node, args, kwargs)
            if not isinstance(owner, NumberListForm):
                raise writer.refusal(f"`{name}` of something else than a list of numbers")
            place = place_of(writer, owner, value)
            return NumberForm(writer.emit(test, (place, Constant(0)), BOOL), PYTHON_BOOL)

        return contains

    return {"in_": rule("in_", "ge"), "not_in": rule("not_in", "lt")}


def _index(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> Form:
    """``items.index(value)``; of a number that is not there Python raises."""
    if len(args) != 1:
        raise writer.refusal("`index` of a part of a list")
    place = place_of(writer, items, *args)
    writer.deopt(writer.emit("lt", (place, Constant(0)), BOOL))
    return NumberForm(place, PYTHON_INT, (0, LARGEST_SIZE))


def _remove(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> None:
    place = place_of(writer, items, *args)
    writer.deopt(writer.emit("lt", (place, Constant(0)), BOOL))
    lists.read(writer, items, place, "take_from_list")


def _reverse(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> None:
    """The items of a copy, from the last one on."""
    copy, size = (
        lists.part(writer, items, slice(None), items.element, items.passed),
        lists.size_of(writer, items),
    )
    last = minus(writer, size, integer(1))

    def body(indices: Sequence[Operand]) -> None:
        value = lists.read(writer, copy, minus(writer, last, index_of(indices[0])).operand)
        lists.write(writer, "put_in_list", items, (indices[0],), value)

    loop_nest(writer, (size,), body)


def _pop(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> Form:
    if len(args) > 1:
        raise writer.refusal("`pop` with more arguments")
    return lists.pop(writer, items, index_form(writer, args[0]) if args else None)


def _method_append(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> None:
    lists.append(writer, items, form_of(writer, *args))


def _method_extend(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> None:
    lists.extend(writer, items, *args)


def _insert(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> None:
    index, value = args
    place = index_form(writer, index)
    size = lists.size_of(writer, items)
    inside = writer.emit("clipped", (place.operand, size.operand), INT)
    lists.write(writer, "insert_in_list", items, (inside,), form_of(writer, value))


def _clear(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> None:
    lists.cut(writer, items, integer(0))


def _copy(writer: LoweredWriter, items: NumberListForm, args: Sequence[Any]) -> Form:
    return lists.part(writer, items, slice(None), items.element, items.passed)


METHODS: Final[Mapping[str, Method]] = {
    "append": _method_append,
    "extend": _method_extend,
    "pop": _pop,
    "insert": _insert,
    "clear": _clear,
    "copy": _copy,
    "index": _index,
    "remove": _remove,
    "reverse": _reverse,
}
"""The methods of lists that have a lowered form; those that give ``None`` are called for what they do."""
