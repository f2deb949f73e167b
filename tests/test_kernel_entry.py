"""The way into a hot kernel: what machine code passes by itself is what is admitted at length, and nothing is passed that need be asked about."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import astrace
from astrace.backends.native.arithmetic import error_settings
from astrace.backends.native.entry.admission import NOT_ADMITTED
from astrace.backends.native.entry.checks import EntryChecks, usual_settings
from astrace.backends.native.entry.ledger import EVER, FIRST, MAGNITUDES, Ledger
from astrace.backends.native.kernel import Kernel

pytest.importorskip("numba")

from astrace.backends.native import machine, machine_code  # isort: skip; where Numba is

import harness  # isort: skip; found through tests/conftest.py


def blended(a: Any, b: Any, n: int) -> None:
    """Writes one array, reads another, counts with an integer."""
    for i in range(n):
        a[i] = a[i] * 0.5 + b[i]


def blended_rows(a: Any, b: Any) -> None:
    """The same for matrices."""
    for i in range(len(a)):
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] * 0.5 + b[i, j]


def blended_wholes(a: Any, b: Any) -> None:
    """The same for all elements at once: NumPy reads all before it writes any."""
    a[:] = a * 0.5 + b * 2.0


def root_sum(a: Any) -> float:
    """Calls functions that may be replaced."""
    total = 0.0
    for i in range(len(a)):
        total += math.sqrt(a[i]) + abs(a[i])
    return total


def last_or_first(a: Any, n: int, given: float) -> tuple[float, Any]:
    """Hands on what came in, or not, and gives a NumPy scalar."""
    found = given
    item = a[0]
    for i in range(n):
        if a[i] > 2.5:
            found = 1.5
        item = a[i]
    return found, item


@pytest.fixture(autouse=True)
def settings_as_numpy_has_them() -> Iterator[None]:
    """NumPy's settings are the object that it begins with: a test that changes them leaves another one of the same values."""
    known = usual_settings()
    if known is None:
        yield
        return
    variable, usual = known
    token = variable.set(usual)
    yield
    variable.reset(token)


def hot(function: Any, *args: Any) -> tuple[Any, Kernel]:
    """Return a compiled function whose kernel is machine code that is not asked about, and the kernel."""
    compiled = astrace.compile(function, backend="native", recompile_limit=50)
    compiled(*args)
    kernel, *_ = compiled.captures[-1].kernels
    assert kernel.runs == 1
    return compiled, kernel


def same_as_plain(function: Any, compiled: Any, make: Callable[[], tuple[Any, ...]]) -> None:
    """Compare a call with the plain one, with what it writes and tells."""
    expected, found = harness.observe(function, make()), harness.observe(compiled, make())
    assert harness.differences(expected, found) == []


