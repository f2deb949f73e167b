"""What earlier processes have found out about the functions of a library: it says what to begin with, and decides no result."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from made_packages import forget, importable, load

import astrace
from astrace.library import function_watcher, past_decisions
from astrace.library.call_times import BRIEF, Counts, reason_to_leave, waited
from astrace.library.capture_time import COMPILER, LOADING, USUAL, CaptureTime
from astrace.library.function_watcher import Watched
from astrace.library.outcomes import outcomes
from astrace.library.past_decisions import (
    GRAPH,
    PENDING,
    PLAIN,
    VALID,
    PastDecision,
    PastDecisions,
    kinds_of,
    name_of,
)
from astrace.util.code_stubs import stub_of
from astrace.util.disk_cache.store import current
from benchmarks import hooked

X = np.array([1.0, -2.0, 3.0])
SLOWER = astrace.Policy(after=1, trial=2, margin=0.0, budget=None, recalls=True)
RARE = astrace.Policy(worth=60.0, trial=2, margin=0.9, budget=None, recalls=True)
"""Captures nothing by itself in a test."""
SOURCE = """
    def scaled(x, by=2.0):
        return x * by + 1.0


    def named(text):
        return text.upper()
"""


@pytest.fixture(autouse=True)
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module, and a cache on disk."""
    monkeypatch.setenv("ASTRACE_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "recalled.py"
    file.write_text(textwrap.dedent(SOURCE))
    with importable(tmp_path, "recalled"):
        yield file


def run(policy: astrace.Policy, calls: int, x: Any = X, name: str = "scaled") -> Watched:
    """Return what watched a function in what stands for a process."""
    forget("recalled")
    with astrace.import_hook("recalled", policy=policy) as hook:
        function = getattr(load("recalled"), name)
        for _ in range(calls):
            assert np.array_equal(function(x), x * 2.0 + 1.0) if name == "scaled" else function(x)
        (found,) = [one for one in hook.functions.all() if one.function is function]
        found.was_stub = stub_of(function) is not None  # type: ignore[attr-defined]
    return found


def write(policy: astrace.Policy, **fields: Any) -> None:
    """Put the decision of an earlier process on disk."""
    function = load("recalled").scaled
    name = name_of(function, function.__code__, kinds_of((X, 2.0), {}))
    file = function.__code__.co_filename
    files = {file: past_decisions.stamp_of(file)}
    PastDecisions(["recalled"], policy).keep({name: PastDecision(**{"why": "", "files": files} | fields)})


def test_what_was_left_plain_is_left_plain_at_its_first_call() -> None:
    first = run(SLOWER, 9)
    assert first.decision.startswith("left plain: gains nothing") and first.captures
    later = run(SLOWER, 9)
    assert later.decision == f"{first.decision}, in an earlier process"
    assert (later.captures, later.calls, later.was_stub) == ((), 1, False)  # type: ignore[attr-defined]
    assert run(SLOWER, 9).decision == later.decision  # and is not written anew, with another ending


def test_what_is_not_called_with_arrays_is_left_plain_at_its_first_call() -> None:
    policy = astrace.Policy(patience=3, recalls=True)
    assert run(policy, 5, "a", "named").calls == 3
    assert run(policy, 5, "a", "named").calls == 1


def test_nothing_is_recalled_unasked() -> None:
    policy = astrace.Policy(after=1, trial=2, margin=0.0, budget=None)
    run(policy, 9)
    cache = current()
    assert cache is not None and "earlier" not in run(policy, 9).decision
    assert not [one for one in cache.files() if one.kind == past_decisions.KIND]
    assert [name for name in ("default", "always", "never") if astrace.Policy.named(name).recalls] == [
        "default"
    ]


CHANGES: dict[str, Any] = {
    "source": lambda file: file.write_text(textwrap.dedent(SOURCE) + "\n"),
    "time": lambda file: os.utime(file, (1, 1)),
    "policy": lambda file: None,
    "arguments": lambda file: None,
    "setting": lambda file: os.environ.update(ASTRACE_BACKEND="auto"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_changed_is_looked_at_anew(
    change: str, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASTRACE_BACKEND", "numpy")
    run(SLOWER, 9)
    CHANGES[change](library)
    policy = (
        astrace.Policy(after=1, trial=3, margin=0.0, budget=None, recalls=True)
        if change == "policy"
        else SLOWER
    )
    x = np.zeros(10_000) if change == "arguments" else X
    later = run(policy, 9, x)
    assert "earlier" not in later.decision and later.captures


def test_decisions_are_forgotten_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    run(SLOWER, 9)
    monkeypatch.setattr(past_decisions, "VALID", -1.0)
    assert VALID > 0 and "earlier" not in run(SLOWER, 9).decision


@pytest.mark.parametrize(
    "payload", [b"", b"[1]", b"{", b'{"a": 3}', b'{"a": {"files": {}}}', b'{"a": {"files": 3}}', b"\xff"]
)
def test_what_is_no_decision_is_ignored(payload: bytes) -> None:
    cache, known = current(), PastDecisions(["recalled"], SLOWER)
    assert cache is not None
    cache.put(past_decisions.KIND, known._key, payload)
    assert known.of("a") is None
    assert run(SLOWER, 9).decision.startswith("left plain: gains nothing: takes")


# -- graphs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("runs_as", [GRAPH, PENDING])
def test_a_graph_that_was_faster_is_captured_at_the_first_call(runs_as: str) -> None:
    """It is compared with what the plain function took then, and not called as plain Python again."""
    write(RARE, runs_as=runs_as, calls=100, before=1.0, after=0.1, capturing=0.1)
    watched = run(RARE, 3)
    assert watched.decision == "kept: takes 0.00 times the plain time of an earlier process"
    assert (len(watched.captures), watched.counts.plain.calls, watched.runs_as) == (1, 0, "graph")
    known = PastDecisions(["recalled"], RARE)
    (name,) = known._known
    found = known.of(name)
    assert found is not None and (found.runs_as, found.calls, found.before) == (GRAPH, 3, 1.0)


def test_a_graph_that_is_not_as_fast_any_more_is_compared_anew() -> None:
    write(RARE, runs_as=GRAPH, calls=10**9, before=1e-9, after=0.0)
    monkey = astrace.Policy(worth=60.0, trial=2, margin=0.0, budget=None, recalls=True)
    write(monkey, runs_as=GRAPH, calls=10**9, before=1.0, after=0.0)
    watched = run(monkey, 9)
    assert watched.decision.startswith("left plain: gains nothing") and watched.counts.plain.calls == 2
    assert watched.recalled is None


LITTLE = {
    "saves less than its capture takes": {"runs_as": GRAPH, "calls": 5, "before": 0.2, "after": 0.1},
    "saves less than loading takes": {"runs_as": GRAPH, "calls": 5, "before": 0.2, "after": 0.19},
    "another try is worth nothing": {"runs_as": PENDING, "calls": 5, "before": 0.2, "after": 0.1},
}


@pytest.mark.parametrize("name", LITTLE)
def test_what_does_not_pay_is_not_captured(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    capturing = 0.0 if "loading" in name else 9.0
    monkeypatch.delitem(sys.modules, COMPILER, raising=False)
    write(RARE, capturing=capturing, **LITTLE[name])
    watched = run(RARE, 4)
    assert (watched.captures, watched.decision, watched.counts.calls) == ((), "", 4)
    assert watched.counts.passing == 4 * 5 - 3  # the first one was looked at, and timed
    assert watched.counts.plain.calls == 1


def outcome(**fields: Any) -> tuple[str, str, int] | None:
    """Return what is told of a function of which something is known."""
    counts = Counts(calls=50, capturing=2 * 10**8)
    for times, nanoseconds in (
        (counts.plain, fields.pop("plain", ())),
        (counts.captured, fields.pop("graph", ())),
    ):
        for one in nanoseconds:
            times.add(one)
    counts.capturing = fields.pop("capturing", counts.capturing)
    stages = SimpleNamespace(fallback=fields.pop("fallback", None), graph=None)
    captures = (stages,) if counts.captured.calls or fields.pop("failed", False) else ()
    parts = {"decision": "", "kinds": "", "recalled": None, "warms_up": False, "was_impatient": False}
    parts |= {"captures": captures, "code": outcome.__code__}
    one: Any = SimpleNamespace(function=outcome, counted=counts, calls=counts.calls, **parts | fields)
    found = list(outcomes([one], astrace.Policy(margin=0.9, recalls=True)).values())
    return (found[0].runs_as, found[0].why.split(":")[0], found[0].tries) if found else None


MS = 10**6
TRIED = PastDecision(runs_as=PENDING, why="", calls=3, before=1e-3, tries=3)
OUTCOMES: dict[str, tuple[dict[str, Any], Any]] = {
    "left": ({"decision": "left plain: gains nothing: takes 2"}, (PLAIN, "gains nothing", 0)),
    "recalled": ({"decision": "left plain: a, in an earlier process", "recalled": PastDecision(runs_as=PLAIN, why="a", calls=1)}, None),
    "long": ({"decision": "left plain: takes long to capture", "capturing": 2 * 10**9}, (PLAIN, "takes long to capture", 0)),
    "long the first time": ({"decision": "left plain: takes long to capture", "capturing": 6 * 10**8, "graph": [MS]}, None),
    "given up": (
        {"decision": "left plain: takes long to capture", "capturing": 6 * 10**8, "failed": True, "fallback": "AT207"},
        (PLAIN, "takes long to capture", 0),
    ),
    "kept": ({"decision": "kept", "graph": [MS]}, (GRAPH, "kept", 0)),
    "cold": ({"plain": [MS] * 5}, None),
    "failed": ({"failed": True, "fallback": "AT101"}, None),
    "compiles": ({"warms_up": True, "plain": [9 * MS] * 4, "graph": [9 * MS]}, (PENDING, "", 1)),
    "compiles again": ({"warms_up": True, "graph": [9 * MS], "recalled": TRIED}, (PLAIN, "is called too rarely to gain", 0)),
    "impatient": ({"was_impatient": True, "decision": "left plain: gains nothing", "plain": [9 * MS]}, (PENDING, "", 1)),
    "impatient again": ({"was_impatient": True, "decision": "left plain: gains nothing", "recalled": TRIED}, (PLAIN, "gains nothing", 0)),
    "faster in the end": ({"plain": [9 * MS] * 4, "graph": [20 * MS] * 5 + [2 * MS] * 3}, (GRAPH, "", 0)),
    "slower in the end": ({"plain": [9 * MS] * 4, "graph": [9 * MS] * 5}, (PLAIN, "gains nothing", 0)),
    "few": ({"plain": [9 * MS] * 4, "graph": [MS]}, None),
    "few and short": ({"plain": [MS // 9] * 4, "graph": [MS]}, (PLAIN, "is called too rarely to gain", 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", OUTCOMES)
def test_what_is_told_to_later_processes(name: str) -> None:
    fields, expected = OUTCOMES[name]
    assert outcome(**fields) == expected


def test_a_function_whose_file_is_gone_is_not_told_of() -> None:
    gone = outcome.__code__.replace(co_filename="gone.py")
    assert (
        outcome(decision="left plain: a", code=gone) is None and outcome(decision="left plain: a") is not None
    )


def test_decisions_of_several_processes_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past_decisions, "MOST", 2)
    one, other = PastDecisions(["a"], RARE), PastDecisions(["a"], RARE)
    assert one.of("f") is None and other.of("f") is None
    for index, (known, name) in enumerate([(one, "f"), (other, "g"), (one, "h"), (other, "g")]):
        known.keep({name: PastDecision(runs_as=PLAIN, why=str(index), calls=1, since=1e9 + index)})
    kept = PastDecisions(["a"], RARE)._known
    assert {name: found.why for name, found in kept.items()} == {"h": "2", "g": "3"}


def test_arguments_of_other_kinds_are_told_apart() -> None:
    class Filter:
        def __init__(self, size: int) -> None:
            self.x, self.rate, self.name = np.zeros(size), 2.0, "a"

    shown = [
        kinds_of(args, {})
        for args in (
            (X,),
            (X.astype("f"),),
            (np.zeros((1, 3)),),
            (np.zeros(300),),
            (2,),
            (2.0,),
            ([X],),
            (np.float64(2.0),),
            (Filter(3),),
            (Filter(3000),),
        )
    ]
    assert len(set(shown)) == len(shown)
    assert kinds_of((Filter(3),), {}) == kinds_of((Filter(2),), {}) and kinds_of((), {"a": X}) == "a=d1^0"


LOOPS = [
    ({"is_over": False, "has_begun": True, "seconds": 0.0}, True, True),
    ({"is_over": False, "has_begun": True, "seconds": 0.0}, False, False),
    ({"is_over": False, "has_begun": False, "seconds": 0.0}, True, False),
    ({"is_over": False, "has_begun": False, "seconds": 1.0}, False, True),
    ({"is_over": True, "has_begun": True, "seconds": 1.0}, True, False),
]


@pytest.mark.parametrize(("timer", "patient", "waits"), LOOPS)
def test_machine_code_that_is_being_compiled_is_waited_for(
    timer: dict[str, Any], patient: bool, waits: bool
) -> None:
    """Also where an earlier process has found the loops hot, so that nothing times them; but not for ever."""
    watched = run(RARE, 0)
    executable = SimpleNamespace(warm_up=SimpleNamespace(**timer))
    stages: Any = SimpleNamespace(executable=executable, fallback=None)
    watched._compiled = SimpleNamespace(captures=(stages,), is_put_off=False)  # type: ignore[assignment]
    watched._patient_until = 2**63 if patient else 0
    for _ in range(20):
        watched.counts.captured.add(1000)
    watched._waits_for_machine_code()
    assert watched.warms_up is waits
    assert watched.was_impatient is (not waits and timer["has_begun"] and not timer["is_over"])


# -- watching less -----------------------------------------------------------------------------------------------


def test_calls_that_can_change_nothing_are_counted_only(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    real = function_watcher.has_arrays
    monkeypatch.setattr(function_watcher, "has_arrays", lambda *given: looked.append(1) or real(*given))
    with astrace.import_hook("recalled", policy=RARE) as hook:
        scaled = load("recalled").scaled
        scaled(X)
        (watched,) = [one for one in hook.functions.all() if one.function is scaled]
        watched.counts.passing = 5
        for _ in range(7):
            assert scaled(X)[0] == 3.0
    assert len(looked) == 3
    assert (watched.counts.calls, watched.counts.with_arrays, watched.counts.passing) == (8, 8, 0)


def test_a_part_of_what_is_missing_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is known what a call takes; the rest of the way is looked at ever more often."""
    counts, clock = Counts(), itertools.count(0, 1000)
    monkeypatch.setattr("astrace.library.call_times.perf_counter_ns", lambda: next(clock))
    looks = calls = 0
    while counts.before < 10**6 and calls < 10**4:
        calls += 1
        if counts.passing:
            counts.passing -= 1
        else:
            looks += 1
            waited(lambda: None, counts, 1e6, (), {})
    assert 16 < looks < 100 and 900 <= calls <= 1100
    counts.pass_over(1e15)
    assert counts.passing == 256


def counted(calls: int, with_arrays: int, seconds: float) -> Counts:
    found = Counts(calls=calls, with_arrays=with_arrays)
    for _ in range(20):
        found.plain.add(int(seconds * 1e9))
    return found


DEFAULT = astrace.Policy.named("default")
REASONS = [
    (counted(99, 99, BRIEF / 2), DEFAULT, ""),
    (counted(100, 100, BRIEF / 2), DEFAULT, "its calls are too short to gain"),
    (counted(100, 100, BRIEF * 2), DEFAULT, ""),
    (counted(100, 100, BRIEF / 2), astrace.Policy(), ""),
    (Counts(calls=100, with_arrays=100), DEFAULT, ""),
    (counted(150, 50, BRIEF / 2), DEFAULT, "is not called with arrays"),
    (counted(100, 100, BRIEF / 2), astrace.Policy.named("never"), "is only watched"),
    (counted(500, 0, BRIEF / 2), astrace.Policy.named("always"), ""),
]


@pytest.mark.parametrize(("counts", "policy", "expected"), REASONS)
def test_functions_are_left_plain_for_a_reason(counts: Counts, policy: astrace.Policy, expected: str) -> None:
    assert reason_to_leave(counts, policy) == expected


def test_a_capture_begins_where_its_time_and_the_loading_of_the_compiler_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0]
    monkeypatch.setattr("astrace.library.capture_time.process_time_ns", lambda: now[0])
    taken = CaptureTime()
    monkeypatch.setitem(sys.modules, COMPILER, SimpleNamespace())  # type: ignore[arg-type]
    now[0] = 10 * USUAL
    assert taken.is_within(0.1) and not taken.is_within(0.09)
    monkeypatch.delitem(sys.modules, COMPILER)
    assert not taken.is_within(0.1)
    now[0] += 10 * LOADING
    assert taken.is_within(0.1)
    taken.add(1)
    assert not taken.is_within(0.1) and taken.is_within(None)


def test_the_command_loads_little(tmp_path: Path) -> None:
    (tmp_path / "empty_package.py").write_text("")
    script = tmp_path / "script.py"
    script.write_text("import sys; print(*sys.modules)")
    command = [sys.executable, "-m", "astrace", "run", "--packages", "empty_package", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "astrace.library.import_hook" in loaded
    assert not loaded & {
        "astrace.integrations.bundle_commands",
        "astrace.integrations.check_command",
        "astrace.integrations.cli_targets",
        "astrace.integrations.report_command",
        "bz2",
        "difflib",
        "logging",
        "importlib.metadata",
        "tempfile",
        "libcst",
        "numba",
        COMPILER,
        "astrace.guards.access_paths",
    }


# -- programs ----------------------------------------------------------------------------------------------------


def test_programs_under_the_hook_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(hooked.PROGRAMS) == {file.stem for file in hooked.FOLDER.glob("[a-z]*.py")}
    (tmp_path / "tiny.py").write_text(
        "import recalled\nimport numpy as np\nprint(recalled.scaled(np.ones(2)))\n"
    )
    monkeypatch.setattr(hooked, "FOLDER", tmp_path)
    monkeypatch.setitem(hooked.PROGRAMS, "tiny", "recalled")
    table = hooked.measure(["tiny"], rounds=1)["hooked"]
    assert "tiny" in table and "yes" in table
    (tmp_path / "tiny.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(RuntimeError, match="tiny fails"):
        hooked.run("tiny", "", str(tmp_path))


def test_later_processes_have_half_the_time_for_captures() -> None:
    policy = astrace.Policy(after=1, trial=2, margin=0.0, budget=None, share=0.5, recalls=True)

    def share() -> float | None:
        with astrace.import_hook("recalled", policy=policy) as hook:
            return hook._state.share

    assert share() == 0.5
    write(policy, runs_as=PLAIN, calls=1)
    assert share() == 0.25
    assert run(policy, 1).recalled is not None
