"""Attributes: of arrays, modules, classes and instances, in Python's own order of lookup."""

from __future__ import annotations

import enum
import functools
import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

from astrace.guards.access_paths import Attribute, Derived, Item
from astrace.guards.kinds import Equals, Is, LacksAttribute
from astrace.ir.constants import is_static
from astrace.ir.specs import ArraySpec, DeviceSpec, GenericSpec, TupleSpec, class_of
from astrace.locations import SCOPE
from astrace.tracing.changes.reshaping import refuse_reshaping
from astrace.tracing.context import Trace, current
from astrace.tracing.external.slots import HasSlot, namespace_of
from astrace.tracing.operators.calls.tracebacks import refuse_steps
from astrace.tracing.operators.data.array_attributes import (
    array_attribute,
    is_array_attribute,
    is_method_of_arrays,
)
from astrace.tracing.operators.data.attribute_errors import found_by, found_by_property
from astrace.tracing.operators.data.builtin_attributes import builtin_attribute
from astrace.tracing.operators.data.class_attributes import (
    attribute_of_class,
    known_home,
    may_bind,
    module_attribute,
    read_class,
    settled_home,
)
from astrace.tracing.operators.data.uncertain_attributes import is_doubtful
from astrace.tracing.operators.jax import arrays
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import ArrayMethod, GivenFunction, OneShot, Stream, TracedMethod, TracedSuper
from astrace.tracing.values.objects import (
    PLAIN_LOOKUPS,
    guard_class_attribute,
    guard_lacking,
    guard_name,
    guard_unshadowed,
    holder_of,
    instance_dict,
    is_function,
    is_live,
    is_made,
    is_user_class,
    looked_up,
    looks_up_plainly,
    must_be_raised,
    special_method,
)
from astrace.tracing.values.operands import Lazy, made_function
from astrace.tracing.values.special_methods import (
    class_attribute,
    getter,
    hook,
    is_data_descriptor,
    stored_attribute,
)

__all__ = ["attr"]


def attr(owner: Any, name: str) -> Any:
    """``owner.name``."""
    trace = current()
    owner = holder_of(trace, made_function(trace, owner), name)
    if isinstance(owner, Lazy):
        return _lazy_attribute(trace, owner, name)
    if isinstance(owner, Tracer):
        return _tracer_attribute(trace, owner, name)
    refuse_steps(trace, type(owner), name)
    must_be_raised(trace, owner, name)
    if isinstance(owner, types.ModuleType) and not _is_of_subclass(owner, name):
        return module_attribute(trace, owner, name)
    if isinstance(owner, type):
        return attribute_of_class(trace, owner, name)
    if isinstance(owner, types.FunctionType) and (SCOPE not in owner.__globals__ or name in LEFT_OUT):
        return _function_attribute(trace, owner, name)
    if isinstance(owner, super | TracedSuper):
        return trace.operators.super_attribute(owner, name)
    if looks_up_plainly(type(owner)) and not isinstance(owner, functools.partial):
        return _instance_attribute(trace, owner, name)
    if trace.state.is_outside(owner) and type(owner) not in (list, dict, set):
        return _opaque_attribute(trace, owner, name)
    if type(owner) is slice and name not in ("start", "stop", "step") and is_live(trace, owner):
        return _tracer_attribute(trace, record(trace, "slice", (owner.start, owner.stop, owner.step)), name)
    return builtin_attribute(trace, owner, name)


def _function_attribute(trace: Trace, owner: types.FunctionType, name: str) -> Any:
    """An attribute of a function from outside: read through its path, or guarded to be missing."""
    if SCOPE in owner.__globals__:
        trace.stop("AT204", f"`{name}` of the local function `{owner.__name__}` is read")
    path = trace.state.path(owner)
    if not hasattr(owner, name) and is_doubtful(trace, owner, name):
        return trace.state.read_now(Attribute(path, name))
    if not hasattr(owner, name) and not _may_have(trace, owner, name):
        trace.state.guard(LacksAttribute(path, name))
        return trace.native(getattr, owner, name)
    return trace.state.read(owner, ("attr", name), Attribute(path, name), lambda: getattr(owner, name))


def _lazy_attribute(trace: Trace, owner: Lazy, name: str) -> Any:
    if isinstance(owner, arrays.Indexer):
        return arrays.Update(owner, name)
    if isinstance(owner, GivenFunction) and name not in READ_AFRESH:
        return attr(trace.state.as_object(owner), name)
    if name == "__class__" and owner.cls() is not None:
        return owner.cls()
    if isinstance(owner, OneShot) and name in STEPPED:
        return functools.partial(STEPPED[name], owner)
    if isinstance(owner, Stream):
        owner.must_exist(trace, f"`{name}` of a generator is read")
    return attr(owner.materialize(trace), name)


