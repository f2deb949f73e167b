"""Every row of the op table against what its implementation really does, on the samples of ``samples``.

For each op: what is inferred of a result covers the result; what is said to be safe does not raise; only
what is said to be written changes; only what is said to be shared shares memory; and a compiled function
that uses the op gives NumPy's and Python's values to the bit.
"""

from __future__ import annotations

import contextlib
import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import harness
import numpy as np
import pytest
import samples

import astrace
from astrace.backends.numpy import compile_block
from astrace.ir import interpret
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, Dim, ListSpec, Spec, TupleSpec, UnionSpec, covers, spec_of
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.effects import is_fresh, is_ordered, written
from astrace.ops.infer import arguments, infer
from astrace.ops.numpy_names import REUSING

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

DimOf: TypeAlias = Callable[[int, str], Dim]
"""How a dimension is described, given its size and a name that no other dimension has."""


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
    """What a sample gives as plain Python."""
    if text.startswith("op("):
        return eval(text, {**samples.MODULES, **case, "op": OPS[name].function})
    return samples.function_of(text)(**case)


# -- what is said of results, against results ----------------------------------------------------------------


ASPECTS: Final = ("specs", "safety", "writes", "sharing")


@pytest.mark.parametrize(
    ("name", "aspect"),
    [(name, aspect) for name in samples.samples() for aspect in ASPECTS],
)
def test_rows_are_true(name: str, aspect: str) -> None:
    """Over all dtypes and ranks, and all pairs of operands of an operator."""
    assert faults(name)[aspect] == []


@cache
def faults(name: str) -> Mapping[str, Sequence[str]]:
    """What the rows of a sample's ops say that is not so."""
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


class Raised(Exception):
    """A node raised; the run ends."""


class Checker:
    """Runs blocks as `interpret.interpret` does, and compares each leaf node with what its row says.

    Args:
        ways: how dimensions are described.
    """

    def __init__(self, *ways: DimOf) -> None:
        self.ways = ways
        self.found: dict[str, list[str]] = {aspect: [] for aspect in ASPECTS}

    def run(self, block: Block, given: Sequence[Any]) -> tuple[Any, ...]:
        """Run a block."""
        env: dict[Value, Any] = dict(zip(block.inputs, given, strict=True))

        def read(operand: Operand) -> Any:
            return operand.value if isinstance(operand, Constant) else env[operand]

        for node in block.nodes:
            control = interpret.CONTROL.get(node.op)
            values = [read(operand) for operand in node.inputs]
            results = control(node, values, self.run) if control else self.step(node, values)
            env.update(zip(node.outputs, results, strict=True))
        return tuple(map(read, block.outputs))

    def step(self, node: Node, values: Sequence[Any]) -> tuple[Any, ...]:
        """Do what a leaf node does."""
        ways = self.ways if any(map(is_array, values)) else self.ways[:1]
        known = [described(node, values, dim_of) for dim_of in ways]
        changed = among(written(known[0]), known[0], values)
        apart = [value for value in values if not meet([value], changed)]
        before = [harness.shape_of(value) for value in apart]
        try:
            results = interpret.step(node, values, OPS.implementation(node.op))
        except Exception as error:
            self.raised(known, error)
            raise Raised from error
        for one in known:
            self.specs(one, results)
        if not is_ordered(node):
            self.writes(known[0], apart, before)
            self.sharing(known[0], apart, [*results, *changed])
        return results

    def raised(self, known: Sequence[Node], error: Exception) -> None:
        """An op that is said to be safe does not raise."""
        for node in known:
            safe = OPS[node.op].safe
            if safe is not None and safe(*arguments(node)):
                self.found["safety"].append(f"{shown(node)} raises {error!r}")

    def specs(self, node: Node, results: Sequence[Any]) -> None:
        """What is inferred describes what was given."""
        for output, result in zip(node.outputs, results, strict=True):
            if not covers(with_sizes(output.spec), spec_of(result)):
                self.found["specs"].append(f"{shown(node)} gives {spec_of(result)}, not {output.spec}")

    def writes(self, node: Node, apart: Sequence[Any], before: Sequence[Any]) -> None:
        """Only what the row says is written has changed, and what shares memory with it."""
        if [harness.shape_of(value) for value in apart] != before:
            self.found["writes"].append(f"{shown(node)} changes an input")

    def sharing(self, node: Node, apart: Sequence[Any], results: Sequence[Any]) -> None:
        """What a fresh row gives and writes shares nothing with its other inputs."""
        if is_fresh(node) and meet(results, apart):
            self.found["sharing"].append(f"{shown(node)} shares memory with an input")


