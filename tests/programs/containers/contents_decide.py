"""Contents of arrays that decide how many items a result has, or whether it is real."""

import numpy as np


def f(x, z):
    y = np.zeros(3)
    y[0] = x[0]
    found = [len(np.where(y)[0]), len(np.delete(y, y > 0)), x[np.bool(x[0] > 1)].shape]
    found += [np.real_if_close(z).dtype == np.float64, isinstance(np.poly(z)[0], np.complexfloating)]
    found += [type(z[:1].reshape(()).conjugate()) is np.ndarray]
    for i in np.where(x)[0]:
        found.append(i)
    return found, np.where(x)[0] + np.ones(2, int)


CALLS = [
    (np.array([3.0, 0.0, 1.0]), np.array([1j, 2j])),
    (np.array([1.0, 0.0, 1.0]), np.array([1.0 + 0j, 2.0])),
    (np.array([0.0, 0.0, 1.0]), np.array([1j, -1j])),
    (np.array([1.0, 2.0, 1.0]), np.array([1j, -1j])),
]
