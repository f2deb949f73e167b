"""The constant, guard or node that made a difference: where it stands, what it was, what it is now, what to do.

The function is captured again for the failing call, in the failing world; then

1. a guard of the graph that does not hold any more names what was decided and is decided otherwise now;
2. a constant that the new capture has otherwise, or reads, names what was frozen;
3. an argument of a type that the graph was not made for names that type;
4. a node that the new capture has otherwise, or has not, names a wrong step;
5. else the first node whose value differs names where the two part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.check.compare.diff import shortened
from astrace.check.compare.observe import Call
from astrace.check.diagnose.bisect import first_wrong
from astrace.check.diagnose.constant_diff import Apart, differences
from astrace.check.diagnose.deciding_line import deciding
from astrace.check.diagnose.frozen_assumptions import decision
from astrace.check.report.findings import Suspect
from astrace.check.sandbox.world import World
from astrace.check.subject import Subject, failing
from astrace.compiler.graph import Graph
from astrace.errors import Reason
from astrace.guards.access_paths import Argument, steps
from astrace.guards.failures import current, subject_of
from astrace.guards.kinds import (
    Contains,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasMembers,
    HasType,
    Is,
    Lacks,
    LacksAttribute,
    paths_of,
)
from astrace.ir.block import Constant, Node
from astrace.ir.constants import show
from astrace.locations import Location

OUTSIDE: Final = "pass it as an argument, or use `astrace.compile`, which reads it at every call"
CALLED: Final = "pass its result as an argument, or use `astrace.compile`, which calls it every time"
MANY: Final = ("the keys", "the members")
WIDER: Final = (
    "trace the function for arguments like these, too, or use `astrace.compile`, which does so by itself"
)
REPORT: Final = "this is a fault of astrace: please report it with the example"


@dataclass(frozen=True, slots=True, eq=False)
class Blame:
    """The constant, guard or node that made a difference.

    Args:
        location: the user's line.
        because: what happened, in one sentence.
        fix: what to change.
        constant: the constant or decision, where it is one.
    """

    location: Location | None
    because: str
    fix: str
    constant: Suspect | None = None

    @property
    def changed(self) -> bool:
        """True if something outside differs now from when the graph was made."""
        one = self.constant
        return (
            self.fix == OUTSIDE and one is not None and one.now not in ("", one.then) and one.what[-1:] != ")"
        )


def blame(subject: Subject, call: Call, world: World) -> Blame:
    """Find what is to blame for a difference on a call, in the present state of the world.

    Args:
        subject: what is checked.
        call: the failing call.
        world: the state around it.
    """
    start = subject.start
    graph = subject.graph_of(call.copy())
    if graph is None:
        return Blame(
            start,
            "the object that was checked is no graph, so none of its steps can be named",
            "compare the two functions line by line",
        )
    anew = subject.anew(call.copy())
    places = list(differences(graph.block, anew.block)) if anew is not None else []
    given = subject.given(call)
    failed = failing(graph, given)
    found = _first(
        _decided(subject, graph, failed, given),
        _chosen(subject, graph, failed, given, places, VALUES),
        _frozen_places(graph, anew, places),
        _chosen(subject, graph, failed, given, places, TYPES),
        (_constant(one) for one in places if one.then is not None),
        map(_node, places),
    )
    if found is not None:
        return found
    if anew is not None:
        wrong = first_wrong(subject, graph, anew, call, world)
        if wrong is not None:
            text = f"`{wrong.node.op}` makes {wrong.found} instead of {wrong.expected}"
            return Blame(wrong.node.location or start, text, REPORT)
    return Blame(start, "the graph and the function differ somewhere in it", REPORT)


def _first(*streams: Iterator[Blame]) -> Blame | None:
    return next((one for stream in streams for one in stream), None)


# -- guards ------------------------------------------------------------------------------------------------


VALUES: Final = (Is, Equals, HasKeys, HasLength, HasMembers, Contains, Lacks, LacksAttribute)
TYPES: Final = (HasType, Fits)


def _decided(
    subject: Subject, graph: Graph, failed: Sequence[Guard], given: Mapping[str, Any]
) -> Iterator[Blame]:
    """Blame a guard that does not hold and has a line of its own: a decision that is different now."""
    for guard in failed:
        where = graph.guarded_at.get(guard)
        if where is not None:
            yield _said(subject, guard, given, where)


def _chosen(
    subject: Subject,
    graph: Graph,
    failed: Sequence[Guard],
    given: Mapping[str, Any],
    places: Sequence[Apart],
    kinds: tuple[type, ...],
) -> Iterator[Blame]:
    """The guards on arguments and on types that do not hold; the line to look at is the one that asks, else where it shows."""
    shows = next((apart.location for apart in places if apart.location is not None), subject.start)
    for guard in failed:
        apart = subject.is_on_arguments(guard) or guard not in graph.guarded_at
        if isinstance(guard, kinds) and apart:
            yield _said(subject, guard, given, _asking(subject, guard, shows, kinds is TYPES))


def _asking(subject: Subject, guard: Guard, shows: Location | None, by_type: bool) -> Location | None:
    """Return the line that decides by the argument of a guard; ``shows`` where there is none."""
    names = (step.name for path in paths_of(guard) for step in steps(path) if isinstance(step, Argument))
    name = next(names, None)
    if name is None:
        found = subject.reading(str(guard.path))
        return shows if found == subject.start else found
    return deciding(subject.target.function, name, shows, by_type or isinstance(guard, HasLength))


def _said(subject: Subject, guard: Guard, given: Mapping[str, Any], where: Location | None) -> Blame:
    """Describe what happened to a guard, and what to do about it."""
    suspect = decision(guard, current(guard, given))
    about = subject_of(guard)
    were = "were" if about.startswith(MANY) else "was"
    because = f"{about} {were} {suspect.then} when the graph was made, and {'are' if were == 'were' else 'is'} {suspect.now} now"
    return Blame(where, because, WIDER if subject.is_on_arguments(guard) else OUTSIDE, suspect)


# -- constants and nodes -----------------------------------------------------------------------------------


def _frozen_places(graph: Graph, anew: Graph | None, places: Sequence[Apart]) -> Iterator[Blame]:
    """The constants that were read from outside and are otherwise in a new capture."""
    if anew is not None:
        yield from (
            _frozen(graph, anew, one) for one in places if one.then is not None and one.then.origin.path
        )


def _frozen(graph: Graph, anew: Graph, apart: Apart) -> Blame:
    """A constant that was read from outside, or follows from such."""
    assert apart.then is not None
    origin = apart.then.origin
    roots = [one for one in graph.frozen or () if one.origin.path in origin.path.split(", ")] or [apart.then]
    changed = [one for one in roots if _now(anew, one) not in ("", value_text(one))] or roots
    root = changed[0]
    now = _now(anew, root) or (value_text(apart.now) if apart.now is not None else "")
    suspect = Suspect(root.origin.path or show(root.value), root.origin.kind, value_text(root), now)
    because = f"`{suspect.what}` was {suspect.then} when the graph was made" + (
        f", and is {suspect.now} now" if suspect.now else ""
    )
    fix = CALLED if suspect.what.endswith("()") else OUTSIDE
    return Blame(root.origin.location or apart.location, because, fix, suspect)


def _now(anew: Graph, constant: Constant) -> str:
    """Return a frozen constant's value in a new capture, in words."""
    path = constant.origin.path
    return next((value_text(one) for one in anew.frozen or () if one.origin.path == path), "")


