"""Python functions: rewritten once, traced at each call, with their own globals, cells and defaults."""

from __future__ import annotations

import itertools
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from astrace.guards.access_paths import Attribute, Item, Root, derived_keys
from astrace.guards.kinds import Equals, Is, LacksAttribute, unedited
from astrace.ir.constants import Undefined
from astrace.ir.specs import class_of
from astrace.ops.python.argument_binding import NOTHING, stub, with_parameters
from astrace.ops.python.random_streams import TRACED
from astrace.tracing.changes.journal import MISSING
from astrace.tracing.context import Trace, current
from astrace.tracing.external.slots import slot_of
from astrace.tracing.generators.generators import generator_stream
from astrace.tracing.generators.suspended_frames import reads
from astrace.tracing.operators.calls.recursion import leave_recursion, left_plain, stop_recursion
from astrace.tracing.operators.calls.runtime_functions import function_for_real
from astrace.tracing.operators.data.attribute_errors import found_by
from astrace.tracing.operators.data.class_attributes import may_bind, read_class
from astrace.tracing.outlining import Inlined
from astrace.tracing.record import record
from astrace.tracing.scopes import FunctionScope, scope_in
from astrace.tracing.signals import Uncapturable
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.closures import LOCAL, MadeFunction, protects
from astrace.tracing.values.lazy import TracedSuper, one_shot
from astrace.tracing.values.objects import guard_order, is_made, is_user_class
from astrace.tracing.values.operands import existing
from astrace.tracing.values.special_methods import HEAP_TYPE, class_attribute, hook
from astrace.util.code_stubs import code_of
from astrace.util.trees import members

__all__ = [
    "call_function",
    "local_function",
    "rewritten_form",
    "super_",
    "super_attribute",
    "wrapped",
]


@dataclass(frozen=True, slots=True)
class LocalFunction:
    """The properties of a function made while tracing: whether it hands out items."""

    generator: bool


def local_function(
    function: types.FunctionType, generator: bool, decorated: bool = False
) -> types.FunctionType:
    """Register a function that the rewritten code has just defined; where the plan says so, it exists for real."""
    function.__dict__["__astrace_local__"] = LocalFunction(generator)
    trace = current()
    site = trace.site(LOCAL)
    made = function_for_real(trace, function, decorated) if site in trace.plan.objects else None
    trace.local_functions[id(function)] = MadeFunction(function, site, made)
    for holder in (id(function), id(function.__dict__)):
        trace.journal.functions[holder] = trace.journal.depth
    return function


def rewritten_form(function: types.FunctionType) -> LocalFunction | None:
    """Return the properties of a function whose code is rewritten code already; ``None`` for any other."""
    known = function.__dict__.get("__astrace_local__")
    if known is not None:
        return known
    return LocalFunction(False) if scope_in(function.__globals__) is not None else None


def call_function(
    trace: Trace,
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    in_place: bool = False,
    by_code: bool = False,
) -> Any:
    """Trace through a call of a Python function.

    Args:
        trace: the trace that is going on.
        function: an original function, or one that rewritten code defined.
        args: trace-level objects.
        kwargs: likewise.
        in_place: run a generator function's body now, for a consumer that waits already.
        by_code: the function is one of which only the code is fixed.
    """
    if not by_code:
        trace.state.met_as_object(function)
    check_arguments(trace, function, args, kwargs)
    local = rewritten_form(function)
    if local is not None:
        if local.generator and not in_place:
            return _generator(trace, function, function, args, kwargs)
        return _call_local(trace, function, args, kwargs)
    rewritten = trace.rewrite(function)
    if rewritten.skipped:
        raise Uncapturable(rewritten.skipped[0])
    code = code_of(function)
    if code in trace.plan.endless:
        reason = trace.plan.endless[code]
        trace.stop(reason.code, reason.message, reason.hint)
    stop_recursion(trace, function.__name__, code)
    guard_code(trace, function)
    traced = rewritten.function(function, trace.ag, FunctionScope.of(function))
    _defaults(trace, function, traced, args, kwargs)
    if rewritten.generator and not in_place:
        return _generator(trace, function, traced, args, kwargs)
    with Inlined(trace, code):
        try:
            return traced(*args, **kwargs)
        except RecursionError as error:
            leave_recursion(trace, error)
            raise


