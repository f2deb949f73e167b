"""Whether something is an instance of a class, or a class derives from one: metaclasses, protocols and registrations have their say.

Asked by `isinstance`, `issubclass`, ``match`` and handlers of exceptions; guards what the answer depends on.
"""

from __future__ import annotations

import abc
import types
from collections.abc import Sequence
from typing import Any

from astrace.guards.access_paths import Derived, Root
from astrace.guards.kinds import Equals
from astrace.ir.specs import class_of
from astrace.tracing.context import Trace
from astrace.tracing.external.opaque_stores import REGISTRATIONS
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import guard_class_attribute, guard_order, is_user_class
from astrace.tracing.values.special_methods import class_attribute, hook, is_hook, is_subclass

__all__: list[str] = []


def asks_metaclass(cls: Any) -> bool:
    """Return whether `isinstance` and `issubclass` run the user's code: a metaclass, a ``__subclasshook__``."""
    if not isinstance(cls, type) or not is_user_class(cls):
        return False
    asked = class_attribute(cls, "__subclasshook__")
    checks = (hook(type(cls), "__instancecheck__"), hook(type(cls), "__subclasscheck__"))
    return any(checks) or (asked is not None and is_hook(asked[1]))


def asks_object(classes: Any, kinds: Sequence[type | None]) -> bool:
    """Return whether `isinstance` looks at an object's attributes, as protocols do, where they may differ.

    Args:
        classes: a class or several.
        kinds: the classes that the object may be of; ``None`` for one that only the running program knows.
    """
    flat: tuple[Any, ...] = classes if type(classes) is tuple else (classes,)
    protocols = [one for one in flat if isinstance(one, type) and _is_protocol(one)]
    settled = all(kind is not None and not is_user_class(kind) for kind in kinds)
    return bool(protocols) and not (settled and all(map(_is_of_methods, protocols)))


def _is_protocol(cls: type) -> bool:
    return class_attribute(cls, "_is_protocol") == (cls, True)


def _is_of_methods(protocol: type) -> bool:
    """Return whether the class of an object suffices for a protocol: one with data members refuses classes."""
    try:
        issubclass(object, protocol)
    except TypeError:
        return False
    return True


def guard_derivation(trace: Trace, cls: Any, classes: Any) -> None:
    """Check at each call that a class still derives, or does not, from others: bases and registrations."""
    if isinstance(cls, type):
        guard_order(trace, cls)
    flat = classes if type(classes) is tuple else (classes,)
    if any(is_subclass(type(one), abc.ABCMeta) for one in flat):
        path = Derived(Root(abc, "abc"), registrations, REGISTRATIONS)
        trace.state.guard(Equals(path, registrations(abc)))


def registrations(_module: types.ModuleType) -> int:
    """A number that changes whenever a class is registered with an abstract one."""
    return abc.get_cache_token()  # type: ignore[return-value]


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
    if not isinstance(method, types.FunctionType) or (plain is isinstance and cls is None):
        return trace.operators.opaque(plain, (value, classes), {})
    guard_class_attribute(trace, type(classes), name)
    return trace.operators.call(bool, trace.operators.call(method, classes, value))
