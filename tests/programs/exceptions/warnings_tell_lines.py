"""NumPy's warnings and ``warnings.warn`` tell the file and line that they tell in plain Python."""

import warnings

import numpy as np

WARNS = True


def deprecated(x):
    warnings.warn("use another one", DeprecationWarning, stacklevel=2)
    return x * 2


def checked(x):
    if x.sum() > 0:
        warnings.warn("positive", stacklevel=1)
    return deprecated(x)


def handed_out(x):
    for k in range(2):
        warnings.warn(f"number {k}", stacklevel=2)
        yield x * k


def f(x, z):
    warnings.simplefilter("always")
    warnings.warn("to whom it calls", stacklevel=2)
    found = [np.mean(x[:0]), x[:0].mean(), np.var(x[:1], ddof=1), x[:1].var(ddof=1)]
    found += [np.sum(z, dtype=float), z.sum(dtype=float), np.array(z, float), np.cumsum(z, dtype=float)]
    for one in x:
        found.append(deprecated(one))
    total = checked(x) / x[1]
    for part in handed_out(x):
        total = total + part
    with np.errstate(divide="ignore"):
        total = total + 1 / x[1]
    return found, total, np.log(x)


CALLS = [(np.array([1.0, 0.0]), np.array([1 + 2j, 3])), (np.array([-1.0, 0.0, -2.0]), np.array([1j]))]
