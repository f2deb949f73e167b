"""The kernels of the benchmarks: captured whole, the same for all sizes, and exact in all that can be seen.

`harness.differences` compares results, exceptions, changed arguments and which arrays share memory.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import harness
import numpy as np
import pytest
from variants import VARIANTS, Variant, captured_by

import astrace
from astrace.compiler.stages import Stages
from benchmarks.kernels import KERNELS, Kernel

MANY = 1_000
NARROW = {"float64": np.float32, "complex128": np.complex64, "int64": np.int32}
NAMES = [kernel.name for kernel in KERNELS]


def narrowed(value: Any) -> Any:
    """Arguments with arrays of half the size for each number."""
    if isinstance(value, tuple | list):
        return type(value)(map(narrowed, value))
    if isinstance(value, np.ndarray) and value.dtype.name in NARROW:
        return value.astype(NARROW[value.dtype.name])
    return value


def cases(kernel: Kernel) -> Iterator[tuple[Any, ...]]:
    """Two sizes; other branches and numbers of iterations; all of them in other dtypes."""
    given = [kernel.make(kernel.small), kernel.make(kernel.small + 1), *kernel.others()]
    yield from given
    yield from map(narrowed, given)


def stages_of(kernel: Kernel, size: int) -> Stages:
    """The stages of a capture with nothing known beforehand."""
    return astrace.compile(kernel.function, fullgraph=True).stages(*kernel.make(size))


def compared(kernel: Kernel, captured: Callable[..., Any], given: tuple[Any, ...]) -> list[str]:
    """Return the differences of one call."""
    plain, found = copy.deepcopy(given), copy.deepcopy(given)
    return harness.differences(harness.observe(kernel.function, plain), harness.observe(captured, found))


def test_there_are_enough() -> None:
    assert len(set(NAMES)) == len(NAMES) >= 80


@pytest.mark.parametrize("kernel", KERNELS, ids=NAMES)
def test_is_exact(kernel: Kernel) -> None:
    """And the two sizes work, with one capture for both."""
    compiled = astrace.compile(kernel.function, fullgraph=True, recompile_limit=MANY)
    for number, given in enumerate(cases(kernel)):
        assert compared(kernel, compiled, given) == [], given
        if number < 2:
            assert compiled.stats.traces == 1
            kernel.function(*copy.deepcopy(given))


@pytest.mark.parametrize("kernel", KERNELS, ids=NAMES)
def test_block_does_not_depend_on_the_size(kernel: Kernel) -> None:
    """No loop is unrolled, nothing is left plain, and no size is written into the block."""
    texts = set[str]()
    for size in (kernel.small, kernel.small + 1, kernel.large):
        stages = stages_of(kernel, size)
        assert stages.recording is not None and stages.graph is not None
        assert stages.recording.plain_calls == ()
        assert [note for note in stages.recording.notes if note.code == "AT005"] == []
        texts |= {str(stages.recording.block), str(stages.graph.block)}
    assert len(texts) <= 2


@pytest.mark.parametrize("variant", VARIANTS[1:4], ids=lambda one: one.name)
@pytest.mark.parametrize("kernel", KERNELS, ids=NAMES)
def test_is_exact_in_every_way(kernel: Kernel, variant: Variant) -> None:
    """Interpreted and compiled, with and without passes."""
    captured = captured_by(variant, kernel.function)
    for given in (kernel.make(kernel.small), *kernel.others()):
        assert compared(kernel, captured, given) == [], given
