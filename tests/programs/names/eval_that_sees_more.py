"""``eval`` where it is not known which names it sees: its function runs as plain Python."""

import numpy as np

rate = 2.0


def twice(x, text):
    return eval("(seen := 1)"), eval(text)


def maybe(x, text):
    if x[0] > 0:
        extra = 1
    return eval(text)


def again(x, text):
    found = []
    for part in x:
        found.append(eval(text))
    return found


def inside(x, text):
    return [eval(text) for part in x]


def around(x, text):
    def inner(y):
        return eval(text), x

    return inner(x)


def tried(x, text):
    try:
        late = eval(text)
    except NameError as error:
        return str(error)
    return late


def shared(x, text):
    def grown():
        return x + 1

    return eval(text), grown()


def f(x, text):
    found = []
    for one in (twice, maybe, again, inside, around, tried, shared):
        try:
            found.append(one(x, text))
        except NameError as error:
            found.append(str(error))
    return found


CALLS = [
    (np.arange(2.0), "sorted(locals())"),
    (np.ones(2), "sorted(locals())"),
    (np.ones(2), "extra"),
    (np.arange(2.0), "extra"),
    (np.arange(2.0), "seen"),
    (np.arange(2.0), "part + x.sum()"),
]
PLAIN = "AT106"
