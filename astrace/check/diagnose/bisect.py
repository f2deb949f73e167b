"""The first node of a graph whose value is not what it should be.

Runs the graph and one that is known to be right on equal inputs, watching both, and compares what nodes make that
stand for each other.  For differences that no constant explains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.check.compare.diff import difference
from astrace.check.compare.observe import Call
from astrace.check.compare.snapshots import Camera, Picture
from astrace.check.isolation.time_limits import TimeUp, time_limit
from astrace.check.sandbox.world import World
from astrace.check.subject import Subject
from astrace.compiler.graph import Graph
from astrace.ir.block import Node
from astrace.ir.interpret_observed import interpret_observed
from astrace.ops import OPS

MOST_SECONDS: Final = 1.0
MOST_NODES: Final = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Wrong:
    """A node that makes something else than it should.

    Args:
        node: the node.
        expected: what it should make, for people.
        found: what it makes.
    """

    node: Node
    expected: str
    found: str


class _Tape:
    """Everything that the nodes of a run made, in order."""

    def __init__(self) -> None:
        self.made: list[tuple[Node, Picture]] = []

    def before(self, node: Node, given: Sequence[Any]) -> None:
        """Do nothing: the node has not been run yet."""

    def entered(self, node: Node, region: int) -> None:
        """Do nothing: the region's nodes are reported one by one."""

    def after(self, node: Node, results: Sequence[Any]) -> None:
        """Keep the results of a node, up to a limit."""
        if len(self.made) < MOST_NODES:
            self.made.append((node, Camera().picture(tuple(results))))


def first_wrong(subject: Subject, graph: Graph, right: Graph, call: Call, world: World) -> Wrong | None:
    """The first node of a graph that makes something else than its counterpart in a right one.

    Args:
        subject: what is checked.
        graph: the graph that is wrong.
        right: one that is right.
        call: the arguments.
        world: the state around it.
    """
    left, other = (_tape(subject, one, call, world) for one in (graph, right))
    for (node, made), (counterpart, expected) in zip(left, other, strict=False):
        if (node.op, node.location) != (counterpart.op, counterpart.location):
            return Wrong(node, f"`{counterpart.op}`", f"`{node.op}`")
        apart = difference(expected, made)
        if apart is not None:
            return Wrong(node, apart.expected, apart.found)
    return None


def _tape(subject: Subject, graph: Graph, call: Call, world: World) -> list[tuple[Node, Picture]]:
    tape = _Tape()
    with world.sandbox():
        try:
            given = subject.given(call.copy())
            inputs = [path.follow(given) for path in graph.inputs]
            with time_limit(MOST_SECONDS):
                interpret_observed(graph.block, inputs, OPS.implementation, tape)
        except (Exception, TimeUp):  # the results up to then suffice
            return tape.made
    return tape.made
