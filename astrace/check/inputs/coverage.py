"""Coverage of a check: branches, loops and guards that its inputs reached, and how near they came to the others.

`Reached` watches runs of a graph.  A branch wants to be taken and not taken, a loop to be run 0, 1 and many
times, a handler to catch, a guard to fail.  For a branch on a comparison it also knows how far the two sides were
apart, which is what Hypothesis is asked to make smaller.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from astrace.check.report.results import Goal, Kind
from astrace.compiler.graph import Graph
from astrace.guards.kinds import Guard, HasType, Is, IsAt, Lacks, LacksAttribute
from astrace.ir.block import Block, Node, Value
from astrace.ir.interpret_observed import interpret_observed
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.util.trees import fill

COMPARISONS: Final = ("lt", "le", "gt", "ge", "eq", "ne")
ITERATIONS: Final = ("0 iterations", "1 iteration", "many iterations")
WAYS: Final = {
    "cond": ("branch", ("taken", "not taken")),
    "while_loop": ("loop", ITERATIONS),
    "for_loop": ("loop", ITERATIONS),
    "try_": ("branch", ("no exception", "an exception")),
}


class Reached:
    """The coverage of branches, loops and guards by the runs of one graph.

    Args:
        graph: the graph.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._places = {node: index for index, node in enumerate(_control(graph.block))}
        self._ways: dict[Node, set[str]] = {node: set() for node in self._places}
        self._failed: set[Guard] = set()
        self._turns: list[tuple[Node, list[int]]] = []
        self._makers: dict[Value, Node] = {}
        self._given: dict[Node, Sequence[Any]] = {}
        self.distances: dict[str, float] = {}
        for node in nodes(graph.block):
            self._makers.update(dict.fromkeys(node.outputs, node))

    # -- watching --------------------------------------------------------------------------------------

    def run(self, arguments: dict[str, Any]) -> Any:
        """Run the graph, watching."""
        self._turns.clear()
        self.distances.clear()
        given = [path.follow(arguments) for path in self.graph.inputs]
        try:
            return self._run(given)
        finally:
            self._leave(None)

    def _run(self, given: Sequence[Any]) -> Any:
        return fill(self.graph.result, interpret_observed(self.graph.block, given, OPS.implementation, self))

    def before(self, node: Node, given: Sequence[Any]) -> None:
        """Take note that a node is about to be done."""
        if node.op in COMPARISONS:
            self._given[node] = given
        elif node.op == "cond":
            self._measure(node)
        if node.regions:
            self._turns.append((node, [0] * len(node.regions)))

    def entered(self, node: Node, region: int) -> None:
        """Take note that a region is about to be run."""
        while self._turns and self._turns[-1][0] is not node:
            self._leave(self._turns[-1][0])  # an exception left it
        if self._turns:
            self._turns[-1][1][region] += 1

    def after(self, node: Node, results: Sequence[Any]) -> None:  # noqa: ARG002
        """Take note that a node was done."""
        if node.regions:
            self._leave(node)

    def _leave(self, node: Node | None) -> None:
        """Take note that a node was left, and with it those inside that an exception ended; without one all of them."""
        while self._turns:
            left, counts = self._turns.pop()
            if left in self._ways and (left is node or any(counts)):
                self._ways[left].add(_way(left, counts))
            if left is node:
                return

    def fail(self, guards: Sequence[Guard]) -> None:
        """Take note of guards that did not hold."""
        self._failed.update(guards)

    # -- distances -------------------------------------------------------------------------------------

    def _measure(self, node: Node) -> None:
        """Measure how far a branch that was never taken one way was from going that way."""
        test = node.inputs[0]
        maker = self._makers.get(test) if isinstance(test, Value) else None
        if maker is None or maker not in self._given or node not in self._places:
            return
        apart = _apart(*self._given[maker][:2])
        missing = {"taken", "not taken"} - self._ways[node]
        if apart is not None and missing:
            label = f"branch {self._places[node]} {min(missing)}"
            self.distances[label] = max(self.distances.get(label, -math.inf), -apart)

    # -- what there is ---------------------------------------------------------------------------------

    @property
    def is_complete(self) -> bool:
        """True if every branch went both ways and every loop ran 0, 1 and many times."""
        return all(len(self._ways[node]) == len(WAYS[node.op][1]) for node in self._places)

    @property
    def count(self) -> int:
        """The number of ways taken."""
        return sum(map(len, self._ways.values()))

    def goals(self, with_guards: bool) -> Iterator[Goal]:
        """Yield all goals of the graph.

        Args:
            with_guards: those of guards, too.
        """
        for node, place in self._places.items():
            kind, ways = WAYS[node.op]
            for way in ways:
                yield Goal(_kind(kind), way, node.location, way in self._ways[node], place)
        for index, guard in enumerate(self.graph.guards if with_guards else ()):
            if not isinstance(guard, HasType | IsAt | Lacks | LacksAttribute) and not _is_code(guard):
                where = self.graph.guarded_at.get(guard)
                yield Goal("guard", f"{guard} fails", where, guard in self._failed, index)


def _control(block: Block) -> Iterator[Node]:
    """The nodes that want to be run in more than one way."""
    return (node for node in nodes(block) if node.op in WAYS)


def _kind(name: str) -> Kind:
    return "loop" if name == "loop" else "branch"


def _way(node: Node, counts: list[int]) -> str:
    """Return the way that a control flow node took, from how often each of its regions was run."""
    match node.op:
        case "cond":
            return "taken" if counts[0] else "not taken"
        case "try_":
            return "an exception" if any(counts[1:]) else "no exception"
        case _:
            return ITERATIONS[min(counts[-1], 2)]


def _is_code(guard: Guard) -> bool:
    """Return whether a guard pins a function, its code or a module, which only editing a program changes."""
    return isinstance(guard, Is) and not isinstance(guard.expected, bool | None)


def _apart(left: Any, right: Any) -> float | None:
    """Return the distance of two numbers."""
    try:
        with np.errstate(all="ignore"):
            apart = float(np.min(np.abs(np.subtract(left, right, dtype=float))))
    except (TypeError, ValueError):
        return None
    return apart if math.isfinite(apart) else None
