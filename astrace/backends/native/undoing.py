"""Whether a kernel may give up after it has written, so that what it writes has to be copied first; and its run by Python alone."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from astrace.backends.native import host
from astrace.backends.native.source import KernelSource
from astrace.ir.block import Block, Node
from astrace.ops.lowered import FUNCTIONS
from astrace.passes.lowering.lower import LoweredBlock

WRITES: Final = frozenset({"store", "apply_ufunc", "apply_gufunc", "multiply_matrices", "draw", "fill_draws"})
MAY_GIVE_UP: Final = frozenset({"deopt", "allocate", "true_positions"})
"""Tests that fail, and memory that there is not."""


def may_give_up_late(lowered: LoweredBlock) -> bool:
    """Return whether a kernel may give up when it has written: at its end it looks for what NumPy would warn of.

    Args:
        lowered: the kernel.
    """
    return bool(lowered.written) and (lowered.uses_floats or _gives_up(lowered.block, False)[0])


def _gives_up(block: Block, wrote: bool) -> tuple[bool, bool]:
    """Return whether a block may give up when something is written, and whether it, or what is before it, writes."""
    for node in block.nodes:
        if wrote and node.op in MAY_GIVE_UP:
            return True, True
        late, wrote = _in_regions(node, wrote or node.op in WRITES)
        if late:
            return True, True
    return False, wrote


def _in_regions(node: Node, wrote: bool) -> tuple[bool, bool]:
    """The same for the regions of a node; those of a loop come again, after all that it writes."""
    found = wrote
    turns = 2 if node.op in ("for_loop", "while_loop") else 1
    for _ in range(turns):
        before = found
        for region in node.regions:
            late, after = _gives_up(region, before)
            if late:
                return True, True
            found = found or after
    return False, found


def by_python(
    source: KernelSource, lowered: LoweredBlock, file: str, has_numbers: bool, ran: Callable[[], None]
) -> Callable[..., Any]:
    """Return a kernel's text as Python runs it; it gives up where NumPy would warn, as compiled code does.

    Args:
        source: the text.
        lowered: the kernel.
        file: the user's file.
        has_numbers: it puts out more than whether it has come to its end.
        ran: is called when it has.
    """
    written, exact = lowered.written, lowered.is_exact
    functions = {**FUNCTIONS, **host.HOST}
    function = source.loaded(
        file, lambda namespace: host.bound(namespace, functions, host.LOOPS), lambda part: part
    )

    def run(*args: Any) -> Any:
        before = [kept(args[index]) for index in written]
        try:
            with np.errstate(all="raise" if exact else "ignore", under="ignore"):
                found = function(*args)
        except (
            FloatingPointError,
            ZeroDivisionError,
        ):  # the latter of Python's own floats, between fused statements
            found = None
        if found is None or not (found[0] if has_numbers else found):
            for put_back in before:
                put_back()
        else:
            ran()
        return found

    return run


def kept(argument: Any) -> Callable[[], None]:
    """Return what puts an array, a generator or a random stream back to what it is now.

    Args:
        argument: one of them.
    """
    if isinstance(argument, random.Random):
        return functools.partial(argument.setstate, argument.getstate())
    if isinstance(argument, np.random.RandomState):
        return functools.partial(argument.set_state, argument.get_state(legacy=False))
    if isinstance(argument, np.random.Generator):
        state = argument.bit_generator.state
        return lambda: setattr(argument.bit_generator, "state", state)
    old = argument.copy()

    def put_back() -> None:
        argument[...] = old

    return put_back
