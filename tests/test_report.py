"""The report of a run: what is recorded, what it costs when nothing is, and the file that is written."""

from __future__ import annotations

import contextlib
import gc
import html
import json
import re
import runpy
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import astrace
from astrace.errors import InvalidArgument
from astrace.integrations import script_process
from astrace.integrations.notebook import CellOutcome
from astrace.report.call_kinds import CallKind, Comparison, compared
from astrace.report.page import json_of, page
from astrace.util.atomic_files import check_writable, write_whole

ROOT = Path(__file__).parent.parent
SCALE = 2.0


def double(x):
    return x * SCALE


def loop(x, n):
    for i in range(n):
        if x.sum() > 10:
            x = x - i
        else:
            x = x + double(x)
    return x


def gives(x):
    yield x


def fails(x):
    if x.sum() > 0:
        raise ValueError("too <b>much</b>")
    return x


def recorded(work, **options):
    """The record of a run, function by function."""
    with astrace.recording("test", **options) as run:
        work()
    return {one.name.rpartition(".")[2]: one for one in run.report().functions}, run


def data_of(text):
    """The data of a page."""
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)


def test_calls_captures_recompiles_and_times():
    f = astrace.compile(loop)
    f(np.ones(3), 2)

    def work():
        for _ in range(10):
            f(np.ones(3), 2)
        f(np.ones(3, np.float32), 2)

    found, run = recorded(work)
    one = found["loop"]
    assert (one.calls, one.traces, one.guard_failures, one.fallbacks, one.state) == (11, 1, 1, 0, "whole")
    assert f.stats.calls == 12
    assert one.file == __file__ and one.line == loop.__code__.co_firstlineno
    timing = one.timing
    assert timing.plain_calls == 2 and timing.total >= timing.own > 0 < timing.capturing
    assert timing.compared == 8 and timing.plain > 0 < timing.compiled and timing.raised == 0
    expected = 8 * (timing.plain - timing.compiled) - timing.capturing
    assert timing.saved == pytest.approx(expected)
    first, second = one.captures
    assert first.failed == () and first.seconds is None and second.seconds > 0
    assert "`x` changed from float64[n] to float32[3]" in second.failed[0].message
    assert run.report().outcome == "ended" and run.report().seconds > 0


def test_what_was_saved_is_told_of_calls_like_those_that_were_measured():
    f = astrace.compile(double)
    f(np.ones(3))
    found, _ = recorded(lambda: ([f(np.ones(3)) for _ in range(10)], f(np.ones(5_000)), f(np.ones(900))))
    assert (found["double"].calls, found["double"].timing.compared) == (12, 8)


def test_plain_times_stand_for_their_own_kind_alone():
    slow_first, fast = CallKind(2, 10**9, []), CallKind(4, 4 * 10**6, [10**7, 2 * 10**9, 10**7])
    assert compared([slow_first]) is None
    assert compared([slow_first, fast]) == Comparison(4, 4e-3, 4e-2)


def test_a_capture_has_its_stages_line_by_line():
    f = astrace.compile(loop)
    found, _ = recorded(lambda: f(np.ones(3), 2))
    one = found["loop"]
    (capture,) = one.captures
    start = one.line
    source, helper = one.source
    assert (source.first, source.lines[1].strip()) == (start, "for i in range(n):")
    assert helper.lines == ("    return x * SCALE",) and helper.title.startswith("double")
    line = double.__code__.co_firstlineno + 1
    for stage in (capture.rewritten, capture.graph, capture.generated):
        assert len(stage.lines) == len(stage.origins) and "#@" not in "".join(stage.lines)
        assert {start + 1, start + 2} <= set(stage.origins)
    assert line in capture.graph.origins and line in capture.generated.origins
    assert {(note.code, note.line) for note in capture.notes} >= {("AT001", start + 2), ("AT002", start + 1)}
    assert [guard.text for guard in capture.guards][:2] == ["x: float64[n]", "n: int"]
    assert any("SCALE" in read.text for read in capture.reads)
    assert (capture.backend, capture.title) == ("numpy", "x: float64[n], n: int") and capture.why


