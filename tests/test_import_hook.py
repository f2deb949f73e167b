"""The import hook: libraries compiled in place stay what they are, and can be put back."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import json
import pickle
import sys
import textwrap
import threading
import time
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest
from made_packages import forget, importable, load, write_package

import astrace
from astrace.backends.native import judge, warm_up
from astrace.compiler.stages import Options
from astrace.library.call_times import Times
from astrace.library.capture_time import USUAL
from astrace.library.function_watcher import Watched
from astrace.library.report import FunctionRow, LibraryReport
from astrace.library.watched_compiled import WatchedCompiled
from astrace.rewrite import text_cache
from astrace.rewrite.conversion import conversion
from astrace.rewrite.converted import Converted
from astrace.rewrite.source import FunctionSource
from astrace.util.code_stubs import stub_of
from astrace.util.own_work import loading_modules

X = np.array([1.0, -2.0, 3.0])
ALWAYS = astrace.Policy.named("always")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("libraries")
    write_package(found, "figures")
    return found


@pytest.fixture(autouse=True)
def _fresh(folder: Path) -> Iterator[None]:
    finders = list(sys.meta_path)
    with importable(folder, "figures"):
        yield
    assert sys.meta_path == finders


def state(hook: astrace.ImportHook, name: str) -> str:
    """Return the state of one function."""
    return row(hook, name).state


def states(hook: astrace.ImportHook) -> dict[str, str]:
    """Return the state of each function."""
    return {one.name.removeprefix("figures."): one.state for one in hook.report().rows}


def row(hook: astrace.ImportHook, name: str) -> Any:
    (found,) = [one for one in hook.report().rows if one.name == f"figures.{name}"]
    return found


# -- identity ------------------------------------------------------------------------------------------------


def test_functions_stay_what_they_are() -> None:
    """Names, signatures, documentation, source, pickling: as without the hook, wherever a function is held."""
    plain = load("figures")
    expected = {
        name: (str(inspect.signature(one)), one.__doc__, inspect.getsource(one), one.__defaults__)
        for name, one in vars(plain.core).items()
        if isinstance(one, types.FunctionType)
    }
    forget("figures")
    with astrace.import_hook("figures", policy=ALWAYS):
        figures = load("figures")
        assert figures.area is figures.core.area is figures.SOLVERS["area"] is figures.sub.deep.surface
        assert figures.cycle_b.a is figures.cycle_a
        for name, (signature, doc, source, defaults) in expected.items():
            one = getattr(figures.core, name)
            assert (str(inspect.signature(one)), one.__doc__, one.__defaults__) == (signature, doc, defaults)
            assert type(one) is types.FunctionType and inspect.getsource(one) == source
            assert pickle.loads(pickle.dumps(one)) is one
        assert type(figures.__spec__.loader) is type(plain.__spec__.loader) is type(figures.__loader__)
        assert figures.lazy_rate == 20.0 and figures.__all__ == plain.__all__
        figure = figures.Figure(2.0)
        assert pickle.loads(pickle.dumps(figure)) == figure and type(figure) is figures.core.Figure


CALLS: dict[str, Any] = {
    "area": lambda lib: lib.area(X, 2.0, 1.0, power=3, extra=1.0),
    "default": lambda lib: lib.area(X),
    "table": lambda lib: lib.tables.solve("area", X),
    "from-import": lambda lib: lib.deep(X),
    "decorated": lambda lib: lib.doubled(X),
    "cycle": lambda lib: lib.cycle_a.even(X, 3),
    "global": lambda lib: (lib.reset(), lib.counted(X), lib.counted(X), lib.core.COUNT),
    "rate": lambda lib: (lib.rated(X), setattr(lib, "RATE", 5.0), lib.rated(X), setattr(lib, "RATE", 2.0)),
    "generator": lambda lib: list(lib.core.stream(X)),
    "cached": lambda lib: [lib.core.cached(3), lib.core.cached.cache_info().currsize],
    "method": lambda lib: lib.Figure(2.0).scaled(X),
    "call": lambda lib: [figure := lib.Figure(2.0), figure(X), figure.size][1:],
    "property": lambda lib: lib.Figure(X).doubled_size,
    "class method": lambda lib: [lib.Figure.unit().size, lib.Figure.instances > 0],
    "static method": lambda lib: lib.Figure.shifted(X),
    "dataclass": lambda lib: [lib.Scaled(2.0).apply(X), lib.Scaled(2.0) == lib.Scaled(2.0)],
    "slots": lambda lib: lib.core.Slotted(2.0).apply(X),
    "skipped": lambda lib: [load("figures.skipped").seeded(X), load("figures.skipped").Left().method(X)],
    "opted out": lambda lib: load("figures.opted_out").alone(X),
    "raises": lambda lib: lib.check(np.zeros((2, 2))),
    "wrong call": lambda lib: lib.area(),
}


@pytest.mark.parametrize("policy", ["default", "always", "never"])
def test_a_library_does_what_it_did(policy: str) -> None:
    """Every call, several times over, gives what it gives without the hook."""
    plain = {
        name: [harness.observe(call, (load("figures"),)) for _ in range(3)] for name, call in CALLS.items()
    }
    forget("figures")
    with astrace.import_hook("figures", policy=policy):
        for name, call in CALLS.items():
            for expected in plain[name]:
                found = harness.observe(call, (load("figures"),))
                assert (found.error, harness.shape_of(found.result)) == (
                    expected.error,
                    harness.shape_of(expected.result),
                ), name


# -- what is touched, and when -------------------------------------------------------------------------------


def codes(module: Any) -> dict[str, Any]:
    return {name: one.__code__ for name, one in vars(module).items() if isinstance(one, types.FunctionType)}


def test_only_the_functions_of_the_library_are_touched() -> None:
    import made_packages

    with astrace.import_hook("figures") as hook:
        (
            load("figures.skipped"),
            load("figures.opted_out"),
            load("figures.conftest"),
            load("figures.tests.test_core"),
        )
        names = {one.name.removeprefix("figures.") for one in hook.report().rows}
    assert {"core.area", "core.doubled", "core.Base.scaled", "core.Figure.__call__", "rated"} <= names
    left = {"skipped.seeded", "skipped.Left.method", "opted_out.alone", "core.stream", "__getattr__"}
    assert not left & names
    assert not any("test" in name or name.startswith("conftest") for name in names)
    assert made_packages.write_package.__code__.co_name == "write_package"


def test_nothing_is_captured_before_a_call_with_arrays() -> None:
    with astrace.import_hook("figures", policy=ALWAYS) as hook:
        figures = load("figures")
        assert {one.state for one in hook.report().rows} == {"never called"}
        figures.area([1.0, 2.0])
        assert state(hook, "core.area") == "no arrays"
        figures.area(X)
        assert state(hook, "core.area") == "whole"


def test_what_is_imported_waits_until_it_is_used() -> None:
    """Importing leaves functions alone; what is read from a module is watched, and all is from the first call on."""
    with astrace.import_hook("figures", policy=ALWAYS) as hook:
        figures = load("figures")
        core = sys.modules["figures.core"]
        held = types.ModuleType.__getattribute__(core, "__dict__")
        assert isinstance(core, types.ModuleType) and core.__class__ is types.ModuleType and repr(core)
        assert stub_of(held["area"]) is stub_of(held["doubled"].__wrapped__) is None
        assert stub_of(figures.doubled.__wrapped__) is not None and stub_of(held["area"]) is None
        figures.doubled(X)
        assert stub_of(held["area"]) is not None and type(core) is types.ModuleType
        assert hook.report().captured[0]
    assert all(type(module) is types.ModuleType for module in (figures, core))
    forget("figures")
    with astrace.import_hook("figures"):
        figures = load("figures")
    assert type(figures) is types.ModuleType and stub_of(figures.area) is None


def test_loaded_modules_are_compiled_and_everything_is_put_back() -> None:
    figures = load("figures")
    area, before = figures.area, codes(figures.core)
    hook = astrace.import_hook("figures")
    assert figures.area is area and codes(figures.core) != before
    expected = area(X)
    assert state(hook, "core.area") == "cold"
    hook.uninstall()
    assert codes(figures.core) == before and area(X) == expected
    assert hook.report().rows and hook not in sys.meta_path
    hook.uninstall()


def test_reload() -> None:
    with astrace.import_hook("figures", policy=ALWAYS):
        figures = load("figures")
        assert importlib.reload(figures.core).area(X) == 10.0
        assert figures.deep(X) == 11.0


NAMES = {"same package": "figures", "a part of it": "figures.sub"}


@pytest.mark.parametrize("first_out", ["outer", "inner"])
@pytest.mark.parametrize("when", ["before", "between", "after", "used"])
@pytest.mark.parametrize("name", NAMES)
def test_two_hooks(name: str, when: str, first_out: str) -> None:
    """Both watch a function that both cover, whichever is gone first; the policy is that of the newest."""
    never = astrace.Policy(after=None, patience=None)
    if when == "before":
        load("figures")
    outer = astrace.import_hook("figures", policy=never)
    if when in ("between", "used"):
        load("figures")
    if when == "used":
        load("figures").deep(X)
    inner = astrace.import_hook(NAMES[name], policy=ALWAYS)
    deep = load("figures").deep
    assert deep(X) == deep(X) == 11.0
    code = deep.__code__
    assert states(outer)["sub.deep.deep"] == states(inner)["sub.deep.deep"] == "whole"
    assert ("core.area" in states(inner)) is (name == "same package") and "core.area" in states(outer)
    first, second = (outer, inner) if first_out == "outer" else (inner, outer)
    first.uninstall()
    first.uninstall()
    assert deep.__code__ is code and deep(X) == 11.0
    assert load("figures").errors.check(X) is X
    expected = name == "same package" or second is outer
    assert (states(second).get("errors.check") in ("whole", "cold")) is expected
    second.uninstall()
    assert stub_of(deep) is None and deep(X) == 11.0
    assert type(load("figures.sub.deep")) is types.ModuleType


def test_hooks_of_waiting_modules() -> None:
    """Modules that wait for one hook wait for the other when that one is gone."""
    outer, inner = astrace.import_hook("figures"), astrace.import_hook("figures")
    figures = load("figures")
    outer.uninstall()
    assert stub_of(figures.doubled.__wrapped__) is not None
    inner.uninstall()
    assert stub_of(figures.doubled.__wrapped__) is None and type(figures) is types.ModuleType


def test_a_switched_off_hook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASTRACE_DISABLE", "1")
    with astrace.import_hook("figures") as hook:
        assert load("figures").area(X) == 10.0
        assert hook.report().rows == ()
        assert "figures: no function was found" in str(hook.report())


@pytest.mark.parametrize("name", ["numpy", "json", "astrace", "no-name", ""])
def test_wrong_packages(name: str) -> None:
    with pytest.raises(astrace.InvalidArgument, match="import_hook"):
        astrace.import_hook(name)


def test_wrong_policies() -> None:
    with pytest.raises(
        astrace.InvalidArgument, match="policy='some'; accepted are 'default', 'always', 'never'"
    ):
        astrace.import_hook("figures", policy="some")
    with pytest.raises(astrace.InvalidArgument, match="after=0; it must be a whole number, at least 1"):
        astrace.Policy(after=0)


TRANSLATED = {
    "__init__.py": "from jitted import kernels, use",
    "kernels.py": """
        def twice(x):
            return x * 2


        def thrice(x):
            return x * 3
    """,
    "use.py": """
        from jitted import kernels


        class Dispatcher:  # as Numba's: the code is read at the first call
            def __init__(self, function):
                self.py_func = function

            def __call__(self, x):
                return self.py_func.__code__.co_consts


        Dispatcher.__module__ = "numba.core.dispatcher"
        fast = Dispatcher(kernels.twice)
    """,
}


def test_functions_that_are_translated_keep_their_code(tmp_path: Path) -> None:
    """Also where they were looked at before it was known."""
    for name, text in TRANSLATED.items():
        (tmp_path / "jitted").mkdir(exist_ok=True)
        (tmp_path / "jitted" / name).write_text(textwrap.dedent(text))
    with importable(tmp_path, "jitted"), astrace.import_hook("jitted", policy=ALWAYS) as hook:
        jitted = load("jitted")
        plain, other = jitted.kernels.twice, jitted.kernels.thrice
        assert other(2.0) == 6.0
        assert jitted.use.fast(X) == (None, 2) and stub_of(plain) is None
        assert stub_of(other) is not None
        assert [one.name for one in hook.report().rows if "twice" in one.name] == []


REGISTERED = """
    def total(x):
        result = 0.0
        for value in x:
            result += value
        return result


    def raised(x):
        doubled = x * 2
        return doubled + 1
