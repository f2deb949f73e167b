"""Kernels that another process compiles: the program goes on meanwhile, whatever becomes of that process."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from astrace.backends.native import judge, warm_up
from astrace.backends.native.background import compiler as compilers
from astrace.backends.native.background import connection, turn
from astrace.backends.native.background.compiler import CompileRequest, CompilerProcess
from astrace.backends.native.background.messages import answer_bytes, answer_from, described, restored
from astrace.backends.native.host import LoopCall
from astrace.ops import lowered

PATIENCE = 120.0
"""Seconds: other things run on the machine, and the process that compiles stands back for them."""


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> Iterator[CompilerProcess]:
    """Another process may compile, and every loop is hot at once."""
    monkeypatch.delenv("ASTRACE_BACKEND")
    monkeypatch.setenv("ASTRACE_CHILD", "1")
    monkeypatch.setattr(warm_up, "HOT", 0.0)
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0))
    compilers.compiler.cache_clear()
    yield compilers.compiler()
    compilers.compiler().forget()
    compilers.compiler.cache_clear()


def scaled(a: Any, n: Any) -> Any:
    total = 0.0
    for i in range(n):
        a[i] = np.exp(a[i]) * 2.0
        total += a[i]
    return total


def swept(a: Any) -> Any:
    for i in range(len(a)):
        for j in range(len(a)):
            a[i] = a[i] * 0.5 + a[j]


def until(happens: Callable[[], Any], between: Callable[[], Any] = lambda: None) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        between()
        time.sleep(0.01)


def called(function: Any, plain: Any = scaled, *args: Any) -> None:
    """Call a function, and compare with the plain one's call."""
    given, expected = np.linspace(-1, 0, 6), np.linspace(-1, 0, 6)
    assert harness.same((function(given, *args), given), (plain(expected, *args), expected))


def is_there(process: int) -> bool:
    """Return whether a process runs; one that nobody has waited for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def kernels(function: Any) -> Any:
    return function.captures[-1].kernels if function.captures else ()


# -- what is compiled elsewhere --------------------------------------------------------------------------------


def test_the_program_goes_on_until_machine_code_is_there(own: CompilerProcess) -> None:
    """One process serves all functions; it is no child of this one."""
    first, second = astrace.compile(scaled), astrace.compile(swept)
    called(first, scaled, 6)
    called(first, scaled, 6)
    called(second, swept)
    called(second, swept)
    assert "until another process has made machine code" in first.explain(np.zeros(6), 6)
    until(lambda: kernels(first)[0].runs, lambda: called(first, scaled, 6))
    until(lambda: kernels(second)[0].runs, lambda: called(second, swept))
    for function in (first, second):
        assert [one.machine_code.compilations for one in kernels(function) if one.machine_code] == [0]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    reversed_ = np.linspace(-1, 0, 6)[::-1]
    before = kernels(first)[0].runs
    until(lambda: kernels(first)[0].runs > before, lambda: first(reversed_.copy()[::-1], 6))


def test_inner_loops_stand_back(own: CompilerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a loop is compiled, NumPy's program of it runs, and the loops in that ask for nothing."""
    asked: list[str] = []
    monkeypatch.setattr(
        CompilerProcess, "ask", lambda self, place, data: asked.append(place) or CompileRequest(place, data)
    )
    function = astrace.compile(both)
    for _ in range(5):
        called(function, both)
    assert len(kernels(function)) > 1 and len(asked) == 1


def both(a: Any) -> Any:
    b = a * 2.0
    for i in range(len(a)):
        a[i] = a[i] * 0.5 + b[i]
    c = a + b
    print(end="")
    for i in range(len(a)):
        c[i] = c[i] * 0.5 + b[i]
    return c


# -- a process that does not do as it should -------------------------------------------------------------------

HELLO = (
    "import os, sys, json, socket, time\ns = socket.socket(fileno=3)\n"
    "def say(name, code=b''):\n"
    "    s.sendall(json.dumps({'name': name, 'size': len(code), 'failure': ''}).encode() + b'\\n' + code)\n"
)
READY = HELLO + "say('hello', str(os.getpid()).encode())\n"


@pytest.mark.parametrize(
    "text",
    [
        "raise SystemExit(1)",
        "syntax error",
        HELLO + "s.sendall(b'nothing\\n')",
        HELLO + "say('hi')",
        HELLO + "s.close()",
    ],
)
@pytest.mark.usefixtures("own")
def test_without_a_process_the_program_compiles_by_itself(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "START", text)
    function = astrace.compile(scaled)
    until(
        lambda: kernels(function) and kernels(function)[0].runs,
        lambda: called(function, scaled, 6),
    )
    assert kernels(function)[0].machine_code.compilations == 1
    assert compilers.compiler().is_absent


