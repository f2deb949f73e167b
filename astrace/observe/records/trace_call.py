"""`TraceCall`: what is known of one call: its parameters and results as snapshots, its time, its place, its exception.

A recorder fills it in; from then on it is data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from astrace.locations import Location
from astrace.observe.output.html import call_html
from astrace.observe.records.lookup import NamedParts, numbered, unknown
from astrace.observe.snapshots.text import duration_text, value_text
from astrace.util import validation
from astrace.util.terminal import printable

OUTCOMES: Final = ("running", "returned", "raised", "abandoned", "suspended")
"""``abandoned`` are generators that were closed half-way, ``suspended`` those that the trace ended before."""


@dataclass(frozen=True, slots=True)
class RaisedException:
    """An exception that left a call: the name of its type, its text, and the line that raised it."""

    type_name: str
    message: str
    location: Location | None = None

    def __str__(self) -> str:
        return printable(f"{self.type_name}: {self.message}" if self.message else self.type_name)


class TraceCall(NamedParts):
    """One call of a trace.

    ``call["x"]`` and ``call.x`` are a parameter or a result, ``call[0]`` counts the parameters and then the results.  A name
    that is both gives a pair.  The call's own attributes come before captured names: use ``[]`` for those.

    Attributes:
        number: its place among all calls of the trace, in the order in which they began.
        stage: the name of its stage.
        name: the name that is shown, such as ``Model.forward``.
        function: the function's own name.
        parameters: snapshots of the parameters by name.
        results: snapshots of the results by name; of a generator also ``yielded``.
        start_ns: when it began, in nanoseconds since the trace did.
        duration_ns: its time without that of recording; of a generator, the time that it ran.  ``None`` while it runs.
        location: where the function stands; for a node of a graph, the user's line.
        called_from: the line that called it.
        exception: what it raised, or ``None``.
        outcome: one of `OUTCOMES`.
        parent: the recorded call that it was made in, or ``None``.
        items: the items that it works on, as far as they could be followed.
        thread: the name of the thread.
        entered: its beginning in the order of all beginnings and ends.
        left: its end in that order.
    """

    __slots__ = (
        "called_from",
        "duration_ns",
        "entered",
        "exception",
        "function",
        "items",
        "left",
        "location",
        "name",
        "number",
        "outcome",
        "parameters",
        "parent",
        "results",
        "stage",
        "start_ns",
        "thread",
    )

    def __init__(self, stage: str, name: str, function: str) -> None:
        self.stage: str = stage
        self.name: str = name
        self.function: str = function
        self.parameters: dict[str, Any] = {}
        self.results: dict[str, Any] = {}
        self.number: int = 0
        self.entered: int = 0
        self.start_ns: int = 0
        self.left: int | None = None
        self.duration_ns: int | None = None
        self.location: Location | None = None
        self.called_from: Location | None = None
        self.exception: RaisedException | None = None
        self.outcome: str = "running"
        self.parent: TraceCall | None = None
        self.items: tuple[Any, ...] = ()
        self.thread: str = ""

    def keys(self) -> tuple[str, ...]:
        """The names of the parameters and the results."""
        return tuple(dict.fromkeys((*self.parameters, *self.results)))

    def __getitem__(self, key: str | int | slice) -> Any:
        """A parameter or result by name or number, or several by a slice.

        Raises:
            NotInTrace: there is none of that name.
            IndexError: there are not so many.
        """
        values = (*self.parameters.values(), *self.results.values())
        if isinstance(key, slice):
            return list(values[key])
        if validation.is_whole(key):
            return numbered(f"the call of {self.name}", values, int(key))
        found = [held[key] for held in (self.parameters, self.results) if key in held]
        if not found:
            raise unknown(f"the call of {self.name}", key, self.keys())
        return found[0] if len(found) == 1 else tuple(found)

    def _repr_html_(self) -> str:
        return call_html(self)

    def header(self) -> str:
        """The call in one line."""
        results = ", ".join(self.results) or ("raises" if self.exception else self.outcome)
        parts = [f"{self.name}({', '.join(self.parameters)}) -> {results}", duration_text(self.duration_ns)]
        if self.outcome not in ("returned", "raised"):
            parts.append(self.outcome)
        if self.items:
            parts.append(
                f"item{'s' * (len(self.items) > 1)} {', '.join(map(repr, self.items[:8]))}{', …' * (len(self.items) > 8)}"
            )
        if self.location is not None:
            parts.append(f"{self.location.file}:{self.location.line}")
        return printable("  ".join(parts))

    def __str__(self) -> str:
        lines = [self.header()]
        lines += [f"  {printable(name)}: {value_text(value)}" for name, value in self.parameters.items()]
        lines += [f"  -> {printable(name)}: {value_text(value)}" for name, value in self.results.items()]
        if self.exception is not None:
            where = self.exception.location
            lines.append(f"  raised {self.exception}" + (f"  {where.file}:{where.line}" if where else ""))
        return "\n".join(lines)
