"""Commands on a terminal of their own: what they write to it, as a pseudo-terminal takes it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
CLEARED = ("NO_COLOR", "FORCE_COLOR", "TERM", "CI", "GITHUB_ACTIONS")
"""Variables that say what a terminal shows, or that there is none."""


def on_terminal(*words: str, folder: Path, seconds: float = 60, **variables: str) -> tuple[int, str]:
    """Run Python with standard output and errors on a terminal; the exit code, and all that was written to it.

    Args:
        *words: what follows ``python``.
        folder: where it runs.
        seconds: when it is given up.
        **variables: of the environment.
    """
    environment = {name: value for name, value in os.environ.items() if name not in CLEARED}
    environment |= {"TERM": "xterm", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]), **variables}
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, *words], cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    written = b"".join(_parts(ours, time.monotonic() + seconds))
    os.close(ours)
    done.kill() if done.poll() is None and not written else None
    return done.wait(seconds), written.decode(errors="replace").replace("\r\n", "\n")


def _parts(terminal: int, until: float):
    """Yield what comes until nobody holds the other end any more."""
    while select.select([terminal], [], [], max(until - time.monotonic(), 0))[0]:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # Linux says so when the last one has closed it
            return
        if not part:
            return
        yield part
