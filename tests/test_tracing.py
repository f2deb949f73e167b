"""Tracing does nothing of the user's: no print, no write, no draw, in either branch; looking is not running."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import logging
import os
import random
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest

import astrace

LOG: list[Any] = []
TABLE: dict[str, Any] = {"n": 0}
COUNT = 0


@dataclasses.dataclass
class Box:
    value: Any = 0
    seen: list[Any] = dataclasses.field(default_factory=list)

    def add(self, x: Any) -> Any:
        self.value = self.value + x
        self.seen.append(x)
        return self.value


BOX = Box()


def prints(x: Any) -> Any:
    print("before", x)
    if x > 0:
        print("positive")
    else:
        print("negative")
    for i in range(2):
        print(i, end=" ")
    return x


def appends(x: Any) -> Any:
    LOG.append("always")
    if x > 0:
        LOG.append(x)
    else:
        LOG.extend([x, x])
    return len(LOG)


def sets_items(x: Any) -> Any:
    TABLE["n"] = TABLE["n"] + 1
    if x > 0:
        TABLE["positive"] = x
    return dict(TABLE)


def sets_attributes(x: Any) -> Any:
    BOX.add(x)
    if x > 0:
        BOX.value = BOX.value * 2
    return BOX.value


def counts(x: Any) -> Any:
    global COUNT
    COUNT += 1
    while x > 1:
        COUNT += 1
        x = x / 2
    return COUNT


def logs(x: Any) -> Any:
    logging.getLogger("tests").warning("value %s", x)
    if x > 0:
        warnings.warn("positive", UserWarning, stacklevel=1)
    return x


def writes_a_file(x: Any) -> Any:
    if x > 0:
        with open(os.environ["ASTRACE_TEST_FILE"], "a") as file:
            file.write(f"{x}\n")
    return x


def mutates(x: Any, items: list[Any], table: dict[str, Any], box: Box) -> Any:
    items.append(x)
    table["x"] = x
    if x > 0:
        box.add(x)
        del table["y"]
    else:
        items.clear()
    return items, table, box


def draws(x: Any) -> Any:
    if x > 0:
        return np.random.standard_normal(2) + random.random()
    return x


STATE: dict[str, Callable[[], Any]] = {
    "LOG": lambda: list(LOG),
    "TABLE": lambda: dict(TABLE),
    "BOX": lambda: (BOX.value, list(BOX.seen)),
    "COUNT": lambda: COUNT,
    "numpy draws": lambda: harness.shape_of(np.random.get_state()[1:]),
    "random draws": random.getstate,
}


def reset() -> None:
    """The world as it was."""
    global COUNT
    LOG.clear()
    TABLE.clear()
    TABLE["n"] = 0
    BOX.value, BOX.seen = 0, []
    COUNT = 0
    np.random.seed(0)
    random.seed(0)


def arguments(function: Any, x: float) -> tuple[Any, ...]:
    """Fresh arguments."""
    return (x, [1], {"y": 2}, Box()) if function is mutates else (x,)


EFFECTS = [prints, appends, sets_items, sets_attributes, counts, logs, writes_a_file, mutates, draws]


@pytest.fixture(autouse=True)
def _world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASTRACE_TEST_FILE", str(tmp_path / "file.txt"))
    reset()


@pytest.mark.parametrize("x", [1.5, -1.5])
@pytest.mark.parametrize("function", EFFECTS, ids=lambda one: one.__name__)
def test_looking_does_nothing(
    function: Any, x: float, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    """`stages` and `explain` capture, and leave the world and the arguments as they are."""
    compiled = astrace.compile(function)
    given, before = arguments(function, x), {name: look() for name, look in STATE.items()}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        stages = compiled.stages(*given)
        compiled.explain(*given)
    assert printed.getvalue() == "" and not caplog.records and not recwarn.list
    assert {name: look() for name, look in STATE.items()} == before
    assert harness.same(given, arguments(function, x))
    assert not Path(os.environ["ASTRACE_TEST_FILE"]).exists()
    assert compiled.stats.calls == 0 and stages is compiled.stages(*given)


@pytest.mark.filterwarnings("ignore:positive")
@pytest.mark.parametrize("function", EFFECTS, ids=lambda one: one.__name__)
def test_effects_happen_once_and_in_order(function: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Each call does what the plain function does, the first, tracing one included."""
    seen = []
    for one in (function, astrace.compile(function)):
        reset()
        caplog.clear()
        Path(os.environ["ASTRACE_TEST_FILE"]).unlink(missing_ok=True)
        results = []
        for x in (1.5, -1.5, 1.5, 4.0):
            given = arguments(function, x)
            outcome = harness.observe(one, given)
            results.append((harness.shape_of(outcome.result), outcome.printed, harness.shape_of(given)))
        file = Path(os.environ["ASTRACE_TEST_FILE"])
        written = file.read_text() if file.exists() else None
        state = {name: look() for name, look in STATE.items()}
        seen.append((results, state, written, [record.getMessage() for record in caplog.records]))
    assert seen[0] == seen[1]


