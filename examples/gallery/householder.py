"""QR decomposition by Householder's reflections, in place."""

import numpy as np


def householder(a):
    r = a.copy()
    rows, columns = r.shape
    q = np.eye(rows)
    for k in range(min(rows - 1, columns)):
        v = r[k:, k].copy()
        length = np.sqrt((v * v).sum())
        if length == 0.0:
            continue
        v[0] += length if v[0] > 0 else -length
        v /= np.sqrt((v * v).sum())
        r[k:, k:] -= 2 * np.outer(v, v @ r[k:, k:])
        q[:, k:] -= 2 * np.outer(q[:, k:] @ v, v)
    return q, r


def arguments(large):
    return (np.random.default_rng(9).normal(size=(60, 40) if large else (6, 4)),)


def plot(axes, result, *_):
    axes.imshow(np.log10(np.abs(result[1]) + 1e-17), cmap="cividis")
    axes.set_title("size of R, as a power of ten")