@pytest.mark.usefixtures("own")
def test_a_process_that_does_not_begin_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "START", HELLO + "time.sleep(100)")
    monkeypatch.setattr(compilers, "STARTING", 0.2)
    request = compilers.compiler().ask("here", b"x")
    until(lambda: request.answer, compilers.compiler().look)
    assert request.answer is not None and request.answer.is_absent


@pytest.mark.parametrize("name", ["SHELL", "PYTHON", "HANDLER"])
def test_where_none_can_be_started(name: str, own: CompilerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """No shell, a program that holds Python, and a handler that would hear of the shell's end."""
    if name == "SHELL":
        monkeypatch.setattr(connection, "SHELL", "/nowhere/sh")
    elif name == "PYTHON":
        monkeypatch.setattr(sys, "executable", "/usr/bin/server")
    else:
        monkeypatch.setattr(signal, "getsignal", lambda number: print)
    request = own.ask("here", b"x")
    assert request.answer is not None and request.answer.is_absent


@pytest.mark.parametrize(
    "ending",
    [
        "s.recv(1)\n",
        "s.recv(1)\ns.sendall(b'{}\\n')\ntime.sleep(100)",
        "s.recv(1)\ns.sendall(b'[')\ns.close()",
        "s.recv(1)\ns.sendall(b'7\\n')\ntime.sleep(100)",
        "s.recv(1)\nos.kill(os.getpid(), 9)",
    ],
)
def test_what_a_process_has_ended_over_stays_with_numpy(
    ending: str, own: CompilerProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The program has no exception, and does not run what has ended another process; the event says where that was."""
    caplog.set_level(logging.DEBUG, "astrace.backends")
    monkeypatch.setattr(connection, "START", READY + ending)
    function = astrace.compile(scaled)
    until(lambda: kernels(function) and kernels(function)[0].refused, lambda: called(function, scaled, 6))
    assert "the process that compiled it has ended" in function.explain(np.zeros(6), 6)
    assert f"scaled_kernel ({__file__}): the process that compiled it has ended" in caplog.text
    others = [own.ask("here", b"x") for _ in range(5)]
    until(lambda: all(one.answer for one in others), own.look)
    assert others[-1].answer is not None
    assert others[-1].answer.failure == f"processes that compile have ended {compilers.MOST_ENDS} times"
    called(function, scaled, 6)


@pytest.mark.usefixtures("own")
def test_foreign_machine_code_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "START", READY + "s.recv(1)\nsay('f', b'no code')\ntime.sleep(100)")
    function = astrace.compile(scaled)
    until(lambda: kernels(function) and kernels(function)[0].refused, lambda: called(function, scaled, 6))
    called(function, scaled, 6)


# -- ends ------------------------------------------------------------------------------------------------------

PROGRAM = """
    import os, sys, time
    import numpy as np
    from astrace.backends.native import judge, warm_up
    import astrace
    from astrace.backends.native.background.compiler import compiler
    warm_up.HOT = 0.0

    def halved(a):
        for i in range(len(a)):
            a[i] = a[i] * 0.5

    function = astrace.compile(halved)

    def wait(happens):
        while not happens():
            function(np.ones(1000))
            time.sleep(0.01)
"""


def started(text: str, tmp_path: Path, **variables: str) -> subprocess.Popen[str]:
    (tmp_path / "program.py").write_text(textwrap.dedent(PROGRAM) + textwrap.dedent(text))
    left = {
        name: value for name, value in os.environ.items() if name not in ("ASTRACE_BACKEND", "ASTRACE_CHILD")
    }
    return subprocess.Popen(
        [sys.executable, "-W", "error", "program.py"],
        cwd=tmp_path,
        env={**left, "PYTHONPATH": str(Path(astrace.__file__).parent.parent), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("ending", ["pass", "os._exit(0)", "os.kill(os.getpid(), 9)", "raise ValueError"])
def test_the_process_ends_with_the_program(ending: str, tmp_path: Path) -> None:
    text = f"""
        wait(lambda: compiler().process)
        print(compiler().process, flush=True)
        {ending}
    """
    with started(text, tmp_path) as program:
        assert program.stdout is not None
        process = int(program.stdout.readline())
        rest = program.stdout.read()  # the other process does not hold it
        assert rest == "" or "ValueError" in rest
    until(lambda: not is_there(process))


@pytest.mark.usefixtures("own")
def test_the_process_ends_where_an_answer_is_not_read() -> None:
    """What is closed with something unread in it is reset, which is no end of file."""
    link = connection.Link()
    received: list[bytes] = []

    def has_begun() -> bool:
        try:
            received.append(link._socket.recv(1 << 16, socket.MSG_PEEK))
        except BlockingIOError:
            return False
        return answer_from(received[-1]) is not None

    until(has_begun)
    found = answer_from(received[-1])
    assert found is not None
    link.close()
    until(lambda: not is_there(int(found[0].code)))


def test_nothing_of_the_user_s_is_imported_and_numba_is_not(tmp_path: Path) -> None:
    """Files beside the program that have the names of modules are none of the other process's."""
    (tmp_path / "theirs").mkdir()
    for name in ("queue", "select", "sitecustomize", "usercustomize", "llvmlite_of_others"):
        (tmp_path / "theirs" / f"{name}.py").write_text("import os; os.abort()")
    text = """
        import queue, select, socket
        sys.path.insert(0, os.path.abspath("theirs"))
        os.environ["PYTHONPATH"] = os.path.abspath("theirs")
        kernels = lambda: function.captures[0].kernels if function.captures else ()
        wait(lambda: any(one.runs for one in kernels()))
        print("numba" in sys.modules, kernels()[0].machine_code.compilations)
    """
    with started(text, tmp_path) as program:
        assert program.communicate()[0] == "False 0\n"


def test_forks_and_threads(tmp_path: Path) -> None:
    """A process that is forked has its own; the first one's answers are not taken away from it."""
    text = """
        import threading, warnings
        function(np.ones(1000)); function(np.ones(1000))
        child = os.fork()
        kernels = lambda: function.captures[0].kernels if function.captures else ()
        threads = [threading.Thread(target=wait, args=[lambda: any(one.runs for one in kernels())]) for _ in range(3)]
        for one in threads: one.start()
        for one in threads: one.join()
        if child == 0:
            os._exit(10 + kernels()[0].machine_code.compilations)
        print(kernels()[0].machine_code.compilations, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        try: os.wait()
        except ChildProcessError: print("no others")
    """
    with started(text, tmp_path) as program:
        assert program.communicate()[0] == "0 10\nno others\n"


# -- messages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        0.1, float("inf"), -0.0, 10**30, -3, True, 1j, np.float32(0.1), np.int8(-3), np.bool_(True),
        np.complex64(1 - 2j), np.dtype("f4"), np, LoopCall("call_ufunc", "exp", "d->d"), *list(lowered.FUNCTIONS.values())[:2],
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_a_text_refers_to(value: Any) -> None:
    found = restored(described(value))
    assert type(found) is type(value) and (found is value or repr(found) == repr(value))


def test_answers_are_read_in_any_parts() -> None:
    whole = answer_bytes("f", b"a\nb\0") + answer_bytes("g", b"", "why")
    received, found = b"", []
    for place in range(len(whole)):
        received += whole[place : place + 1]
        if (one := answer_from(received)) is not None:
            answer, received = one
            found.append((answer.name, answer.code, answer.failure))
    assert found == [("f", b"a\nb\0", ""), ("g", b"", "why")] and not received


def test_a_turn_is_one_for_all_kernels(own: CompilerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[CompileRequest] = []
    monkeypatch.setattr(
        CompilerProcess,
        "ask",
        lambda self, place, data: asked.append(CompileRequest(place, data)) or asked[-1],
    )
    of_all = turn.Turn()
    for key in ("first", "second", "first"):
        with pytest.raises(turn.Awaited):
            of_all.answer(key, "here", {})
    assert len(asked) == 1 and of_all.is_taken
    asked[0].answer = compilers.ABSENT
    with pytest.raises(turn.Awaited):
        of_all.answer("second", "here", {})
    assert of_all.is_taken and len(asked) == 2
    asked[1].answer = compilers.ABSENT
    assert of_all.answer("first", "here", {}) is compilers.ABSENT and len(asked) == 2


def test_many_threads_look_at_once(own: CompilerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    echo = "while True:\n    s.recv(1 << 16)\n    say('f', b'x' * 300000)\n"
    monkeypatch.setattr(connection, "START", READY + echo)
    requests = [own.ask("here", b"x" * 500000 if not index else b"y") for index in range(1)]

    def look() -> None:
        until(lambda: all(one.answer for one in requests), own.look)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [len(one.answer.code) for one in requests if one.answer] == [300000]