def asked(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return what will hold what machine code gives where the kernel is asked."""
    found: list[Any] = []
    ask = kernel._frame._scope["ask"]
    monkeypatch.setitem(kernel._frame._scope, "ask", lambda one, *args: found.append(one) or ask(one, *args))
    return found


# -- vectors and matrices that are odd -----------------------------------------------------------------------------


def unaligned(size: int) -> Any:
    return np.frombuffer(bytearray(8 * size + 1), np.uint8)[1:].view(np.float64)


def fixed(array: Any) -> Any:
    array.flags.writeable = False
    return array


VECTORS: dict[str, Callable[[], Any]] = {
    "plain": lambda: np.arange(6.0),
    "empty": lambda: np.zeros(0),
    "one": lambda: np.ones(1),
    "strided": lambda: np.arange(12.0)[::2],
    "backwards": lambda: np.arange(6.0)[::-1],
    "unaligned": lambda: unaligned(6),
    "fixed": lambda: fixed(np.arange(6.0)),
    "one place": lambda: np.broadcast_to(np.ones(1), 6),
    "one place, to be written": lambda: np.lib.stride_tricks.as_strided(np.ones(1), (6,), (0,)),
    "overlapping rows": lambda: np.lib.stride_tricks.as_strided(np.arange(6.0), (4,), (8,)),
}
MATRICES: dict[str, Callable[[], Any]] = {
    "plain": lambda: np.arange(12.0).reshape(3, 4),
    "by columns": lambda: np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "part": lambda: np.arange(30.0).reshape(5, 6)[1:4, 1:5],
    "part, by columns": lambda: np.asfortranarray(np.arange(30.0).reshape(5, 6))[1:4, 1:5],
    "backwards": lambda: np.arange(12.0).reshape(3, 4)[::-1, ::-1],
    "overlapping": lambda: np.lib.stride_tricks.as_strided(np.arange(12.0), (3, 4), (16, 8)),
    "one column": lambda: np.arange(12.0).reshape(3, 4)[:, :1],
    "none": lambda: np.zeros((0, 4)),
}


def pairs(made: dict[str, Callable[[], Any]]) -> Iterator[tuple[Any, Any]]:
    """Yield arrays that are apart, and those that share memory."""
    for one, other in itertools.product(made.values(), repeat=2):
        yield one(), other()
    for make in made.values():
        array = make()
        yield array, array
        yield array, array[1:]
        yield array[: len(array) // 2], array[len(array) // 2 :]


@pytest.mark.parametrize(("function", "made"), [(blended, VECTORS), (blended_rows, MATRICES)])
def test_what_passes_would_be_admitted(function: Any, made: dict[str, Callable[[], Any]]) -> None:
    """Machine code passes nothing that is not admitted, and all pairs of common arrays."""
    extra = (4,) if function is blended else ()
    first = made["plain"]
    _, kernel = hot(function, first(), first(), *extra)
    passed = refused = 0
    for a, b in pairs(made):
        names = [value.name for value in kernel._lowered.block.inputs]
        given = [{"a": a, "b": b}.get(name, 4) for name in names]
        assert kernel.machine_code is not None
        kernel.machine_code._piece(given)  # for the order of their axes
        admitted = kernel._admit(*given) != NOT_ADMITTED
        passes = kernel._passes(given)
        assert admitted or not passes
        passed += passes
        refused += admitted and not passes
    assert passed > 20 and refused <= 6


@pytest.mark.parametrize("name", VECTORS)
def test_odd_vectors_do_as_plain_ones_when_the_kernel_is_hot(name: str) -> None:
    make = VECTORS[name]
    compiled, _ = hot(blended, np.arange(6.0), np.arange(6.0), 4)
    for size in (0, 3, 6, 7):
        same_as_plain(blended, compiled, lambda size=size: (make(), np.arange(6.0), size))
        same_as_plain(blended, compiled, lambda size=size: (np.arange(6.0), make(), size))
        same_as_plain(blended, compiled, lambda size=size: ((array := make()), array, size))


def test_parts_of_one_array() -> None:
    """Those that end where another one begins are apart; others are asked about, and NumPy's."""
    compiled, kernel = hot(blended_wholes, np.arange(4.0), np.arange(4.0))
    assert kernel._checks.apart
    for start, step, runs in ((4, 1, 1), (3, 1, 0), (1, 1, 0), (0, 1, 0), (4, -1, 0), (8, -1, 1)):
        before = kernel.runs

        def make(start: int = start, step: int = step) -> tuple[Any, ...]:
            array = np.arange(9.0)
            return array[:4], array[start::step][:4]

        same_as_plain(blended_wholes, compiled, make)
        assert kernel.runs == before + runs, (start, step)


# -- numbers, settings, functions --------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2**31, 2**31 + 1, 2**63, -(2**31) - 1, -(2**70), np.int64(3), True])
def test_integers(size: Any) -> None:
    compiled, _ = hot(blended, np.arange(4.0), np.arange(4.0), 4)
    same_as_plain(blended, compiled, lambda: (np.arange(4.0), np.arange(4.0), size))


def test_a_hot_kernel_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, kernel = hot(blended, np.arange(4.0), np.arange(4.0), 4)
    found = asked(kernel, monkeypatch)
    for size in (0, 1, 4):
        compiled(np.arange(4.0), np.arange(4.0), size)
    assert kernel.runs == 4 and not found
    compiled(np.arange(8.0)[::2], np.arange(4.0), 4)  # another piece of machine code is needed, once
    compiled(np.arange(8.0)[::2], np.arange(4.0), 4)
    assert kernel.runs == 6 and found == [NotImplemented]


def test_a_hot_kernel_follows_the_settings_of_numpy() -> None:
    compiled, kernel = hot(blended, np.arange(4.0), np.arange(4.0), 4)
    tiny = np.full(4, 1e-320)
    with np.errstate(under="raise"):
        same_as_plain(blended, compiled, lambda: (tiny.copy(), np.zeros(4), 4))
    assert kernel.runs == 1
    with np.errstate(over="raise"):  # is not looked at: machine code gives up where anything is to be told
        same_as_plain(blended, compiled, lambda: (np.full(4, 1e308), np.full(4, 1.7e308), 4))
    same_as_plain(blended, compiled, lambda: (np.full(4, 1e308), np.full(4, 1.7e308), 4))
    runs = kernel.runs
    compiled(np.arange(4.0), np.arange(4.0), 4)
    assert kernel.runs == runs + 1 and kernel.failures == 0


def answers(monkeypatch: pytest.MonkeyPatch, kernel: Any, name: str) -> list[bool]:
    """What a test of a kernel answers from now on."""
    given: list[bool] = []
    test = getattr(kernel, name)
    monkeypatch.setattr(kernel, name, lambda: given.append(test()) or given[-1])
    return given


def test_settings_that_a_kernel_does_not_mind_are_read_by_machine_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled, kernel = hot(blended, np.arange(4.0), np.arange(4.0), 4)
    looked = answers(monkeypatch, kernel, "_admits_settings")
    asked = answers(monkeypatch, kernel, "_settings_are_known")
    for size in (3, 5):
        with np.errstate(over="ignore"):
            for _ in range(3):
                same_as_plain(blended, compiled, lambda size=size: (np.arange(4.0), np.arange(4.0), size))
            with np.errstate(under="raise"):
                tiny = np.full(4, 1e-320)
                same_as_plain(blended, compiled, lambda: (tiny.copy(), np.zeros(4), 4))
    assert False in looked and True not in looked and True not in asked
    assert kernel.runs == 4


def test_settings_whose_form_is_not_known_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_settings, "variable", lambda: None)
    compiled, kernel = hot(blended, np.arange(4.0), np.arange(4.0), 4)
    looked = answers(monkeypatch, kernel, "_admits_settings")
    for size in (3, 5):
        with np.errstate(over="ignore"):
            for _ in range(3):
                same_as_plain(blended, compiled, lambda size=size: (np.arange(4.0), np.arange(4.0), size))
    assert looked == [True, True]
    assert kernel.runs == 4


