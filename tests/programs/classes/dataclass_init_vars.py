"""A dataclass hands its init-only variables to ``__post_init__``, which may set fields of a frozen instance."""

from dataclasses import InitVar, dataclass, field
from typing import ClassVar

import numpy as np


@dataclass(frozen=True)
class Vector:
    unit: ClassVar[str] = "m"
    x: float
    scale: InitVar[float] = 2.0
    y: float = 1.0
    history: list = field(default_factory=list)
    late: InitVar[float] = field(default=0.5, kw_only=True)

    def __post_init__(self, scale, late):
        object.__setattr__(self, "x", self.x * scale + late)
        object.__setattr__(self, "length", (self.x * self.x + self.y * self.y) ** 0.5)
        self.history.append(scale)


def f(x, given):
    plain, scaled = Vector(x), Vector(x, 3.0, y=x, late=x)
    if x > 1:
        object.__setattr__(given, "y", x)
    return plain.length, scaled.length, scaled.x, scaled.history, given.y, given.length


CALLS = [
    (1.5, Vector(1.0)),
    (0.5, Vector(2.0, 1.0)),
]
