"""Attributes of classes and modules, in Python's own order of lookup; hooks of the user's are calls."""

from __future__ import annotations

import types
from typing import Any, Final

import numpy as np

from astrace.guards import LacksAttribute
from astrace.ir.specs import class_of
from astrace.paths import Attribute
from astrace.tracing.context import Trace
from astrace.tracing.hooks import (
    class_attribute,
    getter,
    hook,
    is_data_descriptor,
    is_hook,
    members,
    own_attributes,
    resolution_order,
)
from astrace.tracing.objects import guard_class_attribute, is_user_class, special_method
from astrace.tracing.tracer import Tracer

__all__: list[str] = []

TRUSTED: Final = frozenset(
    {"numpy", "math", "cmath", "operator", "builtins", "functools", "itertools", "typing"}
)
"""Modules whose functions are taken as they are: generated code looks them up again at each call."""


# -- modules -----------------------------------------------------------------------------------------------


def module_attribute(trace: Trace, owner: types.ModuleType, name: str) -> Any:
    """``module.name``; a ``__getattr__`` of the module's is called."""
    known = trace.state.knows(owner, ("attr", name))
    held = own_attributes(owner)
    if held["__name__"].split(".")[0] in TRUSTED and not known:
        found = trace.native(getattr, owner, name)
        return trace.operators.wrap_constant(found) if isinstance(found, np.ndarray) else found
    if not known and name not in held and class_attribute(type(owner), name) is None:
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))
        if is_hook(held.get("__getattr__")):
            return trace.operators.call(module_attribute(trace, owner, "__getattr__"), name)
        method = special_method(trace, owner, "__getattr__")
        if method is not None:
            return trace.operators.call(method, owner, name)
    path = Attribute(trace.state.path(owner), name)
    return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))


# -- classes -----------------------------------------------------------------------------------------------


def attribute_of_class(trace: Trace, owner: type, name: str) -> Any:
    """``cls.name``: what descriptors of the metaclass say, what the class and its bases hold, the metaclass."""
    if not is_user_class(owner):
        return trace.native(getattr, owner, name)
    above = class_attribute(type(owner), name) if is_user_class(type(owner)) else None
    if above is not None and is_data_descriptor(above[1]) and _is_asked(above[1]):
        return _of_metaclass(trace, owner, name, above[1])
    if (home := written_home(trace, owner, name)) is not None:
        return read_class(trace, home, name)
    found = class_attribute(owner, name)
    if found is not None:
        return _held(trace, owner, name, found[1])
    if above is not None and _is_asked(above[1]):
        return _of_metaclass(trace, owner, name, above[1])
    method = hook(type(owner), "__getattr__")
    if method is not None and class_attribute(type(owner), name) is None:
        _guard_lacks(trace, owner, name)
        guard_class_attribute(trace, type(owner), "__getattr__")
        return trace.operators.call(method, owner, name)
    return trace.native(getattr, owner, name)


def _is_asked(stored: Any) -> bool:
    """Whether looking something up on what has it runs the user's code, or binds a function of the user's."""
    return is_hook(stored) or getter(stored) is not None


def _guard_lacks(trace: Trace, owner: type, name: str) -> None:
    for base in resolution_order(owner):
        if is_user_class(base):
            trace.state.guard(LacksAttribute(trace.state.path(base), name))


def _of_metaclass(trace: Trace, owner: type, name: str, stored: Any) -> Any:
    """What an attribute of its metaclass means on a class."""
    meta = type(owner)
    guard_class_attribute(trace, meta, name)
    if not is_data_descriptor(stored):
        _guard_lacks(trace, owner, name)
    match stored:
        case types.FunctionType():
            return types.MethodType(stored, owner)
        case property():
            return trace.operators.call(stored.fget, owner)
        case staticmethod():
            return stored.__func__
        case classmethod():
            return types.MethodType(stored.__func__, meta)
        case _:
            return trace.operators.call(
                getter(stored), trace.operators.descriptor(meta, name, stored), owner, meta
            )