"""


def test_numba_reads_functions_as_they_were_written(tmp_path: Path) -> None:
    """A program hands over functions with stubs, or registers them; with the last hook Numba gets its own function back."""
    numba = pytest.importorskip("numba")
    identity = importlib.import_module("numba.core.bytecode").FunctionIdentity
    before = identity.__dict__["from_function"]
    (tmp_path / "registered").mkdir()
    (tmp_path / "registered" / "__init__.py").write_text(textwrap.dedent(REGISTERED))
    with importable(tmp_path, "registered"), astrace.import_hook("registered", policy=ALWAYS) as hook:
        registered = load("registered")
        raised = registered.raised
        for function in (registered.total, raised):
            function(X)
            assert stub_of(function) is not None
        with astrace.import_hook("registered"):
            assert numba.njit(registered.total)(X) == registered.total(X)
        numba.extending.register_jitable(raised)
        assert numba.njit(lambda x: raised(x))(2.0) == 5.0
        assert numba.njit(registered.total)(X) == registered.total(X)
        assert stub_of(raised) is not None
        hook.uninstall()
    assert identity.__dict__["from_function"] is before


# -- policy ----------------------------------------------------------------------------------------------------

POLICIES = {
    "cold": (astrace.Policy(after=3), 2, "cold", ""),
    "captured": (astrace.Policy(after=3), 3, "whole", ""),
    "not worth it": (astrace.Policy(worth=60.0), 9, "cold", ""),
    "worth it": (astrace.Policy(worth=1e-9), 3, "whole", ""),
    "kept": (astrace.Policy(trial=2, margin=1e9, budget=None), 9, "whole", "kept"),
    "gains nothing": (
        astrace.Policy(trial=2, margin=0.0, budget=None),
        9,
        "whole",
        "left plain: gains nothing",
    ),
    "takes long": (astrace.Policy(budget=0.0), 3, "whole", "left plain: takes long to capture"),
    "always": (ALWAYS, 12, "whole", "kept"),
    "never": (astrace.Policy(after=None, patience=3), 4, "cold", "left plain: is only watched"),
}


@pytest.mark.parametrize("name", POLICIES)
def test_policy(name: str) -> None:
    policy, calls, expected, decision = POLICIES[name]
    with astrace.import_hook("figures", policy=policy) as hook:
        area = load("figures").area
        assert [float(area(X)) for _ in range(calls)] == [10.0] * calls
        found = row(hook, "core.area")
        assert found.state == expected and found.decision.startswith(decision)
        assert found.calls == calls or found.decision.startswith("left plain")
        kept = {"kept": "graph", "left": "plain", "": "both" if expected == "whole" else "plain"}
        assert found.runs_as == kept[found.decision[:4]]
        assert found.counted.endswith("+") is found.decision.startswith("left plain")


HOT = """
    def smoothed(values, weight):
        last = 0.0
        for i in range(len(values)):
            last = last + weight * (values[i] - last)
            values[i] = last
        return last
