"""KnownLessons: what captures have learned of places in the program, for other captures that come by there.

A function is traced through wherever it is called, and each capture has to learn of it what the others have learned.  A
capture that learns something which another one knew takes over what that one learned from there on: it is evidently on
the same way.  What does not apply is never asked for, or makes the program do something that could have been done while
tracing.  So that nothing is lost by that, a capture that leaves something to plain Python after it has followed hints is
done once more without them.

A capture that took long, or goes on at the next call, is where the next capture of the same function begins, for arguments
of other types: in one attempt, as a rule, in place of several.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from astrace.ir.specs import (
    AnySpec,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)
from astrace.tracing.values.special_methods import HEAP_TYPE
from astrace.util.capture_budget import MOST_REPEATED

if TYPE_CHECKING:
    from astrace.errors import Reason
    from astrace.tracing.changes.journal import Site
    from astrace.tracing.plan import Chain, Plan

PLACES: Final = ("unrolled", "changing", "calling")
"""The parts of a plan that are sets of sites."""
RECURSION: Final = "AT203"

Lesson: TypeAlias = "tuple[str, Site]"
"""The part of a plan, and the site that is in it; its second item is the ``id`` of the code that it is about."""
Cause: TypeAlias = tuple[str, str, int]
"""The code of a reason, and the line that it is about, whichever line of the function led there."""
Lessons: TypeAlias = "Mapping[Lesson, Any]"
"""Lessons, each with what is known beside: the spec of a list's items, the reason for which a call is left."""


@dataclass(frozen=True, slots=True)
class Ending:
    """What a capture of a function knew in the end, for the next capture of the same function.

    Args:
        lessons: what it had learned.
        left: the reasons why something was left to plain Python, by their causes.
        again: those of them that an earlier capture had met as well.
        opaque: a loop holds an opaque call.
        work: how much a capture takes that begins with nothing.
    """

    lessons: Lessons = field(default_factory=dict[Lesson, Any])
    left: frozenset[Cause] = frozenset()
    again: frozenset[Cause] = frozenset()
    opaque: bool = False
    work: float = 0


class KnownLessons:
    """The lessons of captures, for as long as the code that they are about is in use.

    Functions that are compiled together share one.  A copy, pickled or not, begins with nothing.
    """

    def __init__(self) -> None:
        self._known: dict[
            int, tuple[weakref.ref[types.CodeType], dict[Lesson, tuple[list[Lessons], int]]]
        ] = {}
        self._last: dict[int, tuple[weakref.ref[types.CodeType], Ending]] = {}

    def ending(self, code: types.CodeType) -> Ending:
        """Return how the last capture of a function ended, if that was kept; of its lessons those that still mean something."""
        reference, found = self._last.get(id(code), (None, Ending()))
        if reference is None or reference() is not code:
            return Ending()
        lessons = {lesson: value for lesson, value in found.lessons.items() if self._of(lesson)}
        return replace(found, lessons=lessons)

    def keep(self, code: types.CodeType, ending: Ending) -> None:
        """Keep how a capture of a function ended."""
        key = id(code)
        self._last[key] = weakref.ref(code, lambda _: self._last.pop(key, None)), ending

    def after(self, learned: Lessons) -> Lessons:
        """Return what those captures learned next that were the first to learn one of some lessons."""
        found: dict[Lesson, Any] = {}
        for lesson in learned:
            steps, first = self._of(lesson).get(lesson, ((), 0))
            for step in steps[first:]:
                found |= {one: known for one, known in step.items() if self._of(one)}
        return found

    def code(self, lesson: Lesson) -> types.CodeType | None:
        """Return the code that a lesson is about, if it is still in use."""
        reference, _ = self._known.get(lesson[1][1], (None, {}))  # type: ignore[arg-type]
        return None if reference is None else reference()

    def _of(self, lesson: Lesson) -> dict[Lesson, tuple[list[Lessons], int]]:
        """The lessons about a code that is still in use."""
        reference, found = self._known.get(lesson[1][1], (None, {}))  # type: ignore[arg-type]
        return found if reference is not None and reference() is not None else {}

    def add(self, learned: Lessons, steps: list[Lessons], codes: Mapping[int, types.CodeType]) -> bool:
        """Keep lessons; return whether any of them is new.

        Args:
            learned: the lessons.
            steps: the steps of the capture, of which this is the last.
            codes: the code objects by the ids that sites have.
        """
        is_new = False
        for lesson in learned:
            key: int = lesson[1][1]  # type: ignore[assignment]
            found = self._of(lesson)
            if not found:
                forget = weakref.ref(codes[key], lambda _, key=key: self._known.pop(key, None))
                self._known[key] = forget, found
            is_new |= lesson not in found
            found.setdefault(lesson, (steps, len(steps) - 1))
        return is_new

    def __reduce__(self) -> tuple[type[KnownLessons], tuple[()]]:
        return KnownLessons, ()

    def __len__(self) -> int:
        return sum(len(found) for _, found in list(self._known.values()))  # other threads may add some


