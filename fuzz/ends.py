"""Does every check come to an end, in its time and in bounded memory?

    python -m fuzz.ends --deadline 10

checks functions that loop, allocate, sleep, recurse, block and end the process (`tests/helpers/endless.py`), each in a fresh
interpreter, on the main thread or with ``--thread`` on another one, and tells how long it took, the most memory that
one process had, and what it left behind: processes, threads, files for a moment.  With ``--against numba`` what that makes
of each function is checked.  What is loaded once in a process, as Hypothesis and the compiler, is loaded before.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from astrace.util.progress import progress, say

ROOT = Path(__file__).parent.parent
LOADED = {"torch": "torch._dynamo"}
"""What a compiler loads at its first call."""
CACHES = ("torchinductor_",)
"""The beginnings of names of folders that compilers keep for the next process."""
sys.path.insert(0, str(ROOT / "tests" / "helpers"))


def one(name: str, deadline: float, thread: bool, against: str | None) -> dict[str, Any]:
    """Check one function, in this process."""
    if against:
        importlib.import_module(LOADED.get(against, against))
    import endless

    import astrace
    import astrace.check.checker  # Hypothesis takes its time, once

    told: dict[str, Any] = {}

    def check() -> None:
        started = time.monotonic()
        function = getattr(endless, name)
        report = astrace.check(function, endless.EXAMPLE.copy(), deadline=deadline, against=against)
        told["seconds"] = time.monotonic() - started
        told["threads"] = [thread.name for thread in threading.enumerate() if thread not in before]
        told["found"] = [f"{one.code} {one.message}" for one in report if one.code in ("AC103", "AC306")]
        told["examples"] = report.coverage.examples
        told["errors"] = len(report.errors)

    before = threading.enumerate()
    if thread:
        worker = threading.Thread(target=check)
        before.append(worker)
        worker.start()
        worker.join()
    else:
        check()
    both = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return told | {"bytes": max(resource.getrusage(who).ru_maxrss for who in both) * 1024}


def apart(words: list[str]) -> tuple[int, str, list[str]]:
    """Run a command in a session and with a folder for files of its own; the exit code, the output, what is left there."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TMPDIR": folder}
        process = subprocess.Popen(
            words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        output, _ = process.communicate()
        left = [f"file {one.name}" for one in Path(folder).iterdir() if not one.name.startswith(CACHES)]
    left += [f"process {one}" for one in of_session(process.pid)]
    return process.returncode, output, left


def of_session(session: int) -> list[int]:
    """The processes of a session, where the system tells."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            found += [int(stat.parent.name)] if int(fields[3]) == session and fields[0] != "Z" else []
    return found


def main() -> int:
    """Check all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deadline", type=float, default=10.0)
    parser.add_argument("--thread", action="store_true", help="not on the main thread")
    parser.add_argument("--against", choices=("numba", "jax", "torch"), help="check what that makes of them")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.one, options.deadline, options.thread, options.against)))
        return 0
    import endless

    names = [function.__name__ for function in endless.FUNCTIONS]
    late = 0
    print("| function | seconds | MB | inputs | what it says |\n|---|---|---|---|---|")
    chosen = [name for name in names if not options.only or name in options.only]
    for name in progress(chosen, "functions"):
        words = [sys.executable, "-m", "fuzz.ends", "--one", name, "--deadline", str(options.deadline)]
        words += ["--against", options.against] if options.against else []
        code, output, left = apart(words + ["--thread"] * options.thread)
        if code:
            say(f"| `{name}` | the check ended with {code}: {output[-300:]!r} |")
            late += 1
            continue
        told = json.loads(output.splitlines()[-1])
        left += [f"thread {thread}" for thread in told["threads"]]
        over = told["seconds"] > options.deadline + 2 or told["bytes"] > 2 << 30
        late += over or bool(left)
        told["found"] = [f"LEFT {one}" for one in left] + told["found"]
        text = "; ".join(dict.fromkeys(told["found"]))[:160]
        say(
            f"| `{name}` | {told['seconds']:.1f}{' LATE' * over} | {told['bytes'] >> 20} | {told['examples']} | {text} |"
        )
    print(f"\n{late} of {len(chosen)} over the time and 2 s, over 2 GB, or with something left behind")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
