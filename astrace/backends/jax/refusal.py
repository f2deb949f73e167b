"""Why a program, or a call of it, is not run through XLA."""

from __future__ import annotations

from astrace.errors import Reason
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


class NeedsNumber(Exception):
    """Inputs have to be known when JAX traces: sizes follow from them.

    Args:
        inputs: which.
    """

    def __init__(self, inputs: frozenset[int]) -> None:
        super().__init__(f"inputs {sorted(inputs)} decide sizes")
        self.inputs = inputs
