"""Where NumPy raises ``FloatingPointError`` instead of warning, so that computing in floats may raise.

``with np.errstate(divide="raise")`` says so for its body.  What the caller has set matters to a ``try``
statement only, and is guarded there.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from astrace.guards import Is
from astrace.ir.block import Constant, Node
from astrace.paths import Derived, Root
from astrace.tracing.tracer import Tracer
from astrace.trees import Pattern

if TYPE_CHECKING:
    from astrace.tracing.context import Trace

QUIET: Final = ("ignore", "warn", "print", "log", None)


@contextmanager
def inside_manager(trace: Trace, manager: Any) -> Generator[None]:
    """The body of a ``with``; ``np.errstate`` decides for it."""
    outer = trace.floats_raise
    settings = _settings(trace, manager)
    if settings is not None:
        loud = any(setting not in QUIET for setting in settings.values())
        trace.floats_raise = True if loud else (outer if "all" not in settings else False)
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


def is_seterr(node: Node) -> bool:
    """Whether a node calls ``np.seterr``: from there on, anything may be set."""
    callee = node.inputs[0] if node.op == "call" and node.inputs else None
    return isinstance(callee, Constant) and callee.value is np.seterr


def raises_outside(trace: Trace) -> bool:
    """Whether the caller has NumPy raise; guarded."""
    raising = _is_loud(np.geterr)
    trace.state.guard(Is(Derived(Root(np.geterr, "np.geterr"), _is_loud, "raises"), raising))
    return raising


def _is_loud(settings: Any) -> bool:
    return any(setting not in QUIET for setting in settings().values())