def test_the_drawing_has_the_regions():
    f = astrace.compile(loop)
    found, _ = recorded(lambda: f(np.ones(3), 2))
    drawing = found["loop"].captures[0].drawing
    (for_loop,) = (node for node in drawing["nodes"] if node["op"] == "for_loop")
    (body,) = for_loop["regions"]
    (cond,) = (node for node in body["block"]["nodes"] if node["op"] == "cond")
    assert [region["name"] for region in cond["regions"]] == ["then", "else"]
    known = {*body["block"]["in"], *(name for node in body["block"]["nodes"] for name in node["out"])}
    assert {name for node in body["block"]["nodes"] for name in node["use"]} <= known
    assert drawing["out"] == for_loop["out"] and cond["line"] == loop.__code__.co_firstlineno + 2


def test_fallbacks_have_a_reason_a_line_and_what_to_do():
    f = astrace.compile(gives)
    found, _ = recorded(lambda: [list(f(3)) for _ in range(4)])
    one = found["gives"]
    reason = one.captures[0].fallback
    assert (one.state, one.fallbacks, one.timing.plain_calls) == ("plain", 4, 0)
    assert (reason.code, reason.line) == ("AT104", one.line) and "iterates" in reason.hint
    assert one.timing.saved == pytest.approx(-one.timing.capturing) and one.timing.saved < 0


def test_too_many_captures():
    f = astrace.compile(lambda x: x + 1, recompile_limit=1)
    with pytest.warns(astrace.RecompileLimit):
        found, _ = recorded(lambda: [f(one) for one in (1, 1.0, np.ones(3), 2)])
    (one,) = found.values()
    assert one.state == "plain" and one.retired.code == "AT207" and one.calls == 4 and one.options
    assert f(2) == 3 and f.stats.calls == 5


def test_calls_that_raise_and_calls_inside_calls():
    inner = astrace.compile(fails)

    def outer(x):
        for _ in range(2):
            inner(x)
        return x

    def work():
        with pytest.raises(ValueError, match="much"):
            inner(np.ones(2))
        outer_compiled(-np.ones(2))

    outer_compiled = astrace.compile(outer)
    found, _ = recorded(work, compare=False)
    assert found["fails"].timing.raised == 1
    assert found["outer"].timing.own <= found["outer"].timing.total


