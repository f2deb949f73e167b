"""The program that a finding gives: run as it stands, it shows the difference."""

from __future__ import annotations

import collections
import contextlib
import enum
import functools
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import differing as d
import numpy as np
import pytest

import astrace
from astrace.check.compare.diff import difference
from astrace.check.compare.snapshots import Camera
from astrace.check.reproduce.definitions import ProgramNames
from astrace.check.reproduce.literals import LiteralWriter

X = np.array([1.0, 4.0, 2.0])
LAYER = d.Layer(2.0, np.zeros(3))
FLAG = True
local = d.make(3.0)


def made_here():
    @dataclass(repr=False)
    class Local(d.Base):
        w: float

        def step(self, x: np.ndarray, up: bool = FLAG):
            return super().step(x) * self.w if up else x

    return Local(3.0)


FROZEN = {
    "a value": (d.flag, X, True),
    "a dtype": (d.halve, X),
    "a method": (LAYER.forward, X, True),
    "a method of a global": (d.LAYER.forward, X, True),
    "a method with state": (LAYER.step, X),
    "a compiled method": (LAYER.compiled, X, True),
    "a callable object": (LAYER, X, True),
    "a class method": (d.Layer.of_class, X, True),
    "a static method": (d.Layer.static, X, True),
    "a closure": (local, X, True),
    "a method of a local class": (made_here().step, X, True),
    "a lambda": (d.power, X, True),
    "a local lambda": ((lambda x, up=True: x + 1 if up else x), X, True),
    "a partial": (functools.partial(d.flag, X), True),
    "containers": (d.nested, {"a": [X, 1], "b": X}, True),
    "a dataclass": (d.of_pair, d.Pair(X, True)),
    "a clock": (d.stamp, X),
    "a global": (d.configured, X),
    "items of an array": (d.with_table, X),
}
"""Frozen graphs: the function and the arguments that they are made for."""
WRONG = {
    "an exception": (np.sqrt, d.root, X),
    "an exit": (d.same, d.leaves, X),
    "an argument": (d.fill_a_copy, d.fill, X),
    "memory": (d.tail_copied, d.tail, X),
    "a global that is changed": (d.twice, d.count, X),
    "a list that grows": (d.same, d.log, X),
    "the state of the next call": (d.length_of_log_wrong, d.length_of_log, X),
    "what is printed": (d.same, d.says, X),
    "a warning": (d.same, d.warns, X),
    "a file": (d.same, d.writes, X),
    "a result that varies": (d.ticking, d.total, X),
    "the last digits": (d.near, d.nearly, X),
    "arguments that are one": (d.apart, d.aliased, X, X),
    "text": (d.capital, d.upper, "ab"),
    "the order in memory": (d.c_order, d.kept_order, np.ones((2, 3)).T),
    "an array that can't be written": (d.twice, d.writeable, X),
    "an object": (d.boxed_wrong, d.boxed, X),
    "by name": (d.by_name_wrong, d.by_name, X),
    "two lambdas": ((lambda x: x), (lambda x: -x), X),
}
"""Callables and the functions that they should do the same as."""
RUNNER = """
import contextlib, io, json, os, runpy, sys, warnings
import numpy, astrace, differing
found = {}
for name in sys.argv[1:]:
    sys.stdout.flush()
    if os.fork() == 0:
        with open(f"{name}.out", "w") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        runpy.run_path(f"{name}.py")
        sys.exit()
    found[name] = os.waitstatus_to_exitcode(os.wait()[1])
print(json.dumps(found))
"""


def report_of(name):
    if name in FROZEN:
        function, *args = FROZEN[name]
        return astrace.check(astrace.trace(function, *args), *args, original=function, level="quick")
    wrong, function, *args = WRONG[name]
    return astrace.check(wrong, *args, original=function, level="quick")


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """For each case the findings that hold a program, each with what the program printed."""
    folder = tmp_path_factory.mktemp("programs")
    with contextlib.chdir(folder):
        found = {name: [one for one in report_of(name) if one.example] for name in (*FROZEN, *WRONG)}
    files = {}
    for case, findings in found.items():
        for number, finding in enumerate(findings):
            name = f"program_{len(files)}"
            (folder / f"{name}.py").write_text(finding.example.source)
            files[name] = case, number
    paths = os.pathsep.join([str(Path(d.__file__).parent), str(Path(astrace.__file__).parent.parent)])
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", RUNNER, *files]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    codes = json.loads(done.stdout)
    printed = collections.defaultdict(list)
    for name, (case, number) in files.items():
        printed[case].append((found[case][number], (folder / f"{name}.out").read_text(), codes[name]))
    return printed


