"""See what flows through a data pipeline: every call, stage by stage, with its parameters, results, times and exceptions.

Functions are decorated (`trace_func`), entry points get a ``trace=<number of items>`` keyword (`trace_verb_data`), methods of others are
instrumented for the time of a trace (`TraceResult.instrument`), compiled functions and graphs are observed node by node
(`observe`; the package itself may be called for it: ``astrace.observe(graph)``).  Nothing is recorded, and next to nothing is done, while no trace
is going on.

==================  ==========================================================================================
``active_trace``    the beginning and the end of a trace
``decorators``      functions and methods that record their calls
``verbs``           entry points with a ``trace`` keyword
``item_views``      sources of items that are not decorated
``trace_result``    what users hold
``observed_graph``  compiled functions and graphs
``limits``          how much is kept of values
``snapshots/``      values as records keep them
``records/``        calls, stages, items
``recording/``      calls become records
``output/``         HTML, JSON, tables, comparison
==================  ==========================================================================================
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from astrace.observe.active_trace import TraceContext, get_trace, reset_trace, tracing
    from astrace.observe.decorators import trace_dataset_func, trace_func, trace_model_func
    from astrace.observe.item_views import limit_items
    from astrace.observe.limits import Limits
    from astrace.observe.observed_graph import observe
    from astrace.observe.recording.definition import TraceDef
    from astrace.observe.records.trace_call import TraceCall
    from astrace.observe.records.trace_stage import TraceStage
    from astrace.observe.trace_result import TraceResult
    from astrace.observe.verbs import trace_verb_data

__all__ = [
    "Limits",
    "TraceCall",
    "TraceContext",
    "TraceDef",
    "TraceResult",
    "TraceStage",
    "get_trace",
    "limit_items",
    "observe",
    "reset_trace",
    "trace_dataset_func",
    "trace_func",
    "trace_model_func",
    "trace_verb_data",
    "tracing",
]

_HOMES: Final = {
    "Limits": "limits",
    "TraceCall": "records.trace_call",
    "TraceContext": "active_trace",
    "TraceDef": "recording.definition",
    "TraceResult": "trace_result",
    "TraceStage": "records.trace_stage",
    "get_trace": "active_trace",
    "limit_items": "item_views",
    "observe": "observed_graph",
    "reset_trace": "active_trace",
    "trace_dataset_func": "decorators",
    "trace_func": "decorators",
    "trace_model_func": "decorators",
    "trace_verb_data": "verbs",
    "tracing": "active_trace",
}


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it (PEP 562)."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'astrace.observe' has no attribute {name!r}")
    return getattr(importlib.import_module(f"astrace.observe.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _CallableObserve(types.ModuleType):
    """A module that can be called as its function `observe`."""

    def __call__(self, graph: Any, /, **options: Any) -> Any:
        """`astrace.observe.observed_graph.observe`."""
        return importlib.import_module("astrace.observe.observed_graph").observe(graph, **options)


sys.modules[__name__].__class__ = _CallableObserve
