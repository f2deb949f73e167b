"""Builtins that ask for, set and delete attributes, and what ``object`` itself does of that.

``ATTRIBUTES`` is a part of ``BUILTINS``.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

from astrace.ir.specs import class_of
from astrace.locations import SCOPE
from astrace.tracing.context import Trace
from astrace.tracing.operators.calls.iterable_builtins import Args, Handler, Kwargs
from astrace.tracing.operators.data.class_attributes import (
    class_or_module_has,
    computes,
    known_home,
    may_compute,
)
from astrace.tracing.operators.data.uncertain_attributes import is_doubtful
from astrace.tracing.record import record
from astrace.tracing.signals import Uncapturable
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import (
    PLAIN_CONTAINERS,
    PLAIN_LOOKUPS,
    guard_order,
    instance_dict,
    is_made,
    is_user_class,
    looked_up,
    made,
)
from astrace.tracing.values.operands import Lazy, made_function
from astrace.tracing.values.special_methods import class_attribute, is_closed
from astrace.util.trees import resolution_order


def _known(trace: Trace, name: Any) -> Any:
    """Return the name of an attribute; a computed one is fixed, since it decides the lookup."""
    return trace.operators.concrete(name) if isinstance(name, Tracer) else name


def _if_known(trace: Trace, name: Any) -> Any:
    """Return the name of an attribute; as a tracer if only the running program knows it."""
    try:
        return _known(trace, name)
    except Uncapturable:
        return name


def _by_any_name(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """An attribute whose name is no text, which Python refuses, or is known first when the program runs."""
    if not isinstance(args[1], Tracer):
        return trace.operators.opaque(function, args, kwargs)
    owner = args[0]
    cls = class_of(owner.value.spec) if isinstance(owner, Tracer) else type(owner)
    if function in CHANGING and (cls is None or not is_user_class(cls) or isinstance(owner, HOLDERS)):
        _known(trace, args[1])
    result = trace.operators.opaque(function, args, kwargs)
    if function in CHANGING:
        trace.state.stale.set_by_any_name(owner)
    trace.state.forget_all()
    return result


CHANGING: Final = (setattr, delattr)
HOLDERS: Final = (type, types.ModuleType, types.FunctionType)
"""Objects whose attributes decide how a capture goes on."""


def _getattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    owner, name, *default = args
    owner, name = made_function(trace, owner), _if_known(trace, name)
    if not isinstance(name, str):
        return _by_any_name(trace, function, args, kwargs)
    if not default:
        return trace.operators.attr(owner, name)
    if not isinstance(owner, Tracer) and computes(owner, name):
        return _computed(trace, owner, name, lambda value: value, default[0])
    if isinstance(owner, Tracer) and may_compute(class_of(owner.value.spec), name):
        return trace.operators.opaque(function, args, kwargs)
    return trace.operators.if_exp(
        _has(trace, owner, name), lambda: trace.operators.attr(owner, name), lambda: default[0]
    )


def _hasattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    owner, name = made_function(trace, args[0]), _if_known(trace, args[1])
    if not isinstance(name, str):
        return _by_any_name(trace, function, args, kwargs)
    if not isinstance(owner, Tracer) and computes(owner, name):
        return _computed(trace, owner, name, lambda _: True, False)
    return _has(trace, owner, name)


def _computed(trace: Trace, owner: Any, name: str, show: Callable[[Any], Any], default: Any) -> Any:
    """Return ``show`` of a property's value, or ``default`` where the property raises `AttributeError`."""

    def ask() -> tuple[Any]:
        return (show(trace.operators.attr(owner, name)),)

    def missing(_error: Any) -> tuple[Any]:
        return (default,)

    (found,) = trace.operators.try_(ask, ((lambda: AttributeError, missing, ()),), None, {}, dict)
    return found


def _has(trace: Trace, owner: Any, name: str) -> Any:
    """Return whether an object has an attribute, as far as its class and its own attributes say."""
    if isinstance(owner, Tracer | Lazy):
        cls = class_of(owner.value.spec) if isinstance(owner, Tracer) else owner.cls()
        if cls is None or is_user_class(cls) or not is_closed(cls):
            return record(trace, "hasattr", (owner, name))
        return class_attribute(cls, name) is not None
    if type(owner) in PLAIN_CONTAINERS:
        return class_attribute(type(owner), name) is not None
    if is_made(trace, owner):
        return _made_has(trace, owner, name)
    if _may_come_and_go(trace, owner, name) or (
        _can_change(trace, owner) and is_doubtful(trace, owner, name)
    ):
        target = owner if trace.state.is_outside(owner) else trace.operators.wrap_constant(owner)
        return record(trace, "hasattr", (target, name))
    plain = isinstance(owner, types.FunctionType) and SCOPE not in owner.__globals__
    if plain or isinstance(owner, types.ModuleType) or (isinstance(owner, type) and is_user_class(owner)):
        return class_or_module_has(trace, owner, name)
    if not any(looked_up(trace, type(owner), "__getattribute__")[1] is plain for plain in PLAIN_LOOKUPS):  # type: ignore[index]
        return record(trace, "hasattr", (owner, name))
    if not trace.state.is_outside(owner) and not isinstance(owner, enum.Enum):
        return trace.state.knows(owner, ("attr", name)) or _made_has(trace, owner, name)
    known = trace.state.knows(owner, ("attr", name)) or name in instance_dict(owner)
    if known:
        trace.operators.attr(owner, name)
        return True
    trace.operators.guard_lacks(owner, name)
    return _class_has(trace, type(owner), name)


