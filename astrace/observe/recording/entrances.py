"""The functions that stand in the place of recorded ones, written for each signature.

A function with the parameters of the original passes its arguments on by name, without packing them: that is most of what it costs
where nobody records.  Its defaults are the original's, it complains about wrong calls in the same words, and is of the same kind.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, Final, TypeGuard

from astrace.locations import GENERATED, NO_CALLER
from astrace.observe.recording.recorder import ACTIVE

STARS: Final = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
UNKNOWN: Final = (["*args", "**kwargs"], ["*args"], ["**kwargs"])
"""The parameters of what is none of Python's functions."""
NAMES: Final = ("_astrace_active", "_astrace_function", "_astrace_record", "_astrace_plan")


def entrance(
    function: Callable[..., Any], record: Callable[..., Any], plan: Any, kind: int
) -> Callable[..., Any]:
    """The function that calls the original, or has the call recorded where a trace is going on.

    It returns the very coroutine or generator of the original, and runs in no frame of its own while that is used; what it is
    shows in the flags of its code alone.

    Args:
        function: the original.
        record: takes the plan, positional and keyword arguments, and makes the call.
        plan: what to pass to it.
        kind: the flags that show a coroutine function or a generator, such as ``inspect.CO_GENERATOR``.
    """
    return _like(function, _written(function, record, plan), kind)


def verb_entrance(
    function: Callable[..., Any], record: Callable[..., Any], plan: Any, kind: int
) -> Callable[..., Any]:
    """The function that calls the original, or has it run in a trace where the keyword ``trace`` is given.

    Args:
        function: the original.
        record: takes the plan, positional and keyword arguments, and the value of ``trace``, and makes the call.
        plan: what to pass to it.
        kind: the flags that show a coroutine function.
    """
    made = _like(function, _written(function, record, plan, keyword="trace"), kind)
    made.__kwdefaults__ = {**(made.__kwdefaults__ or {}), "trace": None}
    return made


def _like(function: Callable[..., Any], made: types.FunctionType, kind: int) -> types.FunctionType:
    """What was written, with the defaults, kind, name and attributes of the original."""
    if _is_written(function):
        made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    made.__code__ = made.__code__.replace(co_flags=made.__code__.co_flags | kind)
    updated = ("__dict__",) if hasattr(function, "__dict__") else ()
    functools.update_wrapper(made, function, updated=updated)
    return made


def _written(
    function: Callable[..., Any], record: Callable[..., Any], plan: Any, keyword: str = ""
) -> types.FunctionType:
    """The text of an entrance as a function; a ``keyword`` is a parameter more, and decides in place of an active trace."""
    written, positional, keywords = _parameters(function) if _is_written(function) else UNKNOWN
    held = ", ".join(name if name.startswith("**") else f"{name!r}: {name}" for name in keywords)
    packed = [f"({''.join(f'{name}, ' for name in positional)})", f"{{{held}}}", *([keyword] * bool(keyword))]
    plain, passed = _target(function, positional, keywords)
    lines = (
        f"def traced({', '.join(_with_keyword(written, keyword) if keyword else written)}):",
        f"    if {keyword or '_astrace_active()'} is None:",
        f"        return _astrace_function({', '.join(passed)})",
        f"    return _astrace_record(_astrace_plan, {', '.join(packed)})",
    )
    namespace: dict[str, Any] = dict(zip(NAMES, (ACTIVE.get, plain, record, plan), strict=True))
    name = getattr(function, "__qualname__", "function").replace(">", "").replace("<", "")
    exec(compile("\n".join(lines), f"{GENERATED}: traced {name} {NO_CALLER}", "exec"), namespace)
    return namespace["traced"]


def _with_keyword(written: list[str], keyword: str) -> list[str]:
    """Parameters as they are written, with one more that is given by keyword."""
    last = len(written) - (bool(written) and written[-1].startswith("**"))
    stars = [] if any(name.startswith("*") for name in written[:last]) else ["*"]
    return [*written[:last], *stars, f"{keyword}=None", *written[last:]]


def _target(
    function: Callable[..., Any], positional: list[str], keywords: list[str]
) -> tuple[Callable[..., Any], list[str]]:
    """What an entrance calls where nobody records, and with which arguments."""
    plain = without_stars(function) if _is_written(function) else None
    if plain is None:
        named = (name if name.startswith("**") else f"{name}={name}" for name in keywords)
        return function, [*positional, *named]
    return plain, [*plain.__code__.co_varnames[: plain.__code__.co_argcount]]


def without_stars(function: Callable[..., Any]) -> types.FunctionType | None:
    """The same function with ``*args`` and ``**kwargs`` as two plain parameters, the last ones; all are positional.

    To unpack arguments only to have them packed again costs 300 to 500 ns.  The parameters are the first local variables of a code
    object, those with stars behind the others (``inspect.getargs``), so that the body is the same either way.

    Returns:
        The function; ``None`` where it has no such parameters, or is none of Python's.

    Example:
        >>> without_stars(lambda x, *args, y=1, **kwargs: (x, args, y, kwargs))(0, 1, (2,), {"a": 3})
        (0, (2,), 1, {'a': 3})
    """
    if not isinstance(function, types.FunctionType) or not function.__code__.co_flags & STARS:
        return None
    code = function.__code__
    if not code.co_argcount and "__class__" in code.co_freevars:  # `super()` asks for a first parameter
        return None
    stars = (code.co_flags & STARS).bit_count()
    count = code.co_argcount + code.co_kwonlyargcount + stars
    plain = code.replace(
        co_argcount=count, co_posonlyargcount=count, co_kwonlyargcount=0, co_flags=code.co_flags & ~STARS
    )
    made = types.FunctionType(plain, function.__globals__, function.__name__, None, function.__closure__)
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    return made


def _is_written(function: Callable[..., Any]) -> TypeGuard[types.FunctionType]:
    """Return whether a function has parameters of names that can be written."""
    if not isinstance(function, types.FunctionType):
        return False
    return not any(name in NAMES or not name.isidentifier() for name in inspect.getargs(function.__code__)[0])


def _parameters(function: types.FunctionType) -> tuple[list[str], list[str], list[str]]:
    """The parameters as they are written, and how positional and keyword arguments are passed on."""
    code = function.__code__
    names, first = code.co_varnames, code.co_argcount
    named = first + code.co_kwonlyargcount
    rest = iter(names[named:])
    positional, keywords = list(names[:first]), list(names[first:named])
    slash = code.co_posonlyargcount
    written = [*positional[:slash], *(["/"] * bool(slash)), *positional[slash:]]
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
