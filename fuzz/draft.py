"""Programs in the making: lines of text, each as deep as what stands around it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


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
