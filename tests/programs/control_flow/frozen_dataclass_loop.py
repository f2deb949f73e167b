"""A frozen dataclass replaced at every turn."""

import numpy as np

import dataclasses

@dataclasses.dataclass(frozen=True)
class State:
    x: float
    k: int = 0

    def step(self):
        if self.x > 10:
            return dataclasses.replace(self, k=self.k + 1)
        return State(self.x * 2, self.k + 1)

def f(s, n):
    state = State(s)
    for _ in range(n):
        state = state.step()
    return state.x, state.k

CALLS = [(np.float64(1.0), 6), (np.float64(30.0), 2), (np.float64(1.0), 0)]
