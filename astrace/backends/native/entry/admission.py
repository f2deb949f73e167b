"""The test of a kernel's arguments, as one generated expression: what is taken for granted, and their size.

Takes a lowered block; gives a function that is called where machine code does not pass arguments by itself (`checks`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.native.drawing.generators import is_usable
from astrace.backends.native.entry.checks import (
    INTEGER,
    MODULES,
    EntryChecks,
    checks_of,
    replaceable,
    used_inputs,
    usual_settings,
)
from astrace.ir.specs import ArraySpec, Spec
from astrace.ops import OPS
from astrace.ops.numpy.reductions import BUFFER
from astrace.passes.lowering.lower import SMALL_INPUT, LoweredBlock
from astrace.util.parsing import code_of_text

NOT_ADMITTED: Final = -1
"""The place of a magnitude where the arguments are not as the kernel takes for granted."""


def admission(lowered: LoweredBlock) -> Callable[..., int]:
    """Return what gives the order of magnitude of a kernel's arguments, or `NOT_ADMITTED`.

    The magnitude changes where the sizes of the arrays and integers together grow or shrink eightfold.

    Args:
        lowered: the block.
    """
    names = [f"x{index}" for index in range(len(lowered.block.inputs))]
    namespace: dict[str, Any] = {
        "is_writeable": is_writeable,
        "runs_backwards": runs_backwards,
        "runs_as_in_c": runs_as_in_c,
        "may_share_memory": np.may_share_memory,
        "is_usable": is_usable,
        **_settings_namespace(),
    }
    conditions = [*_conditions(checks_of(lowered), names), *_settings(lowered)]
    conditions += _own_functions(lowered, namespace)
    used = used_inputs(lowered)
    specs = [lowered.block.inputs[index].spec for index in used]
    size = size_text([names[index] for index in used], specs, INTEGER)
    text = f"int({size}).bit_length() // 3 if {' and '.join(conditions) or True} else {NOT_ADMITTED}"
    return function_of(names, text, namespace)


def settings_admission(lowered: LoweredBlock) -> Callable[[], bool]:
    """Return what tells whether NumPy's settings are as a kernel needs them.

    Args:
        lowered: the block.
    """
    return function_of([], " and ".join(_settings(lowered)) or "True", _settings_namespace())


def size_text(names: Sequence[str], specs: Sequence[Spec], integer: Spec) -> str:
    """Return an expression for the size of arguments: the items of arrays, and integers, added up.

    Args:
        names: of the arguments.
        specs: their types.
        integer: the type of integers that count.
    """
    sizes = [f"{name}.size" for name, spec in zip(names, specs, strict=True) if isinstance(spec, ArraySpec)]
    sizes += [f"abs({name})" for name, spec in zip(names, specs, strict=True) if spec == integer]
    return " + ".join(sizes) or "0"


def function_of(names: Sequence[str], text: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """Return the function of an expression.

    Args:
        names: of its parameters.
        text: the expression.
        namespace: the objects that it refers to.
    """
    exec(code_of_text(f"function = lambda {', '.join(names)}: {text}", "<kernel>"), namespace)
    return namespace["function"]


def _conditions(checks: EntryChecks, names: Sequence[str]) -> Iterator[str]:
    """Yield the conditions: integers small, generators at hand, arrays apart and aligned."""
    for index in checks.integers:
        yield f"-{SMALL_INPUT} <= {names[index]} <= {SMALL_INPUT}"
    for index in (*checks.generators, *checks.streams):
        yield f"is_usable({names[index]})"
    for index in checks.arrays:
        name = names[index]
        if index in checks.written:
            yield f"({name}.flags.carray or {name}.flags.aligned and is_writeable({name}))"
        else:
            yield f"{name}.flags.aligned"
        if checks.forward:
            yield f"not runs_backwards({name})"
        if checks.c_order:
            yield f"({name}.flags.c_contiguous or runs_as_in_c({name}))"
    for one, other in checks.apart:
        yield f"not may_share_memory({names[one]}, {names[other]})"


def _settings(lowered: LoweredBlock) -> Iterator[str]:
    """Yield the condition on NumPy's settings."""
    if lowered.uses_floats:
        # the flag of underflows is not read; sums depend on how many items NumPy copies at a time
        yield f"(settings() is usual or geterr()['under'] == 'ignore' and getbufsize() == {BUFFER})"
    elif not lowered.is_exact:  # nothing tells of floats
        yield "(settings() is usual or {'ignore', 'warn'}.issuperset(geterr().values()))"


def _own_functions(lowered: LoweredBlock, namespace: dict[str, Any]) -> Iterator[str]:
    """Yield the conditions that the functions of ops are still NumPy's and Python's own; add them to the namespace."""
    for index, op in enumerate(replaceable(lowered)):
        module, _, name = op.rpartition(".")
        namespace |= {f"owner{index}": MODULES[module], f"function{index}": OPS[op].function}
        yield f"getattr(owner{index}, {name!r}, None) is function{index}"


def _settings_namespace() -> dict[str, Any]:
    """Return names for the test of NumPy's settings; where they are not known, `np.geterr` is asked each time."""
    known = usual_settings()
    settings, usual = (known[0].get, known[1]) if known is not None else (lambda: None, object())
    return {"settings": settings, "usual": usual, "geterr": np.geterr, "getbufsize": np.getbufsize}


def runs_backwards(array: Any) -> bool:
    """Return whether a stride of an array is negative."""
    return min(array.strides, default=0) < 0


def runs_as_in_c(array: Any) -> bool:
    """Return whether the last axis of an array is the one that runs fastest, and so on: in each part of it, too.

    Where rows overlap, every second column is further from the next one than a row is.
    """
    if array.flags.c_contiguous:
        return True
    axes = [(abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True) if size > 1]
    return all(outer >= inner * size for (outer, _), (inner, size) in itertools.pairwise(axes))


def is_writeable(array: Any) -> bool:
    """Return whether an array can be written, and no two of its elements share memory."""
    if not array.flags.writeable:
        return False
    if array.flags.forc:
        return True
    extent = array.itemsize
    for stride, size in sorted(
        (abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True)
    ):
        if size > 1 and stride < extent:
            return False
        extent += stride * (size - 1)
    return True
