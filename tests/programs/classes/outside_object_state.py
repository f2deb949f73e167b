"""Attributes and items of outside objects, read, written, in loops and branches."""

import numpy as np

class Model:
    def __init__(self):
        self.w = 2.0
        self.steps = 0
        self.history = []
        self.table = {"best": None}

    def step(self, s):
        self.steps += 1
        if s > 1:
            self.w = self.w * 0.5
            self.history.append(s)
        return self.w * s

model = Model()

def f(x):
    total = 0.0
    for v in x:
        total = total + model.step(v)
    model.table["best"] = total
    return total, model.steps

CALLS = [(np.array([1.0, 2.0, 3.0]),), (np.array([0.5]),), (np.array([4.0]),)]
BEFORE = {2: "model.w = 7.0"}
AFTER = "model.w, model.steps, model.history, model.table"
