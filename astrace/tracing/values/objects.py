"""Python objects while tracing: which are whose, how their attributes are found, how they are changed.

An object is *outside* (it existed before the call: read through ``external``, never changed), *made* (created
while tracing: ordinary Python, changes journaled), or a constant.
"""

from __future__ import annotations

import enum
import types
from typing import Any, Final

from astrace.guards.access_paths import Attribute, Item, Root
from astrace.guards.kinds import Equals, Is, LacksAttribute
from astrace.ir.constants import is_exception_class, is_hashable, is_static
from astrace.ir.specs import class_of
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.operands import Lazy
from astrace.tracing.values.special_methods import (
    HEAP_TYPE,
    IMMUTABLE_TYPE,
    as_function,
    class_attribute,
    has_enum_methods,
    hook,
    is_compiled,
    runs_python,
    speaks,
    stored_attribute,
)
from astrace.util.entrances import function_of
from astrace.util.trees import is_namedtuple, own_attributes, resolution_order

PLAIN_CONTAINERS: Final = (list, dict, set)
PLAIN_LOOKUPS: Final = (
    object.__getattribute__,
    types.ModuleType.__getattribute__,
    types.SimpleNamespace.__getattribute__,
    *(cls.__getattribute__ for cls in (int, float, complex, str, bytes, tuple, frozenset)),
)
"""Lookups in Python's own order; built-in classes have one each, which do the same."""
SEQUENCES: Final = (list, tuple, set, frozenset, type({}.values()), type({}.items()), type({}.keys()))
OWN_MODULES: Final = ("astrace.tracing.", "astrace.rewrite.")


def special_method(trace: Trace, value: Any, name: str) -> types.FunctionType | None:
    """Return a special method written in Python, of a trace-level object's class; guarded, even if there is none.

    An object made here that has something else in its place, such as a partial, has to exist: then Python itself
    finds out what that does.
    """
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls is None or not is_user_class(cls):
        return None
    trace.state.stale.instance(value)
    found = looked_up(trace, cls, name)
    if found is not None and not isinstance(found[1], types.FunctionType) and is_user_class(found[0]):
        must_be_real(trace, value)
    return found[1] if found is not None and isinstance(found[1], types.FunctionType) else None


def must_be_real(trace: Trace, value: Any) -> None:
    """Start again with a plan in which an object made while tracing exists when the program runs."""
    birth = trace.journal.birth(value)
    if birth is not None:
        trace.need_object(birth)


def looked_up(trace: Trace, cls: type, name: str) -> tuple[type, Any] | None:
    """The class in the method resolution order that has an attribute, and the attribute as stored; guarded."""
    found = class_attribute(cls, name)
    if found is not None:
        guard_class_attribute(trace, cls, name)
    elif is_user_class(cls):
        guard_lacking(trace, cls, name)
    return found


def guard_lacking(trace: Trace, cls: type, name: str, until: type | None = None) -> None:
    """Check at each call that a class, and its bases up to one, have no attribute of a name of their own."""
    guard_order(trace, cls)
    for base in resolution_order(cls):
        if base is until:
            return
        if is_user_class(base):
            trace.state.guard(LacksAttribute(trace.state.path(base), name))


def guard_unshadowed(trace: Trace, owner: Any, name: str) -> None:
    """Check at each call that an instance from outside has no attribute that hides one of its class."""
    if trace.state.is_outside(owner) and type(owner).__dictoffset__:
        trace.state.guard(LacksAttribute(trace.state.path(owner), name))


def guard_name(trace: Trace, cls: type) -> None:
    """Check at each call that a class has the name that an error message tells."""
    if is_user_class(cls):
        trace.state.guard(Equals(Attribute(trace.state.path(cls), "__name__"), cls.__name__))


def guard_order(trace: Trace, cls: type) -> None:
    """Check at each call that a class has the bases that it had."""
    order = resolution_order(cls)
    if len(order) > len((cls, object)) and is_user_class(cls):
        trace.state.guard(Is(Attribute(trace.state.path(cls), "__mro__"), order))


