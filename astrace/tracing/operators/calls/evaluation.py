"""``eval(text)`` in a function: a call when the program runs that is given the names it would see in Python."""

from __future__ import annotations

from typing import Any

from astrace.tracing.context import current
from astrace.tracing.operators.data.containers import make_dict
from astrace.tracing.scopes import FunctionScope
from astrace.util.code_stubs import code_of

__all__ = ["evaluate"]


def evaluate(function: Any, text: Any, scope: FunctionScope, /, **names: Any) -> Any:
    """``eval(text)`` in a function of a scope, where ``eval`` means ``function``.

    Args:
        function: the builtin, or what the program has put in its place.
        text: what is evaluated.
        scope: tells the globals.
        names: the function's own variables.
    """
    trace = current()
    if function is not eval:
        return trace.operators.call(function, text)
    if scope.cells:
        trace.stop(
            "AT106", "`eval` reads the names of the function it is called from, and of those around it"
        )
    code = code_of(scope.function)
    order = {name: place for place, name in enumerate((*code.co_varnames, *code.co_cellvars))}
    seen = sorted(names.items(), key=lambda item: order[item[0]])
    namespace = trace.operators.attr(scope.function, "__globals__")
    return trace.operators.call(function, text, namespace, make_dict(tuple(seen)))
