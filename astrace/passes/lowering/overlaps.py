"""Ufuncs whose result is stored into memory that they read at other places: NumPy's loops then take one element at a time, with other bits.

They do so where the bytes from the first to the last element of an operand meet those of the result, and the two are not the same view
(``is_mem_overlap``); of items that are read before they are stored NumPy makes no copy first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from astrace.passes.lowering.arrays import is_same_view
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import ArrayForm, NumberForm

COMPLEX: Final = frozenset({np.add, np.subtract, np.divide, np.negative, np.positive, np.conjugate})
"""The ufuncs of complex numbers that give the same bits for several elements at once as for one after the other."""
FLOATS: Final = COMPLEX | frozenset(
    (
        *(np.multiply, np.square, np.reciprocal, np.absolute, np.fabs, np.sqrt, np.floor_divide, np.remainder, np.fmod),
        *(np.minimum, np.maximum, np.fmin, np.fmax, np.floor, np.ceil, np.trunc, np.rint, np.sign, np.copysign),
        *(np.radians, np.deg2rad, np.degrees, np.rad2deg),
    )
)  # fmt: skip
"""The same for floats."""


def require_no_overlap(
    writer: LoweredWriter, target: ArrayForm, forms: Sequence[NumberForm | ArrayForm], ufunc: np.ufunc
) -> None:
    """Take only operands that are the view of the result itself, or other memory, where the bits depend on that.

    Args:
        writer: knows what may share memory.
        target: the view that the result is stored into.
        forms: the operands.
        ufunc: the ufunc.

    Raises:
        Unlowered: an operand may be other items of the same array.
    """
    same = {"c": COMPLEX, "f": FLOATS}.get(target.dtype.kind)
    if same is None or ufunc in same or not writer.exact or target.view is None:
        return
    for form in forms:
        view = form.view if isinstance(form, ArrayForm) else None
        if view is None or is_same_view(view, target.view):
            continue
        if writer.memory.may_share(view.base, target.view.base):
            raise writer.refusal(
                f"`np.{ufunc.__name__}` of items of the array that the result is stored into"
            )
