"""NumPy functions and the methods of the same name, in the forms that only one of the two takes; scalars have no `dot`."""

import numpy as np

def attempt(function):
    try:
        return function()
    except (TypeError, AttributeError) as error:
        return str(error).replace("ndarray.", "")  # `getattr(x, name)()` leaves it out

def f(x, i):
    out = np.empty(3)
    functions = [
        np.sum(x, 0, None, None, True),
        np.mean(x, 1, None, None, True),
        np.clip(x, a_min=0, a_max=1.5),
        np.clip([1.0, 2.0, x[0, 0]], 0, 1),
        np.reshape(x, (3, 2), "F"),
        np.reshape(x, shape=6, order="F"),
        np.transpose(x, axes=(1, 0)),
        np.swapaxes(x, axis1=0, axis2=1),
        np.compress(x[0] > 0, x, 1),
        np.compress(x.ravel() > 0, x),
        np.conj(x[0], out),
        np.dot(b=x[0], a=x),
        np.round(a=x, decimals=1),
        np.max([x[0, 0], 3.0]),
        np.take(x, [0, 1], 1),
        np.argsort(x, stable=True),
        np.dot(i, 2),
        np.dot(x.sum(), i),
    ]
    methods = [
        x.reshape(3, 2),
        x.reshape((3, 2), order="F"),
        x.reshape(6),
        x.reshape(-1),
        x.transpose(1, 0),
        x.transpose((1, 0)),
        x.transpose(),
        x.transpose(None),
        x.compress([True, False, True], 1),
        x.compress([True, False, True]),
        x.conj(),
        x.conjugate(),
        x.swapaxes(0, 1),
        x.sum(keepdims=True),
        x.clip(0, 1),
        i.sum(),
        i.clip(0, 1),
        i.reshape(1, 1),
    ]
    wrong = [
        attempt(lambda: x.sum(0, None, None, True)),
        attempt(lambda: x.swapaxes(axis1=0, axis2=1)),
        attempt(lambda: x.transpose(axes=(1, 0))),
        attempt(lambda: np.sum(x, frobnicate=1)),
        attempt(lambda: x.sum(frobnicate=1)),
        attempt(lambda: np.nonzero(x, 1)),
        attempt(lambda: x.nonzero(1)),
        attempt(lambda: i.dot(2)),
    ]
    return functions, methods, wrong, x.conj() is x, out

CALLS = [
    (np.arange(6.0).reshape(2, 3) - 2, np.int64(3)),
    (np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.int64(-3)),
]
