"""Mandelbrot: how fast each point of the plane escapes."""

import numpy as np


def mandelbrot(xs, ys, most):
    counts = np.zeros((len(ys), len(xs)), dtype=np.int64)
    for row in range(len(ys)):
        for column in range(len(xs)):
            c = complex(xs[column], ys[row])
            z = 0j
            for count in range(most):
                z = z * z + c
                if z.real * z.real + z.imag * z.imag > 4.0:
                    break
                counts[row, column] = count
    return counts


def arguments(large):
    width, height, most = (120, 80, 60) if large else (9, 7, 12)
    return np.linspace(-2.2, 0.8, width), np.linspace(-1.1, 1.1, height), most


def plot(axes, result, *_):
    axes.imshow(result, cmap="magma")
