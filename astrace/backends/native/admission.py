"""The test of a kernel's arguments at each call, as one generated expression: what is taken for granted, and their size.

Takes a lowered block; gives a function that is called before each run, and therefore costs as little as it can.
"""

from __future__ import annotations

import builtins
import contextvars
import importlib
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.specs import ArraySpec, GenericSpec, Spec
from astrace.ops import OPS
from astrace.passes.lowering.lower import RULES, SMALL_INPUT, LoweredBlock
from astrace.util.parsing import code_of_text

NOT_ADMITTED: Final = -1
"""The place of a magnitude where the arguments are not as the kernel takes for granted."""
INTEGER: Final = GenericSpec(np.dtype(np.int64))
MODULES: Final = {"np": np, "math": math}


def admission(lowered: LoweredBlock) -> Callable[..., int]:
    """Return what gives the order of magnitude of a kernel's arguments, or `NOT_ADMITTED`.

    The magnitude changes where the sizes of the arrays and integers together grow or shrink eightfold.

    Args:
        lowered: the block.
    """
    specs = [value.spec for value in lowered.block.inputs]
    names = [f"x{index}" for index in range(len(specs))]
    namespace: dict[str, Any] = {
        "is_writeable": is_writeable,
        "runs_backwards": runs_backwards,
        "runs_as_in_c": runs_as_in_c,
        "may_share_memory": np.may_share_memory,
        **_settings_namespace(),
    }
    conditions = [*_conditions(lowered, names), *_own_functions(lowered, namespace)]
    size = size_text(names, specs, INTEGER)
    text = f"int({size}).bit_length() // 3 if {' and '.join(conditions) or True} else {NOT_ADMITTED}"
    return function_of(names, text, namespace)


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


def _conditions(lowered: LoweredBlock, names: Sequence[str]) -> Iterator[str]:
    """Yield the conditions: integers small, arrays apart and aligned, underflows ignored."""
    for name, value in zip(names, lowered.block.inputs, strict=True):
        if value.spec == INTEGER:
            yield f"-{SMALL_INPUT} <= {name} <= {SMALL_INPUT}"
    for index, (name, value) in enumerate(zip(names, lowered.block.inputs, strict=True)):
        if not isinstance(value.spec, ArraySpec):
            continue
        if index in lowered.written:
            yield f"({name}.flags.carray or {name}.flags.aligned and is_writeable({name}))"
        else:
            yield f"{name}.flags.aligned"
        if lowered.needs_forward:
            yield f"not runs_backwards({name})"
        if lowered.needs_c_order:
            yield f"({name}.flags.c_contiguous or runs_as_in_c({name}))"
    for one, other in lowered.apart:
        yield f"not may_share_memory({names[one]}, {names[other]})"
    yield from _settings(lowered)


def _settings(lowered: LoweredBlock) -> Iterator[str]:
    """Yield the condition on NumPy's settings."""
    if lowered.uses_floats:  # the flag of underflows is not read
        yield "(settings() is usual or geterr()['under'] == 'ignore')"
    elif not lowered.is_exact:  # nothing tells of floats
        yield "(settings() is usual or {'ignore', 'warn'}.issuperset(geterr().values()))"


def _own_functions(lowered: LoweredBlock, namespace: dict[str, Any]) -> Iterator[str]:
    """Yield the conditions that the functions of ops are still NumPy's and Python's own; add them to the namespace."""
    for index, op in enumerate(sorted(lowered.ops & REPLACEABLE)):
        module, _, name = op.rpartition(".")
        namespace |= {f"owner{index}": MODULES.get(module, builtins), f"function{index}": OPS[op].function}
        yield f"getattr(owner{index}, {name!r}, None) is function{index}"


def _settings_namespace() -> dict[str, Any]:
    """Return names for the test of NumPy's settings: the object that holds the default ones, if they ignore underflows.

    NumPy makes another object at each change.  Before 2.0 there is none, and `np.geterr` is asked each time.
    """
    try:
        settings = importlib.import_module("numpy._core.umath")._extobj_contextvar.get
    except (ImportError, AttributeError):
        return {"settings": lambda: None, "usual": object(), "geterr": np.geterr}
    default = contextvars.Context()
    usual = default.run(settings) if default.run(np.geterr)["under"] == "ignore" else object()
    return {"settings": settings, "usual": usual, "geterr": np.geterr}


def _is_found(op: str) -> bool:
    """Return whether the function of an op is found by its name: in NumPy, in ``math``, among the builtins."""
    module, _, name = op.rpartition(".")
    owner = MODULES.get(module) if module else builtins
    return owner is not None and getattr(owner, name, None) is OPS[op].function


REPLACEABLE: Final = frozenset(op for op in RULES if _is_found(op))
"""The ops in the place of whose functions a program may put others."""


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
