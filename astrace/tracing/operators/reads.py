"""Loads of globals, cells, attributes and items: live reads and guards for what lies outside."""

from __future__ import annotations

import builtins
import enum
import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import numpy as np

from astrace.guards import Contains, HasKeys, HasLength, HasMembers, Is, Lacks, LacksAttribute
from astrace.ir.specs import ArraySpec, GenericSpec, TupleSpec, class_of
from astrace.ir.statics import is_static
from astrace.locations import SCOPE
from astrace.ops.methods import op_name
from astrace.paths import Attribute, Item, Root
from astrace.tracing.concrete import depends_on_loop
from astrace.tracing.context import Scope, Trace, current
from astrace.tracing.journal import MISSING
from astrace.tracing.lifting import Lazy, is_traced
from astrace.tracing.objects import (
    adopt,
    class_attribute,
    guard_class_attribute,
    instance_dict,
    is_function,
    is_made,
    is_user_class,
    made,
    special_method,
)
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values import ArrayMethod, TracedMethod

__all__ = [
    "attr",
    "expand",
    "item",
    "outside_contains",
    "outside_length",
    "read_cell",
    "read_global",
    "slice_",
]

slice_ = slice

TRUSTED: Final = frozenset(
    {"numpy", "math", "cmath", "operator", "builtins", "functools", "itertools", "typing"}
)
"""Modules whose functions are taken as they are: generated code looks them up again at each call."""

# -- names -----------------------------------------------------------------------------------------------


def read_global(scope: Scope, name: str) -> Any:
    """A global, or a builtin."""
    trace = current()
    namespace = scope.namespace
    path = Item(globals_root(namespace), name)
    if name in namespace or (id(namespace), ("item", name)) in trace.journal.slots:
        return trace.state.read(namespace, ("item", name), path, lambda: namespace[name])
    trace.state.guard(Lacks(globals_root(namespace), name))
    found = vars(builtins).get(name, MISSING)
    if found is MISSING:
        return trace.native(_no_such_name, name)
    return found


def globals_root(namespace: dict[str, Any]) -> Root:
    """The path of a module's globals."""
    return Root(namespace, f"{namespace.get('__name__', '?')}_globals", silent=True)


def _no_such_name(name: str) -> None:
    raise NameError(f"name '{name}' is not defined")


def read_cell(scope: Scope, name: str) -> Any:
    """A variable of a function around the original one."""
    trace = current()
    cell = scope.cells[name]
    path = Attribute(Root(cell, name, silent=True), "cell_contents")
    if name == "__class__":
        return cell.cell_contents
    return trace.state.read(cell, ("attr", "cell_contents"), path, lambda: _cell_contents(cell, name))


def _cell_contents(cell: types.CellType, name: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        message = (
            f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        )
        raise NameError(message) from None


# -- attributes ------------------------------------------------------------------------------------------


def attr(owner: Any, name: str) -> Any:
    """``owner.name``."""
    trace = current()
    if isinstance(owner, Tracer):
        return _tracer_attribute(trace, owner, name)
    if isinstance(owner, types.ModuleType):
        return _module_attribute(trace, owner, name)
    if isinstance(owner, type):
        return _attribute_of_class(trace, owner, name)
    if isinstance(owner, types.FunctionType) and SCOPE not in owner.__globals__:
        path = Attribute(trace.state.path(owner), name)
        return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))
    if isinstance(owner, super):
        return trace.operators.super_attribute(owner, name)
    if is_user_class(type(owner)) and not isinstance(owner, functools.partial):
        return _instance_attribute(trace, owner, name)
    if trace.state.is_outside(owner) and type(owner) not in (list, dict, set):
        return _opaque_attribute(trace, owner, name)
    return trace.native(getattr, owner, name)


ARRAY_FACTS: Final[Mapping[str, Callable[[ArraySpec | GenericSpec], Any]]] = {
    "ndim": lambda spec: len(spec.shape) if isinstance(spec, ArraySpec) else 0,
    "dtype": lambda spec: spec.dtype,
    "itemsize": lambda spec: spec.dtype.itemsize,
}


