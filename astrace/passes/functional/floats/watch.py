"""The floats of a block that have to be checked, and what each was computed from."""

from __future__ import annotations

from dataclasses import dataclass, field

from astrace.ir.block import Block, Value
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.propagation import computes, propagating
from astrace.passes.functional.program import Atom, UnfinishedBlock


@dataclass(frozen=True, slots=True)
class FloatWatch:
    """The floating-point values of a block that have to be checked.

    Args:
        pending: values that are checked in the results computed from them.
        computes: the block computes with numbers at all.
        finite: arguments are assumed to be finite, so that NaN and infinity have been made inside.
        home: the part of the program in which arrays are checked together.
        leaves: the leaves of values that are not checked yet.
        deferred: the arrays of that part that are not checked yet.
    """

    pending: frozenset[Value]
    computes: bool
    finite: bool
    home: UnfinishedBlock
    leaves: dict[Value, FloatSources] = field(default_factory=dict[Value, "FloatSources"])
    deferred: dict[Value, None] = field(default_factory=dict[Value, None])

    @staticmethod
    def of(block: Block, sharing: Sharing, home: UnfinishedBlock, finite: bool) -> FloatWatch:
        """Return what has to be checked in a block, and in the blocks in it."""
        pending = propagating(block, sharing, together=finite)
        return FloatWatch(frozenset(pending), computes(block), finite, home)


@dataclass(frozen=True, slots=True)
class FloatSources:
    """The variables that a floating-point value was computed from.

    Args:
        atoms: the variables.
        aligned: each item was computed from those at its place.
    """

    atoms: tuple[Atom, ...]
    aligned: bool
