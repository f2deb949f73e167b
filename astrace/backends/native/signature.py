"""What a kernel is called with, as data: the types of its arguments, and the order in which arrays' axes run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.backends.native.drawing.generators import kind_of
from astrace.ir.specs import AnySpec, ArraySpec, GenericSpec, Spec
from astrace.ops.lowered_draws import DRAWN

NAME: Final = "astrace_kernel_"
"""The beginning of the names of functions in machine code."""
ANY_ORDER: Final = "*"
"""Any order of axes; code for a known one is faster."""


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """An array.

    Args:
        dtype: as text.
        ndim: the number of axes.
        order: ``C``, ``F``, ``A`` (neither), or `ANY_ORDER`.
    """

    dtype: str
    ndim: int
    order: str


@dataclass(frozen=True, slots=True)
class NumberArgument:
    """A number.

    Args:
        dtype: as text.
    """

    dtype: str


@dataclass(frozen=True, slots=True)
class GeneratorArgument:
    """A random generator.

    Args:
        kind: the class of its bits, by name; of a random stream of Python's its own.
    """

    kind: str


@dataclass(frozen=True, slots=True)
class UnusedArgument:
    """Something that the kernel does not look at."""


@dataclass(frozen=True, slots=True)
class KeptPart:
    """A part of an array that a kernel copies before it writes.

    Args:
        argument: the place of the array.
        axes: by axis ``:`` for all items, or ``i`` for those at one index.
        is_logged: items are copied right before they are overwritten.
    """

    argument: int
    axes: str
    is_logged: bool = False

    @property
    def words(self) -> int:
        """The words that tell of it: the address of the copy, the indices, and of a log the first item, and the one behind the last."""
        return 1 + self.axes.count("i") + 2 * self.is_logged


KernelArgument: TypeAlias = ArrayArgument | NumberArgument | GeneratorArgument | UnusedArgument


def arguments_of(
    specs: Sequence[Spec | None], args: Sequence[Any], any_order: bool
) -> tuple[KernelArgument, ...]:
    """Return what a kernel is compiled for.

    Args:
        specs: the types of the inputs of its lowered block; ``None`` for one that is not used.
        args: of a call.
        any_order: the order of axes is left open.
    """
    return tuple(_argument(spec, arg, any_order) for spec, arg in zip(specs, args, strict=True))


def _argument(spec: Spec | None, arg: Any, any_order: bool) -> KernelArgument:
    match spec:
        case ArraySpec(shape, dtype):
            return ArrayArgument(dtype.str, len(shape), ANY_ORDER if any_order else order_of(arg))
        case GenericSpec(dtype):
            return NumberArgument(dtype.str)
        case AnySpec() if spec in DRAWN:
            return GeneratorArgument(kind_of(arg))
        case _:
            return UnusedArgument()


def order_of(array: np.ndarray[Any, Any]) -> str:
    """Return the order in which the axes of an array run.

    Args:
        array: any.

    Example:
        >>> order_of(np.zeros((2, 3))), order_of(np.zeros((2, 3)).T), order_of(np.zeros(6)[::2])
        ('C', 'F', 'A')
    """
    flags = array.flags
    return "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