def test_threads_are_recorded():
    f = astrace.compile(double)

    def work():
        threads = [threading.Thread(target=f, args=(np.ones(3),)) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()

    found, _ = recorded(work)
    assert found["double"].calls == 3 and found["double"].timing.total > 0


def test_nothing_is_in_front_of_calls_when_nothing_records():
    f, bound = astrace.compile(double), []
    f(np.ones(3))
    before = f.__call__.__code__
    found, _ = recorded(lambda: bound.append(f.__call__))
    assert bound[0].__code__ is not before and found == {}
    assert f.__call__.__code__.co_code == before.co_code and f._recorder is None


def test_results_are_the_same_while_recording():
    values = [np.arange(4.0) + k for k in range(12)]
    f = astrace.compile(loop)
    found = []
    recorded(lambda: found.extend(f(value, 3) for value in values))
    for value, result in zip(values, found, strict=True):
        assert np.array_equal(result, loop(value, 3))


def test_methods_and_calls_of_compiled_functions_in_graphs():
    class Model:
        def __init__(self):
            self.w = 2.0

        @astrace.compile
        def step(self, x):
            return x * self.w

    @astrace.compile
    def outer(models, x):
        for one in models:
            x = one.step(x)
        return x

    models = [Model(), Model()]
    assert outer(models, 1.0) == 4.0
    found, _ = recorded(lambda: [(outer(models, 1.0), models[0].step(np.ones(2))) for _ in range(5)])
    assert found["outer"].calls == 5 and found["step"].calls >= 5
    assert all(one.timing.total > 0 for one in found.values())


def test_warnings_name_the_callers_line(recwarn):
    def warns(x):
        warnings.warn("seen", UserWarning, stacklevel=2)
        return x

    f = astrace.compile(warns)
    recorded(lambda: f(1))
    f(1)
    files = {(one.filename, one.lineno) for one in recwarn if str(one.message) == "seen"}
    assert {file for file, _ in files} == {__file__} and len(files) == 2


def test_what_is_switched_off_is_told(monkeypatch):
    monkeypatch.setenv("ASTRACE_DISABLE", "1")
    f = astrace.compile(double)
    found, run = recorded(lambda: f(np.ones(2)))
    assert (found["double"].state, found["double"].calls, found["double"].captures) == ("plain", 1, ())
    assert "ASTRACE_DISABLE=1: everything runs as plain Python" in run.report().switched_off
    monkeypatch.setenv("ASTRACE_DISABLE", "0")
    _, run = recorded(lambda: None)
    assert "ASTRACE_DISABLE" not in " ".join(run.report().switched_off)


def test_the_example_of_the_documentation(tmp_path, monkeypatch, capsys):
    (source,) = re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / "report.md").read_text(), re.MULTILINE | re.DOTALL
    )
    (tmp_path / "example.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    runpy.run_path("example.py", run_name="__main__")
    assert "smooth whole 5 1" in capsys.readouterr().out
    assert (tmp_path / "smoothing.html").exists() and (tmp_path / "smooth.html").exists()


def test_recursion_reaches_as_deep():
    @astrace.compile
    def down(n, x):
        if n == 0:
            return x
        return down(n - 1, x + 1)

    def deepest():
        depth = 50
        with contextlib.suppress(RecursionError):
            while down(depth, 0.0) == depth:
                depth += 20
        return depth

    before, found = deepest(), []
    recorded(lambda: found.append(deepest()))
    assert found[0] >= before - 20 > 250


def test_what_gives_other_bits_is_not_compared():
    f = astrace.compile(double, exact=False)
    found, _ = recorded(lambda: [f(np.ones(3)) for _ in range(12)])
    assert found["double"].timing.plain_calls == 0 and found["double"].timing.saved is None


def test_only_one_recording_at_a_time():
    with astrace.recording() as run:
        with pytest.raises(InvalidArgument, match="another one"), astrace.recording():
            pass
        assert run.report().outcome == "goes on"
    with pytest.raises(InvalidArgument, match="begun before"), run:
        pass


def test_lines_are_sampled():
    @astrace.compile
    def slow(x):
        y = np.sort(x)
        return y[0] + 1.0

    values = np.random.default_rng(0).normal(size=200_000)
    found, _ = recorded(lambda: [slow(values) for _ in range(30)], lines=True, compare=False)
    times = found["slow"].line_times
    assert max(times, key=times.get) == found["slow"].line + 2  # the sort
    assert "astrace-lines" not in {one.name for one in threading.enumerate()}


# -- the file --------------------------------------------------------------------------------------------------


def test_a_run_that_crashes_is_told_all_the_same(tmp_path):
    f = astrace.compile(double)
    with pytest.raises(ZeroDivisionError), astrace.recording("crash") as run:
        f(np.ones(2))
        1 / 0
    run.save(tmp_path / "page.html")
    data = data_of((tmp_path / "page.html").read_text())
    assert data["outcome"] == "ZeroDivisionError: division by zero" and "1 / 0" in data["traceback"]
    assert data["functions"][0]["calls"] == 1


def test_the_traceback_of_a_run_has_no_frames_of_clocks():
    f = astrace.compile(fails)
    with pytest.raises(ValueError, match="much"), astrace.recording("crash") as run:
        f(np.ones(2))
    told = run.report().traceback
    assert "in fails" in told and __file__ in told and "astrace: " not in told


def test_lines_of_helpers_stand_below_their_name_in_a_notebook():
    f = astrace.compile(loop)
    _, run = recorded(lambda: f(np.ones(3), 2))
    shown = html.unescape(CellOutcome(run)._repr_html_())
    assert "|      | double (called by it):\n" in shown


def test_what_the_prompt_shows_is_short_or_meant_to_be_read():
    f = astrace.compile(double)
    with astrace.recording("run") as run:
        f(np.ones(3))
    assert repr(f.stages(np.ones(3))).startswith("<stages of double(x): .rewritten, ")
    assert repr(f.explain(np.ones(3))) == str(f.explain(np.ones(3)))
    assert repr(run).startswith("<recording of run: 1 compiled function, ended;")


def test_the_report_of_one_function(tmp_path):
    f = astrace.compile(loop)
    f(np.ones(3), 2)
    f.report(tmp_path / "out.html")
    (one,) = data_of((tmp_path / "out.html").read_text())["functions"]
    assert one["calls"] == 1 and one["timing"] is None and len(one["captures"]) == 1

    class Holder:
        @astrace.compile
        def method(self, x):
            return x + 1

    Holder().method.report(tmp_path / "never.html")
    (one,) = data_of((tmp_path / "never.html").read_text())["functions"]
    assert one["state"] == "not called" and "Holder.method" in one["name"]


@pytest.mark.parametrize("make", [lambda path: path / "no" / "x.html", lambda path: path])
def test_unwritable_output_is_an_error(tmp_path, make):
    f = astrace.compile(double)
    for write in (f.report, astrace.recording().save):
        with pytest.raises(InvalidArgument):
            write(make(tmp_path))


HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "\u2028\u2029",
    "\ud800",
    "\x00\x1b",
    "{{data}}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_cannot_end_the_data(text):
    with astrace.recording(text) as run:
        pass
    found = page(run.report())
    assert found.count("<script") == 3 and found.count("</script>") == 3
    assert data_of(found)["title"] == text
    assert not set("<>&\u2028\u2029") & set(json_of(run.report()))
    found.encode("utf-8")


def test_the_page_loads_nothing_and_keeps_the_licence():
    with astrace.recording() as run:
        pass
    text = page(run.report())
    assert "Permission is hereby granted, free of charge" in text and "Chris Pettitt" in text
    assert "default-src 'none'" in text and "sourceMappingURL" not in text
    assert not re.search(
        r"""(?:src|href)=["']?(?!#)|url\((?!#)|@import|innerHTML|insertAdjacent|document\.write|eval\(""",
        text,
    )


def test_a_page_of_five_hundred_functions_is_small():
    functions = [astrace.compile(loop) for _ in range(20)]

    def work():
        for one in functions:
            one(np.ones(3), 2)

    found, run = recorded(work)
    record = run.report()
    assert len(record.functions) == 20
    assert len(page(record)) + 24 * len(json_of(record)) < 10_000_000


# -- the command -----------------------------------------------------------------------------------------------


SCRIPT = """
import sys
import numpy as np
import astrace

@astrace.compile
def f(x):
    return x + 1

print(f(np.ones(2)), sys.argv[1:])
"""


def started(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "astrace", "report", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("end", "code", "outcome"),
    [
        ("import os\nif os.fork() == 0:\n    raise KeyError\nos.wait()", 0, "ended"),
        ("", 0, "ended"),
        ("raise KeyError('<b>')", 1, "KeyError: '<b>'"),
        ("sys.exit(3)", 3, "SystemExit: 3"),
        ("import os\nos.closerange(3, 100)", 0, "ended"),
        ("import os\nos.closerange(3, 100)\nopen('other.txt', 'w')\nos.pipe()", 0, "ended"),
    ],
)
def test_the_command_writes_a_page_however_the_script_ends(tmp_path, end, code, outcome):
    (tmp_path / "script.py").write_text(SCRIPT + textwrap.dedent(end))
    done = started(tmp_path, "-o", "out.html", "script.py", "--flag", "b")
    assert done.returncode == code and done.stdout == "[2. 2.] ['--flag', 'b']\n"
    assert done.stderr.count("the report is in out.html") == 1 and "report_command" not in done.stderr
    data = data_of((tmp_path / "out.html").read_text())
    assert (data["outcome"], data["title"]) == (outcome, "script.py --flag b")
    assert data["functions"][0]["name"] == "__main__.f"


KILLED = """
import ctypes, os, signal, time
print("at the end", flush=True)
"""


@pytest.mark.skipif(not script_process.can_split(), reason="the script has no process of its own here")
@pytest.mark.parametrize(
    ("end", "code", "outcome"),
    [
        ("os._exit(5)", 5, "the process ended itself with 5"),
        ("os._exit(0)", 0, "the process ended itself with 0"),
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, "the process was ended by SIGKILL"),
        ("os.abort()", -signal.SIGABRT, "the process was ended by SIGABRT"),
        ("ctypes.string_at(0)", -signal.SIGSEGV, "the process was ended by SIGSEGV"),
        (
            "import atexit; atexit.register(os.abort)",
            -signal.SIGABRT,
            "ended; then the process was ended by SIGABRT",
        ),
    ],
)
def test_the_command_writes_a_page_for_a_process_that_is_killed(tmp_path, end, code, outcome):
    """With what was known shortly before: the calls so far, and their captures."""
    (tmp_path / "script.py").write_text(SCRIPT + KILLED + end)
    done = started(tmp_path, "script.py")
    assert (done.returncode, done.stdout) == (code, "[2. 2.] []\nat the end\n"), done.stderr
    assert done.stderr.count("astrace: the report is in astrace-report.html\n") == 1
    data = data_of((tmp_path / "astrace-report.html").read_text())
    assert data["outcome"].startswith(outcome), data["outcome"]
    (function,) = data["functions"]
    assert (function["name"], function["calls"], len(function["captures"])) == ("__main__.f", 1, 1)


