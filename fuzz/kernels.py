"""Programs of the kinds ``nests`` and ``typed`` through kernels, whose results have to be those of plain Python to the bit.

Each call is made twice: the second time the kernel is compiled, or has given up once.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import harness
import variants

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition
from fuzz.compare import loaded, outcome_of
from fuzz.nests import Arguments


@contextmanager
def run_by_python() -> Iterator[None]:
    """Let Python run the text of kernels: that takes no time to compile."""
    with mock.patch.object(backend, "Partition", functools.partial(Partition, compiled=False)):
        yield


def compare(
    source: str, seed: int, _way: variants.Variant | None, arguments: Arguments, through_numba: bool
) -> tuple[list[str], str]:
    """What differs for one program, and what became of it: how many kernels ran, or why there are none."""
    with loaded(source, f"loops{seed}_plain") as plain, loaded(source, f"loops{seed}_captured") as captured:
        function = astrace.compile(captured.f, backend="native", recompile_limit=variants.MANY)
        found: list[str] = []
        for given in [one for one in arguments(seed) for _ in range(2)]:
            expected = harness.observe(plain.f, harness.fresh_arguments(given))
            if through_numba:
                outcome = harness.observe(function, harness.fresh_arguments(given))
            else:
                with run_by_python():
                    outcome = harness.observe(function, harness.fresh_arguments(given))
            found += [f"{given}: {one}" for one in harness.differences(expected, outcome)]
        kernels: list[Any] = [kernel for capture in function.captures for kernel in capture.kernels]
        if kernels:
            return found, "a kernel ran" if any(kernel.runs for kernel in kernels) else "kernels gave up"
        codes = sorted(
            reason.code for capture in function.captures if (reason := capture.refused) is not None
        )
        return found, f"no kernel, {codes[0]}" if codes else outcome_of(function)
