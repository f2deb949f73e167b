"""``astrace explain target --args …``: the source of a function with a gutter that tells what becomes of each line.

The function is captured for the arguments that are given, and not run; what it is called in Python is ``f.explain(*args)``.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import sys
from typing import Any

from astrace.errors import InvalidArgument
from astrace.integrations.cli_arguments import arguments, check_arguments
from astrace.integrations.cli_targets import Found, find
from astrace.util.terminal import printable_lines, shown


def add_command(commands: Any) -> None:
    """Add ``explain`` to the commands of a parser."""
    what = "show what becomes of each line of a function, and why"
    parser = commands.add_parser("explain", help=what, description=f"{what.capitalize()}.")
    parser.add_argument("target", help="pkg.mod:function or file.py:function")
    example = (
        "a call, such as '[1.0, 2.0], 3' or 'float64[100], LIMIT': literals, shapes, names of the module"
    )
    parser.add_argument("--args", default="", metavar="LITERALS", help=example)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the explanation of a function.

    Returns:
        0.

    Raises:
        InvalidArgument: the target is no function, or the arguments do not fit it.
    """
    check_arguments(options.args)
    with contextlib.redirect_stdout(sys.stderr):  # what a module prints at import is no explanation
        found = find(options.target)
    text = _explained(found, arguments(options.args, found.module))
    print(shown(printable_lines(text), sys.stdout))
    return 0


def _explained(found: Found, given: tuple[Any, ...]) -> str:
    from astrace.api.compile import compile as compiled_by_astrace
    from astrace.compiler.compiled import Compiled

    function = found.value
    if found.owner is not None and inspect.isfunction(function):
        static = inspect.getattr_static(found.owner, found.name.rpartition(".")[2])
        if not isinstance(static, staticmethod):
            raise InvalidArgument(
                f"explain: {found.name} is a method; name that of an object of the module, as in pkg.mod:obj.f"
            )
    if isinstance(function, type) or not callable(function) or not found.name:
        raise InvalidArgument(
            f"explain: {found.name or found.module.__name__} is no function; name one, as in pkg.mod:function"
        )
    compiled: Any = function if isinstance(function, Compiled) else compiled_by_astrace(function)
    try:
        return str(compiled.explain(*given))
    except TypeError as error:
        raise InvalidArgument(f"{error}, with --args") from None
