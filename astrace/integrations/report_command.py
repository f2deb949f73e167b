"""``astrace report script.py args…``: run a script, and write a page of what became of its compiled functions.

The script runs as it would by itself, as with ``astrace run``; the page is written however it ends.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from pathlib import Path
from typing import Any, Final

from astrace.integrations import run_script
from astrace.util.atomic_files import check_writable

OUTPUT: Final = "astrace-report.html"


def add_command(commands: Any) -> None:
    """Add ``report`` to the commands of a parser."""
    what = "run a script and write one HTML page of what became of its compiled functions"
    parser = commands.add_parser("report", help=what, description=f"{what.capitalize()}.")
    add = parser.add_argument
    add("-o", "--output", default=OUTPUT, metavar="FILE", help=f"the page; {OUTPUT} by default")
    add("--lines", action="store_true", help="tell where the time goes, line by line")
    add("--no-compare", action="store_true", help="run no call as plain Python for comparison")
    add("--packages", default="", help="packages to compile, separated by commas")
    add("--policy", default="default", help="when their functions are captured: default, always, never")
    add("--quiet", action="store_true", help="do not tell where the page is")
    add("-m", dest="module", action="store_true", help="the script is the name of a module")
    add("script", help="the script to run")
    add("arguments", nargs=argparse.REMAINDER, help="its arguments")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run a script as the options say, and write the page.

    Returns:
        1 where the script raised, else 0; a script that exits by itself does so.

    Raises:
        InvalidArgument: the file, the script, the packages or the policy are not accepted.
    """
    from astrace.report.recording import recording

    run_script.check_script("report", options.script, options.module)
    check_writable(options.output)
    page = Path(options.output).resolve()  # the script may change the folder
    title = " ".join([options.script, *options.arguments])
    process = os.getpid()
    record = recording(title, compare=not options.no_compare, lines=options.lines)
    try:
        with _hooked(options.packages, options.policy), record:
            run_script.run_script(options.script, options.arguments, options.module)
    except Exception as error:  # the script's own: told as Python tells it
        return run_script.raised(error)
    finally:
        if os.getpid() == process:  # a fork that comes here, too, leaves the page to its parent
            record.save(page)
        if os.getpid() == process and not options.quiet:
            print(f"astrace: the report is in {options.output}", file=sys.stderr)
    return run_script.ENDED


def _hooked(packages: str, policy: str) -> contextlib.AbstractContextManager[Any]:
    """Compile packages while the script runs, if some are named."""
    names = [name.strip() for name in packages.split(",") if name.strip()]
    if not names:
        return contextlib.nullcontext()
    from astrace.library.import_hook import import_hook

    return import_hook(*names, policy=policy)
