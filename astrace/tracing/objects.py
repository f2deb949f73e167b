"""Python objects while tracing: which are whose, how their attributes are found, how they are changed.

An object is *outside* (it existed before the call: read through ``state``, never changed), *made* (created
while tracing: ordinary Python, changes journaled), or a constant.
"""

from __future__ import annotations

import types
from typing import Any, Final

import numpy as np

from astrace.guards import Is
from astrace.ir.specs import class_of
from astrace.ir.statics import is_static
from astrace.paths import Attribute
from astrace.tracing.callables import HEAP_TYPE
from astrace.tracing.context import Trace
from astrace.tracing.journal import MISSING
from astrace.tracing.lifting import Lazy
from astrace.tracing.tracer import Tracer
from astrace.trees import is_namedtuple

PLAIN_CONTAINERS: Final = (list, dict, set)
SEQUENCES: Final = (list, tuple, set, frozenset, type({}.values()), type({}.items()), type({}.keys()))
UNHEARD: Final = frozenset(
    {"__init__", "__new__", "__post_init__", "__call__", "__setattr__", "__enter__", "__exit__"}
)
"""Special methods that no comparison, conversion or formatting of an instance calls."""
OWN_MODULES: Final = ("astrace.tracing.", "astrace.rewrite.")


def class_attribute(cls: type, name: str) -> tuple[type, Any] | None:
    """The class in the method resolution order that has an attribute, and the attribute as it is stored."""
    for base in cls.__mro__:
        found = vars(base).get(name, MISSING)
        if found is not MISSING:
            return base, found
    return None


def special_method(trace: Trace, value: Any, name: str) -> types.FunctionType | None:
    """A special method written in Python, of the class of a trace-level object; guarded."""
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls is None or not is_user_class(cls):
        return None
    found = class_attribute(cls, name)
    if found is None or not isinstance(found[1], types.FunctionType):
        return None
    guard_class_attribute(trace, cls, name)
    return found[1]


def is_user_class(cls: type) -> bool:
    """Whether a class is written in Python and is not one of astrace's own trace-level classes."""
    module = getattr(cls, "__module__", "")
    if not isinstance(module, str) or module.startswith(OWN_MODULES) or issubclass(cls, Tracer | Lazy):
        return False
    return bool(cls.__flags__ & HEAP_TYPE) and module.split(".")[0] not in ("numpy", "builtins")


def is_live(trace: Trace, value: Any) -> bool:
    """Whether what Python does with a trace-level object hangs on what only the running program knows.

    True of tracers, of objects from outside, of instances made here whose special methods are the user's, and
    of containers that hold one at any depth.
    """
    if isinstance(value, Tracer | Lazy) or trace.state.is_outside(value):
        return True
    if isinstance(value, SEQUENCES):
        return any(is_live(trace, item) for item in value)
    match value:
        case dict():
            return is_live(trace, list(value.items()))
        case slice():
            return is_live(trace, (value.start, value.stop, value.step))
        case types.MethodType() | types.BuiltinFunctionType() | types.MethodWrapperType():
            return is_live(trace, value.__self__)
        case _:
            return not is_static(value) and _speaks(type(value))


def _speaks(cls: type) -> bool:
    """Whether a class has special methods written in Python that C code may call."""
    return is_user_class(cls) and any(
        isinstance(member, types.FunctionType) and name.startswith("__") and name not in UNHEARD
        for base in cls.__mro__
        if is_user_class(base)
        for name, member in vars(base).items()
    )


def index_of(trace: Trace, value: Any) -> Any:
    """A position or a slice of positions, with a user's ``__index__`` traced."""
    if isinstance(value, slice):
        return slice(*(index_of(trace, part) for part in (value.start, value.stop, value.step)))
    method = special_method(trace, value, "__index__")
    return value if method is None else trace.operators.call(method, value)


INDEXED: Final = (list, tuple, str, bytes, range, np.ndarray)
"""Classes whose items are found by position."""


def key_of(trace: Trace, owner: Any, key: Any) -> Any:
    """A key as a container takes it: an object with ``__index__`` is a position of a sequence."""
    cls = class_of(owner.value.spec) if isinstance(owner, Tracer) else type(owner)
    return index_of(trace, key) if cls in INDEXED else key


def is_compiled(value: Any) -> bool:
    """Whether a callable is one that astrace has compiled."""
    return "__astrace_target__" in getattr(value, "__dict__", ())


def is_function(value: Any) -> bool:
    """Whether a value is a Python function, compiled or not."""
    return isinstance(value, types.FunctionType) or is_compiled(value)


def guard_class_attribute(trace: Trace, cls: type, name: str) -> None:
    """Check at each call that a class still has the attribute that was found."""
    path = Attribute(trace.state.path(cls), name)
    found = getattr(cls, name)
    if found is getattr(cls, name):  # a class method is a new object at each look-up
        trace.state.guard(Is(path, found))
    else:
        trace.state.guard(Is(Attribute(path, "__func__"), found.__func__))


# -- objects made while tracing ----------------------------------------------------------------------------


def adopt(trace: Trace, value: Any, kind: str) -> Any:
    """Register a container that a pure function just made, and those in it; gives it or a tracer for it."""
    if type(value) in PLAIN_CONTAINERS and trace.journal.birth(value) is None:
        if trace.state.is_outside(value):
            return value
        for item in value.values() if isinstance(value, dict) else value:
            adopt(trace, item, kind)
        return made(trace, value, kind)
    if type(value) is tuple or is_namedtuple(value):
        for item in value:
            adopt(trace, item, kind)
    return value


def made(trace: Trace, value: Any, kind: str) -> Any:
    """Register an object made here; where the plan says so, make it exist when the program runs instead."""
    site = trace.site(kind)
    if site in trace.plan.objects:
        found = trace.operators.runtime_object(value, trace.plan.objects[site])
        trace.sites[found.value] = site
        return found
    return trace.journal.born(value, site)


def mutate(trace: Trace, value: Any) -> None:
    """To be called before an object made while tracing is changed.

    An object that stands for several (merged by branches, carried by a loop) can't be changed here: those it
    stands for must exist when the program runs, so tracing starts again with that in the plan.
    """
    birth = trace.journal.birth(value)
    if birth is None:
        trace.stop("AT204", f"a {type(value).__qualname__} of unknown origin is changed")
    if birth.sources:
        for site in birth.sources:
            trace.plan.objects[site] = None
        trace.need_object(birth.sources[0])
    trace.journal.touch(value)


def is_made(trace: Trace, value: Any) -> bool:
    """Whether an object was made while tracing."""
    return trace.journal.birth(value) is not None


def instance_dict(value: Any) -> dict[str, Any]:
    """The attributes that an instance has of its own."""
    return getattr(value, "__dict__", {})