FOR_EVER = """
print("begun", flush=True)
calls = 0
while True:
    f(np.ones(2))
    calls += 1
"""


HEARS_SIGINT = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""Runs Python again with what stands behind it; the background jobs of a shell ignore the signal, and so would this."""


@pytest.mark.skipif(not script_process.can_split(), reason="the script has no process of its own here")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_reaches_the_script(tmp_path, number):
    """It is sent on; what the script was at is told."""
    (tmp_path / "script.py").write_text(SCRIPT + FOR_EVER)
    command = [sys.executable, "-c", HEARS_SIGINT, "-m", "astrace", "report", "script.py"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.stdout.readline() != "begun\n":
        assert process.poll() is None
    time.sleep(0.6)  # a snapshot comes every quarter of a second
    process.send_signal(number)
    _, told = process.communicate(timeout=60)
    data = data_of((tmp_path / "astrace-report.html").read_text())
    (function,) = data["functions"]
    assert function["calls"] > 100
    if number == signal.SIGTERM:
        assert (
            process.returncode == -signal.SIGTERM
            and "ended by SIGTERM; what is told was known" in data["outcome"]
        )
    else:
        assert (process.returncode, data["outcome"]) == (130, "KeyboardInterrupt"), told


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("script.py", "-o", "x.html"), "-o"),
        (("script.py", "--output=x.html", "b"), "--output"),
        (("script.py", "--verbose", "-k"), ""),
    ],
)
def test_what_stands_behind_the_script_is_the_scripts(tmp_path, words, hint):
    """As with `python`; who meant the option for astrace is told so."""
    (tmp_path / "script.py").write_text(SCRIPT)
    done = started(tmp_path, *words)
    assert done.returncode == 0 and (tmp_path / "astrace-report.html").exists()
    assert done.stdout == f"[2. 2.] {[word for word in words[words.index('script.py') + 1 :]]}\n"
    expected = (
        f"; {hint} behind script.py is the script's own: options of astrace stand before it" if hint else ""
    )
    assert done.stderr == f"astrace: the report is in astrace-report.html{expected}\n"


def test_the_command_refuses_before_the_script_runs(tmp_path):
    (tmp_path / "script.py").write_text("print('ran')")
    for arguments in (
        ("-o", "no/out.html", "script.py"),
        ("-o", ".", "script.py"),
        ("missing.py",),
        ("--packages", "nosuch", "script.py"),
    ):
        done = started(tmp_path, *arguments)
        assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("astrace: ")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is a folder of Linux")
def test_a_folder_that_takes_no_files_is_found_before_the_work_is_done():
    with pytest.raises(InvalidArgument, match="it can't be written"):
        check_writable("/proc/report.html")


def test_files_of_the_page_are_in_the_package():
    names = {path.name for path in (ROOT / "astrace" / "report" / "assets").iterdir()}
    assert {"dagre.min.js", "dagre.LICENSE.txt", "report.html", "report.css", "start.js"} <= names


def test_nothing_stays_behind():
    def work():
        astrace.compile(double)(1.0)

    recorded(work)
    gc.collect()
    assert write_whole  # the module that writes is that of the commands
    kept = [one for one in gc.get_objects() if type(one).__name__ == "FunctionClock"]
    assert kept == []
