"""Every op on arrays against NumPy, to the bit: all dtypes × ranks 0 to 3 × layouts, through trace and backend.

In one case of four NumPy raises what it warns of otherwise.

What is compared is all that can be seen: values, dtype, class, shape, strides and flags of results, exceptions with
their line, warnings with theirs, what became of the arguments, which arrays share memory.  What was inferred of each result
while tracing has to describe it, too.

    pytest tests/test_conformance.py            # every op with every dtype; ranks and layouts in turn
    pytest tests/test_conformance.py --whole    # the whole product
"""

from __future__ import annotations

import contextlib
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import conformance
import harness
import numpy as np
import pytest
import samples
from checker import Checker, Raised, sized
from conformance import Case

import astrace

READS_BEYOND: Final = ("np.lib.stride_tricks.as_strided", "np.fft.irfft", "np.fft.hfft")
"""Functions that read what was there before, where an array is too short."""

READS_PADDING: Final = (
    "ndarray.byteswap",
    "ndarray.tobytes",
    "ndarray.dumps",
    "ndarray.dump",
    "v.view('uint8')",
)
"""Functions, and a sample, that give all the bytes of a long double, those without meaning among them."""


def texts(name: str) -> list[str]:
    """The samples of an op with arrays in them."""
    return [text for text in samples.samples()[name] if not text.startswith("op(") and varied(text)]


def varied(text: str) -> list[str]:
    """The operands of a sample that take every dtype and rank."""
    return [name for name in samples.names_in(text) if name in conformance.VARIED]


OPS: Final = [name for name in samples.samples() if texts(name)]


@pytest.mark.parametrize("name", OPS)
def test_as_numpy(name: str, request: pytest.FixtureRequest) -> None:
    """No difference in any case."""
    whole = request.config.getoption("--whole")
    assert list(differences(name, cases_of(name, whole))) == []


def cases_of(name: str, whole: bool) -> Iterator[tuple[str, Sequence[Case]]]:
    """The samples of an op with their cases; one of each dtype is divided among its samples."""
    listed, first = texts(name), OPS.index(name)
    for number, text in enumerate(listed):
        pairs = len(varied(text)) > 1
        if whole:
            yield text, conformance.all_cases(pairs)
        else:
            yield text, conformance.some_cases(pairs, first * len(listed) + number, len(listed))


def differences(
    name: str, cases: Iterator[tuple[str, Sequence[Case]]]
) -> Iterator[tuple[str, Case, list[str]]]:
    """Yield the differences, with the sample and the case."""
    for text, chosen in cases:
        for _, group in itertools.groupby(chosen, key=lambda case: (case.dtype, case.other, case.rank)):
            alike = [case for case in group if not reads_beyond(name, text, case)]
            compiled = astrace.compile(samples.function_of(text), recompile_limit=len(samples.OPERANDS))
            found = [(text, case, run(text, compiled, case)) for case in alike]
            found += [(text, case, untrue(text, compiled, case)) for case in alike[:1]]
            yield from (one for one in found if one[2])


def reads_beyond(name: str, text: str, case: Case) -> bool:
    """Return whether NumPy's own result varies between runs."""
    if name in READS_PADDING or text.startswith(READS_PADDING):
        return "longdouble" in case.dtype
    return case.layout in ("empty", "single") and name.startswith(READS_BEYOND)


def writes_a_buffer_back(text: str, case: Case) -> bool:
    """Return whether a power of integers that raises leaves what a buffer held: it stops at a negative exponent."""
    if not text.startswith("a **= b"):
        return False
    left, right = np.dtype(case.dtype), np.dtype(case.other)
    return (left != right or not left.isnative) and {left.kind, right.kind} <= {"i", "u"}


def run(text: str, compiled: Callable[..., Any], case: Case) -> list[str]:
    """Return the differences between one run of a sample in plain Python and compiled."""
    names = samples.names_in(text)
    with np.errstate(all="raise" if case.turn % 4 == 3 else "warn"):
        plain = conformance.observed(samples.function_of(text), conformance.operands(names, case))
        found = conformance.observed(compiled, conformance.operands(names, case))
    seen = harness.differences(plain, found) + harness.misplaced(plain, found)
    if plain.error is not None and found.error is not None and writes_a_buffer_back(text, case):
        seen = [one for one in seen if not one.startswith("left arguments")]
    if plain.warned != found.warned:
        seen.append(f"warned {found.warned} instead of {plain.warned}")
    compared_as_they_come = case.dtype == "object" and "key=" in text
    if plain.error is None and compiled.stats.fallbacks and not compared_as_they_come:
        seen.append("runs as plain Python")
    return seen


def untrue(text: str, compiled: Any, case: Case) -> list[str]:
    """Return the statements of the rows of a sample's ops that are not true."""
    names, checker = samples.names_in(text), Checker(sized)
    given = dict(zip(names, conformance.operands(names, case), strict=True))
    recording = compiled.stages(**given).recording
    if recording is not None:
        with warnings.catch_warnings(), contextlib.suppress(Raised):
            warnings.simplefilter("ignore")
            checker.run(recording.block, [item.path.follow(given) for item in recording.inputs])
    return [fault for faults in checker.found.values() for fault in faults]
