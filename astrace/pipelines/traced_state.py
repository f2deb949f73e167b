"""What operators held when a pipeline was traced, as hashes: kept with their records, and compared when these are saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from astrace.pipelines.constructors import Construction
from astrace.pipelines.fingerprints import Fingerprint, fingerprint


@dataclass(frozen=True, slots=True)
class TracedState:
    """What an operator holds, as hashes.

    Args:
        state: its attributes.
        arguments: the arguments of its constructor, as they are now.
    """

    state: Fingerprint
    arguments: tuple[Fingerprint, ...]

    @staticmethod
    def of(operator: Any, construction: Construction) -> TracedState:
        """What an operator holds at this moment.

        Args:
            operator: the operator.
            construction: how it was made.
        """
        state = fingerprint(operator, construction.spelled)
        return TracedState(state, tuple(argument_prints(construction)))


def argument_prints(construction: Construction) -> list[Fingerprint]:
    """The hashes of a constructor's arguments, as they are now."""
    spelled = construction.spelled
    return [fingerprint(one.value, spelled, of_state=False) for one in construction.arguments]
