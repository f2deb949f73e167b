"""Checks of many functions: those of a module, the methods of a class.

Takes the public functions that are written in Python and defined there, one report for each, and puts them
together.  A module may give examples: ``ASTRACE_EXAMPLES = {"name": [(1.0, 2), ...]}``; for the others arguments
are guessed, from annotations or by trying.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from astrace.check.findings import finding
from astrace.check.guess import guesses
from astrace.check.mined import mine
from astrace.check.observe import Call, example_call
from astrace.check.reach import unwrapped
from astrace.check.report import Report, merged
from astrace.check.settings import Settings
from astrace.check.subject import plain, subject_of
from astrace.check.world import World
from astrace.compiler import Compiled
from astrace.errors import NotCaptured
from astrace.frozen import trace

EXAMPLES: Final = "ASTRACE_EXAMPLES"


def check_members(obj: Any, calls: list[Call], settings: Settings) -> Report:
    """The report on a module or a class.

    Args:
        obj: the module or class.
        calls: example calls of a class's constructor; for a module none.
        settings: how to check each function.
    """
    return merged(obj.__name__, [job() for _, job in jobs(obj, calls, settings)])


def jobs(
    obj: Any, calls: list[Call], settings: Settings, frozen: bool = False
) -> Iterator[tuple[str, Callable[[], Report]]]:
    """What there is to check in a module or a class: a name and what makes the report, one after the other."""
    check = frozen_one if frozen else check_one
    if isinstance(obj, type):
        yield from _class(obj, calls, settings, check)
        return
    examples = vars(obj).get(EXAMPLES, {})
    for name, function in functions_of(obj):
        known = [example_call(one) for one in examples.get(name, ())]
        yield name, functools.partial(check, name, function, known, settings)
    for cls in classes_of(obj):
        yield from _class(cls, [example_call(one) for one in examples.get(cls.__name__, ())], settings, check)


def check_one(name: str, function: Callable[..., Any], calls: list[Call], settings: Settings) -> Report:
    """The report on one function; without examples its arguments are guessed."""
    from astrace.check.validator import check_subject

    report = check_subject(subject_of(function), calls, settings)
    return replace(report, name=name)


def frozen_one(name: str, function: Callable[..., Any], calls: list[Call], settings: Settings) -> Report:
    """The report on a frozen graph of one function, made for its first example."""
    from astrace.check.validator import check_subject

    original = plain(function)
    found = calls or guesses(original, mine(original), World([original]))
    if not found:
        return check_one(name, function, [], settings)
    try:
        graph = trace(original, *found[0].copy().args, **found[0].copy().kwargs)
    except NotCaptured as error:
        text = f"no graph could be made: {error.reason.code}: {error.reason.message}"
        return Report(name, (finding("AC303", text, location=error.reason.location, function=name),))
    return replace(check_subject(subject_of(graph, original), found, settings), name=name)


def functions_of(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions that a module defines."""
    for name, value in vars(module).items():
        inner = unwrapped(value)
        if name.startswith("_") or not isinstance(inner, types.FunctionType):
            continue
        if isinstance(value, types.FunctionType | Compiled) and inner.__module__ == module.__name__:
            yield name, value


def classes_of(module: types.ModuleType) -> Iterator[type]:
    """The public classes that a module defines, but for exceptions."""
    for name, value in vars(module).items():
        own = isinstance(value, type) and value.__module__ == module.__name__
        if own and not name.startswith("_") and not issubclass(value, BaseException):
            yield value


def _class(
    cls: type, calls: list[Call], settings: Settings, check: Callable[..., Report]
) -> Iterator[tuple[str, Callable[[], Report]]]:
    """The checks of the methods of an instance of a class."""
    name = cls.__qualname__
    try:
        instance = cls(*calls[0].args, **calls[0].kwargs) if calls else cls()
    except Exception as error:
        note = finding("AC306", f"no `{name}` could be made: {type(error).__name__}: {error}", function=name)
        yield name, functools.partial(Report, name, (note,))
        return
    for method, value in vars(cls).items():
        if not method.startswith("_") and isinstance(unwrapped(value), types.FunctionType):
            full = f"{name}.{method}"
            yield full, functools.partial(check, full, getattr(instance, method), [], settings)
