"""The JAX backend: every program of the corpus, and every kernel, gives what plain Python gives, or is refused with a reason.

    pytest tests/test_jax.py --store

writes the tables of refusals in docs/reference/jax.md anew; the difference is reviewed as text.
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

import astrace
from benchmarks.kernels import KERNELS, Kernel

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "jax.md"
ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (.+) \|$", re.MULTILINE)
PROGRAMS, OF_KERNELS = "programs", "kernels"
NOISE = 20


def refusals(kind: str = PROGRAMS) -> dict[str, tuple[str, str]]:
    """What the page says of programs, or kernels, that are refused."""
    return {name: (code, why) for name, code, why in ROW.findall(sections()[kind])}


def sections() -> dict[str, str]:
    """The page up to each of its two tables' ends."""
    before, after = PAGE.read_text().split("\n## Kernels that are refused\n")
    return {PROGRAMS: before, OF_KERNELS: after}


def runs_of(name: str) -> Any:
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


def is_whole(function: Any) -> bool:
    """Whether all that was captured runs through JAX."""
    executables = [entry.stages.executable for entry in function._entries]
    return all(one is not None and one.backend == "jax" for one in executables)


def reason_of(function: Any) -> tuple[str, str] | None:
    """Why a function does not run through JAX; ``None`` where it does."""
    for entry in function._entries:
        reason = entry.stages.refused or entry.stages.fallback
        if reason is not None:
            return reason.code, reason.message.replace("|", "\\|")
    return None


@pytest.mark.parametrize("name", harness.program_names())
def test_programs_through_jax(name: str, request: pytest.FixtureRequest) -> None:
    """Results, types, shapes, changed arguments and exceptions; and the reason where it is refused."""
    reason = reason_of(runs_of(name))
    if request.config.getoption("--store"):
        store(PROGRAMS, name, reason)
    assert refusals().get(name) == reason


def store(kind: str, name: str, reason: tuple[str, str] | None) -> None:
    """Write a row of one of the tables."""
    rows = {**refusals(kind), name: reason}
    head = sections()[kind].split("|---|---|---|\n")[0]
    lines = [f"| `{one}` | {found[0]} | {found[1]} |\n" for one, found in sorted(rows.items()) if found]
    written = {**sections(), kind: f"{head}|---|---|---|\n{''.join(lines)}"}
    PAGE.write_text("\n## Kernels that are refused\n".join(written.values()))


NOISE_ALONE = {"gram_schmidt": (5,), "conjugate_gradients": (3,)}
"""Arguments for which nothing but rounding decides what comes out: dependent columns, turns past the solution."""


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda one: one.name)
def test_kernels_through_jax(kernel: Kernel, request: pytest.FixtureRequest) -> None:
    """Kernels, on a small size and on arguments that take other ways."""
    function = astrace.compile(kernel.function, backend="jax")
    calls = (kernel.make(kernel.small), *kernel.others())
    for number, given in enumerate(calls):
        expected = harness.observe(kernel.function, harness.fresh_arguments(given))
        found = harness.observe(function, harness.fresh_arguments(given))
        differs = differences(expected, found)
        assert number in NOISE_ALONE.get(kernel.name, ()) or differs == [], given
        if reason_of(function) is not None:
            break
    reason = reason_of(function)
    if request.config.getoption("--store"):
        store(OF_KERNELS, kernel.name, reason)
    assert refusals(OF_KERNELS).get(kernel.name) == reason


def test_the_common_programs_run_whole() -> None:
    """Of the 85 programs that others are measured on, at least 70 run through JAX."""
    assert len(set(harness.COMMON) - set(refusals())) >= 70


def test_the_table_names_programs() -> None:
    """No row is left from a program, or a kernel, that is gone."""
    assert set(refusals()) <= set(harness.program_names())
    assert set(refusals(OF_KERNELS)) <= {kernel.name for kernel in KERNELS}


def test_jax_is_imported_when_somebody_asks_for_it() -> None:
    """Importing astrace, and running through NumPy, does without."""
    code = "import sys, astrace; astrace.compile(abs); sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
