"""Memory that kernels have freed: it is kept for later calls, up to a limit, and never while anything refers to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import astrace

pytest.importorskip("numba")

from astrace.backends.native.entry.freed_memory import HELD, LEAST, MOST, SLOTS  # noqa: E402 - they need Numba
from astrace.backends.native.symbols import FREED_SLOTS, freed_memory  # noqa: E402


def flows(x: Any, mask: Any) -> Any:
    """Fluxes whose arrays are as large as the field, one of which is written before the kernel may give up."""
    east = np.zeros_like(x)
    east[1:] = (x[1:] - x[:-1]) * mask[1:]
    back = np.roll(east, 1, axis=0) * 2.0
    x[...] = x + np.roll(back, 2, axis=0) - east
    return x + np.roll(back, -1, axis=0)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The function with kernels; nobody judges them."""
    monkeypatch.setenv("ASTRACE_CACHE_DIR", "0")
    yield astrace.compile(flows, backend="native")


def fields(rows: int, columns: int = 64) -> tuple[Any, Any]:
    draws = np.random.default_rng(rows)
    return draws.normal(size=(rows, columns)), (draws.random((rows, columns)) > 0.3).astype(float)


def kept() -> list[int]:
    """The sizes of the blocks that lie there."""
    words = list(freed_memory())[SLOTS:]
    return [size for address, size in zip(words[::2], words[1::2], strict=True) if address]


def verify(compiled: Any, rows: int) -> Any:
    """Compare a call with plain NumPy's; return what came out of it."""
    given, expected = fields(rows), fields(rows)
    found, plain = compiled(*given), flows(*expected)
    assert found.tobytes() == plain.tobytes()
    assert given[0].tobytes() == expected[0].tobytes()
    return found


def test_memory_is_kept_and_taken_again(compiled: Any) -> None:
    verify(compiled, 400)
    before = sorted(kept())
    assert any(400 * 64 * 8 <= size < 400 * 64 * 8 * 1.25 for size in before)
    assert freed_memory()[HELD] == sum(before)
    for _ in range(5):
        verify(compiled, 400)
    assert sorted(kept()) == before


def test_small_memory_is_the_c_librarys(compiled: Any) -> None:
    verify(compiled, 4)
    assert min(kept(), default=LEAST) >= LEAST


def test_limits(compiled: Any) -> None:
    for rows in (*range(100, 9000, 430), 40_000, 90_000, 300):
        verify(compiled, rows)
        assert freed_memory()[HELD] == sum(kept()) <= MOST
        assert len(kept()) <= FREED_SLOTS


def test_results_stay_what_they_are(compiled: Any) -> None:
    """What has come out is not taken for the arrays of later calls, before it is dropped."""
    results = [verify(compiled, 300) for _ in range(4)]
    views, copies = [one[1:, ::2] for one in results], [one[1:, ::2].copy() for one in results]
    del results
    verify(compiled, 300)
    assert all(view.tobytes() == copy.tobytes() for view, copy in zip(views, copies, strict=True))


def test_what_is_put_back(compiled: Any) -> None:
    """A kernel that gives up puts back what it copied there, and NumPy runs."""
    verify(compiled, 350)
    given, expected = fields(350), fields(350)
    for one, _ in (given, expected):
        one[100, 5] = np.inf
    with np.errstate(invalid="ignore"):
        found, plain = compiled(*given), flows(*expected)
    assert np.array_equal(found, plain, equal_nan=True)
    assert np.array_equal(given[0], expected[0], equal_nan=True)
    assert freed_memory()[HELD] == sum(kept())


def test_threads(compiled: Any) -> None:
    """Several threads take blocks out of the same slots."""
    verify(compiled, 200)
    wrong: list[BaseException] = []

    def run(rows: int) -> None:
        try:
            for turn in range(40):
                verify(compiled, rows + turn % 3)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(rows,)) for rows in (200, 200, 260, 500)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert wrong == []
    assert freed_memory()[HELD] == sum(kept())
