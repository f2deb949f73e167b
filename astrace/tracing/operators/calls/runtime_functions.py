"""Local functions and generator expressions as objects of the running program.

They are traced where they are called or walked.  One that something else needs is made when the program runs: its own
code, over cells that hold what its variables hold, if the code around does not assign these any more.
"""

from __future__ import annotations

import types
from typing import Any, Final

from astrace.ir.constants import UNDEFINED
from astrace.locations import SCOPE
from astrace.tracing.context import Trace, current
from astrace.tracing.generators.iterator_creation import walkable
from astrace.tracing.operators.calls.opaque_calls import must_exist
from astrace.tracing.record import record
from astrace.tracing.scopes import FunctionScope
from astrace.tracing.tracer import Tracer
from astrace.tracing.values.closures import Original, original_expression, original_of
from astrace.util.code_stubs import code_of

__all__ = ["decorated", "function_for_real", "generator_for_real"]

HINT: Final = "define it at the top of the module"


def function_for_real(trace: Trace, function: types.FunctionType, decorated: bool) -> Tracer:
    """A local function as one that exists when the program runs, over what its variables hold now."""
    what = f"the local function `{function.__name__}` is needed as a value"
    original = _original(function, decorated)
    if original is None:
        trace.stop("AT204", what, HINT)
    annotations = original.annotations()
    if annotations is None:
        trace.stop("AT204", f"{what}, and has annotations that name no globals", HINT)
    defaults, named = function.__defaults__ or (), function.__kwdefaults__ or {}
    values = _variables(trace, original, function, what)
    given = (*defaults, *named.values(), *values)
    for value in given:
        must_exist(trace, value)
    return record(trace, "call", (original.maker(tuple(named), len(defaults), annotations), *given))


def decorated(function: types.FunctionType, value: Any) -> Any:
    """What the decorators of a local function gave, which takes its name; a function that exists for real is told.

    Args:
        function: the local function.
        value: what they gave.
    """
    trace = current()
    made = trace.local_functions[id(function)].value
    original = None if made is None else _original(function, decorated=True)
    own = original and original.own()
    if original is not None and own is not None:
        must_exist(trace, value)
        record(trace, "call", (original.namer(own), made, value))
    return value


def _original(function: types.FunctionType, decorated: bool) -> Original | None:
    """The local function as it was written, if that is certain."""
    scope: FunctionScope = function.__globals__[SCOPE]
    outer = scope.function
    known = isinstance(outer, types.FunctionType)
    return original_of(function, outer, code_of(outer), decorated) if known else None


def generator_for_real(trace: Trace, iteration: types.FunctionType, iterable: Any) -> Any:
    """A generator expression as a generator that exists when the program runs.

    Args:
        trace: the trace that is going on.
        iteration: what the rewritten code does with an item.
        iterable: what it walks.
    """
    scope: FunctionScope = iteration.__globals__[SCOPE]
    outer = scope.function
    what = "a generator expression is needed as a value"
    original = (
        original_expression(iteration, outer, code_of(outer))
        if isinstance(outer, types.FunctionType)
        else None
    )
    if original is None:
        trace.stop("AT204", what, "make a list of the items")
    given = _variables(trace, original, iteration, what)
    for value in (*given, iterable):
        must_exist(trace, value)
    function = record(trace, "call", (original.maker((), 0), *given))
    return trace.operators.opaque(function, (record(trace, "iter", (walkable(trace, iterable),)),), {})


def _variables(trace: Trace, original: Original, function: types.FunctionType, what: str) -> list[Any]:
    """Return the present values of the variables of the code around, which must not be assigned any more."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    names = original.variables()
    values = [_held(cells.get(name)) for name in names]
    changing = original.changing()
    if changing is not None or any(value is UNDEFINED for value in values):
        name = changing or names[values.index(UNDEFINED)]
        hint = f"hand over the present value as a default (`{name}={name}`), if that is meant, or {HINT}"
        trace.stop("AT204", f"{what}, and `{name}` is assigned later", hint)
    return values


def _held(cell: types.CellType | None) -> Any:
    """Return the value of a variable; `UNDEFINED` if it has none, or if it is not known."""
    return UNDEFINED if cell is None or cell == types.CellType() else cell.cell_contents
