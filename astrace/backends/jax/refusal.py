"""Why a program, or a call of it, is not run through XLA."""

from __future__ import annotations

from astrace.errors import Reason
from astrace.ir.block import Node
from astrace.locations import Location


class Refused(Exception):
    """A block that this backend does not take.

    Args:
        code: the code of the reason.
        message: what stands in the way.
        location: the user's line.
    """

    def __init__(self, code: str, message: str, location: Location | None = None) -> None:
        super().__init__(message)
        self.reason = Reason(code, message, location)


class Unknown(Refused):
    """A loop that Python was to run turns as often as the data say."""


class Computed(Exception):
    """An integer that a loop carries is computed when the program runs.

    Args:
        loop: the loop that Python was to run.
        position: which of the carried values it is.
    """

    def __init__(self, loop: Node, position: int) -> None:
        super().__init__(f"carried value {position} is computed")
        self.place = loop, position


class NeedsNumber(Exception):
    """Inputs have to be known when JAX traces: sizes follow from them.

    Args:
        inputs: which.
    """

    def __init__(self, inputs: frozenset[int]) -> None:
        super().__init__(f"inputs {sorted(inputs)} decide sizes")
        self.inputs = inputs
