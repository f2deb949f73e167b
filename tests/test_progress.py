"""Progress: on a terminal, for what takes more than two seconds, and nowhere else; no thread, and no trace of it."""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys
from pathlib import Path

import pytest
from terminals import ROOT, on_terminal

from astrace.util.progress import Progress, progress, say

needs_tqdm = pytest.mark.skipif(
    importlib.util.find_spec("tqdm") is None, reason="tqdm is not installed (astrace[dev])"
)
SLOW = """
import numpy as np, time

ASTRACE_EXAMPLES = {"slow": [(np.ones(3),)]}


def quick(x: float):
    return x * 2


def slow(x):
    time.sleep(0.3)
    return x * 2
"""
DRAWN = """
import sys, threading, time
sys.path.insert(0, {root!r})
from astrace.util.progress import Progress, progress, say

for _ in progress(range(3), "quick ones"):
    pass
with Progress(2) as shown:
    for name in ("first", "second"):
        shown.begin(name)
        for _ in range(13):
            time.sleep(0.1)
            shown.tick()
    say("a line")
assert threading.active_count() == 1
assert "multiprocessing.synchronize" not in sys.modules
"""


@needs_tqdm
@pytest.mark.parametrize(
    ("variables", "is_shown"),
    [({}, True), ({"COLUMNS": "40", "NO_COLOR": "1"}, True), ({"TERM": "dumb"}, False)],
)
def test_what_takes_long_is_shown_and_wiped(tmp_path: Path, variables, is_shown):
    code, told = on_terminal("-c", DRAWN.format(root=str(ROOT)), folder=tmp_path, **variables)
    assert code == 0, told
    assert "quick ones" not in told
    assert ("\rsecond  1 of 2, 00:02, " in told) is is_shown
    assert "first" not in told, "two seconds were not over"
    *_, last = told.removesuffix("\n").split("\r") if is_shown else [told.strip()]
    assert last in ("a line", ""), told
    assert told.splitlines()[-1].split("\r")[-1].strip() in ("a line", "")


def test_without_a_terminal_nothing_is_written_and_tqdm_is_not_loaded():
    text = DRAWN.format(root=str(ROOT)) + "\nassert 'tqdm' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "a line\n", "")


def test_without_tqdm_there_is_no_progress(tmp_path: Path):
    text = "import sys; sys.modules['tqdm'] = None\n" + DRAWN.format(root=str(ROOT))
    assert on_terminal("-c", text, folder=tmp_path) == (0, "a line\n")


def test_items_come_as_they_are(capsys):
    assert list(progress(iter("abc"), "letters")) == ["a", "b", "c"]
    with pytest.raises(ZeroDivisionError):
        for _ in progress([1, 2], "numbers"):
            1 / 0  # noqa: B018
    with Progress(stream=io.StringIO()) as shown:
        shown.begin("nothing")
        shown.tick()
    say("said")
    assert capsys.readouterr() == ("said\n", "")


@needs_tqdm
def test_a_check_shows_which_function_it_is_at(tmp_path: Path):
    (tmp_path / "model.py").write_text(SLOW)
    words = ("-m", "astrace", "check", "--deadline", "2.5", "model.py")
    code, told = on_terminal(*words, folder=tmp_path)
    assert code == 0, told
    assert "\rchecking slow  1 done, 00:0" in told
    assert "checking" not in told.split("\r")[-1]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "checking" not in done.stdout + done.stderr and "\r" not in done.stdout + done.stderr


LIBRARY = "import time\n\n\ndef f{n}(x):\n    return x * {n}\n"
SCRIPT = """
import time
import numpy as np
import slow_library

for name in dir(slow_library):
    if name.startswith("f"):
        time.sleep(0.4)
        for _ in range(3):
            getattr(slow_library, name)(np.ones(3))
print("done")
"""


@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_a_run_tells_of_captures_in_whole_lines(tmp_path: Path, quiet):
    """The terminal is the script's: a line is written when something was captured, and at least two seconds later."""
    (tmp_path / "slow_library.py").write_text("\n\n".join(LIBRARY.format(n=n) for n in range(12)))
    (tmp_path / "script.py").write_text(SCRIPT)
    words = ("-m", "astrace", "run", "--packages", "slow_library", "--policy", "always", *quiet, "script.py")
    code, told = on_terminal(*words, folder=tmp_path)
    lines = [line for line in told.splitlines() if ", the latest of slow_library.f" in line]
    assert code == 0 and "\ndone\n" in f"\n{told}"
    assert (len(lines) == 0) if quiet else (0 < len(lines) < 6), told
    assert all(line.startswith("astrace: ") for line in lines)


@needs_tqdm
def test_commands_that_fuzz_and_measure_show_progress():
    """Whoever measures is told at once what is measured: nothing is drawn until it is done."""
    words = ("-m", "benchmarks.report", "--smoke", "growth")
    code, told = on_terminal(*words, folder=ROOT, ASTRACE_CACHE_DIR="0", seconds=120)
    assert code == 0 and "\rmeasuring growth  0 of 1, 00:00" in told, told
    assert (
        told.index("measuring growth") < told.index("\ngrowth\n") and "measuring" not in told.split("\n")[-2]
    )
