"""The report on the functions of a hooked library: a table for people, JSON for programs."""

from __future__ import annotations

import itertools
import json
import types
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from astrace.library.function_watcher import LEFT, Watched

if TYPE_CHECKING:
    from astrace.compiler.stages import Stages
    from astrace.errors import Reason

IDLE: Final = "never called"
STATES: Final = {
    "whole": "captured whole",
    "partly": "captured, with parts left to plain Python",
    "plain": "plain Python: it can't be captured",
    "cold": "called with arrays, but too rarely or too briefly to be captured",
    "inlined": "captured as a part of others",
    "no arrays": "called, but never with arrays",
    IDLE: "not used in this run",
}
"""The outcomes for a function, in the order in which reports list them."""
TRIED: Final = ("whole", "partly", "plain")
COUNTED: Final = ("no arrays", IDLE)
"""The outcomes of functions that a table leaves out: they are counted above it."""
LeftCalls: TypeAlias = "tuple[tuple[Reason, Watched | None], ...]"
NO_SOURCE: Final = "AT101"
NOTHING: Final = (
    "no function was found: nothing was imported from it, its name is wrong, or ASTRACE_DISABLE is set"
)
FINE: Final = 1e-3
"""Seconds from which on parts of a microsecond say nothing."""
LISTS: Final = ("codes", "reasons")
"""The fields of a row that are tuples."""