"""


@pytest.mark.parametrize("faster", [True, False])
def test_a_function_with_hot_loops_is_tried_once_they_are_compiled(
    faster: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ASTRACE_BACKEND")
    monkeypatch.setattr(warm_up, "HOT", 1e-3)
    monkeypatch.setattr(warm_up, "ALONE", 1)
    monkeypatch.setattr(judge.TrialTimes, "speedup", property(lambda times: 2.0 if faster else 0.5))
    (tmp_path / "filters.py").write_text(textwrap.dedent(HOT))
    policy = astrace.Policy(after=1, worth=0.0, trial=2, margin=1e9 if faster else 0.0)
    with importable(tmp_path, "filters"), astrace.import_hook("filters", policy=policy) as hook:
        smoothed = load("filters").smoothed
        watched = next(one for one in hook.functions.all() if one.function.__name__ == "smoothed")
        decided = []
        for _ in range(200):
            smoothed(np.linspace(0.0, 1.0, 200), 0.5)
            decided.append(watched.decision)
        kernels = [kernel for stages in watched.captures for kernel in stages.kernels]
    assert len(kernels) == 1 and kernels[0].is_judged
    assert not any(decided[:10]) and decided[-1].startswith("kept" if faster else "left plain: gains nothing")
    assert kernels[0].is_used is faster


NESTED = """
    def inner(x):
        return x + 1.0


    def outer(x):
        return inner(inner(x))
