"""Operators on two operands, where methods written in Python take part: whose is asked, in which order.

Python's own protocol (``Objects/abstract.c``, ``Objects/typeobject.c``).  Methods of the user's are traced.  Where C code of
a built-in base comes first and may accept its operand, or a method has to run as it is, the operator itself is left to the
running program: nobody here learns what such code gives.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import ref

from astrace.errors import AS_PLAIN, Reason
from astrace.ir.block import Constant, Node
from astrace.ir.specs import ANY, LiteralSpec, Spec, UnionSpec, class_of
from astrace.locations import Location
from astrace.ops.python.operators import COMPARISON, REFLECTED, method_name
from astrace.ops.python.special_methods import refused
from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.signals import Leaves, Stop
from astrace.tracing.tracer import Tracer, is_numeric
from astrace.tracing.values.callables import is_traced_through
from astrace.tracing.values.special_lookup import IN_C, answering, is_mixed, may_accept
from astrace.tracing.values.special_methods import class_attribute, is_subclass

__all__: list[str] = []


class Undecided(Stop):
    """Whether a method declines decides what comes next, and only the running program knows it.

    Args:
        method: the method.
    """

    def __init__(self, method: types.FunctionType) -> None:
        super().__init__(method)
        self.method = method


class Unanswered:
    """Instead of a result."""


OPAQUE: Final = Unanswered()
"""The result of the operator is not known here: the running program has to apply it."""

BY_IDENTITY: Final = Unanswered()
"""Every method of two operands has declined to tell whether they are equal: they are if they are one object."""

NAMES: Final = {method_name(name): name for name in COMPARISON}


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator and its operands.

    Args:
        form: the op that stands for it in the program.
        name: the operator.
        left: an operand.
        right: the other one.
    """

    form: str
    name: str
    left: Any
    right: Any


@dataclass(frozen=True, slots=True)
class Candidate:
    """A method that Python may ask.

    Args:
        owner: the operand that has it.
        other: the other one.
        found: the method, as `answering` tells.
        negated: the answer is the opposite: ``!=`` asks ``__eq__``.
    """

    owner: Any
    other: Any
    found: Any
    negated: bool = False


def by_methods(trace: Trace, name: str, left: Any, right: Any, form: str | None = None) -> Any:
    """Apply an operator by methods of the user's.

    Args:
        trace: the trace.
        name: the operator, as `astrace.ops` names it.
        left: an operand.
        right: the other one.
        form: the op that stands for it in the program, if that is another one: in place.

    Returns:
        `NotImplemented` where no method of the user's takes part, an `Unanswered`, or the result.
    """
    if is_numeric(left) and is_numeric(right):
        return NotImplemented
    attempts = _attempts(trace, name, left, right)
    if not any(isinstance(attempt.found, types.FunctionType) for attempt in attempts):
        return NotImplemented
    known = all(_class(value) is not None for value in (left, right))

    def ask() -> Any:
        result = _first_answer(trace, Operation(form or name, name, left, right), attempts)
        if result is not NotImplemented:
            return result
        return BY_IDENTITY if known and name in ("eq", "ne") else OPAQUE

    return _kept(trace, ask)


def by_method(trace: Trace, method: str, owner: Any, *others: Any) -> Any:
    """Apply one special method of the user's, of the only operand that is asked; see `by_methods`."""
    found = answering(trace, owner, method)
    if not isinstance(found, types.FunctionType):
        return NotImplemented

    def ask() -> Any:
        result = _asked(trace, found, owner, *others)
        if isinstance(result, Tracer) and _may_decline(result.value.spec):
            raise Undecided(found)
        return OPAQUE if result is NotImplemented else result

    return _kept(trace, ask)


def _kept(trace: Trace, ask: Callable[[], Any]) -> Any:
    """Return what methods give; where only the running program knows whether they do, it applies the operator."""
    undecided: Undecided | None = None
    with trace.undone_unless_kept() as keep:
        try:
            result = ask()
        except (Exception, Leaves):
            keep()
            raise
        except Undecided as found:
            undecided, result = found, OPAQUE
        if result is not OPAQUE:
            keep()
    if undecided is not None:
        name = undecided.method.__name__
        message = f"`{name}` {AS_PLAIN}whether it returns `NotImplemented` must be known while tracing"
        where = trace.location() or Location.of(trace.function.__code__)
        trace.plain(Reason("AT201", message, where, callee=ref(undecided.method)))
    return result


def _first_answer(trace: Trace, operation: Operation, attempts: Sequence[Candidate]) -> Any:
    for index, attempt in enumerate(attempts):
        owner, other, found = attempt.owner, attempt.other, attempt.found
        kind = _class(owner)
        if kind is None or (found is IN_C and may_accept(kind, operation.name, _class(other))):
            return OPAQUE
        if not isinstance(found, types.FunctionType):
            continue
        result = (
            _fields_compared(trace, NAMES[found.__name__], owner, other)
            if _compares_fields(found, owner, other)
            else _asked(trace, found, owner, other)
        )
        if result is OPAQUE:
            return result
        if isinstance(result, Tracer) and _may_decline(result.value.spec):
            return _unless_declined(trace, operation, attempt, result, attempts[index + 1 :])
        if result is not NotImplemented:
            return _answer(trace, attempt, result)
    return NotImplemented


