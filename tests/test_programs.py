"""Every program of the corpus: captured, it does what plain Python does, whichever way its block goes.

pytest tests/test_programs.py           # all passes and none; without one and with one only, in turn
pytest tests/test_programs.py --whole   # each program in every way
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import islice
from typing import Any

import harness
import pytest
from noise import CALLS, FEWER, noise_of, varies
from variants import VARIANTS, Variant, captured_by, ways_of

import astrace
from astrace.backends.native import backend
from astrace.backends.native.partition import Partition


@pytest.mark.parametrize("name", harness.program_names())
def test_calls_as_plain_python(name: str) -> None:
    """The program's own calls, in order, with the world changed between them, through one compiled function."""
    plain, captured = harness.load_program(name), harness.load_program(name)
    function = astrace.compile(captured.f)
    results, last = [], ((), ())
    for index, given in enumerate(plain.CALLS):
        for module in (plain, captured):
            harness.prepare(module, index)
        expected = harness.observe(plain.f, harness.fresh_arguments(given))
        found = harness.observe(function, harness.fresh_arguments(captured.CALLS[index]))
        results.append(harness.shape_of(found.result))
        if not getattr(plain, "VARIES", False):
            assert harness.differences(expected, found) + harness.misplaced(expected, found) == []
        if getattr(plain, "WARNS", False):
            assert expected.warned == found.warned
        last = expected.arguments, found.arguments
    assert harness.same(harness.final(plain, last[0]), harness.final(captured, last[1]))
    assert not getattr(plain, "VARIES", False) or results[0] != results[1]
    assert_whole(function, getattr(plain, "PLAIN", None))


@pytest.mark.parametrize("name", harness.program_names())
def test_calls_through_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with array code and loops as kernels, whose text Python runs."""
    monkeypatch.setenv("ASTRACE_BACKEND", "native")
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))
    test_calls_as_plain_python(name)


def assert_whole(function: Any, expected: str | tuple[str, ...] | None) -> None:
    """Nothing ran as plain Python; or, where a code or several are expected, something did for these reasons."""
    codes = set()
    for entry in function._entries:
        stages = entry.stages
        codes |= {stages.fallback.code} if stages.fallback else set()
        codes |= {reason.code for reason in stages.recording.plain_calls} if stages.recording else set()
    assert codes == ({expected} if isinstance(expected, str) else set(expected or ()))
    assert not function._retired


def test_common_programs_are_captured_whole() -> None:
    """Of the 85 programs that others are measured on, none runs even partly as plain Python."""
    modules = [harness.load_program(name) for name in harness.COMMON]
    assert len(modules) == 85
    assert [module for module in modules if hasattr(module, "PLAIN")] == []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The ways that each program goes with noise."""
    if "variant" in metafunc.fixturenames:
        whole = metafunc.config.getoption("--whole")
        ways = [
            (name, way) for name in harness.program_names() for way in (VARIANTS if whole else ways_of(name))
        ]
        metafunc.parametrize(("name", "variant"), ways, ids=[f"{name}-{way.name}" for name, way in ways])


def test_noise_in_every_way(name: str, variant: Variant, request: pytest.FixtureRequest) -> None:
    """Random arguments of the same kinds, through the interpreter and the backend, with passes on and off."""
    if varies(name):
        plain, captured = harness.load_program(name), harness.load_program(name)
        calls_in_order(plain, captured_by(variant, captured.f), captured)
        return
    noise = noise_of(name)
    captured, function = noise.captured_by(variant)
    all_calls = variant is VARIANTS[0] or request.config.getoption("--whole")
    calls = zip(noise.arguments(captured), noise.plain, strict=True)
    for index, (given, expected) in enumerate(islice(calls, CALLS if all_calls else FEWER)):
        found = harness.observe(function, given)
        assert harness.differences(expected, found) == [], index


def calls_in_order(plain: Any, function: Callable[..., Any], captured: Any) -> None:
    """A program whose result is never twice the same: it runs, and what it leaves behind is compared."""
    for given in plain.CALLS:
        expected = harness.observe(plain.f, harness.fresh_arguments(given))
        found = harness.observe(function, harness.fresh_arguments(given))
        assert found.error == expected.error and type(found.result) is type(expected.result)
    assert harness.same(harness.final(plain, ()), harness.final(captured, ()))
