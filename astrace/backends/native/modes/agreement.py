"""Whether the results of a kernel are those of NumPy's program for the same loop, as far as they have to be.

Takes the results of both and the arguments as they came in.  Knows nothing of kernels, nor of the time that either takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from astrace.backends.base import EXACT, Mode
from astrace.backends.native.entry.argument_copies import copies
from astrace.backends.native.modes.tolerance import Tolerance, are_close, are_same
from astrace.backends.native.modes.unwritten_memory import filled, leaves_memory_unwritten, with_items_of
from astrace.ir.block import Block
from astrace.ir.constants import UNSET
from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ir.walk import nodes


@dataclass(frozen=True, slots=True)
class LoopResults:
    """What a run of a loop leaves.

    Args:
        outputs: the outputs of the loop.
        args: its arguments, to which it may have written.
    """

    outputs: Sequence[Any]
    args: Sequence[Any]

    @property
    def all(self) -> tuple[Any, ...]:
        """Both."""
        return (*self.outputs, *self.args)


class Agreement:
    """What the results of one loop have to agree in.

    Args:
        loop: a block that holds the loop alone.
        by_numpy: runs such a block on arguments, as NumPy's program.
        mode: whether results have to be the same to the bit, or to be within the tolerance.
    """

    def __init__(
        self, loop: Block, by_numpy: Callable[[Block, Sequence[Any]], Sequence[Any]], mode: Mode = EXACT
    ) -> None:
        self._loop = loop
        self._by_numpy = by_numpy
        self._exact = mode.exact
        self._leaves_memory = leaves_memory_unwritten(loop)
        self._dtypes = {spec.dtype for spec in _computed(loop) if isinstance(spec, ArraySpec | GenericSpec)}

    @property
    def needs_arguments(self) -> bool:
        """True if the arguments have to be known as they came in."""
        return self._leaves_memory or not self._exact

    def holds(self, found: LoopResults, expected: LoopResults, before: Sequence[Any]) -> bool:
        """Return whether the results of a kernel are those of NumPy's program, but for memory that the loop never writes.

        Args:
            found: those of the kernel.
            expected: those of NumPy's program.
            before: the arguments as they came in, if they are needed.
        """
        if self._are_near(found.all, expected.all, before):
            return True
        if not self._leaves_memory:
            return False
        try:
            with np.errstate(all="ignore"):
                first, second = filled(self._loop)
                zeros, ones = self._run(first, before), self._run(second, before)
        except Exception:  # it depends on what is never written; nothing shows that the kernel is right
            return False
        written = with_items_of(found.all, zeros, ones)
        return self._are_near(written, with_items_of(expected.all, zeros, ones), before)

    def _run(self, block: Block, before: Sequence[Any]) -> Sequence[Any]:
        args = copies(before)
        return LoopResults(self._by_numpy(block, args), args).all

    def _are_near(self, found: Sequence[Any], expected: Sequence[Any], before: Sequence[Any]) -> bool:
        """Return whether results are the same, or within the tolerance."""
        pairs = [
            (one, other)
            for one, other in zip(found, expected, strict=True)
            if other is not UNSET  # nothing reads the number in the place of what has no value
        ]
        if self._exact:
            return all(are_same(one, other) for one, other in pairs)
        tolerance = Tolerance.of((*before, *(other for _, other in pairs)), self._dtypes)
        return all(are_close(one, other, tolerance) for one, other in pairs)


def _computed(block: Block) -> Iterator[Spec]:
    """Yield the types of what the nodes of a block give."""
    for node in nodes(block):
        yield from (output.spec for output in node.outputs)