def _generator(
    trace: Trace,
    function: types.FunctionType,
    traced: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    """A generator: traced in place around its consumer, or a real one where something else needs it."""

    def value(inner: Trace) -> Any:
        return inner.operators.opaque(existing(inner, function), args, kwargs)

    def made(inner: Trace) -> Any:
        if protects(function.__code__):  # code after the `yield` runs when the generator is freed
            inner.stop("AT209", "a generator may be left inside `try` or `with`")
        return value(inner)

    reason = trace.plan.endless.get(traced.__code__)
    if reason is not None:
        trace.plain(left_plain(trace, reason, function.__name__))
        return made(trace)
    local = traced is function
    return one_shot(trace, generator_stream(traced, args, dict(kwargs), None if local else value, made))


def _call_local(
    trace: Trace, function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Trace through a call of a function that rewritten code defined."""
    code = function.__code__
    if code in trace.plan.endless:
        return _call_for_real(trace, function, args, kwargs)
    stop_recursion(trace, function.__name__, code)
    reads(trace, function)
    trace.calls.append(code)
    try:
        return function(*args, **kwargs)
    except RecursionError as error:
        leave_recursion(trace, error)
        raise
    finally:
        trace.calls.pop()


def _call_for_real(
    trace: Trace, function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """Call a local function that is left to plain Python: the one that exists when the program runs."""
    reason = trace.plan.endless[function.__code__]
    made = existing(trace, function)
    if made is function:
        trace.stop(reason.code, reason.message, reason.hint)
    result = trace.operators.opaque(made, args, kwargs)
    trace.plain(left_plain(trace, reason, function.__name__))
    return result


def check_arguments(
    trace: Trace, function: types.FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> None:
    """Python's own complaint about arguments that a function does not take."""
    held = _held_defaults(trace, function)
    called = stub(
        with_parameters(NOTHING, function.__code__),
        function,
        function.__defaults__ if held is MISSING else held,
    )
    try:
        called(*args, **kwargs)
    except TypeError as error:
        trace.mark(error, certain=True)
        if held is MISSING and rewritten_form(function) is None:
            guard_defaults(trace, function)
        raise


def guard_defaults(trace: Trace, function: types.FunctionType) -> None:
    """Check at each call that a function has the defaults that it had: all of them, as they are."""
    root = trace.state.function_path(function)
    trace.state.guard(Is(Attribute(root, "__defaults__"), function.__defaults__))
    named, path = function.__kwdefaults__, Attribute(root, "__kwdefaults__")
    if not named:
        trace.state.guard(Is(path, named))
        return
    trace.state.guard(Equals(derived_keys(path), tuple(named)))
    for name, value in named.items():
        trace.state.guard(Is(Item(path, name), value))


def _held_defaults(trace: Trace, function: types.FunctionType) -> Any:
    """The defaults that this call has given a function itself; `MISSING` if it has not."""
    slots, root = trace.journal.slots, trace.state.function_path(function)
    for name in ("__code__", "__kwdefaults__"):
        found, before = slots.get(slot_of(function, ("attr", name)), MISSING), getattr(function, name)
        filled = trace.state.is_outside(before) and trace.state.is_changed(before)
        forgotten = trace.state.is_forgotten(function, ("attr", name))
        if filled or forgotten or (found is not MISSING and found is not before):
            trace.stop("AT204", f"`{root}` is called after its `{name}` was changed")
    found = slots.get(slot_of(function, ("attr", "__defaults__")), MISSING)
    forgotten = trace.state.is_forgotten(function, ("attr", "__defaults__"))
    if forgotten or (found is not MISSING and type(found) is not tuple and found is not None):
        trace.stop("AT204", f"`{root}` is called with defaults that only the running program knows")
    return found


def guard_code(trace: Trace, function: types.FunctionType) -> None:
    """Check at each call that a function has not been edited in place."""
    trace.state.guard(unedited(function, trace.state.function_path(function)))


def _defaults(
    trace: Trace,
    original: types.FunctionType,
    traced: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> None:
    """Give the rewritten function the defaults it will need: the original's objects, as outside state."""
    code, root = code_of(original), trace.state.function_path(original)
    held = _held_defaults(trace, original)
    values = (original.__defaults__ if held is MISSING else held) or ()
    first = code.co_argcount - len(values)
    path = Attribute(root, "__defaults__")

    def default(index: int, value: Any) -> Any:
        if first + index < len(args) or code.co_varnames[first + index] in kwargs:
            return None  # an argument is given for it
        if held is not MISSING:
            return value
        place = Item(path, index - len(values))
        if original in TRACED:  # in hardly any program is it another one: one of the branches is enough
            trace.state.guard(Is(place, value))
            return value
        return trace.state.enter(value, place)

    traced.__defaults__ = tuple(itertools.starmap(default, enumerate(values)))
    if original.__kwdefaults__:
        keyword_path = Attribute(root, "__kwdefaults__")
        traced.__kwdefaults__ = {
            name: None if name in kwargs else trace.state.enter(value, Item(keyword_path, name))
            for name, value in original.__kwdefaults__.items()
        }


def wrapped(function: types.FunctionType) -> Any:
    """The function that a decorator of the standard library wrapped."""
    trace = current()
    inner = function.__wrapped__  # type: ignore[attr-defined]
    trace.state.guard(Is(Attribute(Root(function, function.__name__), "__wrapped__"), inner))
    return inner


# -- super -------------------------------------------------------------------------------------------------


def super_(function: Any, scope: FunctionScope, *first: Any) -> Any:
    """``super()`` in a function of a scope, where ``super`` means ``function``.

    Args:
        function: the builtin, or what the program has put in its place.
        scope: tells the class around the method.
        first: what the first parameter holds; nothing where there is none.
    """
    trace = current()
    if function is not super:
        return trace.operators.call(function)
    if not first:
        return trace.native(_no_super, "super(): no arguments")
    if isinstance(first[0], Undefined):
        return trace.native(_no_super, "super(): arg[0] deleted")
    if "__class__" not in scope.cells:
        return trace.native(_no_super, "super(): __class__ cell not found")
    cell = scope.cells["__class__"]
    if trace.state.knows(cell, ("attr", "cell_contents")):
        trace.stop("AT204", "`super()` stands in a method that sets or deletes `__class__`")
    if cell == types.CellType():
        return trace.native(_no_super, "super(): empty __class__ cell")
    owner = trace.operators.read_cell(scope, "__class__")
    if not isinstance(owner, type):
        return trace.native(_no_super, f"super(): __class__ is not a type ({type(owner).__name__})")
    if not isinstance(first[0], Tracer):
        return trace.native(super, owner, *first)
    cls = class_of(first[0].value.spec)
    if cls is not None and not issubclass(cls, (owner, type)):
        return trace.native(_no_instance, owner, cls)
    return TracedSuper(owner, *first)


def _no_super(message: str) -> None:
    """Raise Python's own complaint about ``super()`` without its class or object."""
    raise RuntimeError(message)


def _no_instance(owner: type, cls: type) -> None:
    """Raise Python's own complaint about ``super()`` with an object of another class, which is named since Python 3.13."""
    message = ""
    try:
        super(owner, object())  # type: ignore[reportArgumentType]
    except TypeError as error:
        message = str(error)
    raise TypeError(message.replace("instance of object", f"instance of {_name_in_c(cls)}"))


def _name_in_c(cls: type) -> str:
    """The name of a class as code in C tells it: with its module where it is itself written in C, and not Python's own."""
    is_written_in_python = bool(cls.__flags__ & HEAP_TYPE)
    return (
        cls.__name__
        if is_written_in_python or cls.__module__ == "builtins"
        else f"{cls.__module__}.{cls.__name__}"
    )


def super_attribute(proxy: Any, name: str) -> Any:
    """``super().name``: the attribute of the next class in the instance's order, bound to the instance."""
    trace = current()
    if isinstance(proxy, TracedSuper):
        owner, instance = proxy.owner, proxy.instance
        cls, of_class = class_of(instance.value.spec), False
    else:
        owner, instance, cls = proxy.__thisclass__, proxy.__self__, proxy.__self_class__
        of_class = cls is instance
    if cls is None:
        trace.stop("AT201", f"`super().{name}` of an object whose class is not known while tracing")
    guard_order(trace, cls)
    for base in cls.__mro__[cls.__mro__.index(owner) + 1 :]:
        known = trace.state.knows(base, ("attr", name))
        if known and (trace.state.is_changed(base) or name not in members(base)):
            return _read_above(trace, owner, base, name, instance)
        if name in members(base):
            return _attribute_above(trace, owner, base, name, instance, of_class)
        if is_user_class(base):
            trace.state.guard(LacksAttribute(trace.state.path(base), name))
    return trace.native(_no_attribute_above, owner, cls, name)


def _no_attribute_above(owner: type, cls: type, name: str) -> Any:
    return getattr(super(owner, cls), name)  # type: ignore[reportArgumentType]


def _attribute_above(trace: Trace, owner: type, base: type, name: str, instance: Any, of_class: bool) -> Any:
    """Return the meaning of a base class's attribute on an instance of ``owner``, or (``of_class``) on a class."""
    stored = members(base)[name]
    if is_user_class(base) and (class_attribute(type(stored), "__get__") is not None):
        trace.operators.guard_class(base, name)
    match stored:
        case _ if hook(type(stored), "__get__") is not None:
            return _read_above(trace, owner, base, name, instance)
        case types.FunctionType() if of_class:
            return stored
        case types.FunctionType() | types.MethodDescriptorType() | types.WrapperDescriptorType() if (
            not of_class
        ):
            return types.MethodType(stored, instance)
        case property() if stored.fget is not None and not of_class:
            return found_by(trace, stored.fget, instance)
        case staticmethod():
            return stored.__func__
        case classmethod():
            cls = instance if of_class else trace.operators.call(type, instance)
            return types.MethodType(stored.__func__, cls)
        case _:
            return _read_above(trace, owner, base, name, instance)


def _read_above(trace: Trace, owner: type, base: type, name: str, instance: Any) -> Any:
    """A value that a base class holds, read through that class; what may be a descriptor, when the program runs."""
    bound = isinstance(members(base).get(name), classmethod)  # bound to the class that it is read through
    doubtful = bound or trace.state.in_doubt(base, ("attr", name))
    value = None if doubtful else read_class(trace, base, name)
    if value is not None and not may_bind(value):
        return value
    if is_made(trace, instance):
        trace.need_object(trace.journal.births[id(instance)])
    return trace.operators.record_read("get_attr", record(trace, "call", (super, owner, instance)), name)