"""


def test_calls_in_which_a_callee_is_captured_are_not_timed(tmp_path: Path) -> None:
    """`inner` is captured in the second call of `outer`, which is plain Python then: what that takes says nothing of either."""
    (tmp_path / "nested.py").write_text(textwrap.dedent(NESTED))
    with (
        importable(tmp_path, "nested"),
        astrace.import_hook("nested", policy=astrace.Policy(after=4)) as hook,
    ):
        for _ in range(3):
            load("nested").outer(X)
        watched = {one.function.__name__: one for one in hook.functions.all()}
        assert len(watched["inner"].captures) == 1 and watched["inner"].counts.capturing > 0
        assert not watched["outer"].captures and watched["outer"].counts.capturing == 0
        assert (watched["outer"].counts.plain.calls, watched["inner"].counts.captured.calls) == (2, 2)


def test_one_call_that_is_delayed_decides_nothing() -> None:
    times = Times()
    for nanoseconds in (7, 5, 10**9, 6):
        times.add(nanoseconds)
    assert times.median == 6.5e-9 and times.calls == 4


def test_functions_without_arrays_and_failed_captures_are_left_plain() -> None:
    policy = astrace.Policy(after=1, patience=3, attempts=1)
    with astrace.import_hook("figures", policy=policy) as hook:
        figures = load("figures")
        for _ in range(4):
            figures.area([1.0])
            with pytest.raises(figures.ShapeError, match="2 dimensions"):
                figures.check(np.zeros((2, 2)))
        assert row(hook, "core.area").decision == "left plain: is not called with arrays"
        assert state(hook, "errors.check") in ("plain", "whole")


def test_captures_of_calls_that_raise_count() -> None:
    """The work of a capture is counted, however the call ended."""
    policy = astrace.Policy(after=1, attempts=None, budget=0.0)
    with astrace.import_hook("figures", policy=policy) as hook:
        figures = load("figures")
        with pytest.raises(figures.ShapeError, match="2 dimensions"):
            figures.check(np.zeros((2, 2)))
        assert row(hook, "errors.check").decision == "left plain: takes long to capture"


def test_modules_that_a_capture_loads_are_not_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """libcst takes longer to load than most captures take; the function that needs it first is not judged by that."""

    def made(source: FunctionSource) -> Converted:
        with loading_modules():
            until = time.thread_time_ns() + 50_000_000
            while time.thread_time_ns() < until:
                pass
        return conversion(source)

    monkeypatch.setattr(text_cache, "_made", made)
    told: list[tuple[int, int]] = []
    doubled = WatchedCompiled(
        *(lambda x: 2.0 * x, Options()),
        told=lambda took, loading, _: told.append((took, loading)),
        time_left=lambda: None,
    )
    before = time.thread_time_ns()
    assert doubled(X) is not None
    ((took, loading),) = told
    assert loading >= 50_000_000 and 0 < took <= time.thread_time_ns() - before - loading


@pytest.mark.parametrize(
    ("share", "runs_as"), [(0.0, ["plain", "plain"]), (1e6, ["both", "both"]), (None, ["both", "both"])]
)
def test_captures_share_the_time_of_a_run(folder: Path, share: float | None, runs_as: list[str]) -> None:
    """A function waits while captures, with its own, would take more than their share."""
    code = "def first(x):\n    return x + 1\n\n\ndef second(x):\n    return x * 2\n"
    write_package(folder, "shared", {"__init__.py": code})
    policy = astrace.Policy(after=1, share=share)
    with importable(folder, "shared"), astrace.import_hook("shared", policy=policy) as hook:
        shared = load("shared")
        for call in (shared.first, shared.second, shared.first, shared.second):
            call(X)
        rows = {one.name: one.runs_as for one in hook.report().rows}
    assert [rows["shared.first"], rows["shared.second"]] == runs_as


LARGE = "def looped(x, times):\n    total = 0.0\n    for item in x:\n" + "".join(
    f"        total += (item + {line}) * times / (item * item + {line}.5)\n" for line in range(60)
)
"""More work than passes between two looks at the clock."""
NO_TIME = -60.0
"""Seconds; budgets are given a clock that stands in tests."""


def test_a_capture_that_has_too_little_time_is_put_off(folder: Path) -> None:
    """The call runs as plain Python, and the next one with time is captured; being put off is no failure."""
    write_package(folder, "large", {"__init__.py": f"{LARGE}    return total\n"})
    left: list[float | None] = [*[NO_TIME] * 4, None]
    with importable(folder, "large"):
        looped = load("large").looped
        compiled = WatchedCompiled(looped, Options(), told=lambda *_: None, time_left=lambda: left[0])
        for _ in range(4):
            assert compiled(X, 2) == looped(X, 2) and compiled.is_put_off
            (stages,) = compiled.captures
            assert stages.fallback is not None and stages.fallback.code == "AT207"
            left.pop(0)
        assert compiled(X, 3) == looped(X, 3)
        assert not compiled.is_put_off and [stages.fallback for stages in compiled.captures] == [None]


def test_a_function_that_was_put_off_waits_for_more_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [10 * USUAL]
    monkeypatch.setattr("astrace.library.capture_time.process_time_ns", lambda: now[0])
    write_package(folder, "large", {"__init__.py": f"{LARGE}    return total\n"})
    policy = astrace.Policy(after=1, share=0.1, trial=0)
    with importable(folder, "large"), astrace.import_hook("large", policy=policy) as hook:
        looped = load("large").looped
        (watched,) = hook.functions.all()
        now[0] = 10**12
        left: list[float | None] = [NO_TIME]
        monkeypatch.setattr(Watched, "_time_left", lambda _: left[0])
        assert looped(X, 2) == stub_of(looped).plain()(X, 2)
        left[0] = None
        assert (watched.captures, watched.runs_as, hook.report().rows[0].state) == ((), "plain", "cold")
        watched._needed = 10**12
        assert looped(X, 2) == stub_of(looped).plain()(X, 2)
        assert not watched.captures  # there is time for a usual one, not for this
        now[0] = 10**14
        assert looped(X, 3) == stub_of(looped).plain()(X, 3)
        assert [stages.fallback for stages in watched.captures] == [None]


def test_the_recompile_limit_is_no_warning() -> None:
    with astrace.import_hook("figures", policy=ALWAYS) as hook, warnings.catch_warnings():
        warnings.simplefilter("error")
        figures = load("figures")
        for power in range(12):
            assert figures.area(X, 1.0, *range(power)) == 10.0 + sum(range(power))
        assert "AT207" not in row(hook, "core.area").codes


# -- frames ----------------------------------------------------------------------------------------------------

DEEP = {
    "__init__.py": """
        import logging
        import warnings

        import numpy as np

        LOG = logging.getLogger("deep")


        def falls(x, n):
            return x if n == 0 else falls(x + 1, n - 1)


        def even(x, n):
            return x if n == 0 else odd(x, n - 1)


        def odd(x, n):
            return -x if n == 0 else even(x, n - 1)


        def counts_names(x):
            return x * len(locals())


        def handed(x, n, again):
            return x if n == 0 else again(x, n - 1, again)


        def split(a):
            if len(a) < 2:
                return a
            low = a[1:] < a[0]
            return np.concatenate([split(a[1:][low]), a[:1], split(a[1:][~low])])


        def closed(x, n):
            try:
                return x if n == 0 else closed(x, n - 1) * 1.0
            except ValueError:
                return None


        class Node:
            def __init__(self, value, rest):
                self.value, self.rest = value, rest

            def total(self):
                return self.value if self.rest is None else self.value + self.rest.total()


        def chain(x, n):
            found = None
            for _ in range(n + 1):
                found = Node(x, found)
            return found


        def deprecated(x):
            \"""Old.\"""
            warnings.warn("old", DeprecationWarning, stacklevel=2)
            return x * 2


        def by_position(x):
            warnings.warn("old", UserWarning, 2)
            return x * 2


        def logs(x):
            LOG.warning("told", stacklevel=2)
            return x * 2


        def in_between(x):
            return deprecated(x) + 1
    """
}
DEPTH = 900
RECURSIONS: dict[str, Any] = {
    "falls": lambda lib: lib.falls(X, DEPTH),
    "even": lambda lib: lib.even(X, DEPTH),
    "handed": lambda lib: lib.handed(X, DEPTH, lib.handed),
    "split": lambda lib: lib.split(np.arange(float(DEPTH))),
    "closed": lambda lib: lib.closed(X, DEPTH),
    "total": lambda lib: lib.chain(X, DEPTH).total(),
}


