"""Type errors that follow from the class of a value alone: ``iter`` and ``len`` of what has neither items nor length.

``try: iter(value) except TypeError:`` asks whether a value can be walked.  Where its class says so, the exception is
raised while tracing and Python carries it to the handler, so that the program needs no branch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec, class_of
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import guard_name, is_user_class, looked_up
from astrace.tracing.values.operands import Lazy
from astrace.tracing.values.special_methods import class_attribute

METHODS: Final[Mapping[Any, tuple[str, ...]]] = {iter: ("__iter__", "__getitem__"), len: ("__len__",)}
"""The special methods of which a class needs one for a builtin to take its instances."""
NUMBERS: Final[Mapping[str, Any]] = {"bool": False, "int": 0, "float": 0.0, "complex": 0j}
PLAIN_KINDS: Final = "biufcmM"
"""The kinds of NumPy's types of which no value has items."""


def refuse(trace: Trace, function: Any, value: Any) -> None:
    """Raise what ``iter`` or ``len`` raises of a value because of its class, where a handler waits for it.

    Elsewhere it is raised when the program runs.
    """
    if trace.recording_raises() or isinstance(value, Lazy):
        return
    cls = class_of(value.value.spec) if isinstance(value, Tracer) else type(value)
    if cls is not None and is_user_class(cls):
        _refuse_instance(trace, function, cls)
    elif isinstance(value, Tracer):
        example = _example(value.value.spec)
        if example is not None:
            trace.native(function, example)
    elif cls is not None and all(class_attribute(cls, name) is None for name in METHODS[function]):
        trace.native(function, value)


def _refuse_instance(trace: Trace, function: Any, cls: type) -> None:
    """Raise it of a class of the user's: Python tells nothing of it but its name."""
    if any(class_attribute(cls, name) is not None for name in METHODS[function]):
        return
    for name in METHODS[function]:
        looked_up(trace, cls, name)
    guard_name(trace, cls)
    trace.native(_of_class, function, cls.__name__)


def _of_class(function: Any, name: str) -> None:
    function(type(name, (), {})())


def _example(spec: Spec) -> Any:
    """Return a value of a spec that has no items; ``None`` where there is none."""
    match spec:
        case ScalarSpec():
            return NUMBERS.get(spec.kind)
        case GenericSpec() if spec.dtype.kind in PLAIN_KINDS:
            return np.zeros((), spec.dtype)[()]
        case ArraySpec() if spec.shape == () and spec.dtype.kind in PLAIN_KINDS:
            return np.zeros((), spec.dtype)
        case _:
            return None