class Learning:
    """What one capture learns, attempt by attempt.

    Args:
        own: the code of the function that is captured.
        known: what this and other captures have learned.
        alone: takes no hints.

    Attributes:
        followed: it has taken hints.
        progressed: it has learned what no capture knew before.
    """

    def __init__(self, own: types.CodeType, known: KnownLessons, alone: bool = False) -> None:
        self._own = own
        self._known = known
        self._alone = alone
        self._steps: list[Lessons] = []
        self._before: frozenset[Lesson] = frozenset()
        self._last = Ending()
        self.followed = self.progressed = False

    def resume(self, plan: Plan) -> None:
        """Begin the first attempt where the last capture of the same function ended, if that was kept."""
        self._last = self._known.ending(self._own)
        for lesson, known in self._last.lessons.items():
            self._follow(plan, lesson, known)
        plan.opaque = self._last.opaque
        self.followed = bool(self._last.lessons)

    def foresaw(self, reasons: Iterable[Reason], limit: float) -> bool:
        """Return whether a capture that begins with nothing would leave all that to plain Python as well.

        That is likely where the last one has left it, and certain enough where two have, or where one more is too dear.
        """
        last = self._last
        known = last.again if MOST_REPEATED * last.work < limit else last.left
        return known.issuperset(map(_cause_of, reasons))

    def keep(self, plan: Plan, left: Iterable[Reason], work: float) -> None:
        """Have the next capture of the same function begin with this plan.

        Args:
            plan: the plan in the end.
            left: what stood in the way of more.
            work: the work of the capture.
        """
        causes, last = frozenset(map(_cause_of, left)), self._last
        ending = Ending(_lessons(plan), causes, causes & last.left, plan.opaque, max(work, last.work))
        self._known.keep(self._own, ending)

    def without_hints(self) -> Learning:
        """Return a new beginning, which takes no hints."""
        found = Learning(self._own, self._known, alone=True)
        found._last = replace(self._last, lessons={})
        return found

    def begin(self, plan: Plan) -> None:
        """Begin an attempt."""
        foretold = (chain for chains in plan.foretold.values() for chain in chains)
        self._before = frozenset((*_lessons(plan), *map(_of_try, foretold), *self._last.lessons))

    def end(self, plan: Plan) -> None:
        """End an attempt that has changed the plan: keep what it has learned, and take what follows from that."""
        learned = {one: known for one, known in _lessons(plan).items() if one not in self._before}
        if not learned:
            return
        hints = {} if self._alone else self._known.after(learned)
        self._steps.append(learned)
        codes = {key: code for key, (code, _) in plan.codes.items()} | {
            id(code): code for code in plan.endless
        }
        self.progressed |= self._known.add(learned, self._steps, codes)
        new = [one for one in hints if one not in learned and one not in self._before]
        for lesson in new:
            self._follow(plan, lesson, hints[lesson])
        self.followed = self.followed or bool(new)

    def _follow(self, plan: Plan, lesson: Lesson, known: Any) -> None:
        """Add a lesson of another capture to the plan."""
        part, site = lesson
        match part:
            case "objects":
                plan.require((site,), known)
            case "attempts":
                chain: Any = site[2:]
                plan.foretold.setdefault(chain[0], []).append(chain)
            case "endless":
                code = self._known.code(lesson)
                if code is not None and code is not self._own:
                    plan.endless.setdefault(code, known)
            case "reshaped":
                plan.reshaped = {site} if plan.reshaped is None else plan.reshaped | {site}
            case _:
                getattr(plan, part).add(site)


def _lessons(plan: Plan) -> dict[Lesson, Any]:
    """The lessons of a plan that others may follow: those about places of the program, by nothing of the user's."""
    found: dict[Lesson, Any] = {
        ("objects", site): element if element is not None and _is_data(element) else None
        for site, element in plan.objects.items()
        if _is_place(site, plan)
    }
    found |= {(part, site): None for part in PLACES for site in getattr(plan, part) if _is_place(site, plan)}
    found |= {("reshaped", site): None for site in plan.reshaped or () if _is_place(site, plan)}
    found |= dict.fromkeys(map(_of_try, plan.attempts))
    found |= {
        ("endless", ("code", id(code))): reason
        for code, reason in plan.endless.items()
        if reason.code == RECURSION
    }
    return found


def _cause_of(reason: Reason) -> Cause:
    where = reason.location
    return (reason.code, "", 0) if where is None else (reason.code, where.file, where.line)


def _of_try(chain: Chain) -> Lesson:
    """The lesson that a ``try`` statement becomes a node."""
    return "attempts", ("try", chain[0][0], *chain)


def _is_place(site: Site, plan: Plan) -> bool:
    """Return whether a site is a place in the program."""
    return len(site) >= 3 and isinstance(site[1], int) and site[1] in plan.codes


def _is_data(spec: Spec) -> bool:
    """Return whether a spec holds nothing that it would keep alive: no class and no value of the user's."""
    match spec:
        case ArraySpec() | GenericSpec() | ScalarSpec():
            return True
        case AnySpec():
            return spec.cls is None or not spec.cls.__flags__ & HEAP_TYPE
        case ListSpec():
            return spec.element is None or _is_data(spec.element)
        case TupleSpec():
            return spec.cls is tuple and all(map(_is_data, spec.items))
        case UnionSpec():
            return all(map(_is_data, spec.options))
        case DeviceSpec() | LiteralSpec():
            return False
