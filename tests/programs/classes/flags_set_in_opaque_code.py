"""Flags and places that hold nothing yet, first read after opaque code has set them: what is found there then."""

import numpy as np

exec("def call(f, *args): return f(*args)")

READY = False
LATEST = None
SEEN = True


class Settings:
    debug = False
    handler = None
    owner = None


exec(
    """
def prepares(x):
    global READY, LATEST
    READY, LATEST = x > 1, x if x > 1 else None
    Settings.debug = x > 2
    Settings.handler = str if x > 1 else None
"""
)


def lazily(x):
    prepares(x)
    if not READY:
        return "not", LATEST is None
    return LATEST + 1, LATEST is x


def of_class(x):
    prepares(x)
    if Settings.handler is None:
        return Settings.debug
    return Settings.handler(x), Settings.debug and SEEN, Settings.owner


def locked(x):
    made = []

    class_ = Settings

    def first():
        if class_.owner is None:
            class_.owner = [x]
        return class_.owner

    made.append(call(first) is call(first))
    owner, class_.owner = class_.owner, None
    return made, owner


def in_loop(x):
    found = []
    for i in range(4):
        prepares(i * x)
        found.append((READY, LATEST, Settings.debug))
        if Settings.debug:
            break
    return found


def given_flags(x, *flags, **named):
    for i in range(2):
        prepares(x)
    return np.sum([[x]], axis=flags[0], keepdims=named["keep"])


def f(x):
    return lazily(x), of_class(x), locked(x), in_loop(x), given_flags(x, None, keep=True)


CALLS = [(1,), (2,), (3.5,), (0,), (2,)]
AFTER = "READY, LATEST, Settings.debug, Settings.handler"
BEFORE = {i: "READY, LATEST, Settings.debug, Settings.handler = False, None, False, None" for i in range(5)}
PLAIN = "AT101"
