"""Stores and deletions: to objects made while tracing at once, to everything outside as nodes."""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable
from operator import delitem, setitem
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Attribute, Item
from astrace.guards.kinds import HasType, Lacks
from astrace.ir.specs import ANY, class_of
from astrace.ops.python.operators import UPDATING, keeps_target
from astrace.tracing.changes.journal import UNKNOWN
from astrace.tracing.changes.reshaping import RESHAPING, loosen_array
from astrace.tracing.context import Trace, current
from astrace.tracing.external.public_functions import is_called_by_name
from astrace.tracing.operators.data.class_attributes import class_written
from astrace.tracing.operators.data.containers import ADDING, add_all
from astrace.tracing.operators.data.reads import (
    contents_path,
    globals_root,
    no_such_name,
    read_cell,
    read_global,
)
from astrace.tracing.record import record
from astrace.tracing.scopes import FunctionScope
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import Stream
from astrace.tracing.values.list_specs import loosen
from astrace.tracing.values.objects import (
    holder_of,
    is_key,
    is_live,
    is_made,
    is_user_class,
    looked_up,
    must_be_real,
    must_be_refused,
    must_not_be_error,
    mutate,
    special_method,
)
from astrace.tracing.values.operands import (
    Lazy,
    changed_function,
    element_with,
    is_foreseen,
    spec_at,
    takes_now,
)
from astrace.tracing.values.special_lookup import key_of
from astrace.tracing.values.special_methods import class_attribute, hook, runs_python
from astrace.tracing.values.static_values import depends_on_loop

__all__ = [
    "delete_attr",
    "delete_cell",
    "delete_global",
    "delete_item",
    "inplace_attr",
    "inplace_item",
    "outside_inplace",
    "store_attr",
    "store_cell",
    "store_global",
    "store_item",
]


HOLDERS: Final = (type, types.FunctionType, types.ModuleType)
"""Classes of constants that have attributes which can be set."""

REPLACING: Final = frozenset({"__dict__", "__class__"})
"""Attributes of instances whose assignment changes all other attributes."""


# -- names -----------------------------------------------------------------------------------------------


def store_global(value: Any, scope: FunctionScope, name: str) -> Any:
    """``global name; name = value``."""
    trace = current()
    namespace = scope.namespace
    if trace.state.is_read_first(namespace, ("item", name)):
        read_global(scope, name)
    record(trace, "set_item", (trace.operators.wrap_constant(namespace), name, value))
    trace.state.write(namespace, ("item", name), value)
    return value


def delete_global(scope: FunctionScope, name: str) -> None:
    """``global name; del name``."""
    trace = current()
    namespace = scope.namespace
    _check_global(trace, scope, name)
    record(trace, "delete_item", (trace.operators.wrap_constant(namespace), name))
    trace.state.write(namespace, ("item", name), UNKNOWN)


def _check_global(trace: Trace, scope: FunctionScope, name: str) -> None:
    """A global that is deleted has to be there; a builtin of its name does not count."""
    namespace = scope.namespace
    path = Item(globals_root(namespace), name)
    known = trace.state.knows(namespace, ("item", name))
    if trace.state.in_doubt(namespace, ("item", name)) or (trace.state.opaque and not known):
        if hasattr(builtins, name):
            trace.stop("AT204", f"`{name}`, also the name of a builtin, may have been deleted before")
        trace.state.read_now(path)
    elif name in namespace and not known:
        read_global(scope, name)
    elif not known:
        trace.state.guard(Lacks(path.owner, name))
        trace.native(no_such_name, name)


def store_cell(value: Any, scope: FunctionScope, name: str) -> Any:
    """``nonlocal name; name = value``, for a variable of a function around the original one."""
    trace = current()
    cell = scope.cells[name]
    if trace.state.is_read_first(cell, ("attr", "cell_contents")):
        read_cell(scope, name)
    record(trace, "set_attr", (_as_operand(trace, cell), "cell_contents", value))
    trace.state.write(cell, ("attr", "cell_contents"), value)
    return value