class FunctionRow(NamedTuple):
    """One function; a tuple, since a large library has thousands.

    Args:
        name: its module and qualified name.
        file: where it was written.
        line: in which line.
        state: one of `STATES`.
        codes: the reason codes of what was left to plain Python.
        reasons: the reasons themselves.
        calls: how often it was called; where it was left plain, until then, since nothing counts its calls any more.
        before: seconds for a call as plain Python, callees included: the median of those that were timed last, without calls in
            which something was captured; ``None`` where none was timed.
        after: the same through its graph.
        capturing: seconds of the processor that its captures took.
        decision: what was decided about it.
        runs_as: what its calls run as in the end: ``graph``, ``plain``, or ``both`` where that was not decided.
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
    runs_as: str = ""

    def __str__(self) -> str:
        times = f"{_microseconds(self.before):>10} {_microseconds(self.after):>10}"
        start = f"{self.state:<12} {self.runs_as:<7} {self.counted:>7} {times}  {self.name}"
        return start + (f"  ({self.words})" if self.words else "")

    @property
    def words(self) -> str:
        """Its reason codes and what was decided about it."""
        return ", ".join(filter(None, [*self.codes, self.decision]))

    @property
    def counted(self) -> str:
        """The number of its calls, with a ``+`` where there may be more."""
        return f"{self.calls}{'+' * self.decision.startswith(LEFT)}"


def _microseconds(seconds: float | None) -> str:
    """A time as a table shows it: with a digit behind the point where it is short."""
    if seconds is None:
        return "-"
    return f"{seconds * 1e6:.1f}" if seconds < FINE else f"{seconds * 1e6:,.0f}"


@dataclass(frozen=True, slots=True)
class LibraryReport:
    """The outcome of each function of some packages; prints as a table.

    Args:
        packages: the packages.
        rows: their functions.
    """

    packages: tuple[str, ...]
    rows: tuple[FunctionRow, ...]

    @staticmethod
    def of(
        watched: Sequence[Watched],
        packages: Sequence[str],
        unseen: Iterable[tuple[types.FunctionType, types.CodeType]] = (),
    ) -> LibraryReport:
        """The report of watched functions.

        Args:
            watched: those that were called, or asked about.
            packages: the packages.
            unseen: the others, with their codes.
        """
        captured = [one for one in watched if one.captures]
        inlined = _inlined(captured)
        used = _inlined(one for one in captured if one.runs_as != "plain")
        left = _left_calls(captured, {id(one.function): one for one in watched})
        whole = _whole(left)
        rows = [_row(one, one.code in inlined, one.code in used, left.get(one, ()), whole) for one in watched]
        for function, code in unseen:
            is_part = bool(inlined) and code in inlined  # the hash of code takes its time
            rows.append(_uncalled(function, code, is_part, is_part and code in used))
        return LibraryReport(tuple(packages), _ordered(rows))

    @staticmethod
    def merged(reports: Sequence[LibraryReport]) -> LibraryReport:
        """Return one report of what several processes saw of the same packages."""
        rows: dict[tuple[str, str, int], list[FunctionRow]] = {}
        for one in reports:
            for row in one.rows:
                rows.setdefault((row.name, row.file, row.line), []).append(row)
        return LibraryReport(reports[0].packages, _ordered(map(_merged, rows.values())))

    @staticmethod
    def of_json(text: str) -> LibraryReport:
        """The report that `json` wrote down."""
        found = json.loads(text)
        rows: list[dict[str, Any]] = found["functions"]
        for row in rows:
            row.update({name: tuple(row[name]) for name in LISTS})
        return LibraryReport(tuple(found["packages"]), tuple(FunctionRow(**row) for row in rows))

    @property
    def captured(self) -> tuple[int, int]:
        """Count the functions that were captured whole, and those that were called with arrays and tried."""
        states = Counter(row.state for row in self.rows)
        return states["whole"], sum(states[state] for state in TRIED)

    @property
    def captured_with_source(self) -> tuple[int, int]:
        """Count as `captured` does, with functions that have no source as opaque as those written in C.

        They are left out themselves, and a call of one is no part that is left to plain Python.
        """
        whole, called = self.captured
        sourceless = Counter(row.state for row in self.rows if row.codes == (NO_SOURCE,))
        return whole + sourceless["partly"], called - sourceless["plain"]

    @property
    def codes(self) -> dict[str, int]:
        """Count the functions for each reason code, the most frequent first."""
        return dict(Counter(code for row in self.rows for code in row.codes).most_common())

    def json(self) -> str:
        """The report for programs: the packages, the summary and a row for each function."""
        whole, called = self.captured
        summary = {"whole": whole, "called": called, "codes": self.codes}
        rows = [row._asdict() for row in self.rows]
        return json.dumps({"packages": self.packages, "summary": summary, "functions": rows}, indent=1)

    def summary(self) -> Iterator[str]:
        """Return the lines of a summary."""
        states = Counter(row.state for row in self.rows)
        whole, tried = self.captured
        share = f" ({whole / tried:.0%})" if tried else ""
        yield f"{', '.join(self.packages)}: {whole} of {tried} tried functions captured whole{share}"
        yield from (
            f"  {states[state]:>5} {state:<12}  {told}" for state, told in STATES.items() if states[state]
        )
        yield from (f"  {name}: {NOTHING}" for name in self.packages if not self._has_functions_of(name))
        if self.captured_with_source != self.captured:
            whole, called = self.captured_with_source
            share = f" ({whole / called:.0%})" if called else ""
            yield f"  {whole:>5} of {called} whole{share}, if functions without source count as written in C"
        yield from (f"  {count:>5} with {self._example(code)}" for code, count in self.codes.items())

    def _example(self, code: str) -> str:
        """A reason code with what one of its functions has."""
        reasons = (reason.partition("\n")[0] for row in self.rows for reason in row.reasons)
        return next((reason for reason in reasons if reason.startswith(f"{code}:")), code)

    def _has_functions_of(self, package: str) -> bool:
        return any(f"{row.name}.".startswith(f"{package}.") for row in self.rows)

    def _repr_html_(self) -> str:
        from astrace.util.html_tables import table_part

        heads = ("captured", "runs as", "calls", "plain µs", "graph µs", "function", "why")
        rows = [
            (
                row.state,
                row.runs_as,
                row.counted,
                _microseconds(row.before),
                _microseconds(row.after),
                row.name,
                row.words,
            )
            for row in self._shown
        ]
        return table_part("; ".join(line.strip() for line in self.summary()), heads, rows)

    @property
    def _shown(self) -> list[FunctionRow]:
        return [row for row in self.rows if row.state not in COUNTED]

    def __str__(self) -> str:
        shown = self._shown
        header = f"{'captured':<12} {'runs as':<7} {'calls':>7} {'plain µs':>10} {'graph µs':>10}  function"
        return "\n".join([*self.summary(), *([header] if shown else []), *map(str, shown)])


def _ordered(rows: Iterable[FunctionRow]) -> tuple[FunctionRow, ...]:
    """Rows in the order in which reports list them."""
    order = {state: place for place, state in enumerate(STATES)}
    return tuple(sorted(rows, key=lambda row: (order[row.state], row.name, row.line)))


def _merged(rows: Sequence[FunctionRow]) -> FunctionRow:
    """Return one row of what several processes saw of one function."""
    states = {row.state for row in rows}
    tried = states.intersection(TRIED)
    state = next(one for one in STATES if one in states) if len(tried) < 2 else "partly"
    return max(rows, key=lambda row: row.calls)._replace(
        state=state,
        codes=tuple(dict.fromkeys(code for row in rows for code in row.codes)),
        reasons=tuple(dict.fromkeys(reason for row in rows for reason in row.reasons)),
        calls=sum(row.calls for row in rows),
        before=_mean([(row.before, row.calls) for row in rows]),
        after=_mean([(row.after, row.calls) for row in rows]),
        capturing=sum(row.capturing for row in rows),
    )


def _mean(times: Sequence[tuple[float | None, int]]) -> float | None:
    """The mean of times that were measured, each weighted by how many calls it stands for."""
    known = [(time, max(calls, 1)) for time, calls in times if time is not None]
    return sum(time * calls for time, calls in known) / sum(calls for _, calls in known) if known else None


def _uncalled(function: types.FunctionType, code: types.CodeType, inlined: bool, used: bool) -> FunctionRow:
    """Return the row of a function that was never called itself, as most of a large library are.

    Args:
        function: the function.
        code: the code that it was written as.
        inlined: whether it is a part of others' captures.
        used: whether it is one of captures that run.
    """
    name = f"{function.__module__}.{function.__qualname__}"
    state, runs_as = ("inlined" if inlined else IDLE), ("graph" if used else "plain")
    return FunctionRow(
        name, code.co_filename, code.co_firstlineno, state, (), (), 0, None, None, 0.0, "", runs_as
    )


def _row(
    watched: Watched, inlined: bool, used: bool, left: LeftCalls, whole: frozenset[Watched]
) -> FunctionRow:
    """Return the row of a function.

    Args:
        watched: the function.
        inlined: whether it is a part of others' captures.
        used: whether it is one of captures that run.
        left: the calls that are not in its graphs.
        whole: the functions that are captured whole.
    """
    counts, captures = watched.counted, watched.captures
    failed = [stages.fallback for stages in captures if stages.fallback is not None]
    reasons = [*failed, *(reason for reason, called in left if called not in whole)]
    code = watched.code
    return FunctionRow(
        f"{watched.function.__module__}.{watched.function.__qualname__}",
        code.co_filename,
        code.co_firstlineno,
        _state(watched, inlined, used, watched in whole),
        tuple(dict.fromkeys(reason.code for reason in reasons)),
        tuple(dict.fromkeys(map(str, reasons))),
        watched.calls,
        counts.plain.median,
        counts.captured.median,
        counts.capturing / 1e9,
        watched.decision,
        "graph" if used and not captures else watched.runs_as,
    )


def _left_calls(captured: Iterable[Watched], by_function: Mapping[int, Watched]) -> dict[Watched, LeftCalls]:
    """The calls that are not in the graphs of functions that are captured, each with what watches the function that is called."""

    def behind(reason: Reason) -> Watched | None:
        return None if reason.callee is None else by_function.get(id(reason.callee()))

    def left(one: Watched) -> Iterator[tuple[Reason, Watched | None]]:
        recordings = [stages.recording for stages in one.captures if stages.recording is not None]
        for reason in itertools.chain(*(recording.plain_calls for recording in recordings)):
            called = behind(reason)
            yield reason, None if called is one else called  # a recursive call bypasses its stub
        for reason in itertools.chain(*(recording.graph_calls for recording in recordings)):
            yield reason, behind(reason)

    return {one: tuple(left(one)) for one in captured}


def _whole(left: Mapping[Watched, LeftCalls]) -> frozenset[Watched]:
    """The functions that are captured whole: all that they call is in a graph, theirs or that of a function like them."""
    found = {one for one in left if one.captures and not any(stages.fallback for stages in one.captures)}
    while partly := {one for one in found if any(called not in found for _, called in left[one])}:
        found -= partly
    return frozenset(found)


def _state(watched: Watched, inlined: bool, used: bool, whole: bool) -> str:
    captures, counts = watched.captures, watched.counted
    if captures:
        failed = all(stages.fallback is not None for stages in captures)
        return "plain" if failed else "whole" if whole else "partly"
    if counts.with_arrays and not used:
        return "cold"
    if inlined:
        return "inlined"
    return "no arrays" if counts.calls else IDLE


def _inlined(watched: Iterable[Watched]) -> frozenset[types.CodeType]:
    """The codes of the functions that are parts of others' captures."""
    return frozenset(code for one in watched for stages in one.captures for code in traced_through(stages))


def traced_through(stages: Stages) -> Iterator[types.CodeType]:
    """The codes of the functions that a capture looked into: those it has guards for."""
    from astrace.guards.access_paths import Attribute, Root  # loaded with the compiler

    for guard in stages.graph.guards if stages.graph is not None else ():
        path = getattr(guard, "path", None)
        if isinstance(path, Attribute) and path.name == "__code__" and isinstance(path.owner, Root):
            expected = getattr(guard, "expected", ())
            yield from expected if isinstance(expected, tuple) else (expected,)