def _is_of_subclass(owner: types.ModuleType, name: str) -> bool:
    """Return whether a module has an attribute from a subclass of `ModuleType`, such as a property."""
    found = class_attribute(type(owner), name)
    return found is not None and is_user_class(found[0])


STEPPED: Final[Mapping[str, Callable[..., Any]]] = {"__iter__": iter, "__next__": next}
"""The methods of iterators, and the builtins that call them."""
LEFT_OUT: Final = frozenset({"__annotations__", "__globals__"})
"""Attributes of local functions that are others while tracing."""
READ_AFRESH: Final = frozenset({"__name__", "__qualname__", "__doc__", "__module__"})
"""Attributes of a function that do not affect its calls."""
MEMBERS_IN_PYTHON: Final = (types.FunctionType, property, staticmethod, classmethod)
SHADOWED: Final = (staticmethod, classmethod, functools.cached_property)
"""Members of a class that hold only as long as the instance has no attribute of that name."""


def _tracer_attribute(trace: Trace, owner: Tracer, name: str) -> Any:
    spec = owner.value.spec
    cls = class_of(spec)
    refuse_reshaping(trace, cls, name)
    refuse_steps(trace, cls, name)
    if isinstance(spec, ArraySpec | GenericSpec) and is_array_attribute(cls, name):
        return array_attribute(trace, owner, spec, name)
    if is_method_of_arrays(spec, name):
        return ArrayMethod(owner, name)
    if isinstance(spec, DeviceSpec):
        return arrays.attribute(trace, owner, name)
    if name == "__class__" and cls is not None:
        trace.state.stale.instance(owner)
        return cls
    if cls is not None and known_home(trace, cls, name) is not None:
        return record(trace, "get_attr", (owner, name))
    found = None if cls is None or hook(cls, "__getattribute__") is not None else class_attribute(cls, name)
    if found is not None and is_user_class(cls) and isinstance(found[1], MEMBERS_IN_PYTHON):  # type: ignore[arg-type]
        trace.state.stale.instance(owner, "" if is_data_descriptor(found[1]) else name)
        return _class_member(trace, owner, cls, name, found[1])  # type: ignore[arg-type]
    if found is not None and callable(found[1]) and not is_user_class(found[0]):
        return TracedMethod(owner, name)
    if isinstance(spec, TupleSpec) and name in getattr(spec.cls, "_fields", ()):
        return record(trace, "get_item", (owner, spec.cls._fields.index(name)))  # type: ignore[attr-defined]
    return record(trace, "get_attr", (owner, name))


def _instance_attribute(trace: Trace, owner: Any, name: str) -> Any:
    """Python's own order: data descriptors, the instance, the class, ``__getattr__``."""
    cls: type[Any] = type(owner)
    trace.state.stale.instance(owner)
    if not any(looked_up(trace, cls, "__getattribute__")[1] is plain for plain in PLAIN_LOOKUPS):  # type: ignore[index]
        return _opaque_attribute(trace, owner, name)
    if name == "__class__":
        return trace.native(getattr, owner, name)  # a class may say that its instances are of another one
    if _is_fixed(owner, name):
        value = trace.native(getattr, owner, name)
        outside = trace.state.is_outside(owner)
        if not outside and (isinstance(owner, tuple) or is_static(value)):
            return value
        return trace.state.read(
            owner, ("attr", name), Attribute(trace.state.path(owner), name), lambda: value
        )
    if name == "__dict__":
        return _namespace(trace, owner)
    return _looked_up(trace, owner, cls, name)


def _namespace(trace: Trace, owner: Any) -> Any:
    """The ``__dict__`` of an instance: a dict from outside, as the instance is."""
    if is_made(trace, owner):
        return _at_run_time(trace, owner, "__dict__")
    if namespace_of(owner) is owner:
        return trace.native(getattr, owner, "__dict__")
    return trace.state.enter(namespace_of(owner), Attribute(trace.state.path(owner), "__dict__"))


OF_FIELDS: Final = type(vars(inspect.FullArgSpec)["args"])
"""The class of the descriptors for fields of named tuples."""


