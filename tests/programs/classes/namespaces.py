"""Attributes of ``types.SimpleNamespace`` are those of any instance: read, written, deleted, reached by its dict."""

import copy
import types

import numpy as np


class Grid(types.SimpleNamespace):
    def area(self):
        return self.dx * self.dy


settings = types.SimpleNamespace(rate=0.5, grid=Grid(dx=2.0, dy=3.0), steps=0)
other = types.SimpleNamespace(rate=9.0, grid=settings.grid, steps=100)
HELD = settings.__dict__


def slower(state):
    exec("state.rate = state.rate / 2", {"state": state})
    return state.rate


def f(state, x, two):
    state.u[...] = state.u + settings.rate * x
    state.u[1:] -= state.u[:-1].copy() / settings.grid.area()
    state.total = state.u.sum()
    for _ in range(2):
        settings.steps += 1
        two.steps = two.steps + state.total
    HELD["rate"] = HELD["rate"] * 2
    fast = settings.rate
    vars(state)["seen"] = slower(settings)
    if x > 1:
        chosen = settings
        del state.gone
    else:
        chosen = other
    chosen.grid.dx = x
    made = types.SimpleNamespace(v=x)
    made.v += state.seen
    missing = getattr(state, "lacking", None), hasattr(state, "gone"), hasattr(settings, "late")
    return fast, settings.rate, settings.grid.area(), made, copy.copy(state) == state, missing, two is settings


def given(x):
    return types.SimpleNamespace(u=np.arange(4.0), gone=1), x


CALLS = [
    (*given(1.0), other),
    (*given(2.0), other),
    (*given(3.0), settings),
    (*given(0.5), types.SimpleNamespace(steps=np.float64(1.0))),
    (*given(0.25), settings.grid.__class__(steps=1)),
]
BEFORE = {1: "settings.late = 1", 3: "settings.grid.area = lambda: 4.0", 4: "HELD = {'rate': 7.0}"}
AFTER = "settings, other, HELD, LAST[0]"