def _made_has(trace: Trace, owner: Any, name: str) -> Any:
    """Return whether an object that only this trace can change has an attribute, itself or from its class."""
    if _is_slot(type(owner), name):
        return _slot_is_set(trace, owner, name)
    if is_user_class(type(owner)) and name not in instance_dict(owner):
        found = _class_has(trace, type(owner), name)
        if isinstance(found, Tracer) or found:
            return found
    return hasattr(owner, name)


def _slot_is_set(trace: Trace, owner: Any, name: str) -> Any:
    """Return whether a slot of such an object holds something, or ``__getattr__`` gives something in its place."""
    _, slot = class_attribute(type(owner), name) or (None, None)
    try:
        slot.__get__(owner)  # type: ignore[union-attr]
    except AttributeError:
        if looked_up(trace, type(owner), "__getattr__") is None:
            return False
        return _computed(trace, owner, name, lambda _: True, False)
    return True


def _is_slot(cls: type, name: str) -> bool:
    found = class_attribute(cls, name)
    return found is not None and isinstance(found[1], types.MemberDescriptorType)


def _can_change(trace: Trace, owner: Any) -> bool:
    """Return whether an object may get attributes of its own."""
    if trace.state.is_outside(owner) or isinstance(owner, types.ModuleType):
        return True
    return isinstance(owner, types.FunctionType) or (isinstance(owner, type) and is_user_class(owner))


def _class_has(trace: Trace, cls: type, name: str) -> Any:
    """Return whether a class gives its instances an attribute; guarded."""
    if is_user_class(cls) and is_doubtful(trace, cls, name):
        return record(trace, "hasattr", (trace.operators.wrap_constant(cls), name))
    if is_user_class(cls) and known_home(trace, cls, name) is not None:
        return True
    found = looked_up(trace, cls, name)
    if found is None:
        looked_up(trace, cls, "__getattr__")
    return found is not None


def _may_come_and_go(trace: Trace, owner: Any, name: str) -> bool:
    """Return whether only the running program knows if an object has an attribute: it was written, or is a slot."""
    found, slot = class_attribute(type(owner), name), _is_slot(type(owner), name)
    written = trace.state.knows(owner, ("attr", name))
    if trace.state.in_doubt(owner, ("attr", name)):
        return written or slot or found is None
    return slot and not written and not hasattr(owner, name)


def _setattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    owner, name, value = args
    name = _if_known(trace, name)
    if not isinstance(name, str):
        _by_any_name(trace, function, args, kwargs)
        return
    trace.operators.store_attr(value, owner, name)


def _object_setattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    """``object.__setattr__``: past a ``__setattr__`` of the user's."""
    owner, name, value = args
    trace.operators.store_attr(value, owner, _known(trace, name), past_method=True)


def _object_delattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    owner, name = args
    trace.operators.delete_attr(owner, _known(trace, name), past_method=True)


def _object_init(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``object.__init__``: nothing, where there are no arguments to complain about."""
    return trace.operators.opaque(function, args, kwargs) if args[1:] or kwargs else None


def _object_eq(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``object.__eq__``: an object equals itself, and knows nothing of others."""
    same = trace.operators.compare("is_", *args)
    if isinstance(same, Tracer):
        trace.stop("AT201", "whether two traced objects are the same must be known while tracing")
    return True if same else NotImplemented


def _delattr(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> None:
    owner, name = args[0], _if_known(trace, args[1])
    if not isinstance(name, str):
        _by_any_name(trace, function, args, kwargs)
        return
    trace.operators.delete_attr(owner, name)


def _mro(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """``cls.mro()``: a new list of a class and its bases, in the order of lookup."""
    (cls,) = args
    if not isinstance(cls, type) or class_attribute(type(cls), "mro") != (type, function):
        return trace.operators.opaque(function, args, kwargs)
    guard_order(trace, cls)
    return made(trace, list(resolution_order(cls)), "mro")


ATTRIBUTES: Final[Mapping[Any, Handler]] = {
    getattr: _getattr,
    hasattr: _hasattr,
    setattr: _setattr,
    delattr: _delattr,
    object.__setattr__: _object_setattr,
    object.__delattr__: _object_delattr,
    object.__init__: _object_init,
    object.__eq__: _object_eq,
    type.mro: _mro,
}