def _is_fixed(owner: Any, name: str) -> bool:
    """Return whether an attribute can never change: of an enum's member, of a named tuple without a subclass."""
    found = class_attribute(type(owner), name)
    if isinstance(owner, enum.Enum):
        return name in ("name", "value") and found is not None and found[0] is enum.Enum
    return isinstance(owner, tuple) and found is not None and isinstance(found[1], OF_FIELDS)


def _looked_up(trace: Trace, owner: Any, cls: type[Any], name: str) -> Any:
    if (home := known_home(trace, cls, name)) is not None:
        return _of_known_class(trace, owner, home, name)
    found = class_attribute(cls, name)
    if found is not None and is_data_descriptor(found[1]):
        return _class_member(trace, owner, cls, name, found[1])
    if _has_own(trace, owner, name) or (found is None and trace.state.in_doubt(owner, ("attr", name))):
        return _own(trace, owner, name)
    if found is not None:
        return _unshadowed(trace, owner, cls, name, found[1])
    method = special_method(trace, owner, "__getattr__")
    if method is None and is_doubtful(trace, cls if is_made(trace, owner) else owner, name):
        return _at_run_time(trace, owner, name)
    if not is_made(trace, owner):
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))
    guard_lacking(trace, cls, name)
    if method is not None:
        return found_by(trace, method, owner, name, owner=owner, name=name, completes=True)
    if class_attribute(cls, "__getattr__") is not None:
        return record(trace, "get_attr", (owner, name))
    guard_name(trace, cls)
    return trace.native(getattr, owner, name)


def _unshadowed(trace: Trace, owner: Any, cls: type, name: str, stored: Any) -> Any:
    """Return the attribute that a class holds and the instance does not, as long as that is so."""
    shadowed = isinstance(stored, SHADOWED) or getter(stored) is not None
    if shadowed and trace.state.is_outside(owner):
        if trace.state.in_doubt(owner, ("attr", name)):
            return _at_run_time(trace, owner, name)
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))
    return _class_member(trace, owner, cls, name, stored)


def _of_known_class(trace: Trace, owner: Any, home: type, name: str) -> Any:
    """An attribute that a class of the instance holds, and this trace has read or written."""
    if trace.state.in_doubt(home, ("attr", name)):
        return _at_run_time(trace, owner, name)
    value = read_class(trace, home, name)
    if may_bind(value, to_write=True):
        return _at_run_time(trace, owner, name)
    if _has_own(trace, owner, name):
        return _own(trace, owner, name)
    if may_bind(value) or (not is_made(trace, owner) and trace.state.in_doubt(owner, ("attr", name))):
        return _at_run_time(trace, owner, name)
    if trace.state.is_outside(owner):
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))
    return value


def _at_run_time(trace: Trace, owner: Any, name: str) -> Any:
    """An attribute that only the running program can look up."""
    if is_made(trace, owner):
        trace.need_object(trace.journal.births[id(owner)])
    return trace.state.read_now(Attribute(trace.state.path(owner), name))


def _has_own(trace: Trace, owner: Any, name: str) -> bool:
    return trace.state.knows(owner, ("attr", name)) or name in instance_dict(owner)


def _path_of_own(trace: Trace, owner: Any, name: str) -> Attribute | Item:
    """Return the path of an instance's attribute: by way of a ``__getattr__`` only where the attribute may be gone."""
    path = trace.state.path(owner)
    asks = hook(type(owner), "__getattr__") is not None and name in instance_dict(owner)
    if asks and not trace.state.in_doubt(owner, ("attr", name)):
        return Item(Attribute(path, "__dict__"), name)
    return Attribute(path, name)


def _may_have(trace: Trace, owner: Any, name: str) -> bool:
    """Return whether an object may have got an attribute since the call began."""
    return trace.state.knows(owner, ("attr", name)) or trace.state.is_dirty(owner)


def _is_empty_slot(owner: Any, name: str) -> bool:
    found = class_attribute(type(owner), name)
    is_slot = found is not None and isinstance(found[1], types.MemberDescriptorType)
    return is_slot and not hasattr(owner, name)


def _own(trace: Trace, owner: Any, name: str) -> Any:
    if is_made(trace, owner):
        return trace.native(getattr, owner, name)
    path = _path_of_own(trace, owner, name)
    if _is_empty_slot(owner, name) and not _may_have(trace, owner, name):
        trace.state.guard(Equals(Derived(path.owner, HasSlot(name), f"has_{name}"), expected=False))
        return trace.native(getattr, owner, name)
    return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))