def _answer(trace: Trace, attempt: Candidate, result: Any) -> Any:
    """Return the operation's result for a method's result."""
    return trace.operators.not_(result) if attempt.negated else result


def _unless_declined(
    trace: Trace, operation: Operation, attempt: Candidate, result: Any, rest: Sequence[Candidate]
) -> Any:
    """Return a method's answer; where it may have declined, the next one is called when the program runs."""

    def further() -> Any:
        found = _first_answer(trace, operation, rest)
        if found is OPAQUE:
            raise Undecided(attempt.found)
        return _unanswered(trace, operation, attempt) if found is NotImplemented else found

    declined = record(trace, "is_", (result, NotImplemented))
    return trace.operators.if_exp(declined, further, functools.partial(_answer, trace, attempt, result))


def _unanswered(trace: Trace, operation: Operation, attempt: Candidate) -> Any:
    """Return Python's answer where all operands decline: identity for ``==`` and ``!=``, else an error."""
    if operation.name in ("eq", "ne"):
        return trace.operators.compare(IDENTICAL[operation.name], operation.left, operation.right)
    kinds = [kind for kind in map(_class, (operation.left, operation.right)) if kind is not None]
    joined = operation.name in JOINING and any(is_mixed(kind) and kind not in NUMBERS for kind in kinds)
    if joined or len(kinds) != 2:
        raise Undecided(attempt.found)
    return trace.native(refused, operation.form, *(kind.__name__ for kind in kinds))


IDENTICAL: Final = {"eq": "is_", "ne": "is_not"}
JOINING: Final = ("add", "mul")
"""Operators for which sequences complain in words of their own."""
NUMBERS: Final = (int, float, complex, bool, type(None))


def _attempts(trace: Trace, name: str, left: Any, right: Any) -> list[Candidate]:
    """The methods that Python may ask, in its order."""
    kinds = _class(left), _class(right)
    own = _attempt(trace, left, right, method_name(name))
    same = kinds[0] is not None and kinds[0] is kinds[1]
    if same and name not in COMPARISON:
        return [own]
    reflected = _attempt(trace, right, left, REFLECTED[name])
    derived = not same and kinds[0] is not None and kinds[1] is not None and is_subclass(kinds[1], kinds[0])
    first = derived and (name in COMPARISON or _comes_first(trace, name, left, right))
    return [reflected, own] if first else [own, reflected]


def _comes_first(trace: Trace, name: str, left: Any, right: Any) -> bool:
    """Return whether the reflected method of a derived class is asked first: it has to be another one than its base's.

    Where the base's operator is C code, the derived class's own operator comes first, whatever it does.
    """
    names = (method_name(name), REFLECTED[name])
    if not any(isinstance(answering(trace, left, one), types.FunctionType) for one in names):
        return True
    found = [class_attribute(_class(value) or object, REFLECTED[name]) for value in (right, left)]
    return found[0] is not None and (found[1] is None or found[0][1] is not found[1][1])


def _attempt(trace: Trace, owner: Any, other: Any, method: str) -> Candidate:
    found = answering(trace, owner, method)
    if found is None and method == "__ne__":
        return Candidate(owner, other, answering(trace, owner, "__eq__"), negated=True)
    return Candidate(owner, other, found)


def _asked(trace: Trace, method: types.FunctionType, owner: Any, *others: Any) -> Any:
    """Trace a special method; one that has to run as it is may decline, which only Python's operator sees."""
    if not is_traced_through(method) or trace.rewrite(method).skipped:
        return OPAQUE
    result = trace.operators.call(method, owner, *others)
    if not isinstance(result, Tracer):
        return result
    maker = trace.producers.get(result.value)
    if maker is not None and maker.op == "call" and _calls(maker, method):
        return OPAQUE
    return result


def _calls(node: Node, function: types.FunctionType) -> bool:
    first = node.inputs[0]
    return isinstance(first, Constant) and first.value is function


def _compares_fields(method: types.FunctionType, owner: Any, other: Any) -> bool:
    """Return whether a comparison is the one that ``dataclass`` writes, of two instances of one class."""
    cls = _class(owner)
    generated = method.__code__.co_filename == "<string>" and dataclasses.is_dataclass(cls)
    return generated and cls is _class(other)


def _fields_compared(trace: Trace, name: str, owner: Any, other: Any) -> Any:
    fields = [field.name for field in dataclasses.fields(_class(owner)) if field.compare]  # type: ignore[arg-type]
    left, right = (tuple(trace.operators.attr(value, field) for field in fields) for value in (owner, other))
    return trace.operators.compare(name, left, right)


def _may_decline(spec: Spec) -> bool:
    """Return whether ``NotImplemented`` is among the results."""
    if isinstance(spec, UnionSpec):
        return any(map(_may_decline, spec.options))
    return spec == ANY or (isinstance(spec, LiteralSpec) and spec.value is NotImplemented)


def _class(value: Any) -> type | None:
    """The class of an operand, where it is known."""
    return class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
