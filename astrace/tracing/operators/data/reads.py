"""Loads of globals, cells, attributes and items: live reads and guards for what lies outside."""

from __future__ import annotations

import builtins
import types
from typing import Any, Final, cast

import numpy as np

from astrace.guards.access_paths import Attribute, Derived, Item, Root, derived_keys, derived_length
from astrace.guards.kinds import Contains, Equals, HasKeys, HasLength, HasMembers, IsBuiltin, Lacks
from astrace.ir.constants import SUBSCRIPTED_TYPES, is_static
from astrace.ir.specs import is_typed
from astrace.ops.numpy.rows import subscripted
from astrace.tracing.changes.journal import MISSING
from astrace.tracing.context import Trace, current
from astrace.tracing.external.slots import leave_inherited
from astrace.tracing.operators.jax.arrays import Indexer
from astrace.tracing.record import record
from astrace.tracing.scopes import FunctionScope
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import OneShot
from astrace.tracing.values.long_sequences import is_long, item_of_long
from astrace.tracing.values.objects import adopt, is_key, is_live, is_made, made, special_method
from astrace.tracing.values.operands import Lazy, is_traced
from astrace.tracing.values.special_lookup import key_of
from astrace.tracing.values.special_methods import class_attribute, is_hook
from astrace.tracing.values.static_values import depends_on_loop
from astrace.util.replaced_builtins import is_own_builtin

__all__ = [
    "expand",
    "expand_listed",
    "item",
    "known_keys",
    "known_length",
    "outside_contains",
    "outside_length",
    "position",
    "read_cell",
    "read_global",
    "slice_",
]


def slice_(start: Any, stop: Any, step: Any) -> Any:
    """``start:stop:step`` between brackets."""
    trace = current()
    return trace.state.wholes.born(slice(start, stop, step), trace.recorder)


# -- names -----------------------------------------------------------------------------------------------


def read_global(scope: FunctionScope, name: str) -> Any:
    """A global, or a builtin."""
    trace = current()
    namespace = scope.namespace
    path = Item(globals_root(namespace), name)
    if name in namespace or trace.state.knows(namespace, ("item", name)):
        return trace.state.read(namespace, ("item", name), path, lambda: namespace[name])
    if trace.state.has_stored(vars(builtins), ("item", name)):
        return _stored_builtin(trace, path)
    found = vars(builtins).get(name, MISSING)
    if found is not MISSING and not _is_of_python(found):
        return _among_builtins(trace, path)
    if found is MISSING and trace.state.opaque:
        return trace.state.read_now(path)
    if found is MISSING:
        for names in (globals_root(namespace), Root(vars(builtins), "builtins", silent=True)):
            trace.state.guard(Lacks(names, name))
        return trace.native(no_such_name, name)
    trace.state.guard(IsBuiltin(globals_root(namespace), name, found))
    return found


def _stored_builtin(trace: Trace, path: Item) -> Any:
    """A name that the function itself puts among the builtins, or takes out of them, here or on another path."""
    if trace.state.opaque or not trace.state.knows(vars(builtins), ("item", path.key)):
        return trace.state.read_now(path)
    return _among_builtins(trace, path)


def _among_builtins(trace: Trace, path: Item) -> Any:
    """What stands among the builtins under a name that is no global: the content of a place, as a global is."""
    names, name = vars(builtins), path.key
    trace.state.guard(Lacks(path.owner, name))
    place = Item(Root(names, "builtins", silent=True), name)
    return trace.state.read(names, ("item", name), place, lambda: names[name])


def _is_of_python(found: Any) -> bool:
    """Return whether a builtin is Python's own: it is known by its identity, and can't change."""
    cls = type(found)
    return (
        is_own_builtin(found) or found is NotImplemented or found is ... or cls.__module__ == "_sitebuiltins"
    )


def globals_root(namespace: dict[str, Any]) -> Root:
    """The path of a module's globals."""
    return Root(namespace, f"{namespace.get('__name__', '?')}_globals", silent=True)


def no_such_name(name: str) -> None:
    """Python's own complaint about a global that is not there."""
    raise NameError(f"name '{name}' is not defined", name=name)


def read_cell(scope: FunctionScope, name: str) -> Any:
    """A variable of a function around the original one."""
    trace = current()
    cell = scope.cells[name]
    path = contents_path(trace, scope, name)
    written = trace.state.knows(cell, ("attr", "cell_contents"))
    if name == "__class__" and not written:
        return trace.native(_cell_contents, cell, name)
    if cell == types.CellType() and not written:
        trace.state.guard(Equals(Derived(path.owner, is_empty, "is_empty"), expected=True))
        return trace.native(_cell_contents, cell, name)
    return trace.state.read(cell, ("attr", "cell_contents"), path, lambda: _cell_contents(cell, name))


