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

    def fresh(self, hint: str) -> str:
        """A name that is not in use."""
        self.names += 1
        return f"{hint}{self.names}"
