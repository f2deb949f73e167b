"""Loads all bundles of a folder under an audit hook, and reports what it saw: ``hostile_worker.py folder count``."""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

import numpy as np

import astrace

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FORBIDDEN = ("exec", "compile", "import", "marshal.", "pickle.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "subprocess.", "socket.", "ctypes.", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "shutil.", "tempfile.", "urllib.", "webbrowser.", "code.__new__", "cpython._PySys", "sys.settrace", "object.__setattr__")  # fmt: skip


def main(folder: Path, count: int) -> None:
    warm(folder.parent / "warm")
    events: list[str] = []
    watching = True

    def hook(event: str, args: tuple[object, ...]) -> None:
        if not watching:
            return
        if event == "open":
            mode, flags = args[1], args[2]
            writes = isinstance(flags, int) and flags & WRITING
            if writes or (isinstance(mode, str) and set(mode) & set("wax+")):
                events.append(f"open {args}")
        elif event.startswith(FORBIDDEN):
            events.append(f"{event} {args}"[:200])

    sys.addaudithook(hook)
    refused = 0
    for number in range(count):
        try:
            astrace.load(folder / f"{number:04d}")
        except astrace.BundleError:
            refused += 1
    watching = False
    print(json.dumps({"refused": refused, "events": events, "peak": peak()}))


def peak() -> int:
    """The most memory that this process has had, in bytes; Linux adds that of its parent to what ``getrusage`` tells."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def warm(path: Path) -> None:
    """Load what loading a bundle loads: a good one, with what the cases have in it."""
    sys.path.insert(0, str(Path(__file__).parent))
    import hostile_bundles

    hostile_bundles.folder(hostile_bundles.good())(path)
    astrace.load(path)(np.ones((2, 3)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
