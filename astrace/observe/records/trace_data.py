"""`TraceData`: stages and calls with access by name; the base of a whole trace and of one item's way through it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astrace.observe.output.html import trace_html
from astrace.observe.records.lookup import NamedParts, numbered, unknown
from astrace.observe.records.trace_call import TraceCall
from astrace.observe.records.trace_stage import DEFAULT_STAGES, TraceStage
from astrace.observe.snapshots.text import duration_text
from astrace.util import validation
from astrace.util.terminal import printable


class TraceData(NamedParts):
    """Stages in order, each with its calls.

    Attributes:
        title: what it is a trace of.
        calls: all calls in the order in which they began.
        dropped: the number of calls beyond the limit, which were counted only.
    """

    def __init__(self, title: str = "trace") -> None:
        self.title = title
        self.calls: list[TraceCall] = []
        self.dropped = 0
        self._stages: dict[str, TraceStage] = {name: TraceStage(name) for name in DEFAULT_STAGES}

    @property
    def stages(self) -> tuple[TraceStage, ...]:
        """The stages: the usual ones first, then others in the order in which they were used first."""
        return tuple(self._stages.values())

    def keys(self) -> tuple[str, ...]:
        """The names of the stages."""
        return tuple(self._stages)

    def add(self, call: TraceCall) -> None:
        """Append a call to its stage."""
        self.calls.append(call)
        self._stages.setdefault(call.stage, TraceStage(call.stage)).calls.append(call)

    def __getitem__(self, key: str | int | slice) -> Any:
        """A stage by name or number, or stages by a slice.

        Raises:
            NotInTrace: there is no such stage.
            IndexError: there are not so many.
        """
        if isinstance(key, slice):
            return list(self.stages[key])
        if validation.is_whole(key):
            return numbered(f"the {self.title}", self.stages, int(key))
        stages = self.__dict__.get("_stages", {})  # empty while a copy is made
        if key not in stages:
            raise unknown(f"the {self.title}", key, tuple(stages))
        return stages[key]

    def __iter__(self) -> Iterator[TraceStage]:
        return iter(self.stages)

    def __len__(self) -> int:
        return len(self.stages)

    def _repr_html_(self) -> str:
        return trace_html(self)

    @property
    def duration_ns(self) -> int:
        """The time of the calls that are in no other call."""
        return sum(call.duration_ns or 0 for call in self.calls if call.parent is None)

    def __str__(self) -> str:
        used = [stage for stage in self.stages if stage.calls]
        count = len(self.calls)
        head = f"{self.title}: {count} call{'s' * (count != 1)} in {len(used)} stage{'s' * (len(used) != 1)}, {duration_text(self.duration_ns)}"
        if self.dropped:
            head += f"; {self.dropped} more calls were not kept"
        return "\n".join([printable(head), *map(str, used)])
