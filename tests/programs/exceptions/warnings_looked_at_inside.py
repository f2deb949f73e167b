"""Where the function itself records warnings, chooses which are shown, or has NumPy print, results that nobody uses warn."""

import contextlib
import io
import warnings

import numpy as np


def recorded(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        np.log(x)
        np.log(x)
        np.float64(1.0) / np.sum(x)
    return [str(w.message) for w in seen]


def chosen(x, first):
    with warnings.catch_warnings(record=True) as seen:
        warnings.filterwarnings("always", "divide")
        if first:
            np.log(x)
        for _ in range(3):
            1.0 / x
    return len(seen)


def printed(x):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), np.errstate(divide="print"):
        np.log(x)
    return out.getvalue()


def silent(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.log(x)
    return x


def f(x):
    return recorded(x), chosen(x, True), chosen(x, False), printed(x), silent(x)


CALLS = [(np.zeros(2),), (np.ones(2),), (np.array([0.0, 1.0, np.inf]),)]
