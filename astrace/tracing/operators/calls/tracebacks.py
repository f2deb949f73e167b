"""Code that looks at a traceback or at frames: it would see those of generated code, so it is left to plain Python.

Takes a call that is about to be recorded, or the attribute of an object that is about to be read; stops the capture
where the frames behind an exception would be told.  The exception itself, its class, its context and its notes are
what they are in plain Python, so whatever looks at those is captured.

A helper that looks at its callers (``sys._getframe(1)``) has no frame in a graph, nor have the functions between it and the
compiled one, so that the whole function runs as plain Python.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Final

from astrace.ir.block import Constant
from astrace.ir.specs import class_of
from astrace.ops.callables.purity import PurityRow, row_in
from astrace.tracing.context import Trace
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.lazy import TracedMethod
from astrace.util.frames_seen import FRAMES as FRAMES_SEEN
from astrace.util.frames_seen import looks_at_frames

CODE: Final = "AT212"
FRAMES: Final = "AT214"
HINT: Final = "move the `try` into a helper; only its call is then left to plain Python"
FRAMES_HINT: Final = "pass what is looked up as an argument"

TELLING: Final = (
    PurityRow(
        "traceback", ("TracebackException", "TracebackException.from_exception", "StackSummary.extract")
    ),
    PurityRow("traceback", ("extract_tb", "format_exc", "format_exception", "format_tb", "print_exc")),
    PurityRow("traceback", ("print_exception", "print_last", "print_tb", "walk_tb")),
    PurityRow("logging", ("exception", "Logger.exception", "LoggerAdapter.exception")),
    PurityRow("sys", ("excepthook",)),
    PurityRow("inspect", ("trace", "getinnerframes")),
)
"""Callables that show the frames an exception passed through."""

LOOKING: Final = (
    PurityRow("sys", ("_getframe", "_getframemodulename", "_current_frames")),
    PurityRow("inspect", ("currentframe", "stack", "getouterframes")),
    PurityRow("traceback", ("extract_stack", "format_stack", "print_stack", "walk_stack")),
    PurityRow("pandas", ("eval", "DataFrame.eval", "DataFrame.query")),
    PurityRow("numexpr", ("evaluate", "re_evaluate", "validate")),
    PurityRow(
        "patsy", ("dmatrices", "dmatrix", "incr_dbuilder", "incr_dbuilders", "EvalEnvironment.capture")
    ),
    PurityRow("sympy", ("var",)),
    PurityRow("statsmodels", ("Model.from_formula", "GEE.from_formula", "MixedLM.from_formula")),
)
"""Callables that show the frames of their callers, or look up names there that a text tells."""

NAMING: Final = frozenset({"eval", "query"})
"""Methods that do so if they are those of tables, for objects of which no more is known."""

NAMES: Final = frozenset(name.split(".")[-1] for row in TELLING for name in row.names)
"""Their names, for callables of which no more is known: a method of a logger that may change from call to call."""

UNKNOWN: Final = (Tracer, TracedMethod)
NAMED: Final = frozenset({"get_attr", "read_global"})
"""Ops whose second input is the name of what they read."""

STEPS: Final = frozenset({"tb_frame", "tb_lasti", "tb_lineno", "tb_next"})
"""The attributes of a traceback."""


def refuse_telling(trace: Trace, function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Stop where an opaque call shows a traceback or frames, by itself or because it is asked to (``exc_info=True``)."""
    name = _name(trace, function)
    unknown = isinstance(function, UNKNOWN)
    looks = _may_look(name, args, kwargs) if unknown else row_in(LOOKING, function) is not None
    if looks or _is_asked(kwargs, "stack_info"):
        _refuse_frames(trace, name)
    found = bool(trace.handled) and name in NAMES if unknown else row_in(TELLING, function) is not None
    if found or _is_asked(kwargs, "exc_info"):
        trace.stop(CODE, f"`{name}` shows the traceback of an exception", HINT)


def refuse_code_that_looks(trace: Trace, function: types.FunctionType) -> None:
    """Stop before a function of the user's that can't be traced through is called, if its code looks at frames."""
    if looks_at_frames(function):
        _refuse_frames(trace, function.__name__)


def _refuse_frames(trace: Trace, name: str) -> None:
    trace.stop(FRAMES, f"`{name}` looks at the frames of its callers", FRAMES_HINT)


def _may_look(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Return whether a callable of which only the name is known looks at frames, as far as its arguments tell.

    Those of tables (``query``) do where a text names local variables (``"a > @limit"``), or may; `np.stack` has arguments,
    and what Patsy looks up for a formula lies as many frames away as ``reference`` says.
    """
    if name == "stack":
        return not args
    if name == "capture":
        return "reference" in kwargs
    return name in FRAMES_SEEN or (name in NAMING and any(map(_names_locals, (*args, *kwargs.values()))))


def _names_locals(value: Any) -> bool:
    if isinstance(value, str):
        return "@" in value
    return isinstance(value, Tracer) and class_of(value.value.spec) is str


def _is_asked(kwargs: Mapping[str, Any], name: str) -> bool:
    return kwargs.get(name) is not None and kwargs.get(name) is not False


def _name(trace: Trace, function: Any) -> str:
    """Return the name of a callable, or of the attribute that it is read from when the program runs."""
    match function:
        case TracedMethod():
            return function.name
        case Tracer():
            producer = trace.producers.get(function.value)
            given = producer.inputs[1] if producer is not None and producer.op in NAMED else None
            return given.value if isinstance(given, Constant) else ""
        case _:
            return getattr(function, "__qualname__", type(function).__qualname__)


def refuse_steps(trace: Trace, cls: type | None, name: str) -> None:
    """Stop where the frames behind an exception are looked at: ``error.__traceback__.tb_lineno``."""
    if name in STEPS and cls in (None, types.TracebackType, types.NoneType):
        trace.stop(CODE, f"`{name}` of a traceback is read", HINT)


def must_reach_handler(trace: Trace, code: str) -> bool:
    """Return whether a call that looks at a traceback can't be left alone: the exception came before it."""
    return code == CODE and bool(trace.handled)
