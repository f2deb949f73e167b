"""Checks of many functions: those of a module, the methods of a class.

Takes the public functions that are written in Python and defined there, one report for each, and puts them
together.  Without examples arguments are guessed, from annotations or by trying.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

from astrace.check.findings import finding
from astrace.check.observe import Call
from astrace.check.reach import unwrapped
from astrace.check.report import Report, merged
from astrace.check.settings import Settings
from astrace.check.subject import subject_of
from astrace.compiler import Compiled


def check_members(obj: Any, calls: list[Call], settings: Settings) -> Report:
    """The report on a module or a class.

    Args:
        obj: the module or class.
        calls: example calls of a class's constructor; for a module none.
        settings: how to check each function.
    """
    if isinstance(obj, type):
        return _class(obj, calls, settings)
    parts = [check_one(name, function, settings) for name, function in functions_of(obj)]
    parts += [_class(cls, [], settings) for cls in classes_of(obj)]
    return merged(obj.__name__, parts)


def check_one(name: str, function: Callable[..., Any], settings: Settings) -> Report:
    """The report on one function, with arguments that are guessed; a function that can't be checked says so."""
    from astrace.check.validator import check_subject

    report = check_subject(subject_of(function), [], settings)
    return report if report.name == name else Report(name, report.findings, report.coverage, report.seconds)


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


def _class(cls: type, calls: list[Call], settings: Settings) -> Report:
    """The report on the methods of an instance of a class."""
    name = cls.__qualname__
    try:
        instance = cls(*calls[0].args, **calls[0].kwargs) if calls else cls()
    except Exception as error:
        note = finding("AC306", f"no `{name}` could be made: {type(error).__name__}: {error}", function=name)
        return Report(name, (note,))
    parts = [
        check_one(f"{name}.{method}", getattr(instance, method), settings)
        for method, value in vars(cls).items()
        if not method.startswith("_") and isinstance(unwrapped(value), types.FunctionType)
    ]
    return merged(name, parts)
