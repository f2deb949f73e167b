"""Attributes of classes and modules, in Python's own order of lookup; hooks of the user's are calls."""

from __future__ import annotations

import sys
import types
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Attribute
from astrace.guards.kinds import Is, LacksAttribute
from astrace.ir.specs import class_of
from astrace.ops import OPS
from astrace.tracing.context import Trace
from astrace.tracing.operators.data.uncertain_attributes import (
    KEPT,
    REPLACED,
    TRUSTED,
    guard_missing,
    is_doubtful,
)
from astrace.tracing.record import record
from astrace.tracing.signals import Restart
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import (
    guard_class_attribute,
    guard_lacking,
    guard_name,
    is_user_class,
    looked_up,
    special_method,
)
from astrace.tracing.values.special_methods import (
    class_attribute,
    getter,
    hook,
    is_data_descriptor,
    is_hook,
)
from astrace.util.trees import members, own_attributes, resolution_order

__all__: list[str] = []

# -- modules -----------------------------------------------------------------------------------------------


def module_attribute(trace: Trace, owner: types.ModuleType, name: str) -> Any:
    """``module.name``; a ``__getattr__`` of the module's is called."""
    known = trace.state.knows(owner, ("attr", name))
    held = own_attributes(owner)
    if (held["__name__"], name) in REPLACED:
        return trace.state.read_now(Attribute(trace.state.path(owner), name))
    if held["__name__"].split(".")[0] in TRUSTED and not known and type(held.get(name)) not in KEPT:
        return _of_trusted(trace, owner, name)
    if name not in held and is_doubtful(trace, owner, name):
        return trace.state.read_now(Attribute(trace.state.path(owner), name))
    if not known and name not in held and class_attribute(type(owner), name) is None:
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))
        if is_hook(held.get("__getattr__")):
            return trace.operators.call(module_attribute(trace, owner, "__getattr__"), name)
        method = special_method(trace, owner, "__getattr__")
        if method is not None:
            return trace.operators.call(method, owner, name)
    path = Attribute(trace.state.path(owner), name)
    return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))


def _of_trusted(trace: Trace, owner: types.ModuleType, name: str) -> Any:
    held = own_attributes(owner)
    if name not in held and not _is_submodule(held["__name__"], name):
        return record(trace, "get_attr", (trace.operators.wrap_constant(owner), name))  # it may warn
    found = trace.native(getattr, owner, name)
    if not _is_numpys(owner, name, found):
        trace.state.guard(Is(Attribute(trace.state.path(owner), name), found))
    elif not isinstance(found, types.ModuleType):
        trace.state.by_name.read(found)
    return trace.operators.wrap_constant(found) if isinstance(found, np.ndarray) else found


def _is_numpys(owner: types.ModuleType, name: str, found: Any) -> bool:
    """Return whether an object is NumPy's own: a constant, a class, a function that generated code looks up."""
    if isinstance(found, types.ModuleType | np.generic):
        return True
    if isinstance(found, float | None):
        return owner is np
    op = OPS.find(found)
    if op is not None:  # not looked up under another name or as a method
        return not op.method and op.name == f"np.{owner.__name__}.{name}".replace("np.numpy.", "np.")
    return isinstance(found, type) and found.__module__.split(".")[0] == "numpy"


def _is_submodule(package: str, name: str) -> bool:
    """Return whether a package has a module of that name."""
    return f"{package}.{name}" in sys.modules or (
        hasattr(sys.modules.get(package), "__path__") and find_spec(f"{package}.{name}") is not None
    )


# -- classes -----------------------------------------------------------------------------------------------


def attribute_of_class(trace: Trace, owner: type, name: str) -> Any:
    """Look up ``cls.name``: descriptors of the metaclass, the class and its bases, the metaclass."""
    if not is_user_class(owner):
        return trace.native(getattr, owner, name)
    above = class_attribute(type(owner), name) if is_user_class(type(owner)) else None
    if above is not None and is_data_descriptor(above[1]) and _is_asked(above[1]):
        return _of_metaclass(trace, owner, name, above[1])
    if (home := known_home(trace, owner, name)) is not None:
        return _known(trace, owner, home, name)
    found = class_attribute(owner, name)
    if found is not None:
        return _held(trace, owner, name, found[1])
    if above is None and is_doubtful(trace, owner, name) and hook(type(owner), "__getattr__") is None:
        return trace.state.read_now(Attribute(trace.state.path(owner), name))
    if above is not None and _is_asked(above[1]):
        return _of_metaclass(trace, owner, name, above[1])
    method = hook(type(owner), "__getattr__")
    if method is not None and class_attribute(type(owner), name) is None:
        guard_lacking(trace, owner, name)
        guard_class_attribute(trace, type(owner), "__getattr__")
        return _asked(trace, method, owner, name, owner, name)
    return _of_type(trace, owner, name)


