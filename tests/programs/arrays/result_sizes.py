"""Sizes of results that follow from the sizes of arguments, as numbers that branches and loops use."""

import numpy as np


def f(x, y, m):
    found = [np.fft.rfft(x).shape[0], np.diff(x, 2).shape[0], np.packbits(x > 1).shape[0]]
    found += [len(np.convolve(x, y, "valid")), len(np.convolve(x, y, "same")), len(np.correlate(x, y))]
    found += [np.squeeze(m).ndim, np.pad(m, 1).shape[1], np.linalg.svd(m)[1].shape[0], len(np.unstack(m))]
    found += [len(np.linspace(0, x[0], 40, retstep=True)[0]), np.linalg.qr(m)[0].shape[1]]
    found += [len(np.resize(x, (len(y), 2))), np.zeros_like(x, shape=(len(y), 3)).shape[0]]
    found += [np.histogramdd(m, 2)[0].ndim, len(np.polyadd(x, y)), len(np.delete(x, 0))]
    return found, (np.diff(x, 2)[0] if np.diff(x, 2).shape[0] > 3 else 0.0)


CALLS = [
    (np.arange(8.0) ** 3, np.array([1.0, 0.5, 2.0]), np.ones((2, 3))),
    (np.arange(4.0), np.array([1.0, 0.5, 2.0, 5.0, 1.0]), np.ones((3, 2))),
    (np.arange(3.0), np.array([1.0]), np.ones((1, 3))),
]
