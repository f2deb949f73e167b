"""Iteration spaces of ``for_loop`` nodes, and the layout of a loop's inputs.

Data alone: the fields of each kind number the inputs of a node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from astrace.ir.specs import Spec
from astrace.ir.values import Operand


@dataclass(frozen=True, slots=True)
class Range:
    """Iterate over ``range(start, stop, step)``; the fields number the node's inputs."""

    start: int
    stop: int
    step: int


@dataclass(frozen=True, slots=True)
class Each:
    """Iterate over the items of an input: the rows of an array, the items of a list.

    Args:
        iterable: numbers the node's input.
        element: what each item is, where a guard says more of it than the input's spec.
    """

    iterable: int
    element: Spec | None = None


@dataclass(frozen=True, slots=True)
class Enumerate:
    """``enumerate(inner, start)``; the start is an input."""

    inner: Over
    start: int


@dataclass(frozen=True, slots=True)
class Zip:
    """``zip(*parts, strict=strict)``."""

    parts: tuple[Over, ...]
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Reversed:
    """``reversed(inner)``."""

    inner: Over


Over: TypeAlias = Range | Each | Enumerate | Zip | Reversed
"""The iteration space of a ``for_loop``; its leaves number the node's inputs."""


def elements(over: Over) -> int:
    """Return how many values one iteration of the loop is given."""
    match over:
        case Range() | Each():
            return 1
        case Enumerate():
            return 1 + elements(over.inner)
        case Zip():
            return sum(map(elements, over.parts))
        case Reversed():
            return elements(over.inner)


def iterated(over: Over) -> int:
    """Return how many of the node's inputs describe the iteration space."""
    match over:
        case Range():
            return 3
        case Each():
            return 1
        case Enumerate():
            return 1 + iterated(over.inner)
        case Zip():
            return sum(map(iterated, over.parts))
        case Reversed():
            return iterated(over.inner)


def numbered(over: Over) -> Iterator[int]:
    """The inputs that ``over`` numbers, in the order of the text."""
    match over:
        case Range():
            yield from (over.start, over.stop, over.step)
        case Each():
            yield over.iterable
        case Enumerate():
            yield from (*numbered(over.inner), over.start)
        case Zip():
            for part in over.parts:
                yield from numbered(part)
        case Reversed():
            yield from numbered(over.inner)


def split_inputs(
    inputs: tuple[Operand, ...], count: int, over: Over | None = None
) -> tuple[tuple[Operand, ...], tuple[Operand, ...], tuple[Operand, ...]]:
    """Split the inputs of a loop: its iteration space, its carried values, its captures.

    Args:
        inputs: those of the node.
        count: how many values are carried.
        over: what a ``for_loop`` iterates over; None of a ``while_loop``.
    """
    first = 0 if over is None else iterated(over)
    return inputs[:first], inputs[first : first + count], inputs[first + count :]
