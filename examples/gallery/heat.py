"""Heat: how warmth spreads in a plate with a hot and a cold edge, until it hardly changes."""

import numpy as np


def heat(plate, tolerance):
    steps, change = 0, np.inf
    while change > tolerance:
        new = plate.copy()
        new[1:-1, 1:-1] = (plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]) / 4
        change = np.abs(new - plate).max()
        plate = new
        steps += 1
    return plate, steps


def arguments(large):
    plate = np.zeros((48, 64) if large else (8, 9))
    plate[0], plate[:, 0] = 1.0, 0.5
    return plate, 1e-4 if large else 1e-2


def plot(axes, result, *_):
    axes.imshow(result[0], cmap="inferno")
    axes.set_title(f"after {result[1]} steps")
