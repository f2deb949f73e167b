"""``astrace report script.py args…``: run a script, and write a page of what became of its compiled functions.

The script runs as it would by itself, as with ``astrace run``.  The page is written however it ends: where there are forks, a
process that waits for the script's writes it, with what that told last.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from astrace.integrations import run_script, script_process
from astrace.integrations.script_process import Teller, Told
from astrace.util.atomic_files import check_writable, write_whole
from astrace.util.progress import CaptureLines

if TYPE_CHECKING:
    from astrace.report.recording import RunRecording
    from astrace.report.records import RunRecord

OUTPUT: Final = "astrace-report.html"
USAGE: Final = "astrace report [options] script [arguments of the script]"
OWN: Final = ("-o", "--output", "--lines", "--no-compare", "--packages", "--policy")
"""Options that scripts seldom have, and people write behind the script."""


def add_command(commands: Any) -> None:
    """Add ``report`` to the commands of a parser."""
    what = "run a script and write one HTML page of what became of its compiled functions"
    told = "Options stand before the script: what follows it belongs to the script."
    parser = commands.add_parser("report", help=what, description=f"{what.capitalize()}. {told}", usage=USAGE)
    add = parser.add_argument
    add("-o", "--output", default=OUTPUT, metavar="FILE", help=f"the page; {OUTPUT} by default")
    add("--lines", action="store_true", help="tell where the time goes, line by line")
    add("--no-compare", action="store_true", help="run no call as plain Python for comparison")
    add("--packages", default="", help="packages to compile, separated by commas")
    add("--policy", choices=run_script.POLICIES, default="default", help="when their functions are captured")
    add("--quiet", action="store_true", help="do not tell where the page is")
    add("-m", dest="module", action="store_true", help="the script is the name of a module")
    add("script", help="the script to run")
    add("arguments", nargs=argparse.REMAINDER, help="its arguments").required = False
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Run a script as the options say, and write the page.

    Returns:
        1 where the script raised, else 0; a script that exits by itself does so.

    Raises:
        InvalidArgument: the file, the script, the packages or the policy are not accepted.
    """
    run_script.check_script("report", options.script, options.module)
    packages = run_script.package_names(options.packages)
    run_script.check_packages("report", packages, options.script, options.module)
    check_writable(options.output)
    page = Path(options.output).resolve()  # the script may change the folder
    before = _identity(page)
    side = script_process.split() if script_process.can_split() else None
    if not isinstance(side, Told):
        return _recorded(options, page, side)
    # A page that has changed was written by the script's process, which could not tell so.
    if side.message and _identity(page) == before:
        _write_for(side, page, options)
    return script_process.end_likewise(side)


def _recorded(options: argparse.Namespace, page: Path, teller: Teller | None) -> int:
    """Run the script, with a recording that is told to the process that waits, or else written here."""
    from astrace.report.recording import recording

    record = recording(_title(options), compare=not options.no_compare, lines=options.lines)
    if teller is not None:
        lines = None if options.quiet else CaptureLines(sys.stderr).captured
        record.watch(lambda so_far: _tell(teller, so_far), lines)
        _tell(teller, record.report())
    process = os.getpid()
    try:
        with _hooked(options.packages, options.policy), record:
            run_script.run_script(options.script, options.arguments, options.module)
    except Exception as error:  # the script's own: told as Python tells it
        return run_script.raised(error)
    finally:
        if os.getpid() == process:  # a fork that comes here, too, leaves the page to its parent
            _hand_over(record, teller, page, options)
    return run_script.ENDED


def _title(options: argparse.Namespace) -> str:
    return " ".join([options.script, *options.arguments])


def _tell(teller: Teller, record: RunRecord) -> None:
    if teller.is_here:
        teller.tell(pickle.dumps(record))


def _hand_over(record: RunRecording, teller: Teller | None, page: Path, options: argparse.Namespace) -> None:
    """Give the whole recording to the process that waits; without one, or if it is gone, the page is written here."""
    if teller is not None:
        with contextlib.suppress(OSError):
            _tell(teller, record.report())
            return
    record.save(page)
    _say_where(options)


def _identity(page: Path) -> tuple[int, int] | None:
    """Which file lies at a path; each that is written whole is another one."""
    try:
        found = page.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _write_for(told: Told, page: Path, options: argparse.Namespace) -> None:
    """Write the page for a script whose process has ended."""
    from astrace.report.page import page as page_of

    record: RunRecord = pickle.loads(told.message)  # noqa: S301  # from the process that this one has made
    write_whole(page, page_of(replace(record, outcome=_outcome(record, told))))
    _say_where(options)


def _outcome(record: RunRecord, told: Told) -> str:
    """How a run ended: as it told itself, or else as its process did."""
    from astrace.report.recording import GOES_ON

    if record.outcome == GOES_ON:
        known = (
            ""
            if record.seconds is None
            else f"; what is told was known {record.seconds:.2f} s after it began"
        )
        return f"{told}{known}"
    return f"{record.outcome}; then {told}" if told.is_by_signal else record.outcome


def _say_where(options: argparse.Namespace) -> None:
    """Tell where the page is, and that an option of the script may have been meant for this command."""
    if options.quiet:
        return
    given = [word.partition("=")[0] for word in options.arguments]
    behind = next((word for word in given if word in OWN or (word[:2] == "-o" and len(word) > 2)), "")
    hint = (
        f"; {behind} behind {options.script} is the script's own: options of astrace stand before it"
        if behind
        else ""
    )
    print(f"astrace: the report is in {options.output}{hint}", file=sys.stderr)


def _hooked(packages: str, policy: str) -> contextlib.AbstractContextManager[Any]:
    """Compile packages while the script runs, if some are named."""
    names = run_script.package_names(packages)
    if not names:
        return contextlib.nullcontext()
    from astrace.library.import_hook import import_hook

    return import_hook(*names, policy=policy)
