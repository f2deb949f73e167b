"""What machine code tests of its arguments by itself, as data, and the objects of Python that it looks at.

The tests are those of `admission`, but that they may fail where that one passes: then it is asked.  Arguments that a kernel does not
use are not tested.
"""

from __future__ import annotations

import builtins
import contextvars
import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np

from astrace.backends.native.arithmetic import error_settings
from astrace.backends.native.entry.ledger import Ledger
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import nodes, uses
from astrace.ops import OPS
from astrace.ops.numpy.draws import GENERATOR
from astrace.ops.numpy.legacy_draws import LEGACY
from astrace.ops.python.random_streams import RANDOM
from astrace.passes.fusion.lines import SHORT
from astrace.passes.lowering.lower import RULES, LoweredBlock

INTEGER: Final = GenericSpec(np.dtype(np.int64))
MODULES: Final[Mapping[str, ModuleType]] = {"np": np, "math": math, "": builtins}
WORDS, SETTINGS, USUAL, FUNCTIONS = range(4)
"""The places of the objects that machine code holds: the ledger's words, where NumPy's settings are, the usual ones, and three
for each function: a module, its name there, and itself.  Behind them are `LOCKING`."""
LOCKING: Final = ("acquire", False, "release")
"""What a lock is asked for, so that nobody waits."""

ALL, NONE, TEST, KNOWN, TEST_KNOWN, DIRECT = range(6)
"""What machine code does, by the number of arguments that it is given behind those of the kernel: it tests and runs, runs
without a test, tests alone, the first and third where NumPy's settings are known to be as it needs them, and the first where
somebody asks again if it does not run, so that a call that is left to NumPy is not counted yet."""


@dataclass(frozen=True, slots=True)
class EntryChecks:
    """The tests, by the places of arguments.

    Args:
        arrays: are aligned.
        written: of these, those that can be written, with no element in two places.
        integers: are small.
        generators: draw random numbers, and no other thread is doing that.
        streams: the same of Python's, which need no lock.
        apart: pairs of arrays that share no memory.
        forward: no stride of an array is negative.
        c_order: the axes of arrays run as in C.
        settings: those of NumPy are the usual ones.
        reads_settings: or others, which machine code reads, by which underflows are ignored.
        functions: the number of functions that may have been replaced.
        by_lines: statements of the kernel go by lines.
    """

    arrays: tuple[int, ...] = ()
    written: tuple[int, ...] = ()
    integers: tuple[int, ...] = ()
    generators: tuple[int, ...] = ()
    streams: tuple[int, ...] = ()
    apart: tuple[tuple[int, int], ...] = ()
    forward: bool = False
    c_order: bool = False
    settings: bool = False
    reads_settings: bool = False
    functions: int = 0
    by_lines: bool = False

    @property
    def alone(self) -> frozenset[int]:
        """The arrays that share no memory with others which are written, nor with any others if they are written themselves."""
        pairs, written = {frozenset(pair) for pair in self.apart}, {*self.written}
        return frozenset(
            one
            for one in self.arrays
            if all(
                frozenset((one, other)) in pairs
                for other in self.arrays
                if other != one and (one in written or other in written)
            )
        )


NO_CHECKS: Final = EntryChecks()


def checks_of(lowered: LoweredBlock) -> EntryChecks:
    """Return the tests for a kernel.

    Args:
        lowered: the block.
    """
    used = used_inputs(lowered)
    specs = [value.spec for value in lowered.block.inputs]
    arrays = tuple(index for index in used if isinstance(specs[index], ArraySpec))
    return EntryChecks(
        arrays,
        tuple(index for index in arrays if index in lowered.written),
        tuple(index for index in used if specs[index] == INTEGER),
        tuple(index for index in used if specs[index] in (GENERATOR, LEGACY)),
        tuple(index for index in used if specs[index] == RANDOM),
        tuple(pair for pair in lowered.apart if set(pair) <= set(arrays)),
        lowered.needs_forward,
        lowered.needs_c_order,
        lowered.uses_floats or not lowered.is_exact,
        lowered.uses_floats and error_settings.variable() is not None,
        len(replaceable(lowered)),
        any(node.attrs.get(SHORT) for node in nodes(lowered.block)),
    )


def used_inputs(lowered: LoweredBlock) -> tuple[int, ...]:
    """Return the places of the inputs that a kernel looks at.

    Args:
        lowered: the block.
    """
    used = uses(lowered.block)
    return tuple(index for index, value in enumerate(lowered.block.inputs) if value in used)


def replaceable(lowered: LoweredBlock) -> Sequence[str]:
    """Return the ops of a block in the place of whose functions a program may put others.

    Args:
        lowered: the block.
    """
    return sorted(lowered.ops & REPLACEABLE)


def objects_for(lowered: LoweredBlock, ledger: Ledger) -> tuple[Any, ...]:
    """Return what machine code holds.

    Args:
        lowered: the block.
        ledger: of the kernel.
    """
    found: list[Any] = [ledger.words, *(usual_settings() or (None, None))]
    for op in replaceable(lowered):
        module, _, name = op.rpartition(".")
        found += [MODULES[module], name, OPS[op].function]
    return (*found, *LOCKING)


def are_possible(checks: EntryChecks) -> bool:
    """Return whether machine code can look at all that it has to.

    Args:
        checks: the tests.
    """
    return not checks.settings or usual_settings() is not None


@functools.cache
def usual_settings() -> tuple[Any, Any] | None:
    """Return the variable that holds NumPy's settings, and the default ones; ``None`` if these do not ignore underflows.

    NumPy makes another object at each change.  Before 2.0 there is no such variable.
    """
    variable = error_settings.any_variable()
    if variable is None:
        return None
    default = contextvars.Context()
    ignored = default.run(np.geterr)["under"] == "ignore"
    return (variable, default.run(variable.get)) if ignored else None


def _is_found(op: str) -> bool:
    """Return whether the function of an op is found by its name: in NumPy, in ``math``, among the builtins."""
    module, _, name = op.rpartition(".")
    owner = MODULES.get(module)
    return owner is not None and getattr(owner, name, None) is OPS[op].function


REPLACEABLE: Final = frozenset(op for op in RULES if _is_found(op))
"""The ops in the place of whose functions a program may put others."""
