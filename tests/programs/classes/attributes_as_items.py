"""An instance's ``__dict__`` holds its attributes: what is written one way is read the other way."""

import types

import numpy as np


class Box:
    scale = 10.0

    def __init__(self, v):
        self.v = v


b, other = Box(1.0), Box(5.0)
HELD = b.__dict__
module = types.ModuleType("module")
module.rate = 2.0
NAMES = module.__dict__


def f(x, given):
    b.v = b.v + x
    first = HELD["v"]
    HELD["v"] = HELD["v"] * 2
    HELD["scale"] = x
    vars(given)["w"] = b.v
    NAMES["rate"] = NAMES["rate"] + 1
    chosen = vars(b) if x > 1 else vars(other)
    chosen["v"] = 100.0
    local = Box(x)
    local.__dict__["v"] = local.v + 1
    return first, b.v, b.scale, given.w, sorted(given.__dict__), module.rate, other.v, local.v


CALLS = [(np.float64(1.0), Box(1.0)), (np.float64(2.0), Box(2.0)), (np.float64(3.0), Box(3.0))]
BEFORE = {1: "del b.scale", 2: "HELD = {'v': 7.0}"}
AFTER = "HELD, b.v, other.v, LAST[1].w"
