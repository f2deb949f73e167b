"""An operator as a pipeline of its own: a function that calls it, with its signature, and with a source to be rewritten."""

from __future__ import annotations

import inspect
import itertools
import linecache
import types
from collections.abc import Callable, Iterable
from typing import Any, Final

NUMBER: Final = itertools.count()


def as_function(operator: Callable[..., Any]) -> types.FunctionType:
    """A function that calls an operator.

    Example:
        >>> def double(x, *, by=2):
        ...     return x * by
        >>> function = as_function(double)
        >>> function(3), function(3, by=5), str(inspect.signature(function))
        (6, 15, '(x, *, by=2)')
    """
    signature = inspect.signature(operator)
    parameters = list(signature.parameters.values())
    tries = itertools.chain(["operator"], (f"operator_{number}" for number in itertools.count()))
    own = next(one for one in tries if one not in signature.parameters)
    called = str(getattr(operator, "__name__", type(operator).__name__))
    name = called if called.isidentifier() and called != own else "pipeline"
    plain = [
        one.replace(annotation=one.empty, default=one.empty if one.default is one.empty else None)
        for one in parameters
    ]
    text = f"def {name}{inspect.Signature(plain)}:\n    return {own}({', '.join(_passed(parameters))})\n"
    file = f"<astrace pipeline {next(NUMBER)} of {name}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    namespace: dict[str, Any] = {"__name__": getattr(operator, "__module__", name), own: operator}
    exec(compile(text, file, "exec"), namespace)  # the text is made of names of parameters alone
    function: types.FunctionType = namespace[name]
    function.__defaults__ = (
        tuple(one.default for one in parameters if _has_default(one) and not _by_name(one)) or None
    )
    function.__kwdefaults__ = {
        one.name: one.default for one in parameters if _has_default(one) and _by_name(one)
    }
    return function


def _has_default(one: inspect.Parameter) -> bool:
    return one.default is not one.empty


def _by_name(one: inspect.Parameter) -> bool:
    return one.kind is one.KEYWORD_ONLY


def _passed(parameters: Iterable[inspect.Parameter]) -> list[str]:
    """The arguments of the call, as they are written."""
    ways = {
        inspect.Parameter.VAR_POSITIONAL: "*{0}",
        inspect.Parameter.VAR_KEYWORD: "**{0}",
        inspect.Parameter.KEYWORD_ONLY: "{0}={0}",
    }
    return [ways.get(one.kind, "{0}").format(one.name) for one in parameters]
