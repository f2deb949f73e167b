"""Attributes of which only the running program knows whether they exist: opaque code may set and delete them.

Asked by what reads attributes and by `hasattr`; what is known is read off the places of outside state.
"""

from __future__ import annotations

import types
from typing import Any, Final

from astrace.guards.access_paths import Attribute
from astrace.guards.kinds import Is, LacksAttribute
from astrace.tracing.context import Trace
from astrace.tracing.values.objects import is_user_class
from astrace.tracing.values.special_methods import class_attribute, is_hook
from astrace.util.trees import members, own_attributes, resolution_order

__all__: list[str] = []

TRUSTED: Final = frozenset(
    {"numpy", "math", "cmath", "operator", "builtins", "functools", "itertools", "typing", "jax"}
)
"""Modules whose contents only change when a function is patched."""
KEPT: Final = (list, dict, set)
"""What a program may keep in those modules, too, and change: it is read at each call."""


REPLACED: Final = frozenset(
    {
        *(("sys", name) for name in ("stdin", "stdout", "stderr", "displayhook", "excepthook")),
        *(("warnings", name) for name in ("filters", "showwarning", "onceregistry", "defaultaction")),
    }
)
"""Attributes of modules that functions and managers of the standard library replace: they are read where they stand."""


def is_doubtful(trace: Trace, owner: Any, name: str) -> bool:
    """Return whether only the running program knows if an object has an attribute: opaque code may set and delete it.

    Methods and other descriptors of classes are taken to stay.
    """
    state = trace.state
    if isinstance(owner, types.ModuleType):
        if own_attributes(owner)["__name__"].split(".")[0] in TRUSTED or is_hook(
            own_attributes(owner).get("__getattr__")
        ):
            return False
    elif isinstance(owner, type):
        return _is_doubtful_of_class(trace, owner, name)
    slot, found = ("attr", name), class_attribute(type(owner), name)
    if found is not None and (class_attribute(type(found[1]), "__get__") is not None):
        return False
    if state.in_doubt(owner, slot):
        return True
    return state.opaque and not state.knows(owner, slot)


def _is_doubtful_of_class(trace: Trace, cls: type, name: str) -> bool:
    if class_attribute(type(cls), name) is not None:
        return False
    for base in filter(is_user_class, resolution_order(cls)):
        if trace.state.in_doubt(base, ("attr", name)):
            return True
        if trace.state.knows(base, ("attr", name)):
            return False
        if name in members(base):
            settled = class_attribute(type(members(base)[name]), "__get__") is not None
            return trace.state.opaque and not settled
    return trace.state.opaque and is_user_class(cls) and class_attribute(cls, name) is None


def guard_missing(trace: Trace, owner: types.ModuleType | types.FunctionType, name: str) -> None:
    """Guard that a module or a function lacks a name, and whom the module asks for it.

    That is nobody, or a function which has been asked, of a library whose modules stay as they are.

    Args:
        trace: the trace that is going on.
        owner: the module or the function.
        name: the name.
    """
    path = trace.state.path(owner)
    trace.state.guard(LacksAttribute(path, name))
    if not isinstance(owner, types.ModuleType):
        return
    held = own_attributes(owner).get("__getattr__")
    trace.state.guard(
        LacksAttribute(path, "__getattr__") if held is None else Is(Attribute(path, "__getattr__"), held)
    )
