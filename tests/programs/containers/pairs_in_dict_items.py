"""``in`` of the items of a dict: a pair is looked up by its key, anything else is not found, whatever is held."""

import numpy as np


def refused(make):
    try:
        return make()
    except TypeError as error:
        return str(error)


def f(d, x):
    e = {0: x.sum(), x.size: 2, -1: x}
    given = x.sum() in d.items(), x in d.items(), (7, 1) in d.items(), (0,) not in d.items(), (x.size, 4) in d.items()
    made = x.sum() in e.items(), x[0] not in e.items(), (x.size, 2) in e.items(), (0, 1, 2) in e.items(), x.size in e.keys()
    return given, made, refused(lambda: ([], 1) in d.items()), refused(lambda: ({}, 1) in e.items())


CALLS = [({0: 1, 3: 4}, np.arange(3.0)), ({0: np.arange(3), 3: 4}, np.arange(3.0)), ({}, np.arange(2)), ({7: 1}, np.ones(1))]