def contents_path(trace: Trace, scope: FunctionScope, name: str) -> Attribute:
    """Return the path of the value of a variable of a function around the original one."""
    return Attribute(trace.state.cell_path(scope.function, scope.cells[name], name), "cell_contents")


def is_empty(cell: types.CellType) -> bool:
    """Return whether a variable that a nested function uses has no value.

    Example:
        >>> is_empty(types.CellType()), is_empty(types.CellType(1))
        (True, False)
    """
    return cell == types.CellType()


def _cell_contents(cell: types.CellType, name: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        message = (
            f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        )
        raise NameError(message, name=name) from None


# -- items -----------------------------------------------------------------------------------------------


def _item_of_lazy(trace: Trace, owner: Lazy, key: Any) -> Any:
    if isinstance(owner, Indexer):
        return owner.item(key)
    if isinstance(owner, OneShot):
        trace.stop("AT201", "an iterator is subscripted")
    return record(trace, "get_item", (owner, key))


def item(owner: Any, key: Any) -> Any:
    """``owner[key]``."""
    trace = current()
    if isinstance(owner, Lazy):
        return _item_of_lazy(trace, owner, key)
    method = special_method(trace, owner, "__getitem__")
    if method is not None:
        return trace.operators.call(method, owner, key)
    if isinstance(owner, type):
        return _item_of_class(trace, owner, key)
    key = key_of(trace, owner, key)
    if isinstance(owner, Tracer):
        at = item_of_long(trace, owner, key)
        return record(trace, "get_item", (owner, key)) if at is None else at
    if type(owner) in SUBSCRIPTED_TYPES:
        return _index_trick(trace, owner, key)
    if trace.state.is_outside(owner):
        return _outside_item(trace, owner, key)
    if is_live(trace, key):
        return _item_by_tracer(trace, owner, key)
    found = trace.native_container(_subscript, owner, key)
    if type(owner) in (str, bytes):
        trace.state.wholes.computed(found, owner)
    return adopt(trace, found, "item")


def _item_of_class(trace: Trace, owner: type, key: Any) -> Any:
    """``cls[key]``: what its ``__class_getitem__`` gives."""
    found = class_attribute(owner, "__class_getitem__")
    if found is not None and is_hook(found[1]):
        return trace.operators.call(trace.operators.attr(owner, "__class_getitem__"), key)
    if is_traced(key):
        return record(trace, "get_item", (owner, key))
    return trace.native(_subscript, owner, key)


def _index_trick(trace: Trace, owner: Any, key: Any) -> Any:
    """``np.s_[1:n]`` gives what stands in the brackets; ``np.r_[x, 0]`` and its like are ops."""
    if type(owner) is type(np.s_):
        found = tuple(map(_as_value, key)) if type(key) is tuple else _as_value(key)
        return found if type(key) is tuple or not owner.maketuple else (found,)
    name = subscripted(owner)
    return record(trace, name, (key,)) if name else trace.native(_subscript, owner, key)


def _as_value(part: Any) -> Any:
    """A part of an index as ``slice(1, n)`` would give it."""
    bounds = (part.start, part.stop, part.step) if type(part) is slice else ()
    return current().operators.call(slice, *bounds) if bounds else part


def _subscript(owner: Any, key: Any) -> Any:
    return owner[key]


def _item_by_tracer(trace: Trace, owner: Any, key: Any) -> Any:
    """A traced key into a Python container: a container of numbers can be indexed when the program runs; what is none raises then."""
    by_turn = isinstance(key, Tracer) and depends_on_loop(trace, key) and hasattr(type(owner), "__iter__")
    if by_turn and not all(_is_value(part) or _is_row(trace, part) for part in owner):
        return item(owner, trace.operators.concrete(key))
    if type(owner) is str:
        trace.state.used_as_data(owner)
    if type(owner) is list and len(owner) > MOST_INLINE and all(map(_is_number, owner)):
        owner = record(trace, "make_list", tuple(owner))  # a node of its own, which can be moved out of loops
    return record(trace, "get_item", (owner, key))


MOST_INLINE: Final = 3
"""Lists of at most so many numbers are written where one of them is picked."""


def _is_number(part: Any) -> bool:
    return is_typed(part.value.spec) if isinstance(part, Tracer) else isinstance(part, int | float | complex)


def _is_row(trace: Trace, part: Any) -> bool:
    """Return whether an item is a list of numbers that was made here, a row of a table."""
    return type(part) is list and is_made(trace, part) and all(map(_is_number, part))


def _is_value(part: Any) -> bool:
    return isinstance(part, Tracer) or is_static(part)


def _outside_item(trace: Trace, owner: Any, key: Any) -> Any:
    """An item of a list, a dict or another container from outside."""
    if is_traced(key):
        known = type(owner) is list and not trace.state.is_dirty(owner) and not is_long(trace, owner)
        if known and isinstance(key, Tracer) and depends_on_loop(trace, key):
            return item(owner, trace.operators.concrete(key))
        return record(trace, "get_item", (owner, key))
    if type(owner) is list:
        return _list_item(trace, owner, key)
    if type(owner) is dict and is_key(key):
        path, held = Item(trace.state.path(owner), key), cast("dict[Any, Any]", owner)
        leave_inherited(trace, held, key)
        if key not in held and not trace.state.is_dirty(owner):
            trace.state.guard(Lacks(trace.state.path(owner), key))
        return trace.state.read(owner, ("item", key), path, lambda: held[key])
    return record(trace, "get_item", (owner, key))


def _list_item(trace: Trace, owner: list[Any], key: Any) -> Any:
    if isinstance(key, slice) and not trace.state.may_have_other_keys(owner):
        return item(expand(owner), key)
    if type(key) is not int:
        return record(trace, "get_item", (owner, key))
    path = Item(trace.state.path(owner), key)
    if not -len(owner) <= key < len(owner) and not trace.state.may_have_other_keys(owner):
        known_length(owner)
        return trace.native_container(_subscript, owner, key)
    if key < 0:
        key = position(owner, key)
    return trace.state.read(owner, ("item", key), path, lambda: owner[key])


def position(owner: list[Any], key: int) -> int:
    """A position of a list from outside, counted from the start where its length is known."""
    length = outside_length(owner) if key < 0 else 0
    return key + length if isinstance(length, int) else key


def outside_length(owner: Any) -> Any:
    """The length of a list, dict or set from outside: a number under a guard, unless a call may have changed it."""
    trace = current()
    if trace.state.opaque or trace.state.may_have_other_keys(owner):
        return record(trace, "len", (owner,))
    return known_length(owner)


def known_length(owner: Any) -> int:
    """The length of a container from outside as a number: fixed by a guard."""
    state = current().state
    path, length = state.path(owner), len(owner)
    return state.guarded(length, derived_length(path), HasLength(path, length))


def expand(owner: Any) -> Any:
    """A list, dict or set from outside as one made here: each item read through its path, the keys guarded."""
    trace = current()
    path = trace.state.path(owner)
    if trace.state.may_have_other_keys(owner):
        trace.stop("AT208", f"`{path}` is read as a whole after a call that may have changed it")
    if isinstance(owner, list):
        count = known_length(owner)
        return made(trace, [_list_item(trace, owner, index) for index in range(count)], "expand")
    if isinstance(owner, dict):
        names = known_keys(owner)
        return made(trace, {name: _outside_item(trace, owner, name) for name in names}, "expand")
    return made(trace, set(_members(trace, owner)), "expand")


def known_keys(owner: dict[Any, Any]) -> tuple[Any, ...]:
    """The keys of a dict from outside, in their order: fixed by a guard."""
    trace = current()
    path, names = trace.state.path(owner), tuple(owner)
    if not all(map(is_key, names)):
        trace.stop("AT208", f"the keys of `{path}` are objects that may change")
    return trace.state.constant(names, derived_keys(path), HasKeys(path, names))


def _members(trace: Trace, owner: set[Any]) -> tuple[Any, ...]:
    """The members of a set from outside in the order of its table, which a copy need not have; guarded."""
    path, members = trace.state.path(owner), tuple(owner)
    if not all(map(is_key, members)):
        trace.stop("AT208", f"the members of `{path}` are objects that may change")
    return trace.state.constant(members, derived_keys(path), HasMembers(path, members))


def expand_listed(owner: Any) -> Any:
    """Return ``owner`` as `expand` does, but only to iterate over: a set or keys as a list, in their own order."""
    trace = current()
    if isinstance(owner, set) and not trace.state.is_dirty(owner):
        return made(trace, list(_members(trace, owner)), "expand")
    if isinstance(owner, dict) and not trace.state.may_have_other_keys(owner):
        return made(trace, list(known_keys(owner)), "expand")
    return expand(owner)


def outside_contains(name: str, key: Any, container: Any) -> Any:
    """``key in container`` for a list, dict or set from outside."""
    trace = current()
    known_there = is_key(key) and isinstance(container, dict | set)
    known_there = known_there and not (type(container) is set and trace.state.may_have_other_keys(container))
    if not known_there or trace.state.in_doubt(container, ("item", key)) or trace.state.is_dirty(container):
        return record(trace, name, (key, container))
    path = trace.state.path(container)
    if isinstance(container, set):
        found = key in expand(container)
    else:
        leave_inherited(trace, container, key)
        known = trace.journal.slots.get((id(container), ("item", key)), MISSING)
        found = known is not MISSING or key in container
        guard = Contains(path, key) if found else Lacks(path, key)
        if known is MISSING:
            trace.state.guard(guard)
    return found if name == "in_" else not found