@pytest.fixture
def deep(folder: Path) -> Iterator[Any]:
    write_package(folder, "deep", DEEP)
    with importable(folder, "deep"):
        yield lambda: load("deep")


@pytest.mark.parametrize("policy", ["default", "always", "never"])
@pytest.mark.parametrize("name", RECURSIONS)
def test_recursion_reaches_as_deep_as_without(deep: Any, name: str, policy: str) -> None:
    """Recursive calls take no frames of the hook's, whether the function is watched, tried or kept."""
    call = RECURSIONS[name]
    with plain_depth():
        expected = call(deep())
        forget("deep")
        with astrace.import_hook("deep", policy=policy) as hook:
            for _ in range(20):
                assert harness.same(call(deep()), expected)
            stubs = [stub_of(one) for one in (deep().falls, deep().split, deep().Node.total)]
            decided = {one.name.partition(".")[2]: one.decision for one in hook.report().rows}
            assert all(
                stub is not None or decided[name].startswith("left plain")
                for stub, name in zip(stubs, ("falls", "split", "Node.total"), strict=True)
            )


@contextlib.contextmanager
def plain_depth() -> Iterator[None]:
    """The limit of a fresh process, counted from here."""
    limit, here = sys.getrecursionlimit(), len(inspect.stack(0))
    sys.setrecursionlimit(1000 + here)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def test_what_can_not_be_captured_is_not_kept(deep: Any) -> None:
    with astrace.import_hook(
        "deep", policy=astrace.Policy(trial=2, margin=1e9, attempts=None, budget=None)
    ) as hook:
        for _ in range(8):
            deep().counts_names(X)
        (counts,) = [one for one in hook.report().rows if one.name == "deep.counts_names"]
        assert (counts.state, counts.decision) == ("plain", "left plain: can't be captured")


