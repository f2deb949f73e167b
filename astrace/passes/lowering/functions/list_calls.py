"""What is done with lists of numbers: making, joining, changing and reading them, and the ranges that they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.specs import COMPLEX as PYTHON_COMPLEX
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, ListSpec, LiteralSpec, Spec, TupleSpec, options_of
from astrace.passes.lowering import array_lists, lists
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import (
    BOOL,
    INT,
    ArrayForm,
    ArrayListForm,
    Form,
    ListForm,
    NumberForm,
    NumberListForm,
    RangeForm,
    StaticForm,
    TupleForm,
    integer,
)
from astrace.passes.lowering.functions.of_lists.methods import METHODS, index_form, of_containers
from astrace.passes.lowering.gathers import written_items
from astrace.passes.lowering.integers import check_small
from astrace.passes.lowering.items import checked, numbers_of
from astrace.passes.lowering.list_uses import ListUse
from astrace.passes.lowering.rules import Kwargs, Rule, form_of, scalar
from astrace.passes.lowering.together import list_arrays
from astrace.passes.lowering.together.merged_values import items_of
from astrace.passes.lowering.unions import present, there


def kept(writer: LoweredWriter, node: Node) -> tuple[Spec | None, bool]:
    """The type of the items of the list that a node gives, and whether they may be objects that there are besides.

    Such are objects from outside, and, in a list that comes out, floats that are written down in the program.

    Raises:
        Unlowered: it gives something else.
    """
    spec = node.output.spec
    if not isinstance(spec, ListSpec):
        raise writer.refusal(f"`{node.op}` that gives {spec}")
    use = _use(writer, node)
    return use.element, writer.passes_items or (use.comes_out and _holds_floats(use.element))


def _use(writer: LoweredWriter, node: Node) -> ListUse:
    spec = node.output.spec
    return writer.lists.get(node.output, ListUse(spec.element if isinstance(spec, ListSpec) else None))


def _holds_floats(spec: Spec | None) -> bool:
    """Return whether Python's floats may be among what a type describes."""
    if isinstance(spec, TupleSpec):
        return any(map(_holds_floats, spec.items))
    if isinstance(spec, ListSpec):
        return _holds_floats(spec.element)
    return spec is not None and not {PYTHON_FLOAT, PYTHON_COMPLEX}.isdisjoint(options_of(spec))


def list_of(writer: LoweredWriter, value: Any) -> NumberListForm:
    """An argument that has to be a list of numbers.

    Raises:
        Unlowered: it is something else.
    """
    if isinstance(value, NumberListForm):
        return value
    raise writer.refusal("something else than a list of numbers")


# -- making --------------------------------------------------------------------------------------------------------