def _class_member(trace: Trace, owner: Any, cls: type, name: str, stored: Any) -> Any:
    """Return the meaning of a class attribute on an instance."""
    match stored:
        case _ if is_function(stored):
            return _method(trace, owner, cls, name)
        case _ if hook(type(stored), "__get__") is not None:
            return _other_member(trace, owner, cls, name, stored)
        case property():
            guard_class_attribute(trace, cls, name)
            if stored.fget is None:
                return trace.native(getattr, owner, name)
            return found_by_property(trace, stored.fget, owner, cls, name)
        case staticmethod():
            guard_class_attribute(trace, cls, name)
            return _as_stored(cls, name).__func__
        case classmethod():
            guard_class_attribute(trace, cls, name)
            return types.MethodType(stored.__func__, cls)
        case functools.cached_property():
            return _cached(trace, owner, cls, name, stored)
        case types.MemberDescriptorType():
            return _own(trace, owner, name)
        case _:
            return _other_member(trace, owner, cls, name, stored)


def _as_stored(cls: type, name: str) -> Any:
    """An attribute of a class as Python finds it: a compiled function is itself."""
    found = stored_attribute(cls, name)
    assert found is not None, name
    return found[1]


def _cached(trace: Trace, owner: Any, cls: type, name: str, stored: functools.cached_property[Any]) -> Any:
    """A ``cached_property``: what the instance's ``__dict__`` holds, or else computed and kept there."""
    guard_class_attribute(trace, cls, name)
    if stored.attrname != name or type(owner).__dictoffset__ == 0:
        return _opaque_attribute(trace, owner, name)  # another place, or none: an error
    if trace.state.is_outside(owner) and trace.state.is_dirty(owner):
        return record(trace, "get_attr", (owner, name))
    if is_data_descriptor(stored):
        return _cached_past_descriptor(trace, owner, name, stored)
    value = found_by(trace, stored.func, owner)
    trace.operators.store_attr(value, owner, name, past_method=hook(cls, "__setattr__") is not None)
    return value


def _cached_past_descriptor(
    trace: Trace, owner: Any, name: str, stored: functools.cached_property[Any]
) -> Any:
    """The same where a subclass has a ``__set__`` or ``__delete__``, which neither sees what is kept nor hides it."""
    if is_made(trace, owner) or trace.state.in_doubt(owner, ("attr", name)):
        return _at_run_time(trace, owner, name)
    if _has_own(trace, owner, name):
        path = Item(Attribute(trace.state.path(owner), "__dict__"), name)
        return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))
    trace.state.guard(LacksAttribute(trace.state.path(owner), name))
    value = found_by(trace, stored.func, owner)
    trace.operators.store_item(value, _namespace(trace, owner), name)
    return value


def _other_member(trace: Trace, owner: Any, cls: type, name: str, stored: Any) -> Any:
    method = getter(stored)
    if method is not None:
        guard_class_attribute(trace, cls, name)
        looked_up(trace, type(stored), "__get__")
        return found_by(trace, method, trace.operators.descriptor(cls, name, stored), owner, cls)
    if isinstance(stored, types.MethodDescriptorType | types.WrapperDescriptorType):
        guard_class_attribute(trace, cls, name)
        guard_unshadowed(trace, owner, name)
        return types.MethodType(stored, owner)
    if class_attribute(type(stored), "__get__") is not None:
        return _opaque_attribute(trace, owner, name)
    if isinstance(owner, Tracer):
        return record(trace, "get_attr", (owner, name))
    if not is_made(trace, owner):
        if name not in trace.plan.class_names:
            return _own(trace, owner, name)
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))
    return read_class(trace, settled_home(trace, cls, name), name)


def _method(trace: Trace, owner: Any, cls: type, name: str) -> types.MethodType:
    """A method, under the guard that looking it up on the instance still finds this function."""
    stored = _as_stored(cls, name)
    if not isinstance(owner, Tracer) and trace.state.is_outside(owner):
        bound = Attribute(trace.state.path(owner), name)
        trace.state.guard(Is(Attribute(bound, "__func__"), stored))
    else:
        guard_class_attribute(trace, cls, name)
    return types.MethodType(stored, owner)


def _opaque_attribute(trace: Trace, owner: Any, name: str) -> Any:
    """An attribute that C code or ``__getattribute__`` computes: read when the program runs."""
    found = class_attribute(type(owner), name)
    if found is not None and not is_user_class(found[0]) and callable(getattr(type(owner), name)):
        return trace.native(getattr, owner, name)
    return record(trace, "get_attr", (owner, name))