def _as_operand(trace: Trace, cell: types.CellType) -> Any:
    return cell if trace.state.is_outside(cell) else trace.operators.wrap_constant(cell)


def delete_cell(scope: FunctionScope, name: str) -> None:
    """``nonlocal name; del name``."""
    trace = current()
    cell = scope.cells[name]
    if trace.state.in_doubt(cell, ("attr", "cell_contents")):
        trace.state.read_now(contents_path(trace, scope, name))
    elif not trace.state.knows(cell, ("attr", "cell_contents")):
        read_cell(scope, name)
    record(trace, "delete_attr", (_as_operand(trace, cell), "cell_contents"))
    trace.state.write(cell, ("attr", "cell_contents"), UNKNOWN)


# -- attributes ------------------------------------------------------------------------------------------


def store_attr(value: Any, owner: Any, name: str, past_method: bool = False) -> None:
    """``owner.name = value``; ``past_method`` if no ``__setattr__`` of the user's is to see it."""
    trace = current()
    owner = _holder(trace, owner, name)
    cls = class_of(owner.value.spec) if isinstance(owner, Tracer) else type(owner)
    if not past_method and special_method(trace, owner, "__setattr__") is not None:
        trace.operators.call(special_method(trace, owner, "__setattr__"), owner, name, value)
        return
    if cls is not None and is_user_class(cls) and _by_descriptor(trace, cls, owner, name, "set_attr", value):
        return
    if is_made(trace, owner):
        must_not_be_error(trace, owner)
        mutate(trace, owner)
        trace.native(object.__setattr__, owner, name, value)
        return
    op = "set_field" if past_method else "set_attr"
    if isinstance(owner, HOLDERS) or trace.state.is_outside(owner):
        if name in REPLACING:
            trace.stop("AT204", f"`{name}` of an object from outside is replaced")
        _check_special(trace, owner, name)
        class_written(trace, owner, name)
        if trace.state.is_read_first(owner, ("attr", name)):
            trace.operators.attr(owner, name)
        target = owner if trace.state.is_outside(owner) else trace.operators.wrap_constant(owner)
        record(trace, op, (target, name, value))
        trace.state.write(owner, ("attr", name), value)
        return
    if isinstance(owner, Tracer):
        if cls in (None, np.ndarray) and name in RESHAPING:
            loosen_array(trace, owner, name)
        trace.state.stale.set_on(cls, name)
        record(trace, op, (owner, name, value))
        return
    must_be_refused(trace, owner, name)
    record(trace, op, (owner, name, value))


def _check_special(trace: Trace, owner: Any, name: str) -> None:
    """Stop where the program sets special methods or bases of a class, or names that graphs look up (`np.sin`)."""
    special = name.startswith("__") and name.endswith("__") and name not in TOLD
    if special and isinstance(owner, type) and is_user_class(owner):
        trace.state.stale.replaced(f"`{name}` of the class `{owner.__name__}` is set or deleted")
    if isinstance(owner, types.ModuleType) and is_called_by_name(owner):
        trace.state.stale.replaced(f"`{name}` of the module `{owner.__name__}` is set or deleted")


TOLD: Final = frozenset(
    {"__name__", "__qualname__", "__module__", "__doc__", "__annotations__", "__type_params__"}
)
"""Attributes of classes that only describe them."""


def _holder(trace: Trace, owner: Any, name: str) -> Any:
    """Return the object of which an attribute is set or deleted, as one of the running program if need be."""
    owner = holder_of(trace, changed_function(trace, trace.state.as_object(owner)), name)
    if takes_now(owner):
        owner.must_exist(trace, "an attribute of a generator is set or deleted")
    return owner.materialize(trace) if isinstance(owner, Lazy) else owner


