"""From trace-level objects to operands: what a node is given.

A tracer is its value, a constant is itself, an object from outside is a reference that is read afresh at
each call, a container made while tracing is laid out in the node's pattern.  An object that has to exist
when the program runs, because something keeps it or may change it, is asked for by a restart.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar

from astrace.guards.access_paths import viewed_dict
from astrace.ir.block import Constant, Operand
from astrace.ir.constants import UNSET, is_nan, is_static, same
from astrace.ir.specs import (
    ANY,
    AnySpec,
    ListSpec,
    LiteralSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    join,
    spec_of,
)
from astrace.tracing.changes.journal import Creation
from astrace.tracing.context import CURRENT, Trace
from astrace.tracing.external.value_identity import ValuePart
from astrace.tracing.notes import OWN
from astrace.tracing.scopes import scope_in
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.list_specs import keep_joined, widened
from astrace.tracing.values.special_methods import is_compiled, speaks
from astrace.util.trees import is_namedtuple, telling_leaves, tuple_like


@dataclass(frozen=True, slots=True, eq=False)
class Lazy:
    """A trace-level object that becomes nodes only when something needs it as a value (``range(n)``)."""

    CLASS: ClassVar[type | None] = None
    IS_KEPT: ClassVar[bool] = True
    """True if it is one object wherever it goes: the value once made of it then stands for it."""

    def __post_init__(self) -> None:
        trace = CURRENT.get()
        if trace is not None and self.IS_KEPT:
            trace.state.wholes.born(self, trace.recorder)

    def materialize(self, trace: Trace) -> Tracer:
        """The value, as the node that makes it."""
        raise NotImplementedError

    def cls(self) -> type | None:
        """The class that it has when the program runs, if that is known."""
        return self.CLASS

    def must_exist(self, trace: Trace, message: str) -> None:
        """Start again with a real object in its place, if there can be one; ``message`` says what for."""
        trace.stop("AT204", message)

    def takes_now(self) -> bool:
        """Return whether a real iterator in its place would have taken items already that Python takes later."""
        return False

    def check_kept(self, trace: Trace) -> None:
        """Stop where it cannot be a value that is used later."""


def takes_now(value: Any) -> bool:
    """Return whether a value is an iterator that must be used up where it is handed over; see `Lazy.takes_now`."""
    return isinstance(value, Lazy) and value.takes_now()


def kept_operand(trace: Trace, value: Any) -> Operand:
    """Return the operand for an object that leaves a branch or an iteration, to be used at an unknown time."""
    if isinstance(value, Lazy):
        value.check_kept(trace)
    return operand(trace, value)


def itself(trace: Trace, value: Any) -> Any:
    """Return the object from outside that a value stands for, or a tuple with such objects in it; else the value."""
    wholes = trace.state.wholes
    if not wholes.stands_for(value):
        return value
    source = wholes.source(value)
    if source is None:
        return tuple_like(value, [itself(trace, part) for part in value])
    if isinstance(source, ValuePart) and not trace.recorder.reachable(source.whole.value):
        # The whole was made in a region that has ended.
        return value if isinstance(value, Lazy) else held(trace, value)
    return trace.state.itself(value, spec_at(trace, value))


def held(trace: Trace, value: Any) -> Any:
    """Make a tuple or a slice that the function makes one object wherever it goes; return any other value as it is.

    It is made where the function makes it, be that before the region in which it is needed first.
    """
    wholes = trace.state.wholes
    if wholes.is_mixed(value):  # the branches or the loop must say which one it is
        trace.need_tuples()
    if not _is_made_here(trace, value):
        return itself(trace, value)
    outer, trace.recorder = trace.recorder, wholes.home(value, trace.recorder)
    try:
        made = trace.operators.record_made(value)
    finally:
        trace.recorder = outer
    wholes.hold(value, made)
    return made


def _is_made_here(trace: Trace, value: Any) -> bool:
    """Return whether a value is an object that the function makes, and that no node has made so far."""
    wholes = trace.state.wholes
    another = wholes.is_another(value)
    if not (another or type(value) in (tuple, slice) or is_namedtuple(value)):
        return False
    if trace.state.is_outside(value):
        return False
    source = wholes.source(value)
    if source is not None:
        return isinstance(source, ValuePart) and not trace.recorder.reachable(source.whole.value)
    return another or wholes.is_born(value) or not is_static(value)


def operand(trace: Trace, value: Any, leaf: bool = False) -> Operand:
    """Return the operand for a trace-level object in a node; ``leaf`` if an op is to use it."""
    value = made_function(trace, value if leaf else itself(trace, value))
    if isinstance(value, Tracer):
        return trace.recorder.operand(value.value)
    if isinstance(value, Lazy):
        return operand(trace, _as_value(trace, value))
    if value is UNSET and leaf:
        trace.stop("AT299", "a place without a value is used")
    if leaf and isinstance(value, enum.Enum) and speaks(type(value)):
        return trace.recorder.operand(trace.state.reference(value))
    if is_static(value) and not trace.state.is_outside(value):
        return Constant(representative(trace, value), trace.state.origin(value))
    if isinstance(value, types.BuiltinFunctionType | types.MethodWrapperType):
        if trace.journal.birth(value.__self__) is not None:
            return _made(trace, value.__self__)  # the object that the method changes has to exist
        return operand(trace, trace.operators.record_read("get_attr", value.__self__, value.__name__))
    if isinstance(value, types.MethodType):
        return operand(trace, _bound(trace, value))
    if trace.state.is_outside(value) or is_compiled(value):
        return trace.recorder.operand(trace.state.reference(value))
    return _made(trace, value)


def _as_value(trace: Trace, lazy: Lazy) -> Tracer:
    """Return a lazy object as a value of the running program: the same object in each region that it is known in."""
    wholes = trace.state.wholes
    source = wholes.source(lazy)
    if isinstance(source, ValuePart) and trace.recorder.reachable(source.whole.value):
        return source.whole
    if not lazy.IS_KEPT:
        return lazy.materialize(trace)
    outer, trace.recorder = trace.recorder, wholes.home(lazy, trace.recorder)
    try:
        made = lazy.materialize(trace)
    finally:
        trace.recorder = outer
    wholes.hold(lazy, made)
    return made


def _bound(trace: Trace, method: types.MethodType) -> Any:
    """A bound method as a value: of a compiled function what that makes of it."""
    function = method.__func__
    if is_compiled(function):
        binding = type(function).__get__
        return trace.operators.opaque(binding, (trace.operators.wrap_constant(function), method.__self__), {})
    return trace.operators.opaque(types.MethodType, (function, method.__self__), {})


def _made(trace: Trace, value: Any) -> Operand:
    """A container made while tracing, as a value of its own."""
    if type(value) in (tuple, slice) or is_namedtuple(value):
        return operand(trace, held(trace, value))
    if type(value) in trace.operators.VIEW_TYPES:
        _made(trace, viewed_dict(value))  # starts again with a real dict, which has real views
    birth = trace.journal.birth(value)
    if birth is not None:
        return _foreseen(trace, value, birth)
    kind = OWN.get(type(value).__name__, f"`{type(value).__qualname__}`")
    trace.stop(
        "AT204", f"a {kind} that the function makes is needed as an object, and can't be made for real"
    )
    return None


def is_foreseen(trace: Trace, value: Any) -> bool:
    """Return whether an attempt can go on with an object that the next one makes for real."""
    return not trace.journal.births[id(value)].sources


def _foreseen(trace: Trace, value: Any, birth: Creation) -> Operand:
    """Return an operand for an object made here that the next attempt makes for real where it is born."""
    element = element_spec(trace, value)
    if not is_foreseen(trace, value):
        trace.need_object(birth, element)
    trace.learn(birth.origins, element)
    found = trace.operators.runtime_object(value, element)
    trace.sites[found.value] = birth.site
    return operand(trace, found)


def element_spec(trace: Trace, value: Any) -> Spec | None:
    """The spec that covers the items of a list made while tracing."""
    return spec_of_items(trace, value) if type(value) is list else None  # type: ignore[reportUnknownArgumentType]


def element_with(trace: Trace, owner: Any, key: Any, value: Any) -> Spec | None:
    """Return the spec that covers a list's items and one that is stored; ``None`` where that is not known in this attempt.

    Args:
        trace: the trace that is going on.
        owner: the list; anything else has no such items.
        key: where it is stored.
        value: what is stored.
    """
    if type(owner) is not list or isinstance(key, slice):
        return None
    found = spec_of_items(trace, (*owner, value))  # type: ignore[reportUnknownArgumentType]
    return None if found == ANY else found


def spec_of_items(trace: Trace, items: Iterable[Any]) -> Spec | None:
    """Return the spec that covers some items; ``None`` if there are none."""
    found: Spec | None = None
    for item in items:
        spec = spec_at(trace, item)
        found = spec if found is None else join(found, spec)
    return found


def spec_at(trace: Trace, value: Any) -> Spec:
    """Return the spec of a trace-level object."""
    value = made_function(trace, value)
    if isinstance(value, Tracer):
        return value.value.spec
    if trace.state.is_outside(value):
        return AnySpec(type(value))
    if type(value) is tuple or is_namedtuple(value):
        return TupleSpec(tuple(spec_at(trace, item) for item in value), type(value))
    if type(value) is list:
        return widened(trace, ListSpec(element_spec(trace, value), len(value)))  # type: ignore[reportUnknownArgumentType]
    if is_static(value):
        return spec_of(representative(trace, value))
    return ANY if isinstance(value, Lazy) else AnySpec(type(value))


def operand_spec(trace: Trace, value: Any) -> Spec:
    """Return the spec of the operand for a trace-level object; for one from outside that of its input."""
    state = trace.state
    known = state.object_spec(state.path(value) if state.is_outside(value) else state.wholes.source(value))
    return spec_at(trace, value) if known is None else known


# -- local functions ---------------------------------------------------------------------------------------


def is_local_function(value: Any) -> bool:
    """Return whether a value is a function that rewritten code defined: it can only be called while tracing."""
    return isinstance(value, types.FunctionType) and scope_in(value.__globals__) is not None


def existing(trace: Trace, value: Any) -> Any:
    """Return a local function as the function of the running program that it has to be; any other value as it is."""
    if not is_local_function(value):
        return value
    known = trace.local_functions.get(id(value))
    if known is not None and known.site not in trace.plan.objects:
        trace.need_sites((known.site,))
    return made_function(trace, value)


def made_function(trace: Trace, value: Any) -> Any:
    """Return a local function that exists when the program runs as that function; any other value as it is."""
    known = trace.local_functions.get(id(value)) if isinstance(value, types.FunctionType) else None
    return value if known is None or known.value is None else known.value


def changed_function(trace: Trace, owner: Any) -> Any:
    """Return a local function whose attribute is set or deleted as the function of the running program."""
    if not is_local_function(owner):
        return owner
    found = existing(trace, owner)
    if found is owner:
        trace.stop("AT204", f"an attribute of the local function `{owner.__name__}` is changed")
    trace.state.forget(owner)
    return found


def alike(left: Any, right: Any) -> bool:
    """Return whether two local functions do the same: one ``def``, the same variables, the same defaults."""
    if not is_local_function(left) or not is_local_function(right):
        return False
    return _identity(left) == _identity(right)


def is_one(trace: Trace, left: Any, right: Any) -> bool:
    """Return whether two trace-level objects cannot be told apart, not even by ``is``."""
    if left is right or alike(left, right):
        return True
    return same(left, right) and not is_nan(left) and not trace.state.wholes.told_apart(left, right)


def _identity(function: types.FunctionType) -> tuple[Any, ...]:
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    cells = function.__closure__ or ()
    return function.__code__, tuple(map(id, cells)), tuple(map(id, defaults))


def representative(trace: Trace, value: Any) -> Any:
    """The value itself; for a local function the first one that does the same, which stands for it in the graph.

    There it only says which of several functions a name holds; a call of the name becomes branches.
    """
    if not is_local_function(value):
        return value
    return trace.functions.setdefault(_identity(value), value)


def holds_local_function(spec: Spec) -> bool:
    """Return whether a value of ``spec`` is, holds, or may be, a local function."""
    return rewritten_in_spec(spec) is not None


def keep_distinguishable(trace: Trace, given: Operand, spec: Spec) -> None:
    """Check that a local function which is merged into a value of ``spec`` stays distinguishable."""
    if isinstance(given, Constant) and is_local_function(given.value):
        options = spec.options if isinstance(spec, UnionSpec) else (spec,)
        if given.spec not in options:
            name = given.value.__name__
            trace.stop("AT204", f"too many different local functions `{name}` reach this place")


def rewritten_in(value: Any) -> types.FunctionType | None:
    """The rewritten function that a trace-level object is, or stands for: it only means something while tracing."""
    if isinstance(value, Tracer):
        return rewritten_in_spec(value.value.spec)
    found = isinstance(value, types.FunctionType) and scope_in(value.__globals__) is not None
    return value if found else None


def joined(trace: Trace, *specs: Spec) -> Spec:
    """Return the spec that covers the results of branches or iterations; local functions stay known one by one."""
    found = reduce(join, specs)
    lost = next(filter(None, map(rewritten_in_spec, specs)), None)
    if lost is not None and rewritten_in_spec(found) is None:
        trace.stop("AT204", f"the local function `{lost.__name__}` is one of too many that reach this place")
    keep_joined(trace, specs, found)
    return found


def rewritten_in_spec(spec: Spec) -> types.FunctionType | None:
    """Return a rewritten function among the values that a spec describes; see `rewritten_in`."""
    match spec:
        case LiteralSpec():
            return rewritten_in(spec.value)
        case UnionSpec():
            inner = spec.options
        case TupleSpec():
            inner = spec.items
        case ListSpec() if spec.element is not None:
            inner = (spec.element,)
        case _:
            return None
    return next((found for one in inner if (found := rewritten_in_spec(one)) is not None), None)


def is_traced(value: Any) -> bool:
    """Return whether a trace-level object is or holds a tracer."""
    return any(isinstance(leaf, Tracer | Lazy) for leaf in telling_leaves(value))