def _tracer_attribute(trace: Trace, owner: Tracer, name: str) -> Any:
    spec = owner.value.spec
    if isinstance(spec, ArraySpec | GenericSpec):
        if name in ARRAY_FACTS:
            return ARRAY_FACTS[name](spec)
        if name == "shape":
            return shape(trace, owner)
        if op_name(name) is not None:
            return ArrayMethod(owner, name)
    cls = class_of(spec)
    if name == "__class__" and cls is not None:
        return cls
    if cls is not None and is_user_class(cls):
        found = class_attribute(cls, name)
        if found is not None and isinstance(
            found[1], types.FunctionType | property | staticmethod | classmethod
        ):
            return _class_member(trace, owner, cls, name, found[1])
    if cls is not None and callable(getattr(cls, name, None)):
        return TracedMethod(owner, name)
    if isinstance(spec, TupleSpec) and name in getattr(spec.cls, "_fields", ()):
        return record(trace, "get_item", (owner, spec.cls._fields.index(name)))  # type: ignore[attr-defined]
    return record(trace, "get_attr", (owner, name))


def shape(trace: Trace, array: Tracer) -> tuple[Any, ...]:
    """An array's shape: sizes that are known as numbers, the others read from the array."""
    spec = array.value.spec
    if not isinstance(spec, ArraySpec):
        return ()
    return tuple(
        size if isinstance(size, int) else record(trace, "dim", (array, axis))
        for axis, size in enumerate(spec.shape)
    )


def _module_attribute(trace: Trace, owner: types.ModuleType, name: str) -> Any:
    if owner.__name__.split(".")[0] in TRUSTED:
        found = trace.native(getattr, owner, name)
        return trace.operators.wrap_constant(found) if isinstance(found, np.ndarray) else found
    path = Attribute(trace.state.path(owner), name)
    return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))


def _attribute_of_class(trace: Trace, owner: type, name: str) -> Any:
    """An attribute of a class: functions and methods as they are, values read afresh."""
    if not is_user_class(owner):
        return trace.native(getattr, owner, name)
    found = class_attribute(owner, name)
    if found is None or isinstance(found[1], property):
        return trace.native(getattr, owner, name)
    if isinstance(found[1], types.FunctionType | staticmethod | classmethod):
        guard_class_attribute(trace, owner, name)
        return trace.native(getattr, owner, name)
    path = Attribute(trace.state.path(owner), name)
    return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))


def _instance_attribute(trace: Trace, owner: Any, name: str) -> Any:
    """Python's own order: data descriptors, the instance, the class, ``__getattr__``."""
    cls: type[Any] = type(owner)
    if cls.__getattribute__ is not object.__getattribute__:
        return _opaque_attribute(trace, owner, name)
    if name == "__class__":
        return cls
    if _is_fixed(owner, name):
        return trace.native(getattr, owner, name)
    if name == "__dict__":
        trace.stop("AT204", "`__dict__` of an instance is read")
    return _looked_up(trace, owner, cls, name)


def _is_fixed(owner: Any, name: str) -> bool:
    """Attributes that nothing can change: of an enum's member, of a named tuple."""
    if isinstance(owner, enum.Enum):
        return name in ("name", "value")
    return isinstance(owner, tuple) and name in getattr(type(owner), "_fields", ())


def _looked_up(trace: Trace, owner: Any, cls: type[Any], name: str) -> Any:
    found = class_attribute(cls, name)
    if found is not None and _is_data_descriptor(found[1]):
        return _class_member(trace, owner, cls, name, found[1])
    if _has_own(trace, owner, name):
        return _own(trace, owner, name)
    if found is not None:
        return _class_member(trace, owner, cls, name, found[1])
    if not is_made(trace, owner):
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))
    method = special_method(trace, owner, "__getattr__")
    if method is not None:
        return trace.operators.call(method, owner, name)
    return trace.native(getattr, owner, name)