def _of_type(trace: Trace, owner: type, name: str) -> Any:
    """Return an attribute that every class has, such as its name and bases, and that none of its own bases has."""
    found = class_attribute(type(owner), name)
    if found is None:
        looked_up(trace, type(owner), "__getattr__")
        guard_lacking(trace, owner, name)
        guard_name(trace, owner)
    elif is_user_class(found[0]) and class_attribute(type(found[1]), "__get__") is not None:
        return _of_metaclass(trace, owner, name, found[1])  # of a metaclass of the standard library
    elif is_user_class(found[0]):
        guard_lacking(trace, owner, name)
        return read_class(trace, settled_home(trace, type(owner), name), name)
    elif isinstance(found[1], types.GetSetDescriptorType | types.MemberDescriptorType):
        return read_class(trace, owner, name)
    return trace.native(getattr, owner, name)


def _is_asked(stored: Any) -> bool:
    """Return whether looking an attribute up runs the user's code, or binds a function of the user's."""
    return is_hook(stored) or hook(type(stored), "__get__") is not None


def _of_metaclass(trace: Trace, owner: type, name: str, stored: Any) -> Any:
    """Return the meaning of a metaclass's attribute on a class."""
    meta = type(owner)
    guard_class_attribute(trace, meta, name)
    if not is_data_descriptor(stored):
        guard_lacking(trace, owner, name)
    match stored:
        case _ if hook(type(stored), "__get__") is not None:
            return _of_descriptor(trace, owner, name, stored)
        case types.FunctionType():
            return types.MethodType(stored, owner)
        case property():
            return trace.operators.call(stored.fget, owner)
        case staticmethod():
            return stored.__func__
        case classmethod():
            return types.MethodType(stored.__func__, meta)
        case _:
            return _of_descriptor(trace, owner, name, stored)


def _of_descriptor(trace: Trace, owner: type, name: str, stored: Any) -> Any:
    """Return the value that a descriptor of its metaclass gives for a class."""
    meta = type(owner)
    looked_up(trace, type(stored), "__get__")
    asked = trace.operators.descriptor(meta, name, stored)
    return _asked(trace, getter(stored), owner, name, asked, owner, meta)


def _asked(trace: Trace, method: Any, owner: type, name: str, *args: Any) -> Any:
    """Call a method of the user's for an attribute of a class; one that is no function, when the program runs."""
    if isinstance(method, types.FunctionType):
        return trace.operators.call(method, *args)
    return record(trace, "get_attr", (trace.operators.wrap_constant(owner), name))


def _held(trace: Trace, owner: type, name: str, stored: Any) -> Any:
    """An attribute that a class or one of its bases holds: functions as they are, values read afresh."""
    method = getter(stored)
    if method is not None:
        guard_class_attribute(trace, owner, name)
        looked_up(trace, type(stored), "__get__")
        return trace.operators.call(method, trace.operators.descriptor(owner, name, stored), None, owner)
    if isinstance(stored, property):
        return trace.native(getattr, owner, name)
    if isinstance(stored, types.FunctionType | staticmethod | classmethod):
        guard_class_attribute(trace, owner, name)
        return trace.native(getattr, owner, name)
    return read_class(trace, settled_home(trace, owner, name), name)


def settled_home(trace: Trace, owner: type, name: str) -> type:
    """The class through which an attribute is read, that one of the class or its bases holds.

    Where the function writes such an attribute, it has to be the one that holds it; elsewhere it is the class
    that was asked, under no more guards than needed.
    """
    if name not in trace.plan.class_names:
        return owner
    found = class_attribute(owner, name)
    assert found is not None, name
    guard_lacking(trace, owner, name, until=found[0])
    return found[0]


