"""Dataclass defaults, factories and `__post_init__`."""

import numpy as np

import dataclasses

@dataclasses.dataclass
class Config:
    scale: float
    shift: float = 1.5
    names: list = dataclasses.field(default_factory=list)
    area: float = dataclasses.field(init=False)

    def __post_init__(self):
        self.area = self.scale * self.shift

def f(s):
    c = Config(s)
    c.names.append("a")
    d = Config(s, shift=2.0, names=["z"])
    return c.area, d.area, c.names, d.names

CALLS = [(np.float64(2.0),), (3,)]