def test_warning_has_the_users_line() -> None:
    """A warning of the user's names the user's file and line."""
    with pytest.warns(UserWarning, match="positive") as caught:
        astrace.compile(logs)(1.0)
    assert (caught[0].filename, caught[0].lineno) == (__file__, logs.__code__.co_firstlineno + 3)


def test_clock_is_never_baked() -> None:
    """A clock is read at each call."""
    f = astrace.compile(lambda x: (time.perf_counter(), x))
    assert f(1.0)[0] < f(1.0)[0] < f(1.0)[0]


# -- values ----------------------------------------------------------------------------------------------------


def changing(s: Any) -> Any:
    """A carry that changes its type."""
    k = 1
    while k < s:
        k = k * 1.5
    return k


def best(x: Any) -> Any:
    """A carry that starts as nothing."""
    found = None
    for v in x:
        if found is None or v > found:
            found = v
    return found


def widened(x: Any) -> Any:
    """A carry whose dtype grows."""
    s = np.float32(0)
    for v in x:
        s = s + v
    return s


CARRIES = [
    (changing, [0.0, 1.0, 2.0, 40.0, np.float64(3.0), np.int64(9), 7]),
    (best, [np.array([]), np.array([1.0]), np.array([1.0, 3.0, 2.0]), np.array([2, 1])]),
    (widened, [np.zeros(0), np.ones(3), np.ones(3, np.float32), np.ones(2, np.int8), np.ones(2, bool)]),
]


@pytest.mark.parametrize(("function", "inputs"), CARRIES, ids=lambda one: getattr(one, "__name__", ""))
def test_carried_specs_settle(function: Any, inputs: list[Any]) -> None:
    """Values, types and dtypes are Python's, for no iteration and for many."""
    compiled = astrace.compile(function, fullgraph=True)
    for given in inputs:
        assert harness.same(compiled(given), function(given)), given


def kinds(x: Any) -> Any:
    """NumPy scalars, 0-d arrays, one-element arrays and Python numbers, told apart."""
    return [type(one).__name__ for one in (x, x + 1, x * 1.0, abs(x), x > 0, np.add(x, 1), np.sum(x))]


NUMBERS = [
    1,
    1.0,
    True,
    np.int8(1),
    np.float32(1),
    np.array(1),
    np.array(1.0),
    np.ones(1),
    np.bool_(1),
    np.float16(1),
]


@pytest.mark.parametrize("x", NUMBERS, ids=repr)
def test_kinds_of_numbers(x: Any) -> None:
    """The result's Python type is the plain function's."""
    assert astrace.compile(kinds, fullgraph=True)(x) == kinds(x)


def sizes(x: Any, k: Any) -> Any:
    """Shapes that depend on data."""
    picked = x[x > k]
    places = np.nonzero(x)[0]
    return (
        picked,
        picked.sum(),
        len(places),
        np.unique(x),
        x[: int(k)],
        x[int(k) :].shape,
        np.flatnonzero(x > k),
    )


@pytest.mark.parametrize("k", [0, 1, 2, -1, 10])
def test_shapes_that_depend_on_data(k: int) -> None:
    """Masks, `nonzero`, `unique`, slices with traced bounds: dimensions that nothing knows before."""
    compiled = astrace.compile(sizes, fullgraph=True)
    for x in (np.arange(4.0), np.zeros(3), np.ones(0)):
        assert harness.same(compiled(x, k), sizes(x, k))
    assert "?" in str(compiled.stages(np.arange(4.0), k).graph)