MODULE: Final[Any] = vars(type)["__module__"]


def is_user_class(cls: type) -> bool:
    """Return whether a class is written in Python and is not one of astrace's own trace-level classes."""
    module = MODULE.__get__(cls)
    if not isinstance(module, str) or module.startswith(OWN_MODULES) or issubclass(cls, Tracer | Lazy):
        return False
    in_python = cls.__flags__ & (HEAP_TYPE | IMMUTABLE_TYPE) == HEAP_TYPE
    return in_python and module.split(".")[0] not in ("numpy", "builtins")


def looks_up_plainly(cls: type) -> bool:
    """Return whether instances of a class have what their own dict and their class hold: of users' classes, and namespaces.

    Example:
        >>> looks_up_plainly(types.SimpleNamespace), looks_up_plainly(list)
        (True, False)
    """
    return cls is types.SimpleNamespace or is_user_class(cls)


def is_live(trace: Trace, value: Any) -> bool:
    """Return whether an operation on a trace-level object depends on something that only the running program knows.

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
        case enum.Enum():
            return speaks(type(value), text=False)
        case _:
            return not is_static(value) and is_user_class(type(value)) and speaks(type(value))


def is_key(value: Any) -> bool:
    """Return whether a value is a constant that can be hashed and compared while tracing."""
    return is_static(value) and not has_enum_methods((value,)) and is_hashable(value)


def is_known_error(trace: Trace, value: Any) -> bool:
    """Return whether a value is an exception made here whose text depends on nothing unknown."""
    if not isinstance(value, BaseException) or not is_exception_class(type(value)):
        return False
    if trace.state.is_outside(value):
        return False
    texts = (class_attribute(type(value), name) for name in ("__str__", "__repr__", "__format__"))
    hooked = any(found is not None and runs_python(found[1]) for found in texts)
    return not hooked and is_static(value.args) and not has_enum_methods(value.args, text=True)


def must_be_raised(trace: Trace, error: Any, name: str) -> None:
    """Make an exception exist in the program, if needed, before an attribute of it is read.

    Only the running program knows what an exception gets by being raised (``__context__``, ``__traceback__``), and
    may change it (notes): an exception that was made while tracing is to be made, and raised, by the program.
    """
    birth = trace.journal.birth(error) if isinstance(error, BaseException) else None
    if birth is None:
        return
    found = class_attribute(type(error), name)
    known = found is not None and (
        is_user_class(found[0])
        or isinstance(found[1], types.MemberDescriptorType)
        or name in ("args", "__class__")
    )
    if not known and (name.startswith("__") or found is not None):
        trace.need_object(birth)


def is_function(value: Any) -> bool:
    """Return whether a value is a Python function, compiled or not."""
    return isinstance(value, types.FunctionType) or is_compiled(value)


def original(trace: Trace, compiled: Any) -> Any:
    """Return the function inside a compiled one, read through it where it may be replaced before the next call."""
    fixed = not trace.state.is_outside(compiled) or isinstance(trace.state.path(compiled), Root)
    inner = function_of(compiled)
    return (
        inner
        if fixed and isinstance(inner, types.FunctionType)
        else trace.operators.attr(compiled, "__astrace_function__")
    )


def holder_of(trace: Trace, owner: Any, name: str) -> Any:
    """Return the holder of an attribute: the function inside a compiled one, if functions have the attribute."""
    return owner if as_function(owner, name) is owner else original(trace, owner)


def guard_class_attribute(trace: Trace, cls: type, name: str) -> None:
    """Check at each call that a class still has the attribute that was found."""
    found = stored_attribute(cls, name)
    assert found is not None, name
    path = Attribute(trace.state.path(cls), name)
    match found[1]:
        case _ if hook(type(found[1]), "__get__") is not None:
            _guard_as_stored(trace, cls, name, *found)
        case types.FunctionType() | property() if type(cls) is type:
            trace.state.guard(Is(path, found[1]))
        case _ if type(cls) is type and is_compiled(found[1]):
            trace.state.guard(Is(path, found[1]))
        case staticmethod() if type(cls) is type:
            trace.state.guard(Is(path, found[1].__func__))
        case classmethod() if type(cls) is type and is_function(found[1].__func__):
            trace.state.guard(Is(Attribute(path, "__func__"), found[1].__func__))
        case types.WrapperDescriptorType() if type(cls) is type:
            trace.state.guard(Is(path, found[1]))
        case _:
            _guard_as_stored(trace, cls, name, *found)


def _guard_as_stored(trace: Trace, cls: type, name: str, home: type, stored: Any) -> None:
    """Check the attribute stored in a class without the user's code: neither descriptors nor metaclasses are called."""
    guard_lacking(trace, cls, name, until=home)
    if is_user_class(home):
        trace.state.guard(Is(Item(Attribute(trace.state.path(home), "__dict__"), name), stored))


