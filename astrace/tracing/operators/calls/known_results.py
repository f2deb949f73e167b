"""Functions of NumPy's and of ``operator`` of which more is known than an op says.

Some ask what the spec of an array says: ``np.ndim``, ``np.shape``, ``np.iscomplexobj``.  Others give settings as a
dict whose keys are always the same, so that ``np.seterr(**old)`` can be written down.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import INT, ArraySpec, GenericSpec, ScalarSpec, Spec
from astrace.ops import OPS
from astrace.tracing.changes.array_checks import look_at
from astrace.tracing.context import Trace
from astrace.tracing.operators.calls.iterable_builtins import Args, Handler, Kwargs
from astrace.tracing.record import record
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.objects import made

__all__: list[str] = []


def _spec(args: Args, kwargs: Kwargs) -> Spec | None:
    """The spec of the only argument, if it is traced."""
    alone = len(args) == 1 and not kwargs and isinstance(args[0], Tracer)
    return args[0].value.spec if alone else None


def _attribute(name: str, of_number: Any) -> Handler:
    """Return a handler that reads an attribute of an array, and gives a fixed result for a Python number."""

    def handler(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
        spec = _spec(args, kwargs)
        if isinstance(spec, ArraySpec | GenericSpec):
            return trace.operators.attr(args[0], name)
        return of_number if isinstance(spec, ScalarSpec) else _recorded(trace, function, args, kwargs)

    return handler


def _is_complex(truth: bool) -> Handler:
    """Return a handler that tells whether a dtype is complex, or is not."""

    def handler(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
        spec = _spec(args, kwargs)
        if isinstance(spec, ArraySpec | GenericSpec):
            look_at(trace, args[0])
            return (spec.dtype.kind == "c") is truth
        return _recorded(trace, function, args, kwargs)

    return handler


def _recorded(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    return record(trace, OPS.find(function).name, args, kwargs)  # type: ignore[union-attr]


def _settings(ask: Callable[[], Mapping[str, Any]]) -> Handler:
    """A dict made here: the values are those of the one that the running program is given."""

    def handler(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
        given = trace.operators.opaque(function, args, kwargs)
        return made(trace, {key: record(trace, "get_item", (given, key)) for key in ask()}, "settings")

    return handler


def _index(trace: Trace, function: Any, args: Args, kwargs: Kwargs) -> Any:
    """An integer of Python's is its own index."""
    if not kwargs and len(args) == 1 and (type(args[0]) is int or _spec(args, kwargs) == INT):
        return args[0]
    return trace.operators.opaque(function, args, kwargs)


FACTS: Final[Mapping[Any, Handler]] = {
    operator.index: _index,
    np.shape: _attribute("shape", ()),
    np.ndim: _attribute("ndim", 0),
    np.size: _attribute("size", 1),
    np.iscomplexobj: _is_complex(True),
    np.isrealobj: _is_complex(False),
    np.geterr: _settings(np.geterr),
    np.seterr: _settings(np.geterr),
    np.get_printoptions: _settings(np.get_printoptions),
}
