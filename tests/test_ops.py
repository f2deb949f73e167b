"""Every row of the op table against what its implementation really does, on the samples of ``samples``.

For each op: what is inferred of a result covers the result; what is said to be safe does not raise; only
what is said to be written changes; only what is said to be shared shares memory; and a compiled function
that uses the op on numbers and objects gives Python's values to the bit (``test_conformance`` has the arrays).
"""

from __future__ import annotations

import contextlib
import inspect
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import conformance
import harness
import numpy as np
import pytest
import samples
from checker import ASPECTS, Checker, Raised, named, sized, unknown

import astrace
from astrace.backends.numpy.backend import compile_block
from astrace.ir.block import Block, Node, Value
from astrace.ir.specs import ANY, INT, AnySpec, ArraySpec, Spec
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.ops.numpy.names import REUSING
from astrace.util.trees import Hole, Pattern

FIRST_CASES: Final = 11
OTHER_CASES: Final = 2
NEVER_WORKS: Final = frozenset(
    f"np.{name}"
    for name in (
        *("generic", "number", "integer", "floating", "inexact", "signedinteger", "unsignedinteger"),
        *("complexfloating", "flexible", "character", "isnat.at", "bmat"),
        *("ldexp.accumulate", "ldexp.reduceat"),
    )
)
"""Rows of things that can't be called, or not with any numbers."""


def test_every_op_has_a_sample() -> None:
    assert sorted(set(OPS.by_name) - set(samples.samples())) == []
    assert sorted(set(samples.samples()) - set(OPS.by_name)) == []


# -- the samples' blocks -------------------------------------------------------------------------------------


@cache
def block_of(name: str, text: str) -> tuple[Block, Any]:
    """A sample as a block, before any pass."""
    if text.startswith("op("):
        return samples.built(name, text)
    for case in samples.cases(text):
        stages = astrace.compile(samples.function_of(text)).stages(**case)
        if stages.recording is not None:
            return stages.recording.block, stages.recording.result
    raise AssertionError(f"{text} is not captured: {stages.fallback}")


@pytest.mark.parametrize("name", samples.samples())
def test_samples_show_the_op(name: str) -> None:
    """Each op is recorded by a sample of its own that works."""
    shows = [
        text
        for text in samples.samples()[name]
        if any(node.op == name for node in nodes(block_of(name, text)[0]))
    ]
    works = any(
        harness.observe(run, (text, name, case)).error is None
        for text in shows
        for case in samples.cases(text)
    )
    assert shows and (works or name in NEVER_WORKS)


def run(text: str, name: str, case: Mapping[str, Any]) -> Any:
    """Run a sample as plain Python."""
    if text.startswith("op("):
        return eval(text, {**samples.MODULES, **case, "op": OPS[name].function})
    return samples.function_of(text)(**case)


# -- what is said of results, against results ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "aspect"),
    [(name, aspect) for name in samples.samples() for aspect in ASPECTS],
)
def test_rows_are_true(name: str, aspect: str) -> None:
    """Over all dtypes and ranks, and all pairs of operands of an operator."""
    assert faults(name)[aspect] == []


@cache
def faults(name: str) -> Mapping[str, Sequence[str]]:
    """Return the statements of the rows of a sample's ops that are not true."""
    checker = Checker(sized, named, unknown)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for text in samples.samples()[name]:
            block, _ = block_of(name, text)
            for case in samples.cases(text):
                with contextlib.suppress(Raised):
                    checker.run(block, list(case.values()))
            checker.ways = (sized,)
            for case in samples.pairs(text):
                with contextlib.suppress(Raised):
                    checker.run(block, list(case.values()))
            checker.ways = (sized, named, unknown)
    return checker.found


# -- compiled functions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", samples.samples())
def test_compiled_gives_the_same(name: str) -> None:
    """On all kinds of numbers for the first sample of an op, on some for the others."""
    for number, text in enumerate(samples.samples()[name]):
        cases = samples.cases(text)
        if "a" not in cases[0] and not conformance.VARIED.keys().isdisjoint(cases[0]):
            continue
        count = OTHER_CASES if number else len(cases) if "a" in cases[0] else FIRST_CASES
        for case in cases[:count]:
            compiled = compiled_of(name, text)
            plain = harness.observe(lambda *args: run(text, name, dict(zip(case, args))), fresh(case))
            found = harness.observe(compiled, fresh(case))
            assert harness.differences(plain, found) == [], (text, case)


def compiled_of(name: str, text: str) -> Callable[..., Any]:
    """A sample as a compiled function."""
    if not text.startswith("op("):
        return astrace.compile(samples.function_of(text))
    block, result = block_of(name, text)
    executable = compile_block(block, result, "f", "sample")
    assert executable.used == tuple(range(len(block.inputs)))
    return executable.function


def fresh(case: Mapping[str, Any]) -> tuple[Any, ...]:
    """A copy of a case's arguments."""
    return harness.fresh_arguments(tuple(case.values()))


# -- places of arguments -------------------------------------------------------------------------------------


NO_SIGNATURE: Final = frozenset({"np.fromstring"})
FUNCTIONS: Final = [
    name
    for name, op in OPS.by_name.items()
    if name.startswith("np.") and not isinstance(op.function, np.ufunc | type) and name not in NO_SIGNATURE
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_places_are_those_of_signatures(name: str) -> None:
    """Signatures confirm the positions of ``out``, and the arguments that make a function reuse its input."""
    op = OPS[name]
    parameters = inspect.signature(op.function).parameters
    places = {one: place for place, one in enumerate(parameters)}
    if "out" in parameters:
        by_position = parameters["out"].kind is not inspect.Parameter.KEYWORD_ONLY
        assert set(op.writes) == {"out", *([places["out"]] if by_position else ())}
    elif op.writes and not name.endswith(".at"):
        assert set(op.writes) in ({"out"}, {0, next(iter(parameters))})
    switch = REUSING.get(name.removeprefix("np."))
    if switch is not None:
        assert (places[switch.name], parameters[switch.name].default) == (switch.place, switch.default)


OF_ATTRIBUTES: Final = frozenset({"device_apply", "returned", "unpack"})
"""Ops that no call of the user's leads to, and that have attributes of their own."""


@pytest.mark.parametrize("spec", [ANY, INT, ArraySpec((3,), np.dtype(float)), AnySpec(list)], ids=str)
def test_rows_bear_any_number_of_arguments(spec: Spec) -> None:
    """Nothing is known of a call with too few or too many arguments, which Python refuses."""
    for name, op in OPS.by_name.items():
        for count in range(0 if name in OF_ATTRIBUTES else 5):
            holes = Pattern(tuple(map(Hole, range(count))), {})
            node = Node(name, tuple(Value(spec) for _ in range(count)), (), {"pattern": holes})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert len(infer(op, node.inputs, node.attrs, 1)) == 1, (name, count)
