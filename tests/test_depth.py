"""Recursion through compiled functions: as deep as in plain Python, and each call is one like any other."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import astrace
from astrace.util.entrances import entry

DEPTH = 900
SCALE = 1
MADE: dict[str, Any] = {}

exec("def unseen(x):\n    return x", MADE)  # no source, so it is called as plain Python
unseen: Callable[[Any], Any] = MADE["unseen"]


@pytest.fixture(autouse=True)
def _python_limit() -> Iterator[None]:
    """Python's own limit, counted from the test's frame."""
    before, frame, used = sys.getrecursionlimit(), sys._getframe(), 0
    while frame is not None:
        frame, used = frame.f_back, used + 1
    sys.setrecursionlimit(1000 + 2 * used)
    yield
    sys.setrecursionlimit(before)


@astrace.compile
def captured(n):
    return 0 if n == 0 else 1 + captured(n - 1)


@astrace.compile
def keyword(n, *, by=1):
    return 0 if n <= 0 else 1 + keyword(n=n - by, by=by)


@astrace.compile
def default(n, by=1):
    return 0 if n <= 0 else 1 + default(n - by)


@astrace.compile
def partly(n):
    unseen(n)
    return 0 if n == 0 else 1 + partly(n - 1)


@astrace.compile
def live(n):
    return 0 if n == 0 else SCALE + live(n - 1)


@astrace.compile
def several(n):
    return 0 if n == 0 else 1 + several(n - 1)


@astrace.compile
def tries(n):
    try:
        return 0 if n == 0 else 1 + tries(n - 1)
    except ValueError:
        return -1


@astrace.compile
def loops(n):
    total = 0
    for _ in range(1 if n else 0):
        total += 1 + loops(n - 1)
    return total


@astrace.compile
def changes(n):
    if n == 0:
        return []
    found = changes(n - 1)
    found.append(n)
    return found


@astrace.compile
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@astrace.compile
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@astrace.compile
def through(n):
    return 0 if n == 0 else 1 + helper(n - 1)


def helper(n):
    return 0 if n == 0 else 1 + through(n - 1)


class Node:
    def __init__(self, below):
        self.below = below

    @astrace.compile
    def depth(self):
        return 0 if self.below is None else 1 + self.below.depth()


@astrace.compile
def height(node):
    return 0 if node is None else 1 + height(node.below)


class Counts:
    @astrace.compile
    def method(self, n):
        return 0 if n == 0 else 1 + self.method(n - 1)

    @astrace.compile
    def partly(self, n):
        unseen(n)
        return 0 if n == 0 else 1 + self.partly(n - 1)

    @astrace.compile
    def __call__(self, n):
        return 0 if n == 0 else 1 + self(n - 1)

    @classmethod
    @astrace.compile
    def of_class(cls, n):
        return 0 if n == 0 else 1 + cls.of_class(n - 1)

    @staticmethod
    @astrace.compile
    def static(n):
        return 0 if n == 0 else 1 + Counts.static(n - 1)


def local():
    @astrace.compile
    def inner(n):
        return 0 if n == 0 else 1 + inner(n - 1)

    return inner


def local_partly():
    @astrace.compile
    def inner(n):
        unseen(n)
        return 0 if n == 0 else 1 + inner(n - 1)

    return inner


def chain(length):
    node = None
    for _ in range(length):
        node = Node(node)
    return node


RECURSIVE = {
    "captured": captured,
    "keyword": keyword,
    "default": default,
    "partly": partly,
    "live": live,
    "tries": tries,
    "loops": loops,
    "mutual": is_even,
    "through": through,
    "method": Counts().method,
    "partly_method": Counts().partly,
    "call_method": Counts(),
    "of_class": Counts.of_class,
    "static": Counts.static,
    "local": local(),
    "local_partly": local_partly(),
}


@pytest.mark.parametrize("name", RECURSIVE)
def test_depth(name: str) -> None:
    expected = DEPTH if name != "mutual" else True
    assert RECURSIVE[name](DEPTH) == expected
    assert RECURSIVE[name](DEPTH) == expected  # all is captured by now


def test_depth_of_structures() -> None:
    assert height(chain(DEPTH)) == DEPTH
    assert chain(DEPTH + 1).depth() == DEPTH
    assert changes(DEPTH) == list(range(1, DEPTH + 1))


def test_depth_of_several_specialisations() -> None:
    assert several(2.0) == several(True) + 1 == 2
    assert several(float(DEPTH)) == several(DEPTH) == DEPTH
    assert len(several.captures) == 3


def test_no_end() -> None:
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        captured(100_000)
    assert captured(10) == 10


def test_every_call_counts() -> None:
    counted = local()
    counted(5)
    before = counted.stats.calls
    counted(7)
    assert counted.stats.calls - before == 8


@astrace.compile
def fails(n, text=""):
    if n == 0:
        raise ValueError(text)
    return fails(n - 1, text="here")


def test_lines_of_errors() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="here") as found:
            fails(3)
        own = [one for one in traceback.extract_tb(found.value.__traceback__) if one.filename == __file__][1:]
        first = fails.__wrapped__.__code__.co_firstlineno
        assert [one.lineno for one in own] == [first + 4] * 3 + [first + 3]
        assert {one.name for one in own} == {"fails"}


@astrace.compile
def misses(n):
    return 0 if n == 0 else misses(n - 1, 1)


def test_wrong_arguments() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match=r"misses\(\) takes 1 positional argument but 2 were given"):
            misses(3)


@astrace.compile
def narrows(n):
    if n == 0:
        return [type(n)]
    return [type(n), *narrows(n / 2 if n % 2 == 0 else int(n - 1))]


def test_guards_are_checked_at_each_call() -> None:
    for start in (12, 7, 4.0):
        assert narrows(start) == narrows.__wrapped__(start)
        assert narrows(start)[0] is type(start)


def turns(n):
    unseen(n)
    return n if n == 0 else turns(n - 1)


def test_name_stands_for_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = astrace.compile(turns)
    monkeypatch.setitem(globals(), "turns", compiled)
    assert compiled(3) == 0
    for other in (lambda n: ("other", n), max, astrace.compile(helper), 3):
        monkeypatch.setitem(globals(), "turns", other)
        expected = observed(compiled.__wrapped__)
        assert observed(compiled) == expected


def observed(function: Callable[..., Any]) -> Any:
    try:
        return function(3)
    except TypeError as error:
        return str(error)


def test_threads() -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(captured(DEPTH))) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [DEPTH] * 4


def test_limit_reached_during_recursion() -> None:
    @astrace.compile(recompile_limit=1)
    def types(n):
        return [type(n)] if n == 0 else [type(n), *types(int(n - 1) if n % 2 else float(n - 1))]

    with pytest.warns(astrace.RecompileLimit):
        assert types(4) == [int, float, int, float, int]
    assert types(4) == [int, float, int, float, int]


def test_entry_of_any_callable() -> None:
    assert entry(captured)(3)() == entry(Counts().method)(3)() == entry(int)("3")() == 3
    with pytest.raises(TypeError, match="'int' object is not callable"):
        entry(3)(1)()  # type: ignore[arg-type]
