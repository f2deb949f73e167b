"""``with np.errstate(…)``: whether operations in its body may raise."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from astrace.ir.block import Constant
from astrace.tracing.context import Trace
from astrace.tracing.float_errors import QUIET
from astrace.tracing.tracer import Tracer
from astrace.util.trees import Pattern


@contextmanager
def inside_manager(trace: Trace, manager: Any) -> Generator[None]:
    """The body of a ``with``; ``np.errstate`` decides for it."""
    outer = trace.floats_raise
    settings = _settings(trace, manager)
    if settings is not None:
        loud = any(setting not in QUIET for setting in settings.values())
        silent = settings.get("all") == "ignore" and len(settings) == 1
        trace.floats_raise = True if loud else False if silent else outer
    try:
        yield
    finally:
        trace.floats_raise = outer


def _settings(trace: Trace, manager: Any) -> Mapping[str, Any] | None:
    """The keywords of a call of ``np.errstate``; a value that is not a constant may be anything."""
    node = trace.producers.get(trace.recorder.origin(manager.value)) if isinstance(manager, Tracer) else None
    if node is None or node.op != "call" or not isinstance(node.inputs[0], Constant):
        return None
    if node.inputs[0].value is not np.errstate:
        return None
    pattern = node.attrs.get("pattern")
    return pattern.kwargs if isinstance(pattern, Pattern) else node.attrs
