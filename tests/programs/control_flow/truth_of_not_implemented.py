"""The truth of `NotImplemented` warns, each time it is asked for."""

import warnings


def asked(n):
    out = [bool(NotImplemented), not NotImplemented, NotImplemented and 1, 1 if NotImplemented else 2]
    if n and NotImplemented:
        out.append(3)
    for _ in range(n):
        out.append(NotImplemented or 4)
    return out


def f(n):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = asked(n)
    return found, [(one.category.__name__, str(one.message)) for one in caught]


CALLS = [(0,), (1,), (3,)]
