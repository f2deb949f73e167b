"""``astrace doctor`` and ``astrace completion``: what they print, and what the doctor calls a problem."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import astrace
from astrace.integrations import doctor_command
from astrace.integrations.cli import main


def doctor(capsys, monkeypatch, *arguments, **settings):
    """The exit code and the output, under some settings of the environment."""
    for name in doctor_command.SETTINGS:
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return main(["doctor", *arguments]), capsys.readouterr().out


def test_a_healthy_place(capsys, monkeypatch, tmp_path):
    code, out = doctor(capsys, monkeypatch, ASTRACE_CACHE_DIR=str(tmp_path / "cache"))
    assert code == 0 and "no problem was found" in out
    for told in (
        astrace.__version__,
        f"numpy     {np.__version__}",
        f"folder   {tmp_path / 'cache'}",
        "ASTRACE_CACHE_DIR=",
    ):
        assert told in out
    assert "numpy    works" in out and "native" not in out.partition("trials")[2]


def test_what_is_switched_off(capsys, monkeypatch):
    code, out = doctor(capsys, monkeypatch, ASTRACE_DISABLE="1", ASTRACE_CACHE_DIR="0")
    assert code == 0 and "ASTRACE_DISABLE='1': everything runs as plain Python" in out
    assert "there is none: switched off by ASTRACE_CACHE_DIR" in out and "none: ASTRACE_DISABLE is set" in out


def test_missing_extras_say_how_to_install_them(capsys, monkeypatch):
    monkeypatch.setattr(doctor_command, "EXTRAS", {"observe": ("no-such-package",)})
    _, out = doctor(capsys, monkeypatch, ASTRACE_CACHE_DIR="0")
    assert "no-such-package missing  (pip install 'astrace[observe]')" in out


def test_every_extra_is_listed():
    """All that the package has, but for those of who works on it, and for second names."""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]
    extras = {
        name: {re.split(r"[>=\[]", one)[0] for one in packages}
        for name, packages in project["optional-dependencies"].items()
        if name not in ("all", "dev", "docs", "numba")
    }
    extras["fast"] = {"numba"}
    assert extras.keys() == doctor_command.EXTRAS.keys()
    for name, packages in extras.items():
        assert packages <= set(doctor_command.EXTRAS[name]), name


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"ASTRACE_CACHE_DIR": "/proc/astrace/x"}, "the cache can't be used"),
        ({"ASTRACE_CACHE_DIR": __file__}, "the cache can't be used"),
        ({"ASTRACE_BACKEND": "foo"}, "ASTRACE_BACKEND: no backend 'foo'"),
    ],
)
def test_problems(capsys, monkeypatch, settings, told):
    code, out = doctor(capsys, monkeypatch, **settings)
    assert code == 1 and f"problem: {told}" in out


def test_a_capture_that_fails_is_a_problem(capsys, monkeypatch):
    def probe(x, n):
        yield x

    monkeypatch.setattr(doctor_command, "probe", probe)
    code, out = doctor(capsys, monkeypatch, ASTRACE_CACHE_DIR="0")
    assert code == 1 and "problem: backend numpy: AT104" in out


def completed(script: str, *words: str) -> list[str]:
    given = " ".join(f"'{word}'" for word in words)
    text = f'{script}\nCOMP_WORDS=({given}); COMP_CWORD={len(words) - 1}; _astrace; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(
        ["bash", "-c", text], capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_completion(capsys):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    assert {"check", "doctor", "report", "run", "cache"} <= set(completed(script, "astrace", ""))
    assert completed(script, "astrace", "do") == ["doctor"]
    assert completed(script, "astrace", "report", "--li") == ["--lines"]
    assert completed(script, "astrace", "cache", "c") == ["clear"]
    assert completed(script, "astrace", "check", "--level", "q") == ["quick"]
    assert completed(script, "astrace", "run", "--policy", "a") == ["always"]
    assert completed(script, "astrace", "doctor", "test_comm") == []
    assert "test_commands.py" in completed(script, "astrace", "report", "test_comm")


EXPLAINED = """
import astrace
print("loading")
LIMIT = 3

def plain(x):
    return sorted(locals())

@astrace.compile
def whole(x, n=LIMIT):
    for i in range(n):
        x = x + i
    return x

class Net:
    def forward(self, x):
        return x * 2

NET = Net()
"""


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (
            ["plain", "--args", "1.0"],
            0,
            "AT106 |    7 |     return sorted(locals())\n             |      |            ",
        ),
        (["whole", "--args", "float64[4], LIMIT"], 0, "AT002 |   11 |     for i in range(n):"),
        (["NET.forward", "--args", "2.0"], 0, "captured whole"),
        (["whole"], 2, "pass those of an example call, with --args"),
        (["Net.forward", "--args", "2.0"], 2, "is a method; name that of an object"),
        (["Net"], 2, "Net is no function"),
        ([""], 2, "is no function; name one"),
        (["whol"], 2, "did you mean 'whole'?"),
        (["whole", "--args", "f("], 2, "not made of literals"),
    ],
)
def test_explain(capsys, monkeypatch, tmp_path, words, code, told):
    """What `f.explain` says, in a terminal; the function is not run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "explained.py").write_text(EXPLAINED)
    name, *others = words
    assert main(["explain", f"explained.py:{name}" if name else "explained.py", *others]) == code
    out, err = capsys.readouterr()
    assert told in (err if code else out), (out, err)
    assert "loading" not in out and "Traceback" not in err
    sys.modules.pop("explained", None)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells(capsys, shell):
    assert main(["completion", shell]) == 0
    out = capsys.readouterr().out
    assert "astrace" in out and "--lines" in out and "doctor" in out and "quick default thorough" in out
    assert main(["completion", "tcsh"]) == 2
