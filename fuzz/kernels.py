"""Programs of the kinds ``nests`` and ``typed`` through kernels, whose results have to be those of plain Python to the bit.

Each call is made twice: the second time the kernel is compiled, or has given up once.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

import harness
import variants

import astrace
from astrace.backends.native import backend as native_backend
from astrace.backends.native import warm_up
from astrace.backends.native.partition import Partition
from fuzz.compare import loaded, outcome_of
from fuzz.nests import Arguments


@contextmanager
def run_by_python() -> Iterator[None]:
    """Let Python run the text of kernels: that takes no time to compile."""
    with mock.patch.object(native_backend, "Partition", functools.partial(Partition, compiled=False)):
        yield


CALLS: Final = {"native": 2, "auto": 4}
"""How often a function is called with the same arguments: also as it was before it was compiled, and while it is judged."""
HIDING: Final = "hidden = operator.itemgetter(slice(None))\n"
"""What gives its argument again; a capture knows nothing of what it gives."""


def with_hidden_arguments(source: str) -> str:
    """Return a program in which nothing is known of the arguments of ``f`` until it runs."""
    head, line, body = re.split(r"^(def f\(.*\):\n)", source, maxsplit=1, flags=re.MULTILINE)
    names = ", ".join(re.findall(r"\w+", line)[2:])
    return f"import operator\n\n{head}{HIDING}\n\n{line}    {names}, = hidden([{names}])\n{body}"


def compare_seen(
    source: str, seed: int, way: variants.Variant | None, arguments: Arguments
) -> tuple[list[str], str]:
    """As `compare`, for a program with hidden arguments: loops become kernels for the types that they are entered with."""
    text = with_hidden_arguments(source)
    variables = {"ASTRACE_CACHE_DIR": "0", "ASTRACE_CHILD": "0"}
    with mock.patch.dict(os.environ, variables), mock.patch.object(warm_up, "HOT", 0.0):
        return compare(text, seed, way, arguments, through_numba=False, backend="auto")


def compare(
    source: str,
    seed: int,
    _way: variants.Variant | None,
    arguments: Arguments,
    through_numba: bool,
    backend: str = "native",
) -> tuple[list[str], str]:
    """What differs for one program, and what became of it: how many kernels ran, or why there are none."""
    with loaded(source, f"loops{seed}_plain") as plain, loaded(source, f"loops{seed}_captured") as captured:
        function = astrace.compile(captured.f, backend=backend, recompile_limit=variants.MANY)
        found: list[str] = []
        for given in [one for one in arguments(seed) for _ in range(CALLS[backend])]:
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
