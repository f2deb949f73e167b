"""The JAX backend: every program of the corpus, and every kernel, gives what plain Python gives, or is refused with a reason.

    pytest tests/test_jax.py --store

writes the tables in docs/reference/jax.md anew; the difference is reviewed as text.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest
from closeness import differences
from left_to_numpy import Exact, is_whole

import astrace
from benchmarks.kernels import KERNELS, Kernel

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "jax.md"
ROW = re.compile(r"^\| `(\w+)` \| (\w+(?: of \w+)?) \| (.+) \|$", re.MULTILINE)
PROGRAMS, OF_KERNELS = "## Programs that are refused", "## Kernels that are refused"
LEFT, OF_KERNELS_LEFT = "## Calls that are left to NumPy", "## Calls of kernels that are left to NumPy"
TABLES = (PROGRAMS, OF_KERNELS, LEFT, OF_KERNELS_LEFT)
NOISE = 20
LARGE = "large"


def table(kind: str = PROGRAMS) -> dict[str, tuple[str, str]]:
    """Return the page's rows of programs, or kernels, that are refused or have calls that are left to NumPy."""
    return {name: (code, why) for name, code, why in ROW.findall(sections()[kind])}


def sections() -> dict[str, str]:
    """The page up to each of its tables' ends."""
    found = re.split(rf"^({'|'.join(TABLES)})$", PAGE.read_text(), flags=re.MULTILINE)
    first, *others = zip(found[1::2], found[2::2], strict=True)
    return {first[0]: f"{found[0]}{first[0]}{first[1]}"} | {head: f"{head}{text}" for head, text in others}


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> Exact:
    """Counts the calls that do not reach XLA."""
    return Exact(monkeypatch)


def runs_of(name: str, exact: Exact) -> Any:
    """A program's calls and some random ones, in plain Python and through JAX; gives the compiled function."""
    plain, captured = harness.load_program(name), harness.load_program(name)
    function = astrace.compile(captured.f, backend="jax")
    varies = getattr(plain, "VARIES", False)
    last: Any = ((), ())
    for index, given in enumerate(plain.CALLS):
        for module in (plain, captured):
            harness.prepare(module, index)
        expected = harness.observe(plain.f, harness.fresh_arguments(given))
        found = harness.observe(function, harness.fresh_arguments(captured.CALLS[index]))
        assert varies or differences(expected, found) == [], given
        last = expected.arguments, found.arguments
        exact.note(function, given, expected.error is not None)
        if reason_of(function) is not None:
            return function  # what the exact backend gives is compared elsewhere
    assert harness.same(harness.final(plain, last[0]), harness.final(captured, last[1]))
    if is_whole(function) and not varies:
        with_noise(name, plain, captured, function)
    return function


def with_noise(name: str, plain: Any, captured: Any, function: Any) -> None:
    """Random arguments of the kinds that the calls have."""
    seed = zlib.crc32(name.encode())
    rng, again = np.random.default_rng(seed), np.random.default_rng(seed)
    for _ in range(NOISE):
        given = harness.noisy_arguments(plain, rng)
        expected = harness.observe(plain.f, given)
        found = harness.observe(function, harness.noisy_arguments(captured, again))
        assert differences(expected, found) == [], given


def reason_of(function: Any) -> tuple[str, str] | None:
    """Return the reason why a function does not run through JAX; ``None`` if it does."""
    for entry in function._entries:
        reason = entry.stages.declined or entry.stages.fallback
        if reason is not None:
            return reason.code, reason.message.replace("|", "\\|")
    return None


@pytest.mark.parametrize("name", harness.program_names())
def test_programs_through_jax(name: str, exact: Exact, request: pytest.FixtureRequest) -> None:
    """Results, types, shapes, changed arguments and exceptions; where it is refused, why; what XLA does not run."""
    reason = reason_of(runs_of(name, exact))
    compare_with_page(request, name, {PROGRAMS: reason, LEFT: None if reason else exact.row()})


def compare_with_page(
    request: pytest.FixtureRequest, name: str, found: dict[str, tuple[str, str] | None]
) -> None:
    """Compare rows with those of the page's tables, or write them."""
    for kind, row in found.items():
        if request.config.getoption("--store"):
            store(kind, name, row)
        assert table(kind).get(name) == row


def store(kind: str, name: str, row: tuple[str, str] | None) -> None:
    """Write a row of one of the tables."""
    rows = {**table(kind), name: row}
    head, _, _ = sections()[kind].rpartition("|---|---|---|\n")
    lines = [f"| `{one}` | {found[0]} | {found[1]} |\n" for one, found in sorted(rows.items()) if found]
    written = {**sections(), kind: f"{head}|---|---|---|\n{''.join(lines)}"}
    PAGE.write_text("\n".join(one.rstrip("\n") + "\n" for one in written.values()))


NOISE_ALONE = {"gram_schmidt": (5,), "conjugate_gradients": (3, LARGE), "mandelbrot": (LARGE,)}
"""Arguments for which rounding decides the result: dependent columns, the iterations until a residual is small enough, and a
map that doubles an error in each of thirty iterations."""


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda one: one.name)
def test_kernels_through_jax(kernel: Kernel, exact: Exact, request: pytest.FixtureRequest) -> None:
    """Kernels, on a small and a large size and on arguments that take other ways."""
    function = astrace.compile(kernel.function, backend="jax")
    calls = (kernel.make(kernel.small), *kernel.others(), kernel.make(kernel.large))
    for number, given in zip((*range(len(calls) - 1), LARGE), calls, strict=True):
        expected = harness.observe(kernel.function, harness.fresh_arguments(given))
        found = harness.observe(function, harness.fresh_arguments(given))
        differs = differences(expected, found)
        assert number in NOISE_ALONE.get(kernel.name, ()) or differs == [], given
        exact.note(function, given, expected.error is not None)
        if reason_of(function) is not None:
            break
    reason = reason_of(function)
    compare_with_page(
        request, kernel.name, {OF_KERNELS: reason, OF_KERNELS_LEFT: None if reason else exact.row()}
    )


def test_the_common_programs_run_whole() -> None:
    """Of the 85 programs that others are measured on, at least 70 run through JAX, at every call."""
    assert len(set(harness.COMMON) - set(table()) - set(table(LEFT))) >= 70


def test_the_tables_name_programs() -> None:
    """No row is left from a program, or a kernel, that is gone."""
    assert set(table()) | set(table(LEFT)) <= set(harness.program_names())
    assert set(table(OF_KERNELS)) | set(table(OF_KERNELS_LEFT)) <= {kernel.name for kernel in KERNELS}


def test_jax_is_imported_when_somebody_asks_for_it() -> None:
    """Importing astrace, and running through NumPy, does without."""
    code = "import sys, astrace; astrace.compile(abs); sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