def _by_descriptor(trace: Trace, cls: type, owner: Any, name: str, op: str, *value: Any) -> bool:
    """Set or delete an attribute by a property or a descriptor of the user's; return whether there is one."""
    if not isinstance(hook(cls, SETTING[op]), types.FunctionType | None):
        return _left_to_python(trace, owner, op, name, *value)
    found = class_attribute(cls, name)
    if found is None:
        return False
    stored, special = found[1], CHANGING[op]
    if isinstance(stored, property) and hook(type(stored), special) is None:
        function = stored.fset if op == "set_attr" else stored.fdel
        if function is not None:
            trace.operators.guard_class(cls, name)
            trace.operators.call(function, owner, *value)
        return function is not None
    method = looked_up(trace, type(stored), special)
    if method is not None and isinstance(method[1], types.FunctionType):
        trace.operators.guard_class(cls, name)
        trace.operators.call(method[1], trace.operators.descriptor(cls, name, stored), owner, *value)
        return True
    if method is None or not runs_python(method[1]):
        if trace.state.is_outside(owner):
            _guard_plain(trace, cls, name, stored)
        return False
    return _left_to_python(trace, owner, op, name, *value)


def _guard_plain(trace: Trace, cls: type, name: str, stored: Any) -> None:
    """Check at each call that a class still holds a slot, or a value of the same type, which no property has replaced."""
    if isinstance(stored, types.MemberDescriptorType):
        trace.operators.guard_class(cls, name)
    elif class_attribute(type(stored), "__get__") is None:
        trace.state.guard(HasType(Attribute(trace.state.path(cls), name), type(stored)))


def _left_to_python(trace: Trace, owner: Any, op: str, name: str, *value: Any) -> bool:
    """Leave a change of an attribute to Python, where a callable of the user's that is no function takes part."""
    must_be_real(trace, owner)
    record(trace, op, (owner, name, *value))
    return True


CHANGING: Final = {"set_attr": "__set__", "delete_attr": "__delete__"}
SETTING: Final = {"set_attr": "__setattr__", "delete_attr": "__delattr__"}
"""The special methods that change an attribute: that of the descriptor, and that of the owner."""


def delete_attr(owner: Any, name: str, past_method: bool = False) -> None:
    """``del owner.name``; ``past_method`` if no ``__delattr__`` of the user's is to see it."""
    trace = current()
    owner = _holder(trace, owner, name)
    method = special_method(trace, owner, "__delattr__")
    if method is not None and not past_method:
        trace.operators.call(method, owner, name)
        return
    cls = class_of(owner.value.spec) if isinstance(owner, Tracer) else type(owner)
    if cls is not None and is_user_class(cls) and _by_descriptor(trace, cls, owner, name, "delete_attr"):
        return
    if is_made(trace, owner):
        must_not_be_error(trace, owner)
        mutate(trace, owner)
        trace.native(object.__delattr__, owner, name)
        return
    if not isinstance(owner, (*HOLDERS, Tracer)) and not trace.state.is_outside(owner):
        must_be_refused(trace, owner, name)
    _check_special(trace, owner, name)
    class_written(trace, owner, name)
    if method is None:
        record(trace, "delete_attr", (owner, name))
    else:
        record(trace, "call", (object.__delattr__, owner, name))
    if trace.state.is_outside(owner) or isinstance(owner, HOLDERS):
        trace.state.write(owner, ("attr", name), UNKNOWN)


def inplace_attr(operator: str, owner: Any, name: str, value: Callable[[], Any]) -> None:
    """``owner.name += value``."""
    trace = current()
    before = trace.operators.attr(owner, name)
    store_attr(trace.operators.inplace(operator, before, value()), owner, name)


# -- items -----------------------------------------------------------------------------------------------


