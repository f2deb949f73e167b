"""Nodes whose inputs are all constants are computed now, where the result can't be changed by anyone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Origin
from astrace.ir.builder import Builder, rebuild
from astrace.ir.constants import is_static
from astrace.ir.interpret import call_arguments, step
from astrace.ir.specs import BOOL, is_immutable, spec_of
from astrace.ops import OPS
from astrace.ops.constant_folding import must_wait
from astrace.ops.effects import is_ordered, written
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.object_identity import ComparedObjects


def fold_constants(block: Block) -> Block:
    """Compute what follows from constants alone.

    Only immutable results (numbers, strings, tuples of them) are kept as constants; a node that raises or
    warns is left for the run.
    """
    told: list[ComparedObjects] = []

    def stays(node: Node) -> bool:
        """Return whether a tuple or a slice has to be a new one each time."""
        if node.op not in DISPLAYS:
            return False
        told[:] = told or [ComparedObjects(block, Sharing(block))]
        return told[0].any_of(node.outputs)

    def step(node: Node, builder: Builder) -> None:
        _fold(node, builder, stays)

    return rebuild(block, step)


DISPLAYS: Final = frozenset({"make_tuple", "make_namedtuple", "slice"})
"""Ops that make a new object of their inputs each time."""


def _fold(node: Node, builder: Builder, stays: Callable[[Node], bool]) -> None:
    left = node.regions or not node.outputs or stays(node)
    node = builder.updated(node)
    results = None if left else _computed(node)
    if results is None:
        builder.nodes.append(node)
        return
    origin = Origin("folded", _paths(node), node.location)
    builder.replace(node.outputs, [Constant(value, origin) for value in results])


def _paths(node: Node) -> str:
    """Return the paths at which the constants that a node computes with were read."""
    read = (operand.origin.path for operand in node.inputs if isinstance(operand, Constant))
    return ", ".join(dict.fromkeys(path for path in read if path))


def _computed(node: Node) -> tuple[Any, ...] | None:
    if not all(isinstance(operand, Constant) for operand in node.inputs):
        return None
    if not _warns_by_errstate(node) or is_ordered(node) or written(node):
        return None
    if not all(is_immutable(output.spec) for output in node.outputs):
        return None
    given = [operand.value for operand in node.inputs if isinstance(operand, Constant)]
    if must_wait(OPS.implementation(node.op), call_arguments(node, given)[0]):
        return None
    try:
        with np.errstate(all="raise"):
            results = step(node, given, OPS.implementation(node.op))
    except Exception:  # the program's own exception, raised when it runs
        return None
    fits = all(is_static(value) and is_immutable(spec_of(value)) for value in results)
    return results if fits else None


def _warns_by_errstate(node: Node) -> bool:
    """Return whether an op warns, if at all, of floating point errors only, which ``errstate`` turns into exceptions.

    The filters of ``warnings`` are the whole process's, so they are left alone.
    """
    if node.op == "invert" and node.inputs[0].spec == BOOL:
        return False
    if node.op == "returned":
        return False
    if node.op in ("bool", "not_") and node.inputs[0].spec == spec_of(NotImplemented):
        return False
    return isinstance(OPS[node.op].function, np.ufunc) or not node.op.startswith(("np.", "ndarray."))
