"""The fuzzer's own exam: how many seeded bugs of a compiler does a run of a given size find?

    python -m fuzz.exam --programs 300 --only closures identity

Each bug is patched into a copy of the package; the copy is fuzzed until the first difference.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from astrace.util.progress import progress, say
from fuzz.bugs import BUGS, Bug

ROOT = Path(__file__).parent.parent
KINDS = [
    "variants",
    "python",
    "worlds",
    "repeats",
    "closures",
    "special",
    "derived",
    "exceptions",
    "identity",
    "operators",
]
COPIED = ("astrace", "fuzz", "tests")


def copy_to(folder: Path) -> None:
    """A copy of what is needed to fuzz."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "stored"))


def patched(folder: Path, bug: Bug) -> str:
    """Put a bug into the copy; gives the text that was there."""
    file = folder / "astrace" / bug.file
    text = file.read_text()
    assert text.count(bug.old) == 1, f"{bug.name}: {bug.file} has {text.count(bug.old)} places"
    file.write_text(text.replace(bug.old, bug.new))
    return text


def first_difference(folder: Path, options: argparse.Namespace) -> str:
    """Return the first difference that a run on the copy reports; empty if it finds none."""
    words = ["--programs", str(options.programs), "--seed", str(options.seed), "--first"]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "fuzz", "--kind", *options.kind, *words]
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, timeout=options.seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return "took too long"
    if not done.returncode:
        return ""
    lines = [line for line in done.stdout.splitlines() if line.startswith("seed ")]
    return (lines or done.stderr.strip().splitlines()[-1:] or ["?"])[0]


def options_given() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", nargs="+", default=KINDS)
    parser.add_argument("--programs", type=int, default=300, help="the most of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=1800, help="the most one run may take")
    parser.add_argument("--only", nargs="*", help="the names of bugs, or parts of them")
    return parser.parse_args()


def main() -> int:
    """Try every bug; without any there must be nothing to be found."""
    options = options_given()
    chosen = [bug for bug in BUGS if not options.only or any(part in bug.name for part in options.only)]
    found = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_to(folder)
        told = first_difference(folder, options)
        if told:
            print(f"without a bug: {told}")
            return 1
        for bug in progress(chosen, "bugs"):
            text = patched(folder, bug)
            started = time.monotonic()
            told = first_difference(folder, options)
            (folder / "astrace" / bug.file).write_text(text)
            found += bool(told)
            verdict = "found " if told else "MISSED"
            say(f"{verdict} {time.monotonic() - started:5.0f} s  {bug.name}: {told[:110]}")
    print(
        f"{found} of {len(chosen)} found by {options.programs} programs of each of {', '.join(options.kind)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
