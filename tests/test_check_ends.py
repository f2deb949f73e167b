"""Checks come to an end, whatever the function does: in their time, in bounded memory, on any thread."""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

import endless
import numpy as np
import pytest

import astrace
import astrace.check.checker
from astrace.check.isolation.child_process import Memory, apart
from astrace.check.isolation.time_limits import Clock

DEADLINE = 0.5
NAMES = [function.__name__ for function in endless.FUNCTIONS]


def checked(name, **settings):
    """The check of a function of `endless`, and how long it took."""
    started = time.monotonic()
    function = getattr(endless, name)
    report = astrace.check(function, endless.EXAMPLE.copy(), deadline=DEADLINE, memory=1 << 28, **settings)
    return report, time.monotonic() - started


@pytest.mark.parametrize("name", NAMES)
def test_every_check_ends(name):
    """In its time and two seconds; what ended it is said, and that is no error of the function."""
    report, seconds = checked(name)
    assert seconds < DEADLINE + 2
    assert report.ok, report
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2 << 20


@pytest.mark.parametrize("name", ["doubles", "sums_in_c", "sleeps", "exits_at_once"])
def test_a_check_ends_on_another_thread(name):
    """A fork has its own main thread."""
    found = []
    worker = threading.Thread(target=lambda: found.append(checked(name)))
    worker.start()
    worker.join()
    assert found[0][1] < DEADLINE + 2
    assert found[0][0].ok


@pytest.mark.parametrize("name", ["doubles", "sleeps", "loops_for_ever", "exits"])
@pytest.mark.parametrize("threaded", [False, True])
def test_a_check_without_a_process_ends(name, threaded):
    """A call that is not stuck in C code is ended from inside, by an alarm or by another thread."""
    gc.collect()  # what other tests have left: an alarm in one of its finalizers is only told of
    found = []
    work = threading.Thread(target=lambda: found.append(checked(name, process=False)))
    if threaded:
        work.start()
        work.join()
    else:
        work.run()
    limit = 60 if threaded and name == "sleeps" else DEADLINE + 4
    assert found[0][1] < limit
    assert found[0][0].ok


def test_that_the_time_ran_out_is_said():
    """With what was tried until then, and how to give it more."""
    report, _ = checked("sleeps_long")
    (note,) = [one for one in report if one.code == "AC306"]
    assert note.message.startswith("the time of the check, 0.5 s, ran out after ")
    assert "`deadline=" in note.fix
    assert "ran out" in report.text()


def test_a_call_that_ends_the_process_is_left_out():
    """The others are tried all the same."""
    report = astrace.check(endless.exits_at_once, endless.EXAMPLE, directed=20, max_examples=0, changes=0)
    assert any("it ended the process with 3" in one.message for one in report.notes)
    assert report.ok


TORN_READS = """
import os, signal, time
from astrace.check.isolation.time_limits import CallWatch

watch, late, left = CallWatch(), [], 20_000
pid = os.fork()
if not pid:
    while os.getppid() != 1:  # until it is ended
        watch.begin(60.0, 60.0)
        watch.end()
    os._exit(0)
try:
    while left:
        number, _, until = watch.running
        left -= bool(number)
        late += [number] if number and until < time.monotonic() else []
finally:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
print(len(late))
"""


def test_another_process_never_reads_half_a_deadline():
    """A call with its deadline is read while the next ones are written: none seems to be late that is not.

    In an interpreter of its own: this one may have threads of JAX, and then it must not fork.
    """
    done = subprocess.run([sys.executable, "-c", TORN_READS], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("0\n", "", 0)


def test_exceptions_that_end_programs_are_results():
    """A graph that does not raise them is wrong."""
    graph = astrace.trace(lambda x: x, endless.EXAMPLE)
    for name in ("interrupts", "exits"):
        report = astrace.check(graph, endless.EXAMPLE, original=getattr(endless, name))
        assert {one.code for one in report.errors} == {"AC103"}, report


def vanishing(x):
    with open("rates.txt") as file:
        rate = float(file.readline())
    if rate != 2.5:
        os._exit(2)
    return x * rate


def writes_and_vanishes(x):
    Path("written.txt").write_text(str(x))
    if x[0] != 1:
        os._exit(1)
    return x


def test_files_are_put_back_when_the_process_ends(tmp_path, monkeypatch):
    """Those that the check changes, and those that the function writes."""
    monkeypatch.chdir(tmp_path)
    Path("rates.txt").write_text("2.5\n3.5\n")
    for function in (vanishing, writes_and_vanishes):
        report = astrace.check(function, endless.EXAMPLE, level="quick")
        assert any("it ended the process" in one.message for one in report.notes), report
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("rates.txt", "2.5\n3.5\n")]


