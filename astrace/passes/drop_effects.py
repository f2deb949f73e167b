"""On request: what only tells of the program's progress is left out, and so is unused code that might raise.

Prints, logging, warnings and pauses are dropped where nobody uses what they give.  What the program itself
raises (``raise``, ``assert``) and what it writes stays.
"""

from __future__ import annotations

import builtins
import logging
import time
import types
import warnings
from collections.abc import Collection, Sequence
from typing import Any, Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.walk import blocks, captured, uses
from astrace.ops.effects import is_ordered

LEVELS: Final = ("debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log")
TELLING: Final = (
    logging.Logger.isEnabledFor,
    logging.Logger.getEffectiveLevel,
    builtins.print,
    time.sleep,
    warnings.warn,
    warnings.warn_explicit,
    *(getattr(owner, name) for owner in (logging, logging.Logger) for name in LEVELS if hasattr(owner, name)),
)
"""Functions that only report something, or wait."""
WRITING: Final = frozenset({"write", "writelines", "flush"})
"""Methods of the standard streams that do the same."""


def drop_effects(block: Block, streams: Collection[Value] = ()) -> Block:
    """Leave out effects that only report: prints, log messages, waits.

    Args:
        block: a block, as it was recorded.
        streams: those of its inputs that are the standard streams.
    """
    outside = captured(block)
    used = {operand for inner in blocks(block) for operand in uses(inner)}

    def tells(node: Node) -> bool:
        told = [outside.get(operand, operand) for operand in node.inputs]
        return _tells(node.op, told, streams)

    leaves = [node for inner in blocks(block) for node in inner.nodes if not node.regions]
    acts = any(is_ordered(node) and node.op not in CHECKS and not tells(node) for node in leaves)

    def step(node: Node, builder: Builder) -> None:
        checks_nothing = node.op in CHECKS and not acts
        if not checks_nothing and not (used.isdisjoint(node.outputs) and tells(node)):
            builder.keep(node)

    return rebuild(block, step)


CHECKS: Final = frozenset({"check_array", "check_still", "check_unchanged"})
"""Ops that check whether opaque code has changed something, if any has run."""


def _tells(op: str, inputs: Sequence[Operand], streams: Collection[Value]) -> bool:
    first = inputs[0] if inputs else None
    if op == "call" and isinstance(first, Constant):
        return only_tells(first.value)
    if op == "call_method" and first in streams:
        return isinstance(inputs[1], Constant) and inputs[1].value in WRITING
    return False


def only_tells(value: Any) -> bool:
    """Return whether a callable only reports something, or waits.

    Example:
        >>> only_tells(print), only_tells(logging.getLogger().info), only_tells(len)
        (True, True, False)
    """
    function = value.__func__ if isinstance(value, types.MethodType) else value
    return any(function is known for known in TELLING)
