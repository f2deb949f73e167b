"""Lists that grow: for each part of an item a variable as long as the list may get, and the list's length.

Of a list that Python fills at compile time, the variables are tuples of items, which may have any shape.  In programs of
device arrays a ``scan`` stacks the items that a loop appends: a list has those that it had before, and one for each
iteration.  It holds the same items wherever it is used, so it may not be kept in another container, come out of a
branch, or be carried.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from astrace.ir.block import Constant, Node, Value
from astrace.ir.control import ForLoop
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, DeviceSpec, GenericSpec, ListSpec, ScalarSpec, Spec, join
from astrace.passes.analysis.changed_lists import appended_once
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import (
    Array,
    ArrayRoot,
    Device,
    Extent,
    Form,
    Items,
    Number,
    Rows,
    Stack,
    roots_of,
)
from astrace.passes.functional.indexing.dynamic_slices import get_item, set_item
from astrace.passes.functional.indexing.items import item_at
from astrace.passes.functional.indexing.padded_lengths import extended
from astrace.passes.functional.layout.flatten import flatten, layout, unflatten
from astrace.passes.functional.program import DEVICE, MISSING, Atom, Lit, is_host, variable
from astrace.passes.functional.refusal import FILLED
from astrace.passes.functional.state import Growth, Lowering
from astrace.passes.functional.symbolic_sizes import integer, size

# -- making and reading --------------------------------------------------------------------------------------


def new_list(state: Lowering, spec: Spec, items: Sequence[Form], *, filled: bool = False) -> Stack:
    """Make a list that will change.

    Args:
        state: the lowering.
        spec: the spec of the list.
        items: its items.
        filled: Python fills it at compile time.

    Raises:
        Refused: its items have no form.
    """
    element = spec.element if isinstance(spec, ListSpec) else None
    if element is None:
        raise state.refusal("AT301", "a list of items of unknown type")
    places = [(dtype, rank + 1) for dtype, rank in layout(element)]
    stack = Stack(ArrayRoot(), tuple(ArrayRoot() for _ in places), element)
    state.growth[stack.length] = Growth(state.scope, stack.columns, Lit(0), filled=filled)
    state.versions[stack.length] = Lit(0)
    for root, place in zip(stack.columns, places, strict=True):
        state.versions[root] = Lit(()) if filled else _empty(state, place)
    if filled:
        state.known.update((stack.length, *stack.columns))
    else:
        state.places |= {stack.length: (INT, 0), **dict(zip(stack.columns, places, strict=True))}
    for item in items:
        append(state, stack, item)
    return stack


def of_items(state: Lowering, items: Sequence[Form]) -> Stack:
    """Make a list of items of one type, from which any one can be read."""
    specs = [one.spec for one in items if isinstance(one, Number)]
    if not specs or len(specs) < len(items):
        raise state.refusal("AT304", "an item of a tuple or list of values other than numbers")
    return new_list(state, ListSpec(functools.reduce(join, specs)), items)


def _empty(state: Lowering, place: Any) -> Atom:
    dtype, rank = place
    return Lit(MISSING) if rank > 1 else state.expr("xp.zeros", (Lit(0), Lit(dtype)), dtype, 1)


def whole_column(state: Lowering, root: ArrayRoot) -> Array:
    """Return a variable of a list as an array."""
    dtype, rank = state.places[root]
    atom = state.versions[root]
    return Array(root, (), ArraySpec((None,) * rank, dtype), atom, atom)


def length_of(state: Lowering, stack: Stack) -> Number:
    """Return the number of items of a list."""
    atom = state.versions[stack.length]
    limit = atom.value if isinstance(atom, Constant) else None
    bounds = (0, LARGEST_SIZE) if limit is None else (limit, limit)
    return Number(atom, PYTHON_INT, bounds, frozenset() if is_host(atom) else None)


def columns_of(state: Lowering, stack: Stack) -> list[Array]:
    """Return the parts of all items, an array for each."""
    return [_column(state, stack, root) for root in stack.columns]


def _column(state: Lowering, stack: Stack, root: ArrayRoot) -> Array:
    if state.growth[stack.length].filled:
        raise state.refusal("AT304", FILLED)
    dtype, rank = state.places[root]
    atom, length = state.padded(whole_column(state, root)), state.versions[stack.length]
    if isinstance(atom, Constant):
        raise state.refusal("AT304", "an item of a list that has none")
    if not is_host(length):
        array = state.array(atom, ArraySpec((None,) * rank, dtype))
        return extended(array, (Extent(length, None), *(None,) * (rank - 1)))
    if length != state.growth[stack.length].capacity:
        atom = state.expr("item", (atom, (slice(None, length),)), dtype, rank)
    dim = length.value if isinstance(length, Constant) else None
    return state.array(atom, ArraySpec((dim, *(None,) * (rank - 1)), dtype))


def _as_array(form: Form) -> Array:
    assert isinstance(form, Array)
    return form


def _item_spec(column: Array) -> Spec:
    rest = column.spec.shape[1:]
    return ArraySpec(rest, column.dtype) if rest else GenericSpec(column.dtype)


def of_columns(state: Lowering, stack: Stack, parts: Sequence[Form]) -> Form:
    """Return an item made of its parts."""
    held = frozenset(state.growth[stack.length].held)
    atoms = (part.atom if isinstance(part, Number) else state.read(_as_array(part)) for part in parts)
    return unflatten(state, stack.element, _variables(state, stack, atoms), frozenset(stack.columns) | held)


def _variables(state: Lowering, stack: Stack, atoms: Iterator[Atom]) -> Iterator[Value]:
    for atom, (dtype, rank) in zip(atoms, layout(stack.element), strict=True):
        yield (atom if isinstance(atom, Value) else state.expr("xp.asarray", (atom, Lit(dtype)), dtype, rank))


def item_of(state: Lowering, stack: Stack, key: Any) -> Form:
    """Write ``items[i]`` or ``items[a:b]``."""
    columns = columns_of(state, stack)
    if isinstance(key, slice):
        return _slice(state, stack, columns, key)
    if not columns:
        raise state.refusal("AT304", "an item of a list of constants")
    parts = [get_item(state, column, key, _item_spec(column)) for column in columns]
    return of_columns(state, stack, parts)


def item_inside(state: Lowering, stack: Stack, index: Number) -> Form:
    """Write an item at an index that is inside."""
    if state.growth[stack.length].filled:
        raise state.refusal("AT304", FILLED)
    columns = [whole_column(state, root) for root in stack.columns]
    if any(isinstance(column.atom, Constant) for column in columns):
        raise state.refusal("AT304", "an item of a list that has none")
    return of_columns(state, stack, [item_at(state, column, index) for column in columns])


def _slice(state: Lowering, stack: Stack, columns: Sequence[Array], key: slice) -> Stack:
    """Return a part of a list, which is another list."""
    parts = [_as_array(get_item(state, one, key, one.spec)) for one in columns]
    if not parts:
        raise state.refusal("AT304", "a part of a list of constants")
    found = Stack(ArrayRoot(), tuple(ArrayRoot() for _ in parts), stack.element)
    length = size(state, parts[0], 0).atom
    growth = state.growth[stack.length]
    growth.shared |= bool(growth.held)
    state.growth[found.length] = Growth(state.scope, found.columns, length, set(growth.held), growth.shared)
    state.places[found.length] = (INT, 0)
    state.versions[found.length] = length
    for root, part in zip(found.columns, parts, strict=True):
        state.places[root] = (part.dtype, part.rank)
        state.versions[root] = state.padded(part)
    return found


def store_item(state: Lowering, stack: Stack, key: Any, value: Form) -> None:
    """Write ``items[i] = value``."""
    if not isinstance(key, Number) or any(roots_of(value)):
        raise state.refusal("AT304", "a part of a list is set")
    atoms = flatten(state, value, stack.element)
    length = state.versions[stack.length]
    for root, atom in zip(stack.columns, atoms, strict=True):
        column = whole_column(state, root)
        extents = () if is_host(length) else (Extent(length, None),)
        if is_host(length) and length != state.growth[stack.length].capacity:
            raise state.refusal("AT304", "an item of a list with spare capacity is set")
        number = Number(atom, GenericSpec(column.dtype))
        set_item(state, replace(column, extents=extents), key, number)


# -- appending -------------------------------------------------------------------------------------------------


def append(state: Lowering, stack: Stack, item: Form) -> None:
    """Write ``items.append(item)``."""
    growth = state.growth[stack.length]
    if growth.home is state.scope and not growth.filled:
        enlarge(state, stack, Lit(1))
    hold(state, growth, item)
    length = state.versions[stack.length]
    for root, atom in zip(stack.columns, flatten(state, item, stack.element), strict=True):
        state.versions[root] = _with_item(state, growth, root, atom, length)
    state.versions[stack.length] = integer(state, "add", length, Lit(1))


def _with_item(state: Lowering, growth: Growth, root: ArrayRoot, atom: Atom, length: Atom) -> Atom:
    """Write a variable of a list with one more item."""
    column = state.versions[root]
    if growth.filled:
        return state.expr("with_item", (column, atom), None)
    dtype, rank = state.places[root]
    if isinstance(column, Constant) or rank > 1:
        return state.expr("support.appended", (column, atom, length, growth.capacity), dtype, rank)
    return state.expr("update", (column, atom, (length,)), dtype, rank)


def hold(state: Lowering, growth: Growth, item: Form) -> None:
    """Note the arrays that a list keeps, and refuse those that are written: that would have to show in the list."""
    for root in roots_of(item):
        old = root in state.inherited or root.argument is not None or bool(root.may_be)
        if old and any(root.may_share(other) for other in state.written):
            raise state.refusal("AT302", "an array that a list keeps is written in each iteration")
        growth.shared |= old or root in growth.held
        growth.held.add(root)


def enlarge(state: Lowering, stack: Stack, count: Atom) -> None:
    """Make room for more items."""
    growth = state.growth[stack.length]
    growth.capacity = integer(state, "add", growth.capacity, count)
    for root in stack.columns:
        dtype, rank = state.places[root]
        column = state.versions[root]
        if not isinstance(column, Constant):
            args = (column, growth.capacity)
            state.versions[root] = state.expr("support.enlarged", args, dtype, rank)


# -- as an array ---------------------------------------------------------------------------------------------------


def as_array(state: Lowering, stack: Stack) -> Array:
    """Return a list of numbers, or of arrays of one shape, as one array.

    Raises:
        Refused: it holds other values.
    """
    if len(stack.columns) != 1 or not isinstance(stack.element, ArraySpec | GenericSpec | ScalarSpec):
        raise state.refusal("AT304", "a list of tuples as an array")
    (column,) = columns_of(state, stack)
    length = state.versions[stack.length]
    if length == Lit(0):
        raise state.refusal("AT304", "an empty list as an array")
    if not isinstance(length, Constant):
        state.check(state.arithmetic("gt", (length, Lit(0)), BOOL))
    return column


# -- lists that a ``scan`` stacks --------------------------------------------------------------------------


def appended(state: Lowering, node: Node) -> bool:
    """Write ``items.append(item)`` if that is possible; return whether it is."""
    owner, item = node.inputs[0], node.inputs[-1]
    if not isinstance(owner, Value) or owner not in state.lists or "pattern" in node.attrs:
        return False
    if owner in state.grown:
        state.grown[owner].append(_row(state, state.form(item)))
        return True
    held = state.env.get(owner)
    if not isinstance(held, Items) or held.cls is not list or owner not in state.made:
        return False
    state.env[owner] = Items((*held.items, state.form(item)), list)
    return True


def _row(state: Lowering, form: Form) -> Device:
    """Return the row that an iteration appends, which has to be an array."""
    if not isinstance(form, Device) or not isinstance(form.spec, DeviceSpec):
        raise state.refusal("AT301", "a loop appends a value that is not an array")
    return form


def lists_of(state: Lowering, loop: ForLoop) -> dict[Value, Value]:
    """Return the lists that a loop appends to, once in each iteration, by their names in its body."""
    names = appended_once(loop).items()
    return {
        inner: outer
        for inner, outer in names
        if isinstance(state.env.get(outer), Items) and inner in state.lists
    }


def stacked(
    state: Lowering, lists: dict[Value, Value], rows: Sequence[Device], outs: Sequence[Value]
) -> None:
    """Bind the lists, behind the loop, to the rows that it has stacked."""
    for (_, outer), row, out in zip(lists.items(), rows, outs, strict=True):
        before = state.env[outer]
        assert isinstance(before, Items)
        state.env[outer] = Rows(out, row.spec, before.items)


def stack_vars(rows: Sequence[Device]) -> list[Value]:
    """Return variables for the rows that a loop stacks."""
    return [variable(DEVICE, row.spec.ndim + 1) for row in rows if isinstance(row.spec, DeviceSpec)]


def whole_stack(form: Form) -> Atom | None:
    """Return the array whose rows are all the items of a list; ``None`` if there is none."""
    return form.atom if isinstance(form, Rows) and not form.before else None
