"""Checks of many functions: those of a module, the methods of a class.

Takes the public functions that are written in Python and defined there, one report for each, and puts them
together.  A module may give examples: ``ASTRACE_EXAMPLES = {"name": [(1.0, 2), ...]}``, where a name is that of a
function, of a class, whose constructor takes the arguments, or ``Class.method``; for the others arguments are
guessed, from annotations or by trying.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from astrace.check.checker import check_subject, check_within
from astrace.check.compare.observe import Call, example_call
from astrace.check.compilers.table import compiler_of, original_of
from astrace.check.inputs.code_constants import mine
from astrace.check.inputs.guess import guesses
from astrace.check.isolation.bounded import bounded
from astrace.check.isolation.child_process import Publish
from astrace.check.isolation.time_limits import Bounds, Clock
from astrace.check.report.findings import finding
from astrace.check.report.report import Report, merged
from astrace.check.sandbox.reachable import unwrapped
from astrace.check.sandbox.world import World
from astrace.check.settings import Settings
from astrace.check.subject import plain, subject_of
from astrace.compiler.compiled import Compiled
from astrace.compiler.frozen_graph import trace
from astrace.errors import InvalidArgument, NotCaptured
from astrace.locations import Location

EXAMPLES: Final = "ASTRACE_EXAMPLES"


def check_members(obj: Any, calls: list[Call], settings: Settings, against: str | None = None) -> Report:
    """The report on a module or a class.

    Args:
        obj: the module or class.
        calls: example calls of a class's constructor; for a module none.
        settings: how to check each function.
        against: the compiler that is to compile each function, if another one is checked.
    """
    return merged(obj.__name__, [job() for _, job in jobs(obj, calls, settings, against=against)])


def jobs(
    obj: Any, calls: list[Call], settings: Settings, frozen: bool = False, against: str | None = None
) -> Iterator[tuple[str, Callable[[], Report]]]:
    """Yield the checks of a module or a class: a name and a function that makes the report."""
    check = check_by(frozen, against)
    if isinstance(obj, type) and against is not None:
        raise InvalidArgument(f"check: {obj.__qualname__} is a class; {against} compiles functions")
    if isinstance(obj, type):
        yield from _class(obj, calls, examples_of(sys.modules.get(obj.__module__)), settings, check)
        return
    examples = examples_of(obj)
    for name, function in functions_of(obj):
        yield name, functools.partial(check, name, function, examples.get(name, []), settings)
    for cls in classes_of(obj) if against is None else ():
        yield from _class(cls, [], examples, settings, check)


def check_by(frozen: bool, against: str | None) -> Callable[..., Report]:
    """Return what checks one function: the function itself, a frozen graph of it, or what another compiler makes of it.

    Raises:
        InvalidArgument: both are asked for.
    """
    if frozen and against is not None:
        raise InvalidArgument(
            f"check: a frozen graph is astrace's own; leave out `--frozen` or `--against {against}`"
        )
    if against is not None:
        return functools.partial(check_one, against=against)
    return frozen_one if frozen else check_one


def examples_of(module: types.ModuleType | None) -> Mapping[str, list[Call]]:
    """The example calls that a module gives, by the names of its functions, classes and methods.

    Raises:
        InvalidArgument: they are no such calls, or for nothing that the module has.
    """
    given = {} if module is None else vars(module).get(EXAMPLES, {})
    if not isinstance(given, Mapping):
        raise InvalidArgument(
            f"check: {EXAMPLES} of {module} is {given!r}; it must be a dict of lists by name"
        )
    for name, calls in given.items():
        place = f"{EXAMPLES}[{name!r}] in {getattr(module, '__file__', None) or module}"
        if not isinstance(name, str) or not _has(module, name):
            raise InvalidArgument(f"check: {place}: there is no {name!r} in the module")
        if not isinstance(calls, list | tuple):
            raise InvalidArgument(f"check: {place} is {calls!r}; it must be a list of example calls")
        try:
            _ = [example_call(one) for one in calls]
        except InvalidArgument as error:
            raise InvalidArgument(f"{place}: {str(error).removeprefix('check: ')}") from None
    return {name: [example_call(one) for one in calls] for name, calls in given.items()}


def _has(module: Any, name: str) -> bool:
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None


def check_one(
    name: str,
    function: Callable[..., Any],
    calls: list[Call],
    settings: Settings,
    against: str | None = None,
) -> Report:
    """The report on one function; without examples its arguments are guessed."""
    example = calls[0] if calls else None
    clock = Clock(settings.deadline)
    report = check_subject(subject_of(function, None, against, example, settings), calls, settings, clock)
    return replace(report, name=name)


def frozen_one(name: str, function: Callable[..., Any], calls: list[Call], settings: Settings) -> Report:
    """The report on a frozen graph of one function, made for its first example."""
    original = plain(original_of(function))
    subject = subject_of(original)

    def run(bounds: Bounds, publish: Publish) -> Report:
        found = calls or guesses(original, mine(original), World([original]))
        if not found:
            return check_within(bounds, publish, subject, [], settings)
        try:
            graph = trace(original, *found[0].copy().args, **found[0].copy().kwargs)
        except NotCaptured as error:
            text = f"no graph could be made: {error.reason.code}: {error.reason.message}"
            return Report(name, (finding("AC303", text, location=error.reason.location, function=name),))
        frozen = subject_of(graph, original)
        for call in found:
            frozen.accept(call)
        return check_within(bounds, publish, frozen, found, settings)

    return replace(bounded(run, subject, settings, Clock(settings.deadline)), name=name)


def functions_of(module: types.ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions that a module defines."""
    for name, value in vars(module).items():
        inner = unwrapped(original_of(value))
        if name.startswith("_") or not isinstance(inner, types.FunctionType):
            continue
        known = isinstance(value, types.FunctionType | Compiled) or compiler_of(value) is not None
        if known and inner.__module__ == module.__name__:
            yield name, value


