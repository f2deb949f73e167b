"""Otsu's threshold: the grey level that parts a picture best into light and dark."""

import numpy as np


def threshold(picture):
    counts = np.zeros(256)
    for value in picture.ravel():
        counts[value] += 1
    total, weighted = counts.sum(), (counts * np.arange(256)).sum()
    below, below_weighted = 0.0, 0.0
    best, level = -1.0, 0
    for grey in range(256):
        below += counts[grey]
        below_weighted += grey * counts[grey]
        if below == 0 or below == total:
            continue
        gap = below_weighted / below - (weighted - below_weighted) / (total - below)
        between = below * (total - below) * gap * gap
        if between > best:
            best, level = between, grey
    return level, picture > level


def arguments(large):
    size = 160 if large else 8
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    blob = 80 + 110 * ((x - 0.2) ** 2 + y**2 < 0.4) + 25 * np.random.default_rng(7).normal(size=x.shape)
    return (np.clip(blob, 0, 255).astype(np.uint8),)


def plot(axes, result, picture):
    axes.imshow(np.where(result[1], picture, 0), cmap="gray")
    axes.set_title(f"above {result[0]}")
