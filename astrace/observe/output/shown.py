"""The parts of calls, stages and traces that a page shows.

Records show themselves by ``html``, so that it asks for these parts and does not know the records.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from astrace.locations import Location


class ShownCall(Protocol):
    """A call, as `astrace.observe.TraceCall` has it."""

    name: str
    parameters: dict[str, Any]
    results: dict[str, Any]
    start_ns: int
    duration_ns: int | None
    items: tuple[Any, ...]
    outcome: str
    location: Location | None
    called_from: Location | None

    @property
    def exception(self) -> object | None:
        """What it raised, which gives its text."""
        ...


class ShownStage(Protocol):
    """A stage, as `astrace.observe.TraceStage` has it."""

    name: str

    @property
    def calls(self) -> Sequence[ShownCall]:
        """Its calls."""
        ...

    @property
    def duration_ns(self) -> int:
        """Its time."""
        ...


class ShownTrace(Protocol):
    """A trace, as `astrace.observe.TraceResult` has it."""

    title: str
    dropped: int

    @property
    def calls(self) -> Sequence[ShownCall]:
        """All calls."""
        ...

    @property
    def stages(self) -> Sequence[ShownStage]:
        """Its stages."""
        ...

    @property
    def duration_ns(self) -> int:
        """Its time."""
        ...