@pytest.mark.parametrize("policy", ["default", "always", "never"])
@pytest.mark.parametrize("name", ["deprecated", "by_position", "in_between", "logs"])
def test_the_line_of_a_caller(deep: Any, name: str, policy: str, caplog: pytest.LogCaptureFixture) -> None:
    """Warnings and logs that tell a caller's line tell the line that they tell without the hook."""

    def told() -> list[Any]:
        caplog.clear()
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            for _ in range(20):
                getattr(deep(), name)(X)
        logged = [(one.pathname, one.lineno, one.funcName) for one in caplog.records]
        return [(one.filename, one.lineno, one.category) for one in found] + logged

    expected = told()
    assert len(expected) == 20
    source = inspect.getsource(deep().deprecated)
    forget("deep")
    with astrace.import_hook("deep", policy=policy):
        assert told() == expected
        assert inspect.getsource(deep().deprecated) == source and deep().deprecated.__doc__ == "Old."


# -- reports -----------------------------------------------------------------------------------------------------


def test_report() -> None:
    with astrace.import_hook("figures", policy=astrace.Policy(trial=3, budget=None)) as hook:
        figures = load("figures")
        for _ in range(12):
            figures.area(X)
            figures.deep(X)
        report = hook.report()
        area = row(hook, "core.area")
        assert area.before is not None and area.after is not None and area.capturing > 0
        assert report.captured == (2, 2)
        text = str(report)
        assert text.startswith("figures: 2 of 2 tried functions captured whole (100%)")
        assert "figures.core.area" in text and "never called" in text
        found = json.loads(report.json())
        assert found["summary"]["whole"] == 2 and found["packages"] == ["figures"]
        assert {one["name"] for one in found["functions"]} == {one.name for one in report.rows}


