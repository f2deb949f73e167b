"""The command line: ``astrace check target...``, ``astrace run --packages pkg script.py``.

Exit codes of ``check``: 0 no errors, 1 errors were found, 2 the command is wrong (an option, a target, an example), 3 the
target could not be loaded, or the check itself failed.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import astrace
from astrace.errors import InvalidArgument, MissingExtra
from astrace.integrations import run
from astrace.integrations.targets import arguments, find

if TYPE_CHECKING:
    from astrace.check.report import Report

FINE, FOUND, USAGE, FAILED = range(4)
FORMATS: Final[Mapping[str, str]] = {
    "json": "JSON",
    "sarif": "SARIF 2.1.0, for code scanning",
    "junit": "JUnit XML",
    "html": "one HTML page",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the words of the command line; by default those of the process.

    Returns:
        The exit code.
    """
    try:
        options = _parser().parse_args(argv)
    except SystemExit as error:  # argparse has said why
        return USAGE if error.code else FINE
    try:
        return options.run(options)
    except (InvalidArgument, MissingExtra) as error:
        print(f"astrace: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        raise
    except Exception:
        traceback.print_exc()
        return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="astrace", description="Compile NumPy functions, and check what was captured."
    )
    parser.add_argument("--version", action="version", version=f"astrace {astrace.__version__}")
    commands = parser.add_subparsers(metavar="command", required=True)
    check = commands.add_parser(
        "check",
        help="look for differences between functions and what is captured of them",
        description="Look for differences between functions and what is captured of them.",
        epilog="exit codes: 0 no errors, 1 errors found, 2 wrong command, 3 the target or the check failed",
    )
    check.set_defaults(run=_check)
    _add_options(check)
    run.add_command(commands)
    return parser


def _add_options(check: argparse.ArgumentParser) -> None:
    """The options of ``check``."""
    add = check.add_argument
    add("targets", nargs="+", help="pkg.mod, pkg.mod:function, file.py, file.py:Class.method")
    literals = "an example call, such as '[1.0, 2.0], 3'; lists of numbers are arrays"
    add("--args", action="append", default=[], metavar="LITERALS", help=literals)
    add("--level", choices=("quick", "default", "thorough"), default="default", help="how much to try")
    add(
        "--frozen",
        action="store_true",
        help="check a frozen graph of each function, as astrace.trace gives it",
    )
    add("--strict", action="store_true", help="warnings count as errors")
    add("--notes", action="store_true", help="show notes, too")
    add("--seed", type=int, default=0, help="what random inputs start from")
    add("--max-examples", type=int, help="how many random inputs are tried for each function")
    add("--deadline", type=float, help="the most seconds for each function")
    add("--database", help="a folder that keeps failing inputs, which are tried first")
    formats = check.add_mutually_exclusive_group()
    for name, what in FORMATS.items():
        formats.add_argument(
            f"--{name}", dest="format", action="store_const", const=name, help=f"report as {what}"
        )
    add("--output", type=Path, help="the file to write the report to")


# -- check -------------------------------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    """The command ``check``."""
    from astrace.check.report import merged
    from astrace.check.settings import settings_for

    changes = {name: getattr(options, name) for name in ("max_examples", "deadline", "database")}
    changes = {name: value for name, value in changes.items() if value is not None}
    settings = settings_for(options.level, seed=options.seed, strict=options.strict, **changes)
    examples = [arguments(text) for text in options.args]
    parts: list[Report] = []
    for target in options.targets:
        for name, job in _jobs(find(target), examples, settings, options.frozen):
            _progress(f"checking {name}", sys.stderr)
            parts.append(job())
    _progress("", sys.stderr)
    report = parts[0] if len(parts) == 1 else merged(" ".join(options.targets), parts)
    _write(report, options)
    return FINE if report.ok else FOUND


def _jobs(
    obj: Any, examples: list[tuple[Any, ...]], settings: Any, frozen: bool
) -> Iterator[tuple[str, Callable[[], Report]]]:
    """What there is to check in a target."""
    from astrace.check.members import check_one, frozen_one, jobs
    from astrace.check.observe import Call

    calls = [Call(args) for args in examples]
    if isinstance(obj, types.ModuleType | type):
        yield from jobs(obj, calls, settings, frozen)
        return
    name = getattr(obj, "__qualname__", type(obj).__qualname__)
    yield name, lambda: (frozen_one if frozen else check_one)(name, obj, calls, settings)


def _progress(text: str, stream: TextIO) -> None:
    """Say what is being done, on a terminal only."""
    if stream.isatty():
        stream.write(f"\r\x1b[K{text}")
        stream.flush()


def _write(report: Report, options: argparse.Namespace) -> None:
    """Write the report to where it was asked for, and annotations where a workflow runs."""
    if options.format is None:
        color = options.output is None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        text = report.text(notes=options.notes, color=color) + "\n"
    else:
        text = getattr(report, options.format)()
    if options.output is None:
        sys.stdout.write(text)
    else:
        options.output.write_text(text, encoding="utf-8")
    if os.environ.get("GITHUB_ACTIONS") == "true" and (options.format is None or options.output is not None):
        from astrace.check.render.github import workflow_commands

        for line in workflow_commands(report):
            print(line)