def _is_data_descriptor(stored: Any) -> bool:
    cls: type[Any] = type(stored)
    return hasattr(cls, "__get__") and (hasattr(cls, "__set__") or hasattr(cls, "__delete__"))


def _has_own(trace: Trace, owner: Any, name: str) -> bool:
    slots = trace.journal.slots
    return (id(owner), ("attr", name)) in slots or name in instance_dict(owner)


def _own(trace: Trace, owner: Any, name: str) -> Any:
    if is_made(trace, owner):
        return trace.native(getattr, owner, name)
    path = Attribute(trace.state.path(owner), name)
    return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))


def _class_member(trace: Trace, owner: Any, cls: type, name: str, stored: Any) -> Any:
    """What a class attribute means on an instance."""
    match stored:
        case _ if is_function(stored):
            _guard_method(trace, owner, cls, name, stored)
            return types.MethodType(stored, owner)
        case property():
            guard_class_attribute(trace, cls, name)
            if stored.fget is None:
                return trace.native(getattr, owner, name)
            return trace.operators.call(stored.fget, owner)
        case staticmethod():
            guard_class_attribute(trace, cls, name)
            return stored.__func__
        case classmethod():
            guard_class_attribute(trace, cls, name)
            return types.MethodType(stored.__func__, cls)
        case functools.cached_property():
            guard_class_attribute(trace, cls, name)
            value = trace.operators.call(stored.func, owner)
            trace.operators.store_attr(value, owner, name)
            return value
        case types.MemberDescriptorType():
            return _own(trace, owner, name)
        case _:
            return _other_member(trace, owner, cls, name, stored)


def _other_member(trace: Trace, owner: Any, cls: type, name: str, stored: Any) -> Any:
    getter = class_attribute(type(stored), "__get__")
    if getter is not None and isinstance(getter[1], types.FunctionType):
        guard_class_attribute(trace, cls, name)
        descriptor = trace.state.outside(stored, Item(Attribute(trace.state.path(cls), "__dict__"), name))
        return trace.operators.call(getter[1], descriptor, owner, cls)
    if getter is not None:
        return _opaque_attribute(trace, owner, name)
    if isinstance(owner, Tracer) or not is_made(trace, owner):
        return (
            _own(trace, owner, name)
            if not isinstance(owner, Tracer)
            else record(trace, "get_attr", (owner, name))
        )
    path = Attribute(trace.state.path(cls), name)
    return trace.state.read(cls, ("attr", name), path, lambda: getattr(cls, name))


def _guard_method(trace: Trace, owner: Any, cls: type, name: str, function: Any) -> None:
    """Check that looking a method up on the instance still finds this function."""
    if not isinstance(owner, Tracer) and trace.state.is_outside(owner):
        bound = Attribute(trace.state.path(owner), name)
        trace.state.guard(Is(Attribute(bound, "__func__"), function))
    else:
        guard_class_attribute(trace, cls, name)


def _opaque_attribute(trace: Trace, owner: Any, name: str) -> Any:
    """An attribute that C code or ``__getattribute__`` computes: read when the program runs."""
    if callable(getattr(type(owner), name, None)):
        return trace.native(getattr, owner, name)
    return record(trace, "get_attr", (owner, name))


# -- items -----------------------------------------------------------------------------------------------


def item(owner: Any, key: Any) -> Any:
    """``owner[key]``."""
    trace = current()
    if isinstance(owner, Lazy):
        return owner.item(trace, key)  # type: ignore[attr-defined]
    method = special_method(trace, owner, "__getitem__")
    if method is not None:
        return trace.operators.call(method, owner, key)
    if isinstance(owner, type):
        return trace.native(_subscript, owner, key)
    if isinstance(owner, Tracer):
        return record(trace, "get_item", (owner, key))
    if trace.state.is_outside(owner):
        return _outside_item(trace, owner, key)
    if is_traced(key):
        return _item_by_tracer(trace, owner, key)
    return adopt(trace, trace.native_container(_subscript, owner, key), "item")