def test_a_hot_kernel_sees_functions_that_were_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, kernel = hot(root_sum, np.arange(4.0))
    runs = kernel.runs
    monkeypatch.setattr(math, "sqrt", math.cos)
    given = [np.arange(4.0)]
    (sums,) = [kernel.entry(*(given[0] if one.name == "a" else 4 for one in kernel._lowered.block.inputs))]
    assert sums[0] is False and kernel.runs == runs
    same_as_plain(root_sum, compiled, lambda: (np.arange(4.0),))
    monkeypatch.undo()
    same_as_plain(root_sum, compiled, lambda: (np.arange(4.0),))
    assert kernel.runs > runs


def test_what_a_hot_kernel_gives() -> None:
    """A number that is handed on is the object that came in, others have their types."""
    compiled, kernel = hot(last_or_first, np.arange(2.0), 2, 7.25)
    given = float("7.25")
    found, item = compiled(np.arange(2.0), 2, given)
    assert found is given and type(item) is np.float64 and item == 1.0
    found, item = compiled(np.arange(5.0), 5, given)
    assert (found, item, type(found)) == (1.5, 4.0, float)
    assert kernel.runs == 3


# -- the ledger ----------------------------------------------------------------------------------------------------


def test_the_ledger_counts() -> None:
    ledger = Ledger()
    ledger.grant(2, 5)
    ledger.grant(3, -5)
    ledger.words[FIRST + 2] -= 2
    ledger.words[FIRST + 3] += 4
    assert (ledger.settle(2), ledger.settle(3), ledger.settle(2), ledger.settle(4)) == (2, 4, 0, 0)
    ledger.grant_all(EVER)
    assert len(ledger.words) == FIRST + MAGNITUDES and ledger.words[FIRST:].min() == EVER
    ledger.ran()
    assert ledger.runs == 1


# -- arrays in whose memory no other array lies ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "apart", "alone"),
    [
        ((0,), ((0, 1),), {1}),
        ((0,), ((0, 1), (2, 0)), {0, 1, 2}),
        ((0, 1), ((0, 1), (0, 2)), {0}),
        ((0, 1), (), set()),
        ((), (), {0, 1, 2}),
    ],
)
def test_arrays_that_are_alone(written: Any, apart: Any, alone: Any) -> None:
    """LLVM is told of an array that no other one overlaps, if one of them is written."""
    assert EntryChecks(arrays=(0, 1, 2), written=written, apart=apart).alone == alone


def blended_lines(a: Any, b: Any) -> None:
    """Statements over three axes, which go by lines."""
    between = np.zeros_like(a)
    between[1:] = a[1:] * b[:-1]
    a[:, 1:] = between[:, 1:] + b[:, :-1]


@pytest.mark.parametrize(
    ("function", "args", "names"),
    [
        (blended_lines, (np.ones((4, 3, 2)), np.ones((4, 3, 2))), ["a", "b"]),
        (blended_wholes, (np.ones(3), np.ones(3)), []),
    ],
)
def test_llvm_is_told_of_arrays_that_are_alone(
    function: Callable[..., Any], args: tuple[Any, ...], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where statements go by lines: other loops may become slower by it."""
    told: list[str] = []
    add = machine._ObjectLibrary.add_ir_module

    def noting(library: Any, module: Any) -> None:
        add(library, module)
        arguments = (one for function in module.functions for one in function.args)
        told.extend(one.name for one in arguments if one.name in library._apart)

    monkeypatch.setattr(machine._ObjectLibrary, "add_ir_module", noting)
    monkeypatch.setattr(machine_code, "current", lambda: None)
    astrace.compile(function, backend="native")(*args)
    assert sorted(name.split(".")[1] for name in told) == names
