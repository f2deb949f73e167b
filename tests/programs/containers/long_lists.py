"""Long lists and tuples of numbers or arrays are walked by loops of the graph, at the length they have at each call."""

import numpy as np

RATES = [i / 4 for i in range(40)]
STEPS = tuple(range(35))
LAYERS = [np.eye(2) * i for i in range(33)]
GROWING = [1.0] * 40


def grow(items, x):
    for i, v in enumerate(items):
        if i == 2:
            items.append(x)
        elif i == 5:
            items[i + 1] = -v
    return sum(items)


def f(x, s):
    total = 0.0 * (lambda *items: len(items))(*RATES)
    for rate, step in zip(RATES, STEPS):
        if rate > 8:
            break
        total += rate * step * s
    for layer in LAYERS:
        x = layer @ x * 0.125 + 1.0
        layer[0, 0] += 1.0
    first, *rest = STEPS
    found = [v * s for v in reversed(RATES) if v > 9], 3.0 in RATES, RATES[3], STEPS[-1], len(rest), sum(STEPS)
    return total, x, found, grow(GROWING, s), LAYERS[1][0, 0]


CALLS = [(np.ones(2), np.float64(2.0))] * 5
BEFORE = {
    1: "RATES[3] = 7.0; RATES.append(3.0); LAYERS[0] = np.eye(2) * 50.0",
    2: "RATES[3] = 7; STEPS = STEPS[:33]",
    3: "LAYERS.append(np.eye(2, dtype=np.float32)); GROWING[0] = 1",
    4: "RATES = RATES[:4]; STEPS = (1, 2.5); del GROWING[4:]",
}
AFTER = "GROWING, LAYERS"


def noise(rng):
    return rng.normal(size=2), np.float64(rng.choice([0.5, -1.0, 2.0]))