def _held(trace: Trace, owner: type, name: str, stored: Any) -> Any:
    """An attribute that a class or one of its bases holds: functions as they are, values read afresh."""
    if isinstance(stored, property):
        return trace.native(getattr, owner, name)
    method = getter(stored)
    if method is not None:
        guard_class_attribute(trace, owner, name)
        return trace.operators.call(method, trace.operators.descriptor(owner, name, stored), None, owner)
    if isinstance(stored, types.FunctionType | staticmethod | classmethod):
        guard_class_attribute(trace, owner, name)
        return trace.native(getattr, owner, name)
    path = Attribute(trace.state.path(owner), name)
    return trace.state.read(owner, ("attr", name), path, lambda: getattr(owner, name))


def written_home(trace: Trace, cls: type, name: str) -> type | None:
    """The class in the method resolution order whose attribute was written here and is the one that is found."""
    order = resolution_order(cls)
    for index, base in enumerate(order):
        if trace.state.knows(base, ("attr", name)):
            for nearer in order[:index]:
                trace.state.guard(LacksAttribute(trace.state.path(nearer), name))
            return base
        if name in members(base):
            return None
    return None


def read_class(trace: Trace, cls: type, name: str) -> Any:
    """An attribute of a class that was written here."""
    path = Attribute(trace.state.path(cls), name)
    return trace.state.read(cls, ("attr", name), path, lambda: getattr(cls, name))


# -- whether they have an attribute --------------------------------------------------------------------------


def computes(owner: Any, name: str) -> bool:
    """Whether code of the user's computes an attribute, so that it is there unless `AttributeError` is raised."""
    found = class_attribute(type(owner), name) if is_user_class(type(owner)) else None
    if found is not None and (isinstance(found[1], property) or getter(found[1]) is not None):
        return True
    if not isinstance(owner, type) or not is_user_class(owner):
        return False
    found = class_attribute(owner, name)
    return found is not None and getter(found[1]) is not None


def class_or_module_has(trace: Trace, owner: type | types.ModuleType | types.FunctionType, name: str) -> bool:
    """Whether a class, its bases included, a module or a function has an attribute; guarded."""
    places: tuple[Any, ...] = resolution_order(owner) if isinstance(owner, type) else (owner,)
    if any(trace.state.knows(place, ("attr", name)) for place in places):
        return True
    held = (
        class_attribute(owner, name) is not None if isinstance(owner, type) else name in own_attributes(owner)
    )
    asked = hook(type(owner), "__getattr__") or own_attributes(owner).get("__getattr__")
    if not held and is_hook(asked) and class_attribute(type(owner), name) is None:
        trace.stop("AT201", f"whether `{owner.__name__}` has the attribute `{name}` is up to a `__getattr__`")
    if hasattr(owner, name):
        trace.operators.attr(owner, name)
        return True
    for place in places:
        if not isinstance(place, type) or is_user_class(place):
            trace.state.guard(LacksAttribute(trace.state.path(place), name))
    return False


# -- whether something is an instance of a class ---------------------------------------------------------------


def asks_metaclass(cls: Any) -> bool:
    """Whether `isinstance` and `issubclass` run code of the user's: of the metaclass, or a ``__subclasshook__``."""
    if not isinstance(cls, type) or not is_user_class(cls):
        return False
    asked = class_attribute(cls, "__subclasshook__")
    checks = (hook(type(cls), "__instancecheck__"), hook(type(cls), "__subclasscheck__"))
    return any(checks) or (asked is not None and is_hook(asked[1]))


def by_metaclass(trace: Trace, name: str, value: Any, classes: Any) -> Any:
    """`isinstance` or `issubclass` where metaclasses have their say: their methods are called, one by one."""
    if type(classes) is tuple:
        first, *rest = classes
        found = by_metaclass(trace, name, value, first)
        return (
            found
            if not rest
            else trace.operators.or_(found, lambda: by_metaclass(trace, name, value, (*rest,)))
        )
    plain = isinstance if name == "__instancecheck__" else issubclass
    if not asks_metaclass(classes):
        return trace.operators.call(plain, value, classes)
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if plain is isinstance and cls is classes:
        return True
    method = hook(type(classes), name)
    if method is None or (plain is isinstance and cls is None):
        return trace.operators.opaque(plain, (value, classes), {})
    guard_class_attribute(trace, type(classes), name)
    return trace.operators.call(bool, trace.operators.call(method, classes, value))