def _make_list(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """A list that is written down; one of which only the items are read is no list at all."""
    forms = tuple(form_of(writer, one) for one in args)
    if node.output not in writer.lists:
        return ListForm(forms)

    use = writer.lists[node.output]
    if isinstance(use.element, ArraySpec) and use.stays:
        return array_lists.new(writer, use.element, forms)
    if len(args) > lists.MOST_ONE_BY_ONE and all(_is_same(one, args[0]) for one in args[1:]):
        return lists.made(writer, *kept(writer, node), integer(len(args)), lambda _: forms[0])
    return lists.written_out(writer, *kept(writer, node), forms)


def _is_same(one: Any, other: Any) -> bool:
    """Return whether two items that are written down are one value, or equal constants."""
    if isinstance(one, Form) or isinstance(other, Form):
        return one is other
    return LiteralSpec(one) == LiteralSpec(other)


def _range(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    forms = [_counted(writer, one) for one in args]
    if len(forms) == 1:
        forms = [integer(0), *forms]
    if len(forms) == 2:
        forms = [*forms, integer(1)]
    start, stop, step = forms
    if step.bounds[0] <= 0 <= step.bounds[1]:
        raise writer.refusal("a range whose step is not known to be of one sign")
    return RangeForm(start, stop, step)


def _counted(writer: LoweredWriter, value: Any) -> NumberForm:
    form = present(writer, scalar(writer, value))
    if form.dtype.kind not in "iu" or form.tag is not None:
        raise writer.refusal("a range over something else than integers")
    found = NumberForm(writer.cast(form.operand, form.dtype, INT), PYTHON_INT, form.bounds, form.most)
    check_small(writer, found)
    return found


def _list(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``list(items)``."""
    if isinstance(args[0], ArrayListForm):
        return array_lists.part(writer, args[0], slice(None), _use(writer, node))
    return lists.joined(writer, *kept(writer, node), [lists.walked(writer, args[0])])


def _tolist(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``x.tolist()`` of an array of one axis."""
    array = args[0]
    if not isinstance(array, ArrayForm) or len(array.shape) != 1 or array.dtype.kind not in "bif":
        raise writer.refusal(f"`{node.op}` of other things than one array of one axis")
    return list_arrays.of_python(writer, *kept(writer, node), array)


def _add(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> Form:
    parts = [lists.walked(writer, _as_list(writer, one)) for one in args]
    several = [
        lists.walked(writer, _written_out(writer, node, value)) if _is_written(value) else pair
        for value, pair in zip(args, parts, strict=True)
    ]
    return lists.joined(writer, *kept(writer, node), several)


def _is_written(value: Any) -> bool:
    """Return whether a list is written down with several items, which no loop can go through."""
    items = written_items(value) if is_list(value) else None
    return items is not None and len(items) > 1


def _written_out(writer: LoweredWriter, node: Node, value: Any) -> Form:
    items = [form_of(writer, one) for one in written_items(value) or ()]
    return lists.written_out(writer, *kept(writer, node), items)


def _as_list(writer: LoweredWriter, value: Any) -> Any:
    """An operand that has to be a list.

    Raises:
        Unlowered: it is something else.
    """
    if is_list(value):
        return value
    raise writer.refusal("a list beside something else")


def _mul(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> Form:
    left, right = args
    if not is_list(left):
        left, right = right, left
    turns = form_of(writer, right)
    if not isinstance(turns, NumberForm) or turns.spec != PYTHON_INT:
        raise writer.refusal("a list times something else than an integer")
    return lists.repeated(writer, *kept(writer, node), left, turns)


# -- changing ------------------------------------------------------------------------------------------------------


def _append(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> None:
    if isinstance(args[0], ArrayListForm):
        array_lists.append(writer, args[0], form_of(writer, args[1]))
        return
    lists.append(writer, list_of(writer, args[0]), form_of(writer, args[1]))


def _extend(writer: LoweredWriter, node: Node, args: Sequence[Any]) -> Form:
    """``items += others``."""
    items = list_of(writer, args[0])
    lists.extend(writer, items, args[1])
    return items


def _call_method(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
    owner, name, *given = args
    if isinstance(owner, ArrayListForm) and name == "insert" and not kwargs:
        array_lists.insert(writer, owner, index_form(writer, given[0]), form_of(writer, given[1]))
        return StaticForm(None)
    method = METHODS.get(name) if isinstance(name, str) else None
    if not isinstance(owner, NumberListForm) or method is None or kwargs:
        raise writer.refusal(f"the method `{name}`")
    found = method(writer, owner, given)
    return StaticForm(None) if found is None else found


# -- reading -------------------------------------------------------------------------------------------------------


def _len(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    value = args[0]
    match value:
        case NumberListForm():
            return lists.size_of(writer, value)
        case ArrayListForm():
            return array_lists.size_of(writer, value)
        case ListForm():
            return integer(len(value.items))
        case ArrayForm() if value.shape:
            return value.shape[0]
        case _:
            raise writer.refusal("the length of something else than a list or an array")


def _unpack(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """``a, b = items``: of a tuple, a list or an array; where there are more or less of them, Python raises."""
    count = kwargs.get("before")
    if not isinstance(count, int) or kwargs.get("after") is not None:
        raise writer.refusal("names for the rest of something")
    value = there(writer, args[0])
    if isinstance(value, ArrayForm) and value.numbers:
        value = TupleForm(numbers_of(value))
    given = items_of(writer, form_of(writer, value))
    if given is not None:
        if len(given) != count:
            raise writer.refusal("more or less items than names")
        return TupleForm(given)
    size, at = lists.walked(writer, value)
    if size.known is None:
        writer.deopt(writer.emit("ne", (size.operand, Constant(count)), BOOL))
    elif size.known != count:
        raise writer.refusal("more or less items than names")
    return TupleForm(tuple(at(replace(integer(index), most=(size.operand, -1))) for index in range(count)))


def is_list(value: Any) -> bool:
    """Return whether an operand is a list."""
    return isinstance(value, list | ListForm | NumberListForm)


def beside(name: str, plain: Rule) -> Rule:
    """The rule of an operator that lists have, too."""
    on_lists = {"add": _add, "mul": _mul, "iadd": _extend}[name]

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        if any(map(is_list, args)):
            return on_lists(writer, node, args)
        return plain(writer, node, args, kwargs)

    return rule


MOST_CHOSEN: Final = 16
"""Items that are written down and of which an index tells one: each is asked for."""


def _chosen(writer: LoweredWriter, owner: Any, key: Any) -> Form | None:
    """The item of a list or tuple that is written down, by an index that is not known; ``None`` for anything else."""
    items = None if isinstance(owner, ArrayForm) else written_items(getattr(owner, "value", owner))
    if not items or not isinstance(key, NumberForm) or key.known is not None or len(items) > MOST_CHOSEN:
        return None
    place = checked(writer, index_form(writer, key), integer(len(items))).operand
    tests = [writer.emit("eq", (place, Constant(index)), BOOL) for index in range(len(items) - 1)]
    return _of_several(writer, items, tests)


def _of_several(writer: LoweredWriter, given: Sequence[Any], tests: Sequence[Operand]) -> Form | None:
    """The one of several numbers or tuples whose test holds, or the last; ``None`` where they are of several types."""
    several = [one.items if isinstance(one, TupleForm) else getattr(one, "value", one) for one in given]
    tuples: list[tuple[Any, ...]] = [items for items in several if isinstance(items, tuple)]
    if len(tuples) == len(given) and len(set(map(len, tuples))) == 1:
        parts = [_of_several(writer, column, tests) for column in zip(*tuples, strict=True)]
        found = tuple(part for part in parts if part is not None)
        return TupleForm(found) if len(found) == len(parts) else None
    forms = [form_of(writer, one) for one in given]
    numbers = [form for form in forms if isinstance(form, NumberForm) and form.tag is None]
    if len(numbers) < len(forms) or len({str(one.spec) for one in numbers}) > 1:
        return None
    operand = numbers[-1].operand
    for one, test in zip(reversed(numbers[:-1]), reversed(tests), strict=True):
        operand = writer.choose(test, one.operand, operand, one.dtype)
    bounds = min(one.bounds[0] for one in numbers), max(one.bounds[1] for one in numbers)
    return NumberForm(operand, numbers[0].spec, bounds)


def _get_item(plain: Rule) -> Rule:
    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        owner, key = there(writer, args[0]), args[1]
        if isinstance(owner, ArrayListForm):
            part = key.value if isinstance(key, StaticForm) else key
            if isinstance(part, slice):
                return array_lists.part(writer, owner, part, _use(writer, node))
            return array_lists.item(writer, owner, index_form(writer, key))
        if not isinstance(owner, NumberListForm):
            chosen = _chosen(writer, owner, key)
            return plain(writer, node, (owner, key), kwargs) if chosen is None else chosen
        if isinstance(key, StaticForm):
            key = key.value
        if isinstance(key, slice):
            return lists.part(writer, owner, key, *kept(writer, node))
        return lists.item(writer, owner, index_form(writer, key))

    return rule


def _set_item(plain: Rule) -> Rule:
    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        owner, key, value = args
        if isinstance(owner, ArrayListForm):
            array_lists.store(writer, owner, index_form(writer, key), form_of(writer, value))
            return None
        if not isinstance(owner, NumberListForm):
            return plain(writer, node, args, kwargs)
        lists.store(writer, owner, index_form(writer, key), form_of(writer, value))
        return None

    return rule


def with_lists(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """Return rules for numbers and arrays, and those for lists beside them.

    Args:
        rules: by op.
    """
    return {
        **rules,
        **{name: beside(name, rules[name]) for name in ("add", "mul", "iadd")},
        "get_item": _get_item(rules["get_item"]),
        "set_item": _set_item(rules["set_item"]),
        "make_list": _make_list,
        "range": _range,
        "list": _list,
        "ndarray.tolist": _tolist,
        "append": _append,
        "call_method": _call_method,
        **of_containers(rules),
        "len": _len,
        "unpack": _unpack,
    }
