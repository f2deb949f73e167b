"""Programs in the making: lines of text, each as deep as what stands around it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass
class Draft:
    """A program in the making.

    Args:
        rng: what decides.
        lines: the text so far.
        indices: names of loops in use, each below ``n``.
        depth: how many statements stand around.
        budget: how many statements are left.
        names: how many names were made up.
    """

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    indices: list[str] = field(default_factory=list)
    depth: int = 1
    budget: int = 0
    names: int = 0

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append("    " * self.depth + text)

    def statement(self) -> None:
        """Write a statement; each kind of programs has its own."""
        raise NotImplementedError

    def suite(self) -> None:
        """Write a few statements, a step further in."""
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.statement()
        self.depth -= 1

    def fresh(self, hint: str) -> str:
        """A name that is not in use."""
        self.names += 1
        return f"{hint}{self.names}"


@dataclass
class FormDraft(Draft):
    """A program made of forms, texts with the kinds of their parts in braces: ``a[{index}] = {scalar}``.

    Args:
        loops: how many of the statements that stand around are loops.
    """

    FILLER: ClassVar[str] = "c += 1"
    """The statement that stands in a block when the budget is used up."""
    TEST_DEPTH: ClassVar[int] = 2
    """How deeply the test of a branch is nested."""
    ELSE: ClassVar[float] = 0.6
    """The share of branches with an ``else``."""

    loops: int = 0

    def part(self, kind: str, depth: int) -> str:
        """An expression of a kind; with a depth of zero, one without parts."""
        raise NotImplementedError

    def fill(self, form: str, depth: int = 2) -> str:
        """A form with its parts chosen."""
        while "{" in form:
            start = form.rindex("{")
            stop = form.index("}", start)
            form = form[:start] + self.part(form[start + 1 : stop], depth) + form[stop + 1 :]
        return form

    def block(self, count: int) -> None:
        """Write some statements, a step further in."""
        self.depth += 1
        for _ in range(count):
            self.statement() if self.budget > 0 else self.line(self.FILLER)
        self.depth -= 1

    def chosen(self, forms: Sequence[str], plain: int, depth: int) -> str:
        """One of some forms, filled; with a depth of zero one of the first, which have no parts of their kind."""
        return self.fill(self.rng.choice(forms if depth else forms[:plain]), max(0, depth - 1))

    def body(self, first: str) -> None:
        """Write the body of a loop, with a line in front that ends it in time."""
        self.depth += 1
        self.line(first)
        self.depth -= 1
        self.loops += 1
        self.block(self.rng.randint(1, 3))
        self.loops -= 1

    def mixed(self, changes: Sequence[str], leaves: Sequence[str]) -> None:
        """Write a loop, a branch, what may leave the function or a loop, or a change.

        Args:
            changes: the forms of statements that change something.
            leaves: those of statements that may leave the function.
        """
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.3 and self.loops < 2 and self.depth < 4:
            self.loop()
        elif kind < 0.45 and self.depth < 4:
            self.branch()
        elif kind < 0.5:
            self.line(self.fill(self.rng.choice(leaves)))
        elif kind < 0.55 and self.loops:
            self.line(f"if {self.part('test', 1)}: {self.rng.choice(['break', 'continue'])}")
        else:
            self.line(self.fill(self.rng.choice(changes)))

    def loop(self) -> None:
        """Write a loop that ends; each kind of programs has its own."""
        raise NotImplementedError

    def branch(self) -> None:
        """Write a branch."""
        self.line(f"if {self.part('test', self.TEST_DEPTH)}:")
        self.block(self.rng.randint(1, 2))
        if self.rng.random() < self.ELSE:
            self.line("else:")
            self.block(1)