def _subscript(owner: Any, key: Any) -> Any:
    return owner[key]


def _item_by_tracer(trace: Trace, owner: Any, key: Any) -> Any:
    """A traced key into a Python container: a container of numbers can be indexed when the program runs."""
    if isinstance(key, Tracer) and depends_on_loop(trace, key) and not all(map(_is_value, owner)):
        return item(owner, trace.operators.concrete(key))
    return record(trace, "get_item", (owner, key))


def _is_value(part: Any) -> bool:
    return isinstance(part, Tracer) or is_static(part)


def _outside_item(trace: Trace, owner: Any, key: Any) -> Any:
    """An item of a list, a dict or another container from outside."""
    if is_traced(key):
        if isinstance(key, Tracer) and depends_on_loop(trace, key) and type(owner) is list:
            return item(owner, trace.operators.concrete(key))
        return record(trace, "get_item", (owner, key))
    if type(owner) is list:
        return _list_item(trace, owner, key)
    if type(owner) is dict and is_static(key):
        path, held = Item(trace.state.path(owner), key), cast("dict[Any, Any]", owner)
        return trace.state.read(owner, ("item", key), path, lambda: held[key])
    return record(trace, "get_item", (owner, key))


def _list_item(trace: Trace, owner: list[Any], key: Any) -> Any:
    if isinstance(key, slice):
        return item(expand(owner), key)
    if type(key) is not int:
        return record(trace, "get_item", (owner, key))
    path = Item(trace.state.path(owner), key)
    if key < 0:
        length = outside_length(owner)
        key = key + length if isinstance(length, int) else key
    return trace.state.read(owner, ("item", key), path, lambda: owner[key])


def outside_length(owner: Any) -> Any:
    """The length of a list, dict or set from outside: fixed by a guard."""
    trace = current()
    if trace.state.is_dirty(owner):
        return record(trace, "len", (owner,))
    trace.state.guarded(len(owner), trace.state.path(owner), HasLength(trace.state.path(owner), len(owner)))
    return len(owner)


def expand(owner: Any) -> Any:
    """A list, dict or set from outside as one made here: each item read through its path, the keys guarded."""
    trace = current()
    path = trace.state.path(owner)
    if trace.state.is_dirty(owner):
        trace.stop("AT208", f"`{path}` is read as a whole after a call that may have changed it")
    if isinstance(owner, list):
        count = outside_length(owner)
        return made(trace, [_list_item(trace, owner, index) for index in range(count)], "expand")
    if isinstance(owner, dict):
        names = tuple(owner)
        if not all(map(is_static, names)):
            trace.stop("AT208", f"the keys of `{path}` are objects that may change")
        trace.state.guarded(names, path, HasKeys(path, names))
        return made(trace, {name: _outside_item(trace, owner, name) for name in names}, "expand")
    members = frozenset(owner)
    if not all(map(is_static, members)):
        trace.stop("AT208", f"the members of `{path}` are objects that may change")
    trace.state.guarded(members, path, HasMembers(path, members))
    return made(trace, set(owner), "expand")


def outside_contains(name: str, key: Any, container: Any) -> Any:
    """``key in container`` for a list, dict or set from outside."""
    trace = current()
    dirty = trace.state.is_dirty(container)
    if dirty or not is_static(key) or not isinstance(container, dict | set):
        return record(trace, name, (key, container))
    path = trace.state.path(container)
    if isinstance(container, set):
        found = key in expand(container)
    else:
        known = trace.journal.slots.get((id(container), ("item", key)), MISSING)
        found = known is not MISSING or key in container
        guard = Contains(path, key) if found else Lacks(path, key)
        if known is MISSING:
            trace.state.guard(guard)
    return found if name == "in_" else not found
