"""What became of the functions of a hooked library: a table for people, JSON for programs."""

from __future__ import annotations

import json
import types
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

from astrace.library.watched import Watched
from astrace.paths import Attribute, Root

if TYPE_CHECKING:
    from astrace.stages import Stages

STATES: Final = {
    "whole": "captured whole",
    "partly": "captured, with parts left to plain Python",
    "plain": "plain Python: it can't be captured",
    "cold": "called with arrays, but too rarely to be captured",
    "inlined": "captured as a part of others",
    "no arrays": "called, but never with arrays",
    "never called": "never called",
}
"""What a function can have come to, in the order in which reports list them."""
CALLED: Final = ("whole", "partly", "plain")


@dataclass(frozen=True, slots=True)
class Row:
    """One function.

    Args:
        name: its module and qualified name.
        file: where it was written.
        line: in which line.
        state: one of `STATES`.
        codes: the reason codes of what was left to plain Python.
        reasons: the reasons themselves.
        calls: how often it was called while it was watched.
        before: seconds for a call as plain Python, callees included; ``None`` where none was timed.
        after: the same through its graph.
        capturing: seconds that its captures took.
        decision: what was decided about it.
    """

    name: str
    file: str
    line: int
    state: str
    codes: tuple[str, ...]
    reasons: tuple[str, ...]
    calls: int
    before: float | None
    after: float | None
    capturing: float
    decision: str

    def __str__(self) -> str:
        times = f"{_microseconds(self.before)} {_microseconds(self.after)}"
        words = ", ".join(filter(None, [*self.codes, self.decision]))
        return f"{self.state:<12} {self.calls:>6} {times}  {self.name}" + (f"  ({words})" if words else "")


def put_together(rows: Sequence[Row]) -> tuple[Row, ...]:
    """One row for each function, of the rows that several processes have of it, in the order of reports."""
    found: dict[tuple[str, str, int], Row] = {}
    for row in rows:
        key = row.name, row.file, row.line
        found[key] = _both(found[key], row) if key in found else row
    order = list(STATES)
    return tuple(sorted(found.values(), key=lambda row: (order.index(row.state), row.name)))


def _both(one: Row, other: Row) -> Row:
    """What two processes have of one function: what one captured whole and the other did not is captured partly."""
    more, less = sorted((one, other), key=lambda row: list(STATES).index(row.state))
    mixed = more.state == "whole" and less.state in ("partly", "plain")
    return replace(
        more,
        state="partly" if mixed else more.state,
        codes=tuple(dict.fromkeys((*more.codes, *less.codes))),
        reasons=tuple(dict.fromkeys((*more.reasons, *less.reasons))),
        calls=one.calls + other.calls,
        before=_mean(one.before, other.before),
        after=_mean(one.after, other.after),
        capturing=one.capturing + other.capturing,
        decision=more.decision or less.decision,
    )


def _mean(*seconds: float | None) -> float | None:
    known = [one for one in seconds if one is not None]
    return sum(known) / len(known) if known else None


def _microseconds(seconds: float | None) -> str:
    return f"{'-':>10}" if seconds is None else f"{seconds * 1e6:>10.1f}"


@dataclass(frozen=True, slots=True)
class Report:
    """What became of the functions of some packages; prints as a table.

    Args:
        packages: the packages.
        rows: their functions.
    """

    packages: tuple[str, ...]
    rows: tuple[Row, ...]

    @staticmethod
    def of(watched: Sequence[Watched], packages: Sequence[str]) -> Report:
        """The report of watched functions."""
        inlined = {code for one in watched for stages in one.captures for code in _traced_through(stages)}
        rows = [_row(one, one.code in inlined) for one in watched]
        order = list(STATES)
        return Report(
            tuple(packages), tuple(sorted(rows, key=lambda row: (order.index(row.state), row.name)))
        )

    @property
    def captured(self) -> tuple[int, int]:
        """How many functions were captured whole, of how many that were called with arrays and tried."""
        states = Counter(row.state for row in self.rows)
        return states["whole"], sum(states[state] for state in CALLED)

    @property
    def codes(self) -> dict[str, int]:
        """For each reason code, the functions that have it, the most frequent first."""
        return dict(Counter(code for row in self.rows for code in row.codes).most_common())

    def json(self) -> str:
        """The report for programs: the packages, the summary and a row for each function."""
        whole, called = self.captured
        summary = {"whole": whole, "called": called, "codes": self.codes}
        rows = [asdict(row) for row in self.rows]
        return json.dumps({"packages": self.packages, "summary": summary, "functions": rows}, indent=1)

    def summary(self) -> Iterator[str]:
        """The lines that say it all."""
        states = Counter(row.state for row in self.rows)
        whole, called = self.captured
        share = f" ({whole / called:.0%})" if called else ""
        yield f"{', '.join(self.packages)}: {whole} of {called} functions called with arrays captured whole{share}"
        yield from (f"  {states[state]:>5} {meaning}" for state, meaning in STATES.items() if states[state])
        yield from (f"  {count:>5} with {code}" for code, count in self.codes.items())

    def __str__(self) -> str:
        shown = [row for row in self.rows if row.state != "never called"]
        header = f"{'state':<12} {'calls':>6} {'plain µs':>10} {'graph µs':>10}  function"
        return "\n".join([*self.summary(), *([header] if shown else []), *map(str, shown)])


def _row(watched: Watched, inlined: bool) -> Row:
    counts, captures = watched.counts, watched.captures
    reasons = [
        reason
        for stages in captures
        for reason in (
            [stages.fallback] if stages.fallback else stages.recording.plain_calls if stages.recording else ()
        )
    ]
    code = watched.code
    return Row(
        f"{watched.function.__module__}.{watched.function.__qualname__}",
        code.co_filename,
        code.co_firstlineno,
        _state(watched, inlined),
        tuple(dict.fromkeys(reason.code for reason in reasons)),
        tuple(dict.fromkeys(map(str, reasons))),
        counts.calls,
        counts.plain.mean,
        counts.captured.mean,
        counts.captures.nanoseconds / 1e9,
        watched.decision,
    )


def _state(watched: Watched, inlined: bool) -> str:
    captures, counts = watched.captures, watched.counts
    if captures:
        failed = [stages.fallback is not None for stages in captures]
        partly = any(failed) or any(stages.recording and stages.recording.plain_calls for stages in captures)
        return "plain" if all(failed) else "partly" if partly else "whole"
    if counts.with_arrays:
        return "cold"
    if inlined:
        return "inlined"
    return "no arrays" if counts.calls else "never called"


def _traced_through(stages: Stages) -> Iterator[types.CodeType]:
    """The codes of the functions that a capture looked into: those it has guards for."""
    for guard in stages.graph.guards if stages.graph is not None else ():
        path = getattr(guard, "path", None)
        if isinstance(path, Attribute) and path.name == "__code__" and isinstance(path.owner, Root):
            expected = getattr(guard, "expected", ())
            yield from expected if isinstance(expected, tuple) else (expected,)