def test_report_gives_reasons_and_what_was_inlined(folder: Path) -> None:
    write_package(
        folder,
        "odd",
        {
            "__init__.py": """
                def inner(x):
                    return x + 1


                def outer(x):
                    return inner(x) * 2


                def looks(x):
                    return x * len(locals())


                def half(x):
                    return looks(x) + 1
            """
        },
    )
    with importable(folder, "odd"), astrace.import_hook("odd", policy=ALWAYS) as hook:
        odd = load("odd")
        odd.outer(X), odd.looks(X), odd.half(X)
        states = {one.name: one.state for one in hook.report().rows}
        assert states == {
            "odd.inner": "inlined",
            "odd.outer": "whole",
            "odd.looks": "plain",
            "odd.half": "partly",
        }
        assert hook.report().codes == {"AT106": 2}
        assert any("locals" in reason for one in hook.report().rows for reason in one.reasons)


@pytest.mark.parametrize("policy", ["always", "never"])
def test_stubs_that_come_while_a_graph_runs(folder: Path, policy: str) -> None:
    """A function that was captured before it was watched is the same function after it."""
    write_package(
        folder,
        "late",
        {
            "__init__.py": """
                from late.parts import helper, looks


                def outer(x):
                    return helper(x) + looks(x) + helper(x + 1)
            """,
            "parts.py": """
                import sys


                def helper(x):
                    return x * 2


                def looks(x):
                    return len(locals()) + len([name for name in dir(sys.modules[__name__]) if name == "helper"])
            """,
        },
    )
    with importable(folder, "late"), astrace.import_hook("late", policy=policy):
        late = load("late")
        compiled = astrace.compile(lambda x: late.outer(x))
        assert [compiled(x) for x in (1.0, 2.0)] == [8.0, 12.0]
        assert compiled.stats.traces == 1


def test_calls_of_other_captured_functions_are_in_graphs(folder: Path) -> None:
    """Recursion keeps a function out of another one's graph, and not from having its own, whatever it is given."""
    write_package(
        folder,
        "recursive",
        {
            "__init__.py": """
                import numpy as np


                def power(x):
                    if np.iscomplexobj(x):
                        return power(x.real) + power(x.imag)
                    return (x * x).sum()


                def first_power(rows):
                    return power(rows["first"]) * 2.0


                def powers(rows):
                    return first_power(rows) + power(rows["second"])


                def digits(number):
                    return 1 if number < 10 else 1 + digits(number // 10)


                def spread(x, number):
                    return x * digits(number)


                def hidden(x, number):
                    return x if number == 0 else globals()["hidden"](x * len(locals()), number - 1)


                def spread_hidden(x, number):
                    return hidden(x, number) + digits(number)
            """
        },
    )
    with importable(folder, "recursive"), astrace.import_hook("recursive", policy=ALWAYS) as hook:
        made = load("recursive")
        for rows in ({"first": X, "second": X}, {"first": X * 2, "second": X + 1}):
            made.power(rows["first"])
            assert made.first_power(rows) == (rows["first"] ** 2).sum() * 2.0
            made.powers(rows)
        for number in (1, 123, 12345):
            assert (made.spread(X, number) == X * len(str(number))).all()
        assert (made.spread_hidden(X, 3) == X * 8 + 1).all()
    rows = {one.name.removeprefix("recursive."): one for one in hook.report().rows}
    assert {name: row.state for name, row in rows.items()} == {
        "power": "whole",
        "first_power": "whole",
        "powers": "whole",
        "digits": "whole",
        "spread": "whole",
        "hidden": "plain",
        "spread_hidden": "partly",
    }
    codes = {name: row.codes for name, row in rows.items() if row.codes}
    assert codes == {"hidden": ("AT106",), "spread_hidden": ("AT106",)}


def test_report_tells_of_functions_without_source(folder: Path) -> None:
    write_package(
        folder,
        "made_by_eval",
        {
            "__init__.py": """
                square = eval("lambda x: x * x")


                def calls_it(x):
                    return square(x) + 1


                def calls_it_in_doubt(x):
                    return square(x) * looks(x)


                def looks(x):
                    return x * len(locals())
            """
        },
    )
    with importable(folder, "made_by_eval"), astrace.import_hook("made_by_eval", policy=ALWAYS) as hook:
        package = load("made_by_eval")
        package.square(X), package.calls_it(X), package.calls_it_in_doubt(X), package.looks(X)
        report = hook.report()
        assert report.captured == (0, 3) and report.captured_with_source == (1, 3)
        assert "    1 of 3 whole (33%), if functions without source count as written in C" in str(report)


def made(state: str, calls: int, before: float | None = None, codes: tuple[str, ...] = ()) -> LibraryReport:
    """Return the states of a function in one process."""
    found = FunctionRow("p.f", "p.py", 3, state, codes, codes, calls, before, None, 0.5, state)
    return LibraryReport(("p",), (found,))