@pytest.mark.parametrize("name", [*FROZEN, *WRONG])
def test_a_program_shows_its_difference(shown, name):
    assert shown[name]
    for finding, text, code in shown[name]:
        said = f"{finding}\n--- printed:\n{text}"
        lines = text.splitlines()
        half = len(lines) // 2
        if finding.code in ("AC107", "AC109"):
            left, right = lines[:half], lines[half:]
            assert code == 0 and (len(set(left)) == 1) is not (len(set(right)) == 1), said
        elif finding.code == "AC106":
            middle = max(lines.index("the graph:"), lines.index("the function:"))
            assert code == 0 and lines[1:middle] != lines[middle + 1 :], said
        else:
            assert code == 0 and lines and lines[:half] != lines[half:], said


def test_what_is_shown_is_what_differs(shown):
    codes = {finding.code for findings in shown.values() for finding, _, _ in findings}
    assert codes >= {"AC101", "AC102", "AC103", "AC104", "AC105", "AC106", "AC107", "AC109", "AC202"}


def test_what_has_no_text_is_said():
    made = eval("lambda x: x + 1")
    report = astrace.check(lambda x: x, X, original=made, level="quick")
    source = report.errors[0].example.source
    assert (
        "function = ...  # put the function that was checked here (<string>:1): it can't be imported"
        in source
    )
    compile(source, "<program>", "exec")


# -- values ------------------------------------------------------------------------------------------------


class Color(enum.Enum):
    RED = 1


Point = collections.namedtuple("Point", "x y")
read_only = np.arange(3.0)
read_only.flags.writeable = False
twice = [1.0]
VALUES = [
    *(
        np.array([[1, 0], [2, 3]], kind)
        for kind in ("f8", "f4", "f2", "i8", "u1", "?", "c8", ">f8", "M8[s]", "m8[ms]")
    ),
    np.array([1.0, np.nan, np.inf, -np.inf, -0.0]),
    np.array(2.5),
    np.zeros((0, 3)),
    np.array([], "i4"),
    np.full((40, 40), 2.5),
    np.asfortranarray(np.ones((2, 3))),
    np.arange(6.0)[::2],
    np.array(["a", "bc"]),
    np.array([1, "a", None], object),
    np.array([(1, np.nan)], [("a", "i8"), ("b", "f8")]),
    np.ma.array([1.0, 2.0], mask=[False, True]),
    read_only,
    np.float32(1.5),
    np.bool_(True),
    np.complex64(1 + 2j),
    np.datetime64("2024-01-02"),
    np.str_("a"),
    [1, 2.5, -0.0, float("nan"), 1j, True, None, ..., "a'b", b"c", range(3), slice(1, None)],
    (1,),
    {1, 2},
    set(),
    frozenset({1.5}),
    frozenset(),
    {"a": [1], 2: (3,)},
    collections.deque([1, 2], 3),
    collections.defaultdict(list, {"a": [1]}),
    collections.OrderedDict(a=1),
    collections.Counter("aab"),
    bytearray(b"ab"),
    Point(1, [2]),
    Color.RED,
    d.Pair(np.ones(2), False),
    d.Layer(1.0, [2.0]),
    d.Box([d.Box(1.0)]),
    np.sin,
    len,
    d.flag,
    np.float64,
    {"a": twice, "b": [twice, twice]},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_written_such_that_it_can_be_made_again(value):
    speller = LiteralWriter(names := ProgramNames(lambda one: speller.text(one)))
    lines = speller.function("made_again", ["value"], [value], "{}")
    space = {"np": np}
    exec("\n".join([*names.imports, *speller.helpers, *lines]), space)
    found = space["made_again"]()
    assert not speller.missing and difference(Camera().picture(value), Camera().picture(found)) is None, lines
    assert found is not value or not isinstance(value, np.ndarray | list | dict)


def test_what_can_not_be_written_is_named():
    speller = LiteralWriter(ProgramNames(lambda one: speller.text(one)))
    circle = []
    circle.append(circle)
    for value, name in ((np.arange(1e5), "array"), (circle, "list"), (iter([1]), "list_iterator")):
        assert "..." in speller.text(value) and name in speller.missing[-1]
