"""``astrace run --packages pkg,… script.py args…``: run a script with packages compiled; without packages, a bundle.

The script runs as it would by itself: as ``__main__``, with its own arguments and its folder in front of the
path; it ends with its own exit code, and an exception with the traceback of its own.  The report goes to standard
error, so that what the script prints stays its own.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.machinery
import importlib.util
import runpy
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from astrace.errors import InvalidArgument
from astrace.integrations.cli_outcomes import help_formatter
from astrace.util.atomic_files import check_writable, write_whole
from astrace.util.progress import CaptureLines

if TYPE_CHECKING:
    from astrace.library.import_hook import ImportHook

ENDED, RAISED = 0, 1
POLICIES: Final = ("default", "always", "never")
PLUMBING: Final = (str(Path(__file__).parent), runpy.__file__, "<frozen runpy>")
"""The beginnings of the names of files whose frames lie between the command and the script."""


def add_command(commands: Any) -> None:
    """Add ``run`` to the commands of a parser."""
    what = "run a script with packages compiled, or a bundle"
    told = "Options stand before the script: what follows it belongs to the script."
    usage = "astrace run --packages PACKAGES [options] script [arguments of the script]\n       astrace run bundle [--args LITERALS] [--operators pkg.mod:NAME ...]"
    parser = commands.add_parser(
        "run",
        help=what,
        description=f"{what.capitalize()}. {told}",
        usage=usage,
        formatter_class=help_formatter,
    )
    add = parser.add_argument
    add("--packages", help="the packages to compile, separated by commas; without it, a bundle is run")
    add("--policy", choices=POLICIES, default="default", help="when functions are captured")
    add(
        "--json",
        metavar="FILE",
        help="write the report as JSON; - for standard output, and what the script prints goes to standard error",
    )
    add("--quiet", action="store_true", help="print neither progress nor a report")
    add("-m", dest="module", action="store_true", help="the script is the name of a module")
    add("script", help="the script or bundle to run")
    told = "its arguments; of a bundle: --args LITERALS, and --operators pkg.mod:NAME for each that it needs"
    add("arguments", nargs=argparse.REMAINDER, help=told).required = False
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run a script as the options say.

    Returns:
        1 where the script raised, else 0; a script that exits by itself does so.

    Raises:
        InvalidArgument: the packages, the policy, the script or the file for the report are not accepted.
    """
    if options.packages is None:
        return _run_bundle(options)
    from astrace.library.import_hook import import_hook

    check_script("run", options.script, options.module)
    if options.json not in (None, "-"):
        check_writable(options.json)
    packages = package_names(options.packages)
    check_packages("run", packages, options.script, options.module)
    hook = import_hook(*packages, policy=options.policy)
    hook.listener = None if options.quiet else CaptureLines(sys.stderr).captured
    output = sys.stderr if options.json == "-" else sys.stdout  # what reads the report reads nothing else
    try:
        with contextlib.redirect_stdout(output):
            run_script(options.script, options.arguments, options.module)
    except Exception as error:  # the script's own: told as Python tells it
        return raised(error)
    finally:
        hook.uninstall()
        _tell(hook, options.json, options.quiet)
    return ENDED


def check_script(command: str, script: str, module: bool) -> None:
    """Make sure that there is a script.

    Raises:
        InvalidArgument: there is none.
    """
    if not module and not Path(script).exists():
        raise InvalidArgument(f"{command}: there is no script {script!r}")


def package_names(text: str) -> list[str]:
    """Return the names that ``--packages`` gives."""
    return [name.strip() for name in text.split(",") if name.strip()]


def check_packages(command: str, packages: Sequence[str], script: str, module: bool) -> None:
    """Make sure that the script can import the packages.

    Raises:
        InvalidArgument: there is no package of a name.
    """
    folder = "" if module else str(Path(script).resolve().parent)
    for name in packages:
        top = name.partition(".")[0]
        if top.isidentifier() and not _is_importable(top, folder):
            hint = "is the name right, and is it installed for this Python? Its folder may be named in PYTHONPATH"
            raise InvalidArgument(f"{command}: --packages: there is no package {top!r}; {hint}")


def _is_importable(name: str, folder: str) -> bool:
    if name in sys.modules or importlib.machinery.PathFinder.find_spec(name, [folder]) is not None:
        return True
    return importlib.util.find_spec(name) is not None


def _run_bundle(options: argparse.Namespace) -> int:
    """Run a bundle; a script without packages is none."""
    if options.script.endswith(".py"):
        check_script("run", options.script, options.module)
    if options.module or options.script.endswith(".py"):
        where = "; it stands before the script" if "--packages" in options.arguments else ""
        raise InvalidArgument(f"run: a script is run with --packages, which says what to compile{where}")
    from astrace.integrations.bundle_commands import run_bundle

    return run_bundle(options.script, options.arguments)


def run_script(script: str, arguments: Sequence[str], module: bool) -> None:
    """Run a script as ``python script`` or ``python -m script`` would."""
    sys.argv[:] = [script, *arguments]
    if module:
        sys.path.insert(0, "")
        runpy.run_module(script, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, str(Path(script).resolve().parent))
        runpy.run_path(script, run_name="__main__")


def raised(error: Exception) -> int:
    """Tell of a script's exception as Python does, with the traceback from the script on; return the exit code."""
    own = _own(error.__traceback__)
    sys.excepthook(type(error), error.with_traceback(own), own)
    return RAISED


def _own(traceback: types.TracebackType | None) -> types.TracebackType | None:
    while traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(PLUMBING):
        traceback = traceback.tb_next
    return traceback


def _tell(hook: ImportHook, file: str | None, quiet: bool) -> None:
    if quiet and not file:
        return
    report = hook.report()
    if file == "-":
        print(report.json())
    elif file:
        write_whole(file, report.json() + "\n")
    if not quiet:
        print(report, file=sys.stderr)