MERGED = {
    "whole": ([made("whole", 3, 1.0), made("cold", 1, 3.0)], "whole", 1.5),
    "partly": ([made("plain", 1, None, ("AT106",)), made("whole", 2)], "partly", None),
    "plain": ([made("never called", 0), made("plain", 1)], "plain", None),
    "inlined": ([made("no arrays", 1), made("inlined", 0)], "inlined", None),
    "never called": ([made("never called", 0)] * 2, "never called", None),
}


def test_the_report_after_a_hook(folder: Path) -> None:
    """It tells what calls ran as while there was a hook, explains its words, and leaves out what was not called with arrays."""
    write_package(
        folder,
        "ended",
        {
            "__init__.py": """
                def inner(x):
                    return x + 1


                def outer(x):
                    return inner(x) * 2


                def looks(x):
                    return x * len(locals())


                def title(text):
                    return text.title()
            """
        },
    )
    with importable(folder, "ended"), astrace.import_hook("ended", policy=ALWAYS) as hook:
        ended = load("ended")
        ended.outer(X), ended.looks(X), ended.title("x")
        before = {one.name: one.runs_as for one in hook.report().rows}
    rows = {one.name: one for one in hook.report().rows}
    assert {name: one.runs_as for name, one in rows.items()} == before
    assert before == {
        "ended.outer": "graph",
        "ended.inner": "graph",
        "ended.looks": "plain",
        "ended.title": "plain",
    }
    text = str(hook.report())
    assert "1 inlined       captured as a part of others" in text
    assert "1 with AT106: `locals()`, which reads the frame" in text
    assert "ended.looks  (AT106)" in text and "ended.title" not in text
    assert "ended.title" in hook.report().json() and "ended.title" not in hook.report()._repr_html_()


def test_a_function_of_a_graph_that_was_left(folder: Path) -> None:
    """It runs as plain Python again, and was called too rarely to be captured itself."""
    code = "def inner(x):\n    return x + 1\n\n\ndef outer(x):\n    return inner(x) * 2\n"
    write_package(folder, "left", {"__init__.py": code})
    policy = astrace.Policy(after=2, budget=1e-9)
    with importable(folder, "left"), astrace.import_hook("left", policy=policy) as hook:
        left = load("left")
        left.outer(X), left.outer(X)  # the first one calls `inner`, the second one is captured
        rows = {one.name: one for one in hook.report().rows}
    assert rows["left.outer"].decision == "left plain: takes long to capture"
    assert {name: (one.state, one.runs_as) for name, one in rows.items()} == {
        "left.outer": ("whole", "plain"),
        "left.inner": ("cold", "plain"),
    }


@pytest.mark.parametrize("name", MERGED)
def test_reports_of_several_processes(name: str) -> None:
    """They are one: the best state there is, all calls, all reasons; as JSON they come back as they were."""
    parts, state, before = MERGED[name]
    found = LibraryReport.merged([LibraryReport.of_json(part.json()) for part in parts])
    (row,) = found.rows
    assert (row.state, row.before) == (state, before) and found.packages == ("p",)
    assert row.calls == sum(part.rows[0].calls for part in parts) and row.capturing == 0.5 * len(parts)
    assert row.codes == tuple(code for part in parts for code in part.rows[0].codes)


# -- threads ---------------------------------------------------------------------------------------------------


def test_eight_threads_import_and_make_first_calls() -> None:
    for _ in range(3):
        forget("figures")
        with astrace.import_hook("figures", policy=ALWAYS) as hook:
            start, results = threading.Barrier(8), []

            def work() -> None:
                start.wait()  # noqa: B023
                figures = load("figures")
                results.append(
                    [float(figures.area(X)), float(figures.deep(X)), *figures.cycle_a.even(X, 3).tolist()]
                )  # noqa: B023

            threads = [threading.Thread(target=work) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert results == [[10.0, 11.0, 5.0, -1.0, 9.0]] * 8
            watched: list[Watched] = list(hook.functions.all())
            assert all(one._compiled is None or one._compiled.stats.traces <= 1 for one in watched)


# -- a package that compiles itself --------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["top", "bottom"])
def test_compile_this_package(folder: Path, place: str) -> None:
    name = f"selfmade_{place}"
    call = "import astrace\nHOOK = astrace.compile_this_package(policy='always')\n"
    body = "from .inner import half\n\n\ndef own(x):\n    return half(x) + 1\n"
    write_package(
        folder,
        name,
        {
            "__init__.py": call + body if place == "top" else body + call,
            "inner.py": "def half(x):\n    return x / 2 if x.sum() > 0 else x\n",
        },
    )
    with importable(folder, name):
        module = load(name)
        try:
            assert (module.own(X) == X / 2 + 1).all() and (module.half(-X) == -X).all()
            assert type(module) is types.ModuleType
            states = {one.name: one.state for one in module.HOOK.report().rows}
            assert states == {f"{name}.own": "whole", f"{name}.inner.half": "whole"}
        finally:
            module.HOOK.uninstall()
