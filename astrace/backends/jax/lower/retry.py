"""Attempts to write a program: each assumes more to be known when JAX traces, as the one before has required."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from astrace.backends.jax.refusal import Computed, NeedsNumber, Refused, Unknown
from astrace.ir import specs
from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import ArraySpec, Spec
from astrace.ir.walk import nodes

MOST_AROUND = 3
"""The number of innermost loops around a refusal that are considered."""


class Attempts:
    """The assumptions of the next attempt to write a program.

    Args:
        static: the inputs that are known when JAX traces.
        unrolled: the loops that Python runs then.
        computed: the integers carried by these loops that are not known.
    """

    def __init__(self, unrolled: frozenset[Node] = frozenset()) -> None:
        self.static: frozenset[int] = frozenset()
        self.unrolled = unrolled
        self.computed: frozenset[tuple[Node, int]] = frozenset()
        self._furthest: Refused | None = None
        self._target: object = None
        self._choices: Iterator[frozenset[Node]] = iter(())

    def inputs(self, needed: NeedsNumber) -> None:
        """Take some inputs as known."""
        assert not needed.inputs <= self.static
        self.static |= needed.inputs

    def integer(self, computed: Computed) -> None:
        """Take an integer that a loop carries as not known."""
        self.computed |= {computed.place}

    def loops(self, refused: Refused, around: Sequence[Node]) -> None:
        """Choose more loops for Python to run, of those around what is refused.

        Args:
            refused: the refusal.
            around: the loops around it, outermost first.

        Raises:
            Refused: nothing is left to try.
        """
        place = refused.reason.location, refused.reason.message
        if self._furthest is None or not (isinstance(refused, Unknown) or place == self._target):
            self._furthest = refused
            self._target = place
            self._choices = _choices(self.unrolled, around)
        for choice in self._choices if refused.reason.code == "AT303" else ():
            self.unrolled = choice
            return
        raise self._furthest


def reshaping_loops(block: Block) -> frozenset[Node]:
    """Return the loops that may carry arrays of other shapes in each iteration: a known size becomes unknown."""
    return frozenset(node for node in nodes(block) if node.op in LOOPS and _reshapes(node))


LOOPS: Final = frozenset({"for_loop", "while_loop"})


def _reshapes(node: Node) -> bool:
    loop = WhileLoop(node) if node.op == "while_loop" else ForLoop(node)
    outputs = node.outputs[loop.breaks :]
    return any(
        _loses_size(spec_of(one), after.spec) for one, after in zip(loop.carried, outputs, strict=True)
    )


def _loses_size(first: Spec, spec: Spec) -> bool:
    if not isinstance(first, ArraySpec) or not isinstance(spec, ArraySpec):
        return False
    return any(a is not None and b is None for a, b in zip(first.shape, spec.shape, strict=False))


def spec_of(operand: Operand) -> Spec:
    """Return the spec of an operand."""
    return operand.spec if isinstance(operand, Value) else specs.spec_of(operand.value)


def _choices(known: frozenset[Node], around: Sequence[Node]) -> Iterator[frozenset[Node]]:
    """Yield the loops that Python runs already with some more: few rather than many, inner ones first."""
    left = [one for one in reversed(around) if one not in known][:MOST_AROUND]
    for count in range(1, len(left) + 1):
        for some in itertools.combinations(left, count):
            yield known | frozenset(some)