def among(operands: Sequence[Value], node: Node, values: Sequence[Any]) -> list[Any]:
    """The values of some of a node's inputs."""
    return [value for operand, value in zip(node.inputs, values, strict=True) if operand in operands]


def meet(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether two groups of values share memory or a container."""
    pairs = itertools.product(mutables(some), mutables(others))
    return any(one is other or overlap(one, other) for one, other in pairs)


def overlap(one: Any, other: Any) -> bool:
    """Whether two arrays may share memory."""
    both = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
    return both and bool(one.size and other.size) and np.may_share_memory(one, other)


def is_array(value: object) -> bool:
    """Whether a value has dimensions."""
    return isinstance(value, np.ndarray) and value.ndim > 0


def shown(node: Node) -> str:
    """A node as a call on specs."""
    return f"{node.op}({', '.join(str(operand.spec) for operand in node.inputs)})"


def mutables(values: Sequence[Any]) -> Iterator[Any]:
    """The arrays and lists among values, and in nested containers."""
    for value in values:
        if isinstance(value, np.ndarray):
            yield value
            yield from mutables(value.tolist()) if value.dtype.hasobject and value.ndim else ()
        elif isinstance(value, list | tuple):
            yield from [value] if isinstance(value, list) else []
            yield from mutables(value)
        elif isinstance(value, dict):
            yield value
            yield from mutables([*value.values()])


# -- specs of real values, with dimensions known, named and unknown ------------------------------------------


def described(node: Node, values: Sequence[Any], dim_of: DimOf) -> Node:
    """A node whose inputs have the specs of real values."""
    inputs: list[Operand] = []
    for index, (operand, value) in enumerate(zip(node.inputs, values, strict=True)):
        spec = with_dims(spec_of(value), f"d{index}", dim_of)
        inputs.append(operand if isinstance(operand, Constant) else Value(spec))
    given = Node(node.op, tuple(inputs), node.outputs, node.attrs)
    outputs = tuple(map(Value, infer(OPS[node.op], given, len(node.outputs))))
    return Node(node.op, given.inputs, outputs, node.attrs)


def with_dims(spec: Spec, name: str, dim_of: DimOf) -> Spec:
    """The spec of an array with its dimensions described in another way; any other spec as it is."""
    if not isinstance(spec, ArraySpec):
        return spec
    dims = (dim_of(dim, f"{name}{axis}") for axis, dim in enumerate(spec.shape))
    return ArraySpec(tuple(dims), spec.dtype)


def sized(size: int, name: str) -> Dim:
    """A known dimension."""
    return size


def named(size: int, name: str) -> Dim:
    """A dimension by name, as those of arguments are; the name tells the size."""
    return f"{name}.{size}"


def unknown(size: int, name: str) -> Dim:
    """A dimension of which nothing is known."""
    return None


def with_sizes(spec: Spec) -> Spec:
    """A spec whose named dimensions are the sizes that the names tell."""
    match spec:
        case ArraySpec():
            return ArraySpec(tuple(map(size_of, spec.shape)), spec.dtype)
        case TupleSpec():
            return TupleSpec(tuple(map(with_sizes, spec.items)), spec.cls)
        case ListSpec() if spec.element is not None:
            return ListSpec(with_sizes(spec.element), size_of(spec.length))
        case UnionSpec():
            return UnionSpec(tuple(map(with_sizes, spec.options)))
        case _:
            return spec


def size_of(dim: Dim) -> Dim:
    """The size that a name tells."""
    return int(dim.rpartition(".")[2]) if isinstance(dim, str) else dim


# -- compiled functions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", samples.samples())
def test_compiled_gives_the_same(name: str) -> None:
    """On all dtypes and ranks for the first sample of an op, on some for the others."""
    for number, text in enumerate(samples.samples()[name]):
        cases = samples.cases(text)
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
    """Where ``out`` may stand by position, and the arguments that make a function reuse its input."""
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
