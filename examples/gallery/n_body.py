"""N-body: planets that attract each other, step by step with the leapfrog method."""

import numpy as np


def n_body(places, speeds, masses, step, steps):
    count = len(masses)
    path = np.zeros((steps, count, 2))
    for now in range(steps):
        for i in range(count):
            for j in range(count):
                if i != j:
                    x = places[j, 0] - places[i, 0]
                    y = places[j, 1] - places[i, 1]
                    pull = masses[j] / (x * x + y * y + 1e-3) ** 1.5
                    speeds[i, 0] += step * pull * x
                    speeds[i, 1] += step * pull * y
        for i in range(count):
            places[i, 0] += step * speeds[i, 0]
            places[i, 1] += step * speeds[i, 1]
            path[now, i, 0] = places[i, 0]
            path[now, i, 1] = places[i, 1]
    return path


def arguments(large):
    places = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.6], [-2.2, 0.0]])
    speeds = np.array([[0.0, 0.0], [0.0, 1.0], [-0.79, 0.0], [0.0, -0.67]])
    return places, speeds, np.array([1.0, 0.01, 0.02, 0.01]), 0.01, 2000 if large else 20


def plot(axes, result, *_):
    for body in range(result.shape[1]):
        axes.plot(result[:, body, 0], result[:, body, 1], lw=0.8)
    axes.set_aspect("equal")
