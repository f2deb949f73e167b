"""The findings of a check and its coverage, as frozen records.

Knows nothing of how a report is written down: `report` and ``render`` do that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from astrace.check.report.findings import GRADES, Finding, Grade
from astrace.locations import Location

Kind: TypeAlias = Literal["branch", "loop", "guard"]


MISSED: Final[Mapping[tuple[str, str], str]] = {
    ("branch", "taken"): "no input took this branch: the test was never true",
    ("branch", "not taken"): "every input took this branch: the test was never false",
    ("loop", "0 iterations"): "no input left out this loop: it always ran",
    ("loop", "1 iteration"): "no input ran this loop just once",
    ("loop", "many iterations"): "no input ran this loop more than once",
}
"""The sentence for a goal that was not reached."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Something that inputs should come to: a branch both ways, a loop of 0, 1 and many iterations, a failing guard.

    Args:
        kind: ``branch``, ``loop`` or ``guard``.
        what: which way: ``taken``, ``not taken``, ``0 iterations``, ``1 iteration``, ``many iterations``, or the guard.
        location: the user's line.
        reached: whether some input reached it.
        place: tells goals on one line apart.
    """

    kind: Kind
    what: str
    location: Location | None
    reached: bool
    place: int = 0

    @property
    def missed(self) -> str:
        """The consequence of no input reaching the goal, in a sentence."""
        return MISSED.get((self.kind, self.what), f"no input reached: {self.kind} {self.what}")

    def __str__(self) -> str:
        where = f"{self.location.file}:{self.location.line}: " if self.location else ""
        return f"{where}{self.kind} {self.what}"


@dataclass(frozen=True, slots=True)
class Coverage:
    """The branches, loops and guards that the inputs of a check reached.

    Args:
        goals: all that there was to come to.
        examples: how many inputs were run.
        changes: how many changes of the world were tried.
    """

    goals: tuple[Goal, ...] = ()
    examples: int = 0
    changes: int = 0

    @property
    def never_reached(self) -> tuple[Goal, ...]:
        """The goals that no input reached."""
        return tuple(goal for goal in self.goals if not goal.reached)

    def counted(self, kind: Kind) -> tuple[int, int]:
        """Count the goals of a kind that were reached, and all of them."""
        goals = [goal for goal in self.goals if goal.kind == kind]
        return sum(goal.reached for goal in goals), len(goals)

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(
            self.goals + other.goals, self.examples + other.examples, self.changes + other.changes
        )

    def __str__(self) -> str:
        kinds: tuple[tuple[Kind, str], ...] = (("branch", "branches"), ("loop", "loops"), ("guard", "guards"))
        counts = ((*self.counted(kind), name) for kind, name in kinds)
        told = [f"{name} {reached}/{total}" for reached, total, name in counts if total]
        changes = [f"{self.changes} change{'s' * (self.changes != 1)} outside"] if self.changes else []
        return ", ".join([f"{self.examples} example{'s' * (self.examples != 1)}", *changes, *told])


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """The findings of a check, as data.

    Args:
        name: what was checked.
        findings: all findings, errors first.
        coverage: the goals that inputs reached.
        seconds: how long it took.
        seed: what makes the same inputs again.
        parts: the results of the functions of a class or module.
        against: what it was compared with, and how exactly; empty for what astrace captured, compared to the bit.
    """

    name: str
    findings: tuple[Finding, ...]
    coverage: Coverage = Coverage()
    seconds: float = 0.0
    seed: int = 0
    parts: tuple[Result, ...] = ()
    against: str = ""

    @property
    def ok(self) -> bool:
        """True if there are no errors."""
        return not self.errors

    @property
    def is_empty(self) -> bool:
        """True if nothing was checked: no call was compared, and none would have run as plain Python."""
        return (
            all(part.is_empty for part in self.parts)
            and not self.coverage.examples
            and all(one.code != "AC303" for one in self.findings)
        )

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings of grade error."""
        return self.of_grade("error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings of grade warning."""
        return self.of_grade("warning")

    @property
    def notes(self) -> tuple[Finding, ...]:
        """The findings of grade note."""
        return self.of_grade("note")

    def of_grade(self, grade: Grade) -> tuple[Finding, ...]:
        """The findings of one grade."""
        return tuple(one for one in self.findings if one.grade == grade)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def __bool__(self) -> bool:
        return True


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Errors first, then warnings, then notes; each by line."""

    def key(one: Finding) -> tuple[int, str, int]:
        where = one.location
        return GRADES.index(one.grade), where.file if where else "", where.line if where else 0

    return tuple(sorted(findings, key=key))
