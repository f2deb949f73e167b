"""``astrace check target…``: look for differences between functions and their captures.

Exit codes: 0 no errors, 1 errors were found, 2 the command is wrong (an option, a target, an example), 3 a target could
not be loaded, nothing could be checked, or the check itself failed.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import inspect
import os
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from astrace.errors import InvalidArgument
from astrace.integrations.cli_arguments import arguments, check_arguments
from astrace.integrations.cli_outcomes import FAILED, FINE, FOUND, failed
from astrace.integrations.cli_targets import Found, find
from astrace.util.atomic_files import check_writable, write_whole
from astrace.util.progress import Progress
from astrace.util.terminal import is_coloured

if TYPE_CHECKING:
    from astrace.check.compare.observe import Call
    from astrace.check.report.report import Report
    from astrace.check.settings import Settings

TOLERANCES: Final[Mapping[str, str]] = {
    "rtol": "how far apart a float may be, in parts of the expected one",
    "atol": "how far apart a float may be",
}
FORMATS: Final[Mapping[str, str]] = {
    "json": "JSON",
    "sarif": "SARIF 2.1.0, for code scanning",
    "junit": "JUnit XML",
    "html": "one HTML page",
}


def add_command(commands: Any) -> None:
    """Add ``check`` to the commands of a parser."""
    what = "look for differences between functions and their captures"
    told = "exit codes: 0 no errors, 1 errors found, 2 wrong command, 3 a target could not be loaded, nothing could be checked, or the check failed"
    check = commands.add_parser("check", help=what, description=f"{what.capitalize()}.", epilog=told)
    check.set_defaults(run=run, left_over="; the file for the report is given with --output")
    _add_options(check)


def _add_options(check: argparse.ArgumentParser) -> None:
    """The options of ``check``."""
    add = check.add_argument
    add("targets", nargs="+", help="pkg.mod, pkg.mod:function, file.py, file.py:Class.method")
    literals = "an example call, such as '[1.0, 2.0], 3' or 'float64[100], LIMIT': literals, shapes, names of the module"
    add("--args", action="append", default=[], metavar="LITERALS", help=literals)
    add("--level", choices=("quick", "default", "thorough"), default="default", help="how much to try")
    add(
        "--frozen",
        action="store_true",
        help="check a frozen graph of each function, as astrace.trace gives it",
    )
    add(
        "--against",
        choices=("numba", "jax", "torch"),
        help="compile each function by that, and check it beside the plain one",
    )
    for name, what in TOLERANCES.items():
        add(
            f"--{name}",
            type=_tolerance,
            metavar="NUMBERS",
            help=f"{what}: 1e-6, or float32=1e-5,float64=1e-9",
        )
    add("--strict", action="store_true", help="warnings count as errors")
    add(
        "--accept-refused",
        action="store_true",
        help="with --frozen: a difference is none where the graph refuses the call",
    )
    add("--notes", action="store_true", help="show notes, too")
    add("--seed", type=int, default=0, help="the seed of random inputs")
    add("--max-examples", type=int, help="how many random inputs are tried for each function")
    add("--deadline", type=float, help="the maximum number of seconds for each function")
    add("--database", help="a folder that keeps failing inputs, which are tried first")
    formats = check.add_mutually_exclusive_group()
    for name, what in FORMATS.items():
        formats.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, help=f"report as {what}"
        )
    add("--output", type=Path, metavar="FILE", help="the file to write the report to")
    add("--allow-empty", action="store_true", help="exit with 0 where there is nothing to check")


def _tolerance(text: str) -> Any:
    """A number, or numbers by the names of dtypes.

    Raises:
        argparse.ArgumentTypeError: the text is neither.
    """
    from astrace.check.compilers.tolerances import accepted

    try:
        if "=" not in text:
            return accepted("the tolerance", float(text))
        pairs = (part.partition("=") for part in text.split(","))
        return accepted("the tolerance", {name.strip(): float(number) for name, _, number in pairs})
    except ValueError as error:  # `InvalidArgument` is one
        raise argparse.ArgumentTypeError(f"{text!r}: {str(error).removeprefix('check: ')}") from None


def run(options: argparse.Namespace) -> int:
    """Check the targets that the options name, and write the report; returns the exit code."""
    from astrace.check.isolation.target_process import steps_apart
    from astrace.check.report.report import merged
    from astrace.check.settings import settings_for

    names = ("max_examples", "deadline", "database", "seed", "strict", "accept_refused", *TOLERANCES)
    given = {name: getattr(options, name) for name in names}
    settings = settings_for(options.level, **{name: one for name, one in given.items() if one is not None})
    if options.output is not None:
        check_writable(options.output)
    for text in options.args:
        check_arguments(text)  # what is wrong with it is told before anything is loaded
    parts: list[Report] = []
    ended: list[str] = []
    works = [(target, functools.partial(_steps, target, settings, options)) for target in options.targets]
    with Progress() as progress:
        steps = ((target, *step) for target, work in works for step in steps_apart(work, progress.tick))
        for target, name, report, how in steps:
            if report is None and not how:
                progress.begin(f"checking {name}")
            parts += [report] if report is not None else []
            ended += [f"{target}: {how}"] if how else []
    parts += [_ended_report(one) for one in ended]
    report = parts[0] if len(parts) == 1 else merged(" ".join(options.targets), parts)
    is_nothing = report.is_empty and not options.allow_empty
    if parts or not is_nothing or options.format is not None or options.output is not None:
        _write(report, options)
    if is_nothing:
        why = "no call could be made" if parts else "there is no public function or method written in Python"
        return failed(f"nothing was checked in {' '.join(options.targets)}: {why}", FAILED)
    for one in ended:
        failed(one, FAILED)
    return FOUND if not report.ok else FAILED if ended else FINE


def _steps(
    target: str, settings: Settings, options: argparse.Namespace
) -> Iterator[tuple[str, Report | None]]:
    """Load a target and check its functions; yield the name of each before it is checked, and with its report."""
    from astrace.check.compare.observe import Call

    found = _found(target)
    calls = [Call(arguments(text, found.module)) for text in options.args]
    for name, job in _jobs(found, calls, settings, options):
        yield name, None
        yield name, job()


def _ended_report(text: str) -> Report:
    """The report on a target that ended its process."""
    from astrace.check.report.findings import finding
    from astrace.check.report.report import Report

    name = text.partition(":")[0]
    return Report(name, (finding("AC306", text, function=name),))


def _found(target: str) -> Found:
    """Return the object that a target names; output of its module at import is kept out of the report."""
    if target.rpartition(".")[2] in (*FORMATS, "xml"):
        raise InvalidArgument(f"{target!r} is no target; the file for the report is given with --output")
    with contextlib.redirect_stdout(sys.stderr):
        return find(target)


def _jobs(
    found: Found, calls: list[Call], settings: Settings, options: argparse.Namespace
) -> Iterator[tuple[str, Callable[[], Report]]]:
    """Yield the checks of a target."""
    from astrace.check.members import check_by, examples_of, jobs

    obj, name = found.value, found.name
    if isinstance(obj, types.ModuleType) and calls:
        raise InvalidArgument("--args is for a function or a class; name one, as in pkg.mod:function")
    if isinstance(obj, types.ModuleType | type):
        yield from jobs(obj, calls, settings, options.frozen, options.against)
        return
    if not callable(obj):
        raise InvalidArgument(f"{name} is no function, class or module, but of type {type(obj).__qualname__}")
    examples = examples_of(found.module)
    function = _bound(found, examples)
    calls = calls or examples.get(name, [])
    yield name, lambda: check_by(options.frozen, options.against)(name, function, calls, settings)


def _bound(found: Found, examples: Mapping[str, list[Call]]) -> Any:
    """A function; a method as that of an instance.

    Raises:
        InvalidArgument: no instance could be made.
    """
    from astrace.check.members import NoInstance, is_method, made

    owner, name = found.owner, found.name.rpartition(".")[2]
    own = None if owner is None else inspect.getattr_static(owner, name)
    if owner is None or isinstance(own, staticmethod | classmethod) or not is_method(own):
        return found.value
    try:
        return getattr(made(owner, examples.get(owner.__qualname__, [])), name)
    except NoInstance as error:
        raise InvalidArgument(f"{found.name} is a method, and {error}\n  fix: {error.fix}") from None


def _write(report: Report, options: argparse.Namespace) -> None:
    """Write the report to the requested place, and annotations where a workflow runs."""
    if options.format is None:
        color = options.output is None and is_coloured(sys.stdout)
        text = report.text(notes=options.notes, color=color) + "\n"
        if not options.notes and any(one.code != "AC306" for one in report.notes):
            text += "notes are shown with --notes\n"
    else:
        text = getattr(report, options.format)()
    if options.output is not None:
        write_whole(options.output, text)
    else:
        sys.stdout.write(_encodable(text, sys.stdout.encoding))
    if os.environ.get("GITHUB_ACTIONS") == "true" and (options.format is None or options.output is not None):
        from astrace.check.report.render.github import workflow_commands

        for line in workflow_commands(report):
            print(line)


def _encodable(text: str, encoding: str | None) -> str:
    """A text as the terminal can show it: characters that it does not know are written as escapes."""
    return text.encode(encoding or "utf-8", "backslashreplace").decode(encoding or "utf-8")