# -- objects made while tracing ----------------------------------------------------------------------------


def adopt(trace: Trace, value: Any, kind: str) -> Any:
    """Register a container that a pure function just made, and those in it; gives it or a tracer for it."""
    if type(value) in PLAIN_CONTAINERS and trace.journal.birth(value) is None:
        if trace.state.is_outside(value):
            return value
        for item in value.values() if isinstance(value, dict) else value:
            adopt(trace, item, kind)
        return made(trace, value, kind)
    is_tuple = type(value) is tuple or is_namedtuple(value)
    for item in value if is_tuple else ():
        adopt(trace, item, kind)
    new = kind in MAKING and trace.state.wholes.source(value) is None
    if new and (type(value) is slice or (is_tuple and not is_static(value))):
        trace.state.wholes.born(value, trace.recorder)
    return value


MAKING: Final = frozenset({"call", "binary"})
"""The kinds of results of which an unknown tuple is a new one, rather than a part of another object."""


def made(trace: Trace, value: Any, kind: str) -> Any:
    """Register an object made here; where the plan says so, make it exist when the program runs instead."""
    site = trace.site(kind)
    if site in trace.plan.objects:
        found = trace.operators.runtime_object(value, trace.plan.objects[site])
        trace.sites[found.value] = site
        return found
    return trace.journal.born(value, site)


def mutate(trace: Trace, value: Any) -> None:
    """Prepare an object made while tracing for a change.

    An object that stands for several (merged by branches, carried by a loop) can't be changed here: those it
    stands for must exist when the program runs, so tracing starts again with that in the plan.
    """
    birth = trace.journal.birth(value)
    if birth is None:
        trace.stop("AT204", f"a {type(value).__qualname__} of unknown origin is changed")
    if birth.sources:
        trace.need_object(birth)
    if any(value is one for one in trace.journal.sorting):
        trace.stop("AT204", "a list is changed by the key that it is sorted with")
    trace.journal.touch(value)


def is_made(trace: Trace, value: Any) -> bool:
    """Return whether an object was made while tracing."""
    return trace.journal.birth(value) is not None


def instance_dict(value: Any) -> dict[str, Any]:
    """The attributes that an instance has of its own."""
    return own_attributes(value)


def must_be_refused(trace: Trace, owner: Any, name: str) -> None:
    """Stop where a store would change an object that is neither made here nor known to be from outside.

    A number or a text refuses it when the program runs, as in plain Python.
    """
    if isinstance(owner, enum.Enum) or not is_static(owner):
        trace.stop("AT204", f"`{name}` of a `{type(owner).__qualname__}` is set or deleted")


def must_not_be_error(trace: Trace, owner: Any) -> None:
    """An exception that is changed has to exist when the program runs."""
    if isinstance(owner, BaseException):
        trace.need_object(trace.journal.births[id(owner)])