def store_item(value: Any, owner: Any, key: Any) -> None:
    """``owner[key] = value``."""
    trace = current()
    method = special_method(trace, owner, "__setitem__")
    if method is not None:
        trace.operators.call(method, owner, key, value)
        return
    key = key_of(trace, owner, key)
    if isinstance(owner, Tracer):
        loosen(trace, owner, ANY if isinstance(key, slice) else spec_at(trace, value))
        record(trace, "set_item", (owner, key, value))
        return
    if trace.state.is_outside(owner):
        _store_outside_item(trace, owner, key, value)
        return
    if _is_foreseen_for(trace, owner, key, value):
        return
    key = _known_key(trace, owner, key)
    mutate(trace, owner)
    if isinstance(key, slice):
        value = list(trace.operators.spread(value))
    trace.native_container(setitem, owner, key, value)


def _is_foreseen_for(trace: Trace, owner: Any, key: Any, value: Any) -> bool:
    """Return whether the next attempt makes a container for real, since it is given a key that is data, with a value.

    This attempt is thrown away.  It goes on without that item, to learn what else there is to know.
    """
    birth = trace.journal.birth(owner)
    if not is_live(trace, key) or birth is None or not is_foreseen(trace, owner):
        return False
    if isinstance(key, Tracer) and depends_on_loop(trace, key, counted=True):
        return False
    trace.learn(birth.origins, element_with(trace, owner, key, value))
    return True


def _known_key(trace: Trace, owner: Any, key: Any) -> Any:
    """A key that is known while tracing; otherwise the container must exist when the program runs."""
    if not is_live(trace, key):
        return key
    if isinstance(key, Tracer) and depends_on_loop(trace, key, counted=True):
        return trace.operators.concrete(key)
    birth = trace.journal.birth(owner)
    if birth is None:
        trace.stop("AT204", f"a {type(owner).__qualname__} of unknown origin is changed")
    trace.need_object(birth)
    return None


def _store_outside_item(trace: Trace, owner: Any, key: Any, value: Any) -> None:
    if type(owner) is dict and is_key(key) and trace.state.is_read_first(owner, ("item", key)):
        trace.operators.item(owner, key)
    record(trace, "set_item", (owner, key, value))
    position = trace.operators.position(owner, key) if type(owner) is list and type(key) is int else -1
    if position >= 0:
        trace.state.write(owner, ("item", position), value)
    elif type(owner) is dict and is_key(key) and not trace.state.is_dirty(owner):
        if key not in owner:
            trace.state.forget(owner)
        trace.state.write(owner, ("item", key), value)
    else:
        trace.state.forget(owner)


def delete_item(owner: Any, key: Any) -> None:
    """``del owner[key]``."""
    trace = current()
    method = special_method(trace, owner, "__delitem__")
    if method is not None:
        trace.operators.call(method, owner, key)
        return
    key = key_of(trace, owner, key)
    if isinstance(owner, Tracer) or trace.state.is_outside(owner):
        record(trace, "delete_item", (owner, key))
        if not isinstance(owner, Tracer):
            trace.state.forget(owner)
        return
    key = _known_key(trace, owner, key)
    mutate(trace, owner)
    trace.native_container(delitem, owner, key)


def inplace_item(operator: str, owner: Any, key: Any, value: Callable[[], Any]) -> None:
    """``owner[key] += value``."""
    trace = current()
    before = trace.operators.item(owner, key)
    store_item(trace.operators.inplace(operator, before, value()), owner, key)


def outside_inplace(name: str, target: Any, value: Any) -> Any:
    """``target += value`` for a list, dict or set from outside, which is changed in place."""
    trace = current()
    method = ADDING.get(type(target), {}).get(f"__{name}__")
    if method is not None and isinstance(value, Stream):
        add_all(trace, target, method, value)
        return target
    result = record(trace, name, (target, value))
    if type(target) in UPDATING:
        trace.state.forget(target)
        return target if keeps_target(name, spec_at(trace, target), spec_at(trace, value)) else result
    return result
