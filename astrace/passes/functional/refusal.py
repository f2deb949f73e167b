"""Refusals: the reasons why a block, or a call of a program, is not run through an array compiler."""

from __future__ import annotations

from typing import Final

from astrace.errors import Reason
from astrace.ir.block import Node
from astrace.ir.specs import Spec
from astrace.locations import Location

COMPILER: Final = "JAX"
"""The array compiler that programs are written for, as reasons name it."""
FILLED: Final = f"an item of a list that is filled when {COMPILER} traces"
"""The reason why a list of known items is not read by computed indices."""


def no_form(spec: Spec) -> str:
    """Return the reason why a value is not in a program."""
    return f"a value of type {spec} has no form in {COMPILER}"


class Refused(Exception):
    """A block is not taken by this backend.

    Args:
        code: the code of the reason.
        message: the reason in words.
        location: the user's line.
    """

    def __init__(self, code: str, message: str, location: Location | None = None) -> None:
        super().__init__(message)
        self.reason = Reason(code, message, location)


class Unknown(Refused):
    """The number of iterations of a loop that Python was to run depends on data."""


class Computed(Exception):
    """An integer that a loop carries is computed when the program runs.

    Args:
        loop: the loop that Python was to run.
        position: the position of the integer among the carried values.
    """

    def __init__(self, loop: Node, position: int) -> None:
        super().__init__(f"carried value {position} is computed")
        self.place = loop, position


class NeedsNumber(Exception):
    """Inputs have to be known at compile time, since sizes follow from them.

    Args:
        inputs: the numbers of the inputs.
    """

    def __init__(self, inputs: frozenset[int]) -> None:
        super().__init__(f"inputs {sorted(inputs)} decide sizes")
        self.inputs = inputs