def classes_of(module: types.ModuleType) -> Iterator[type]:
    """The public classes that a module defines, but for exceptions."""
    for name, value in vars(module).items():
        own = isinstance(value, type) and value.__module__ == module.__name__
        if own and not name.startswith("_") and not issubclass(value, BaseException):
            yield value


def _class(
    cls: type,
    calls: list[Call],
    examples: Mapping[str, list[Call]],
    settings: Settings,
    check: Callable[..., Report],
) -> Iterator[tuple[str, Callable[[], Report]]]:
    """The checks of the methods of an instance of a class."""
    name = cls.__qualname__
    methods = [
        method for method, value in vars(cls).items() if not method.startswith("_") and is_method(value)
    ]
    try:
        instance = made(cls, calls or examples.get(name, []))
    except NoInstance as error:
        note = finding("AC306", str(error), location=_start(cls), fix=error.fix, function=name)
        yield name, functools.partial(Report, name, (note,))
        return
    for method in methods:
        full = f"{name}.{method}"
        yield (
            full,
            functools.partial(check, full, getattr(instance, method), examples.get(full, []), settings),
        )


class NoInstance(Exception):
    """No instance of a class could be made.

    Args:
        cls: the class.
        error: what its constructor raised.
    """

    def __init__(self, cls: type, error: Exception) -> None:
        name = cls.__qualname__
        super().__init__(f"no `{name}` could be made: {type(error).__name__}: {error}")
        self.fix = (
            f"give arguments for its constructor: `{EXAMPLES} = {{{name!r}: [(...)]}}` in its module,"
            " or the class with its arguments"
        )


def made(cls: type, calls: list[Call]) -> Any:
    """An instance of a class.

    Args:
        cls: the class.
        calls: example calls of its constructor; without any it gets no arguments.

    Raises:
        NoInstance: its constructor raises.
    """
    try:
        return cls(*calls[0].args, **calls[0].kwargs) if calls else cls()
    except Exception as error:
        raise NoInstance(cls, error) from None


def is_method(value: Any) -> bool:
    """Return whether a member of a class is a method that is written in Python."""
    inner = value.__func__ if isinstance(value, staticmethod | classmethod) else value
    return isinstance(unwrapped(inner), types.FunctionType)


def _start(cls: type) -> Location | None:
    """Return the line at which a class is defined, as far as its source is known."""
    try:
        lines, first = inspect.getsourcelines(cls)
        file = inspect.getsourcefile(cls)
    except (OSError, TypeError):
        return None
    line = next(
        (number for number, line in enumerate(lines, first) if line.lstrip().startswith("class ")), first
    )
    return None if file is None else Location(file, line, cls.__qualname__)
