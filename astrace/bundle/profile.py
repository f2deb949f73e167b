"""How long each node of a graph takes: one observed run, as a table and for Chrome's trace viewer.

The run goes through the interpreter, node by node: its times tell nodes apart, not how long a compiled call takes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from astrace.ir.block import Node

MOST_EVENTS: Final = 100_000
"""The number of runs of nodes that are kept one by one; all are counted."""


@dataclass(slots=True)
class NodeTime:
    """The runs of one node.

    Args:
        node: the node.
        depth: how many control flow nodes it lies in.
        calls: how often it was run.
        nanoseconds: how long that took, with what runs inside of it.
    """

    node: Node
    depth: int
    calls: int = 0
    nanoseconds: int = 0

    @property
    def name(self) -> str:
        """The variables that it makes, or its op."""
        return ", ".join(one.name for one in self.node.outputs if one.name) or self.node.op

    @property
    def line(self) -> str:
        """The user's line."""
        where = self.node.location
        return "" if where is None else f"{where.file.rpartition('/')[2]}:{where.line}"


@dataclass(frozen=True, slots=True)
class GraphProfile:
    """The times of one run.

    Args:
        name: of the graph.
        rows: the nodes in the order in which they were first run.
        events: begin and end of each run of a node, in nanoseconds, with the number of its row.
        returned: what the run returned.
    """

    name: str
    rows: tuple[NodeTime, ...]
    events: tuple[tuple[int, int, int], ...]
    returned: Any

    def table(self) -> str:
        """One line for each node: op, variable, user's line, calls, time, share of the whole.

        Example:
            >>> import astrace
            >>> graph = astrace.trace(lambda x: x * 2.0 + 1.0, 3.0)
            >>> print(graph.profile(3.0).table().splitlines()[0])
            op                       variable         line                  calls         ms      %
        """
        whole = sum(row.nanoseconds for row in self.rows if row.depth == 0) or 1
        lines = [f"{'op':<24} {'variable':<16} {'line':<20} {'calls':>6} {'ms':>10} {'%':>6}"]
        for row in self.rows:
            op = f"{'  ' * row.depth}{row.node.op}"
            share = 100 * row.nanoseconds / whole
            lines.append(
                f"{op:<24.24} {row.name:<16.16} {row.line:<20.20} {row.calls:>6} "
                f"{row.nanoseconds / 1e6:>10.4f} {share:>6.1f}"
            )
        return "\n".join(lines)

    def chrome_trace(self) -> str:
        """The run in the Trace Event Format, as chrome://tracing and ui.perfetto.dev open it."""
        first = self.events[0][0] if self.events else 0
        events = [
            {
                "name": self.rows[number].node.op,
                "cat": self.name,
                "ph": "X",
                "ts": (begin - first) / 1e3,
                "dur": (end - begin) / 1e3,
                "pid": 1,
                "tid": 1,
                "args": {"variable": self.rows[number].name, "line": self.rows[number].line},
            }
            for begin, end, number in self.events
        ]
        return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"})

    def __str__(self) -> str:
        return self.table()


@dataclass(slots=True)
class NodeClock:
    """Takes the time of each node while a graph is interpreted."""

    rows: dict[int, NodeTime] = field(default_factory=dict[int, NodeTime])
    events: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    _running: list[tuple[Node, int]] = field(default_factory=list[tuple[Node, int]])

    def before(self, node: Node, given: Sequence[Any]) -> None:  # noqa: ARG002 - as watchers are told
        """A node is about to be done."""
        self.rows.setdefault(id(node), NodeTime(node, len(self._running)))
        self._running.append((node, time.perf_counter_ns()))

    def entered(self, node: Node, region: int) -> None:
        """A region is about to be run; in front of a handler, the nodes that ran in the body have raised."""
        if node.op == "try_" and region > 0:
            while self._running[-1][0] is not node:
                self._end()

    def after(self, node: Node, results: Sequence[Any]) -> None:  # noqa: ARG002
        """A node was done."""
        while self._running[-1][0] is not node:
            self._end()
        self._end()

    def _end(self) -> None:
        node, begun = self._running.pop()
        ended = time.perf_counter_ns()
        row = self.rows[id(node)]
        row.calls += 1
        row.nanoseconds += ended - begun
        if len(self.events) < MOST_EVENTS:
            self.events.append((begun, ended, list(self.rows).index(id(node))))

    def profile(self, name: str, returned: Any) -> GraphProfile:
        """The times that were taken."""
        return GraphProfile(name, tuple(self.rows.values()), tuple(sorted(self.events)), returned)
