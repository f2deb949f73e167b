"""The command line: ``astrace check target...``, ``astrace run --packages pkg script.py``, ``astrace cache info``, ``astrace save``.

The module of a command is loaded when that command is asked for: a script under ``astrace run`` waits for no other.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import astrace
from astrace.errors import BundleError, InvalidArgument, MissingExtra
from astrace.integrations.cli_outcomes import FAILED, FINE, FOUND, INTERRUPTED, USAGE, failed, help_formatter

COMMANDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "check": "check_command",
        "explain": "explain_command",
        "run": "run_script",
        "report": "report_command",
        "save": "bundle_commands",
        "inspect": "bundle_commands",
        "verify": "bundle_commands",
        "cache": "cache_command",
        "doctor": "doctor_command",
        "completion": "completion_command",
    }
)
"""The module of each command, beside this one."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        argv: the words of the command line; by default those of the process.

    Returns:
        The exit code.
    """
    words = sys.argv[1:] if argv is None else argv
    try:
        options, others = _parser(words[0] if words else "").parse_known_args(words)
    except SystemExit as error:  # argparse has said why
        return USAGE if error.code else FINE
    try:
        if others:
            hint = getattr(options, "left_over", "") if others[0][:1] != "-" else ""
            raise InvalidArgument(f"unrecognized arguments: {' '.join(others)}{hint}")
        code = options.run(options)
        sys.stdout.flush()
    except InvalidArgument as error:
        return failed(error.message, USAGE)
    except MissingExtra as error:
        return failed(str(error), USAGE)
    except BundleError as error:
        from astrace.util.terminal import printable_lines

        return failed(printable_lines(str(error)), FOUND)
    except KeyboardInterrupt:
        return failed("interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader of the report has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        return _told(error)
    return code


def _told(error: Exception) -> int:
    """Tell of an error that is no refusal, and return the exit code: a target could not be loaded, or the fault is astrace's."""
    from astrace.integrations.cli_targets import NotLoaded

    if isinstance(error, NotLoaded):
        return failed(str(error), FAILED)
    import traceback

    traceback.print_exception(error)
    return failed("this is a fault of astrace: please report it with the lines above", FAILED)


def _parser(command: str) -> argparse.ArgumentParser:
    """The parser of one command; of all where none is named, and for completion, which lists them."""
    what = "Compile NumPy functions, and check what was captured."
    parser = argparse.ArgumentParser(prog="astrace", description=what, formatter_class=help_formatter)
    parser.add_argument("--version", action="version", version=f"astrace {astrace.__version__}")
    # with a name, no text of help is made up for it
    commands = parser.add_subparsers(metavar="command", required=True, prog=parser.prog)
    is_alone = command in COMMANDS and command != "completion"
    for home in (COMMANDS[command],) if is_alone else dict.fromkeys(COMMANDS.values()):
        module: Any = importlib.import_module(f"astrace.integrations.{home}")
        module.add_command(commands)
    return parser
