"""The functions that stand in the place of recorded ones, written for each signature.

A function with the parameters of the original passes its arguments on by name, without packing them: that is most of what it costs
where nobody records.  Its defaults are the original's, it complains about wrong calls in the same words, and is of the same kind.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from astrace.locations import GENERATED, NO_CALLER
from astrace.observe.recording.recorder import ACTIVE

KINDS: Final = {
    "plain": ("def", "return {call}"),
    "coroutine": ("async def", "return await {call}"),
    "generator": ("def", "return (yield from {call})"),
}
"""For each kind of function: how it is defined, and how it passes a call on."""
NAMES: Final = ("_astrace_active", "_astrace_function", "_astrace_record", "_astrace_plan")


def entrance(
    kind: str, function: Callable[..., Any], record: Callable[..., Any], plan: Any
) -> Callable[..., Any]:
    """The function that calls the original, or has the call recorded where a trace is going on.

    Args:
        kind: of `KINDS`.
        function: the original.
        record: takes the plan, positional and keyword arguments, and makes the call.
        plan: what to pass to it.
    """
    made: types.FunctionType = _written(kind, function, record, plan)
    if isinstance(function, types.FunctionType):
        made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    updated = ("__dict__",) if hasattr(function, "__dict__") else ()
    return functools.wraps(function, updated=updated)(made)


def _written(kind: str, function: Callable[..., Any], record: Callable[..., Any], plan: Any) -> Any:
    header, passing = KINDS[kind]
    parameters, positional, keywords = _parameters(function)
    held = ", ".join(name if name.startswith("**") else f"{name!r}: {name}" for name in keywords)
    packed = f"({''.join(f'{name}, ' for name in positional)}), {{{held}}}"
    lines = [f"{header} traced({', '.join(parameters)}):", "    if _astrace_active() is None:"]
    for test, call in _calls(positional, keywords):
        lines.append(f"        {test}{passing.format(call=call)}")
    lines.append(f"    {passing.format(call=f'_astrace_record(_astrace_plan, {packed})')}")
    namespace: dict[str, Any] = dict(zip(NAMES, (ACTIVE.get, function, record, plan), strict=True))
    name = getattr(function, "__qualname__", "function").replace(">", "").replace("<", "")
    exec(compile("\n".join(lines), f"{GENERATED} traced {name}, {NO_CALLER}", "exec"), namespace)
    return namespace["traced"]


def _calls(positional: Sequence[str], keywords: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The call of the original, with the test for it: none unpacks ``*args`` and ``**kwargs`` where they are empty."""
    passed = [*positional, *(name if name.startswith("**") else f"{name}={name}" for name in keywords)]
    for stars in ("**", "*"):
        many = [name for name in passed if name.startswith(stars)]
        for name in many:
            yield f"if {name.lstrip('*')}: ", f"_astrace_function({', '.join(passed)})"
            passed.remove(name)
    yield "", f"_astrace_function({', '.join(passed)})"


def _parameters(function: Callable[..., Any]) -> tuple[list[str], list[str], list[str]]:
    """The parameters as they are written, and how positional and keyword arguments are passed on."""
    if not isinstance(function, types.FunctionType):
        return ["*args", "**kwargs"], ["*args"], ["**kwargs"]
    code = function.__code__
    names = code.co_varnames
    first, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    if any(name in NAMES or not name.isidentifier() for name in names[:named]):
        return ["*args", "**kwargs"], ["*args"], ["**kwargs"]
    positional, keywords = list(names[:first]), list(names[first:named])
    written = [*positional[: code.co_posonlyargcount], *(["/"] * bool(code.co_posonlyargcount))]
    written += positional[code.co_posonlyargcount :]
    rest = iter(names[named:])
    if code.co_flags & inspect.CO_VARARGS:
        many = f"*{next(rest)}"
        written, positional = [*written, many], [*positional, many]
    elif keywords:
        written.append("*")
    written += keywords
    if code.co_flags & inspect.CO_VARKEYWORDS:
        others = f"**{next(rest)}"
        written, keywords = [*written, others], [*keywords, others]
    return written, positional, keywords