def value_text(constant: Constant) -> str:
    """A constant in a few words; a small array by its items."""
    value = constant.value
    if hasattr(value, "tolist") and getattr(value, "size", 0) <= 6 and getattr(value, "ndim", 0):
        return f"{value.dtype} {value.tolist()}"
    return shortened(str(constant.spec) if hasattr(value, "tolist") and value.ndim else show(value))


def _constant(apart: Apart) -> Blame:
    """Blame a constant that the function computes, or that is another one there."""
    assert apart.then is not None
    then = value_text(apart.then)
    now = value_text(apart.now) if apart.now is not None else ""
    node = f" of `{apart.left.op}`" if apart.left is not None else ""
    because = f"the graph has the constant {then}{node}, the function " + (
        f"has {now} there" if now else "computes or reads it"
    )
    suspect = Suspect(f"the constant {then}", apart.then.origin.kind, then, now)
    return Blame(apart.location or apart.then.origin.location, because, REPORT, suspect)


def _node(apart: Apart) -> Blame:
    left, right = apart.left, apart.right
    if left is not None and right is not None:
        same = left.op == right.op
        because = (
            f"`{left.op}` has other inputs than in the function"
            if same
            else f"the graph does `{left.op}` where the function does `{right.op}`"
        )
    elif left is not None:
        because = f"the graph does `{_text(left)}`, the function does not"
    elif right is not None:
        because = f"the graph lacks `{_text(right)}`, which the function does"
    else:
        because = "the graph returns another value than the function"
    return Blame(apart.location, because, REPORT)


def _text(node: Node) -> str:
    return node.op


def reason_text(reason: Reason) -> str:
    """A reason in one line."""
    return f"{reason.message} ({reason.code})"
