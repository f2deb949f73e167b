"""KnownLessons: what captures have learned of places in the program, for other captures that come by there.

A function is traced through wherever it is called, and each capture has to learn of it what the others have learned.  A
capture that learns something which another one knew takes over what that one learned from there on: it is evidently on
the same way.  What does not apply is never asked for, or makes the program do something that could have been done while
tracing.  So that nothing is lost by that, a capture that leaves something to plain Python after it has followed hints is
done once more without them.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Mapping
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

if TYPE_CHECKING:
    from astrace.tracing.changes.journal import Site
    from astrace.tracing.plan import Chain, Plan

PLACES: Final = ("unrolled", "changing", "calling")
"""The parts of a plan that are sets of sites."""
RECURSION: Final = "AT203"

Lesson: TypeAlias = "tuple[str, Site]"
"""The part of a plan, and the site that is in it; its second item is the ``id`` of the code that it is about."""
Lessons: TypeAlias = "Mapping[Lesson, Any]"
"""Lessons, each with what is known beside: the spec of a list's items, the reason for which a call is left."""


class KnownLessons:
    """The lessons of captures, for as long as the code that they are about is in use.

    Functions that are compiled together share one.  A copy, pickled or not, begins with nothing.
    """

    def __init__(self) -> None:
        self._known: dict[
            int, tuple[weakref.ref[types.CodeType], dict[Lesson, tuple[list[Lessons], int]]]
        ] = {}

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
        self.followed = self.progressed = False

    def begin(self, plan: Plan) -> None:
        """Begin an attempt."""
        foretold = (chain for chains in plan.foretold.values() for chain in chains)
        self._before = frozenset((*_lessons(plan), *map(_of_try, foretold)))

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