def class_written(trace: Trace, owner: Any, name: str) -> None:
    """Take note that an attribute is written: start again if it is one of a class that was read another way."""
    if not isinstance(owner, type) or name in trace.plan.class_names:
        return
    if any(
        key in (("attr", name), ("item", name)) and holder != id(owner) for holder, key in trace.state.known()
    ):
        trace.plan.class_names.add(name)
        raise Restart


def known_home(trace: Trace, cls: type, name: str) -> type | None:
    """The class in the method resolution order whose attribute is known to this trace and is the one that is found."""
    for base in (cls,) if name in OF_EACH else resolution_order(cls):
        if trace.state.knows(base, ("attr", name)):
            guard_lacking(trace, cls, name, until=base)
            return base
        if name in members(base):
            return None
    return None


OF_EACH: Final = frozenset(
    name
    for name, stored in vars(type).items()
    if isinstance(stored, types.GetSetDescriptorType | types.MemberDescriptorType)
)
"""Attributes that every class has for itself, such as its name: none is inherited."""


def _known(trace: Trace, owner: type, home: type, name: str) -> Any:
    """Return an attribute of a class that this trace has read or written; its class decides its meaning."""
    if not trace.state.in_doubt(home, ("attr", name)):
        value = read_class(trace, home, name)
        if isinstance(value, types.FunctionType) or not may_bind(value):
            return value
    return trace.state.read_now(Attribute(trace.state.path(owner), name))


def may_bind(value: Any, to_write: bool = False) -> bool:
    """Return whether an attribute of a class may be another object when it is read through the class or an instance.

    Args:
        value: a trace-level object.
        to_write: whether it is one that comes before what instances hold themselves.
    """
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls is None:
        return True
    return class_attribute(cls, "__set__" if to_write else "__get__") is not None


def read_class(trace: Trace, cls: type, name: str) -> Any:
    """An attribute of a class, through the class."""
    path = Attribute(trace.state.path(cls), name)
    return trace.state.read(cls, ("attr", name), path, lambda: getattr(cls, name))


# -- whether they have an attribute --------------------------------------------------------------------------


def may_compute(cls: type | None, name: str) -> bool:
    """Return whether code of the user's may compute an attribute of an instance; ``None`` is an unknown class."""
    if cls is None:
        return True
    if not is_user_class(cls):
        return False
    found = class_attribute(cls, name)
    described = found is not None and (
        isinstance(found[1], property) or hook(type(found[1]), "__get__") is not None
    )
    return described or any(hook(cls, asked) is not None for asked in ("__getattr__", "__getattribute__"))


def computes(owner: Any, name: str) -> bool:
    """Return whether code of the user's computes an attribute: it exists unless `AttributeError` is raised."""
    found = class_attribute(type(owner), name) if is_user_class(type(owner)) else None
    if found is not None and (isinstance(found[1], property) or hook(type(found[1]), "__get__") is not None):
        return True
    if not isinstance(owner, type | types.ModuleType) and hook(type(owner), "__getattr__") is not None:
        return True
    if not isinstance(owner, type) or not is_user_class(owner):
        return False
    found = class_attribute(owner, name)
    return found is not None and hook(type(found[1]), "__get__") is not None


def class_or_module_has(trace: Trace, owner: type | types.ModuleType | types.FunctionType, name: str) -> bool:
    """Return whether a class, its bases included, a module or a function has an attribute; guarded."""
    places: tuple[Any, ...] = resolution_order(owner) if isinstance(owner, type) else (owner,)
    if any(trace.state.knows(place, ("attr", name)) for place in places):
        return True
    held = (
        class_attribute(owner, name) is not None if isinstance(owner, type) else name in own_attributes(owner)
    )
    asked = hook(type(owner), "__getattr__") or own_attributes(owner).get("__getattr__")
    if not held and is_hook(asked) and class_attribute(type(owner), name) is None:
        trace.stop("AT201", f"the existence of `{owner.__name__}.{name}` depends on a `__getattr__`")
    if hasattr(owner, name):
        trace.operators.attr(owner, name)
        return True
    if isinstance(owner, type):
        guard_lacking(trace, owner, name)
    else:
        guard_missing(trace, owner, name)
    for asked in (name, "__getattr__"):
        looked_up(trace, type(owner), asked)
    return False