def test_examples_come_back_whole():
    """Arguments of classes that only this function knows, and others that nobody can write down."""

    class Mine:
        def __init__(self, v):
            self.v = v

    def scaled(m, x):
        return x * m.v

    graph = astrace.trace(lambda m, x: x * 2, Mine(3), np.ones(2))
    report = astrace.check(graph, Mine(3), np.ones(2), original=scaled)
    example = report.errors[0].example
    assert type(example.args[0]) is Mine
    assert isinstance(example.args[1], np.ndarray)


def test_random_numbers_are_those_of_the_caller():
    """A fork does not draw others, and the caller's stream stays where it was."""
    import random

    random.seed(5)
    state = random.getstate()
    assert astrace.check(lambda x: x + random.random(), 1.0).ok
    assert random.getstate() == state


def asks_the_environment(x):
    return x * len(os.environ.get("HOME", "")) + len(os.environ["HOME"])


def test_what_is_asked_is_named_as_the_function_does():
    """A method by the object that it is called on, an item by what it is taken from."""
    os.environ.setdefault("HOME", "somewhere")
    graph = astrace.trace(asks_the_environment, 1.0)
    report = astrace.check(graph, 1.0, original=asks_the_environment)
    named = {one.constant.what for one in report if one.code == "AC201" and one.constant}
    assert {"os.environ.get()", "os.environ['HOME']"} <= {part for one in named for part in one.split(", ")}


def replaces_arguments(x):
    sys.argv = ["other", "arguments"]
    sys.argv.append("more")
    return x * len(sys.argv)


@pytest.mark.parametrize("frozen", [False, True])
def test_arguments_of_the_program_are_put_back(frozen, monkeypatch):
    """The list that they are in, and what it holds, where a program has put another one there."""
    given = ["program", "1"]
    monkeypatch.setattr(sys, "argv", given)
    for function in (replaces_arguments, lambda x: sys.argv.append("b") or x * len(sys.argv)):
        checked = astrace.trace(lambda x: x * 3, 1.0) if frozen else function
        astrace.check(checked, 1.0, process=False, **({"original": function} if frozen else {}))
        assert sys.argv is given
        assert given == ["program", "1"]


def test_what_a_check_raises_comes_back():
    """Errors of the system as well, which the pipe between the processes raises, too."""

    def missing(bounds, publish):
        raise FileNotFoundError(2, "No such file or directory", "rates.txt")

    with pytest.raises(FileNotFoundError, match="rates.txt"):
        apart(missing, Clock(10.0), Memory(1 << 28))


def test_a_check_that_has_no_memory_left_for_itself_ends():
    """Objects held by the calls may leave too little memory for the check's own code; findings so far are kept."""

    def full(bounds, publish):
        publish("found so far")
        raise MemoryError

    ended = apart(full, Clock(10.0), Memory(1 << 28))
    assert (ended.report, ended.whole, ended.ends) == ("found so far", False, ["it used up its memory"])


AFTER_A_LATE_CALL = """
import sys, threading
from astrace.check.isolation.time_limits import TimeUp, time_limit

def late():
    for seconds in (0.001, 1.0):
        try:
            with time_limit(seconds):
                for _ in range(10 ** (9 if seconds < 1 else 1)):
                    pass
        except TimeUp:
            print("ended")

thread = threading.Thread(target=late)
thread.start()
thread.join()
sys.settrace(lambda *_: None)
print((lambda: "traced")())
"""


def test_a_call_that_was_ended_leaves_nothing_for_the_interpreter_to_look_for():
    """Python 3.11 hangs at the first call under a trace function while it looks for an exception that nobody raises."""
    done = subprocess.run(
        [sys.executable, "-c", AFTER_A_LATE_CALL], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["ended", "traced"], done.stderr
