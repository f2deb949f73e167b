"""A plucked string: the wave equation, with both ends fixed."""

import numpy as np


def string(shape, speed, damping, steps):
    before, now = shape.copy(), shape.copy()
    seen = np.zeros((steps, len(shape)))
    for step in range(steps):
        after = np.zeros(len(shape))
        for i in range(1, len(shape) - 1):
            pull = now[i - 1] - 2 * now[i] + now[i + 1]
            after[i] = now[i] + damping * (now[i] - before[i]) + speed * speed * pull
        before, now = now, after
        seen[step] = now
    return seen


def arguments(large):
    count, steps = (120, 400) if large else (8, 6)
    x = np.linspace(0, 1, count)
    return np.minimum(x / 0.3, (1 - x) / 0.7), 0.9, 0.999, steps


def plot(axes, result, *_):
    axes.imshow(result.T, aspect="auto", cmap="RdBu")
    axes.set_xlabel("time")
