"""Lookup of special methods: a function written in Python, C code of a built-in base, or none.

Python looks special methods up in the order of resolution, and for some questions it looks for several names, one after
the other: ``bool(x)`` asks ``__bool__`` and only where there is none ``__len__``.  The first that is found decides, also
where it is C code: ``class Length(int)`` with a ``__len__`` is false where the number is zero, since ``int`` has a
``__bool__``.  What ``object`` has counts as none; the operators know what that does.
"""

from __future__ import annotations

import math
import types
from typing import Any, Final

import numpy as np

from astrace.ir.specs import class_of
from astrace.ops.python.special_methods import ASKED, returned, stands
from astrace.tracing.context import Trace
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import is_user_class, looked_up
from astrace.tracing.values.operands import Lazy
from astrace.tracing.values.special_methods import HEAP_TYPE, class_attribute, is_subclass
from astrace.util.trees import resolution_order


class InC:
    """Instead of a function: C code answers, and only Python's own operator knows what."""


IN_C: Final = InC()


def answering(trace: Trace, value: Any, *names: str) -> types.FunctionType | InC | None:
    """Return what Python calls for the first of some special methods that a class has; guarded.

    Args:
        trace: the trace.
        value: a trace-level object.
        names: the special methods, in the order in which Python looks for them.

    Returns:
        A function; `IN_C` where C code answers, or anything else that is no function; ``None`` where there is nothing
        but what ``object`` has, or where the class is not known.
    """
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls is None or isinstance(value, Lazy):
        return None
    if is_user_class(cls):
        trace.state.stale.instance(value)
    for name in names:
        found = looked_up(trace, cls, name) if is_user_class(cls) else class_attribute(cls, name)
        if found is None or found[0] is object:
            continue
        return found[1] if isinstance(found[1], types.FunctionType) else IN_C
    return None


def is_mixed(cls: type) -> bool:
    """Return whether a class has C code of a built-in base other than ``object``."""
    return any(base is not object and not base.__flags__ & HEAP_TYPE for base in resolution_order(cls))


def may_accept(kind: type, operator: str, other: type | None) -> bool:
    """Return whether an operator of a built-in class may accept an operand of another class.

    Numbers, texts and containers know nothing of classes that have no built-in base; but ``%`` of a text takes anything,
    and NumPy's scalars, also those that are floats, take what can be made an array.

    Args:
        kind: the class whose operator is written in C.
        operator: the operator, as `astrace.ops` names it.
        other: the class of the other operand; ``None`` if it is not known.
    """
    strict = any(is_subclass(kind, known) for known in STRICT) and not is_subclass(kind, np.generic)
    if other is None or not strict:
        return True
    if operator in ("mod", "imod") and any(is_subclass(kind, text) for text in (str, bytes, bytearray)):
        return True
    return not is_user_class(other) or is_mixed(other)


STRICT: Final = (
    type(None),
    int,
    float,
    complex,
    str,
    bytes,
    bytearray,
    tuple,
    list,
    dict,
    set,
    frozenset,
    range,
    slice,
)
"""Classes whose operators take operands of built-in classes alone."""


def ask(trace: Trace, method: types.FunctionType, name: str, owner: Any, *others: Any) -> Any:
    """Trace a special method, and return the value that Python makes of its result, which may be refused.

    Args:
        trace: the trace.
        method: the function.
        name: the name of the special method.
        owner: the object that is asked.
        others: the other arguments.
    """
    result = trace.operators.call(method, owner, *others)
    kind = class_of(owner.value.spec) if isinstance(owner, Tracer) else type(owner)
    asked = (result, name, kind.__name__ if kind is not None else "object")
    if isinstance(result, Tracer):
        maker = trace.producers.get(trace.recorder.origin(result.value))
        counted = name == "__len__" and maker is not None and maker.op in ("dim", "len")
        return result if counted or stands(result.value.spec, name) else record(trace, "returned", asked)
    if type(result) is ASKED[name][1]:
        return trace.native(returned, *asked)
    return record(trace, "returned", asked)  # it may warn, too


def index_of(trace: Trace, value: Any) -> Any:
    """A position or a slice of positions, with a user's ``__index__`` traced."""
    if isinstance(value, slice):
        return slice(*(index_of(trace, part) for part in (value.start, value.stop, value.step)))
    method = _index_method(trace, value)
    return value if method is None else ask(trace, method, "__index__", value)


def _index_method(trace: Trace, value: Any) -> types.FunctionType | None:
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls is None or is_subclass(cls, int):  # of a subclass of it, too, `__index__` is not asked
        return None
    method = answering(trace, value, "__index__")
    return method if isinstance(method, types.FunctionType) else None


def _index_of_array(trace: Trace, value: Any) -> Any:
    """A position in an array: NumPy refuses an object in its own words, whatever its ``__index__`` raises."""
    method = None if isinstance(value, slice) else _index_method(trace, value)
    if method is None:
        return index_of(trace, value)

    def asked() -> tuple[Any]:
        return (ask(trace, method, "__index__", value),)

    def refused(_error: Any) -> tuple[Any]:
        return (NO_POSITION,)

    (found,) = trace.operators.try_(asked, ((lambda: BaseException, refused, ()),), None, {}, dict)
    return found


NO_POSITION: Final = math.nan
"""A position that NumPy refuses as it does an object that is none."""

INDEXED: Final = (list, tuple, str, bytes, range)
"""Classes whose items are found by position, beside arrays."""


def key_of(trace: Trace, owner: Any, key: Any) -> Any:
    """A key as a container takes it: an object with ``__index__`` is a position of a sequence."""
    cls = class_of(owner.value.spec) if isinstance(owner, Tracer) else type(owner)
    if cls is np.ndarray:
        return _index_of_array(trace, key)
    return index_of(trace, key) if cls in INDEXED else key
