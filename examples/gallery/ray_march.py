"""A ray marcher: light on two balls and a floor, each ray as many steps as it needs."""

import numpy as np


def distance(x, y, z):
    first = np.sqrt(x * x + y * y + (z - 4.0) * (z - 4.0)) - 1.0
    second = np.sqrt((x - 1.3) * (x - 1.3) + (y + 0.5) * (y + 0.5) + (z - 3.2) * (z - 3.2)) - 0.5
    return min(first, second, y + 1.0)


def ray_march(width, height, far):
    picture = np.zeros((height, width))
    for row in range(height):
        for column in range(width):
            across, up = (column + 0.5) / width * 2.4 - 1.2, 0.9 - (row + 0.5) / height * 1.8
            length = np.sqrt(across * across + up * up + 1.0)
            x, y, z, gone = 0.0, 0.0, 0.0, 0.0
            while gone < far:
                free = distance(x, y, z)
                if free < 1e-3:
                    shade = distance(x + 0.2, y + 0.4, z - 0.2) / 0.5
                    picture[row, column] = max(0.1, min(1.0, shade)) * np.exp(-gone / 12.0)
                    break
                gone += free
                x, y, z = gone * across / length, gone * up / length, gone / length
    return picture


def arguments(large):
    return (80, 60, 20.0) if large else (7, 6, 20.0)


def plot(axes, result, *_):
    axes.imshow(result, cmap="gray")
