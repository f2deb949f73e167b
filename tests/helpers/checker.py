"""Runs blocks and compares what the rows of their ops say with what happens.

For each leaf node: what is inferred of a result covers the result; what is said to be safe does not raise; only what
is said to be written changes; only what is said to be shared shares memory.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import harness
import numpy as np

from astrace.ir import interpret
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, Dim, ListSpec, Spec, TupleSpec, UnionSpec, covers, spec_of
from astrace.ops import OPS
from astrace.ops.effects import is_fresh, is_ordered, written
from astrace.ops.infer import arguments, infer

ASPECTS: Final = ("specs", "safety", "writes", "sharing")

DimOf: TypeAlias = Callable[[int, str], Dim]
"""Describes a dimension, given its size and a name that no other dimension has."""


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
        self.sizes: dict[str, int] = {}

    def run(self, block: Block, given: Sequence[Any]) -> tuple[Any, ...]:
        """Run a block."""
        env: dict[Value, Any] = dict(zip(block.inputs, given, strict=True))
        self.sizes |= sizes_in(env)

        def read(operand: Operand) -> Any:
            return operand.value if isinstance(operand, Constant) else env[operand]

        for node in block.nodes:
            values = [read(operand) for operand in node.inputs]
            results = self.steer(node, values) if node.op in interpret.CONTROL else self.step(node, values)
            env.update(zip(node.outputs, results, strict=True))
        return tuple(map(read, block.outputs))

    def steer(self, node: Node, values: Sequence[Any]) -> tuple[Any, ...]:
        """Do what a control node does."""
        try:
            return interpret.CONTROL[node.op](node, values, self.run)
        except Exception as error:
            raise Raised from error

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
        """Check that the inferred specs describe the outputs."""
        for output, result in zip(node.outputs, results, strict=True):
            if not covers(with_sizes(output.spec, self.sizes), spec_of(result)):
                self.found["specs"].append(f"{shown(node)} gives {spec_of(result)}, not {output.spec}")

    def writes(self, node: Node, apart: Sequence[Any], before: Sequence[Any]) -> None:
        """Only what the row says is written has changed, and what shares memory with it."""
        if [harness.shape_of(value) for value in apart] != before:
            self.found["writes"].append(f"{shown(node)} changes an input")

    def sharing(self, node: Node, apart: Sequence[Any], results: Sequence[Any]) -> None:
        """Check that a fresh output, and an input that is written, share nothing with the other inputs."""
        if is_fresh(node) and meet(results, apart):
            self.found["sharing"].append(f"{shown(node)} shares memory with an input")


def among(operands: Sequence[Value], node: Node, values: Sequence[Any]) -> list[Any]:
    """The values of some of a node's inputs."""
    return [value for operand, value in zip(node.inputs, values, strict=True) if operand in operands]


def meet(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Return whether two groups of values share memory or a container."""
    pairs = itertools.product(mutables(some), mutables(others))
    return any(one is other or overlap(one, other) for one, other in pairs)


def overlap(one: Any, other: Any) -> bool:
    """Return whether two arrays may share memory."""
    both = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
    return both and bool(one.size and other.size) and np.may_share_memory(one, other)


def is_array(value: object) -> bool:
    """Return whether a value has dimensions."""
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
    outputs = tuple(map(Value, infer(OPS[node.op], given.inputs, given.attrs, len(node.outputs))))
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


def with_sizes(spec: Spec, sizes: Mapping[str, int]) -> Spec:
    """A spec whose named dimensions are the sizes that stand for the names, or that the names tell."""

    def size_of(dim: Dim) -> Dim:
        return (
            dim if not isinstance(dim, str) else sizes[dim] if dim in sizes else int(dim.rpartition(".")[2])
        )

    match spec:
        case ArraySpec():
            return ArraySpec(tuple(map(size_of, spec.shape)), spec.dtype)
        case TupleSpec():
            return TupleSpec(tuple(with_sizes(item, sizes) for item in spec.items), spec.cls)
        case ListSpec() if spec.element is not None:
            return ListSpec(with_sizes(spec.element, sizes), size_of(spec.length))
        case UnionSpec():
            return UnionSpec(tuple(with_sizes(option, sizes) for option in spec.options))
        case _:
            return spec


def sizes_in(env: Mapping[Value, Any]) -> dict[str, int]:
    """The sizes of the named dimensions of a block's inputs."""
    return {
        dim: size
        for value, given in env.items()
        if isinstance(value.spec, ArraySpec) and len(value.spec.shape) == np.ndim(given)
        for dim, size in zip(value.spec.shape, given.shape, strict=True)
        if isinstance(dim, str)
    }
