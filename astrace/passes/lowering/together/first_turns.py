"""Loops whose first turn leaves values of other types than they begin with: a sum of arrays, begun with the number 0.

The first turn of such a loop is written in front of it; a program whose loop has no turn is given up.
"""

from __future__ import annotations

from collections.abc import Sequence

from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import ArraySpec
from astrace.passes.lowering.arrays import materialised
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.forms import ArrayForm, Form, NumberForm, is_machine_dtype
from astrace.passes.lowering.numbers import truth


def puts_other_arrays(loop: WhileLoop | ForLoop, forms: Sequence[Form]) -> bool:
    """Return whether a turn leaves an array in the place of a number, or of an array of another type.

    Args:
        loop: the loop.
        forms: what it carries, before the first turn.
    """
    ends = loop.body.outputs[loop.breaks :]
    return any(_is_other(form, end.spec) for form, end in zip(forms, ends, strict=True))


def _is_other(form: Form, end: object) -> bool:
    if not isinstance(end, ArraySpec) or not is_machine_dtype(end.dtype) or not end.shape:
        return False
    if isinstance(form, ArrayForm):
        return form.dtype != end.dtype or len(form.shape) != len(end.shape)
    return isinstance(form, NumberForm)


def after_first_turn(writer: LoweredWriter, loop: WhileLoop | ForLoop, ends: Sequence[Form]) -> list[Form]:
    """Return what a loop carries behind its first turn; the program is given up where it is left there.

    Args:
        writer: writes nodes.
        loop: the loop.
        ends: the outputs of the turn.
    """
    if loop.breaks:
        left = ends[0]
        if not isinstance(left, NumberForm):
            raise writer.refusal("a loop that is left by something else than a flag")
        writer.deopt(truth(writer, left))
    return [
        materialised(writer, form) if isinstance(form, ArrayForm) and form.view is None else form
        for form in ends[loop.breaks :]
    ]
