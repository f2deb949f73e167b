"""What is changed in place is of unknown class: the exception classes that handlers name stay what they are."""

import numpy as np

exec("def opaque(x): return x\ndef refuse(x):\n    raise Refused(x)\ndef namespace(): return globals()")


class Refused(Exception):
    pass


class Worse(Refused):
    pass


def handled(x):
    y = opaque(x)
    y /= 2
    try:
        refuse(y)
    except Refused as error:
        found = error.args
    try:
        if x[0] > 0:
            raise Worse("worse")
        found += (1,)
    except (Worse, KeyError) as error:
        found += (str(error),)
    return found


def tested(x):
    y = opaque(x)
    y *= 2
    try:
        refuse(y)
    except Exception as error:
        return isinstance(error, Refused), isinstance(error, Worse), issubclass(Worse, Refused), len(error.args)


def replaced(x):
    space = namespace()
    before = space["Worse"]
    space["Worse"] = KeyError
    try:
        raise KeyError("key")
    except Worse as error:
        return type(error).__name__, Worse is KeyError
    finally:
        space["Worse"] = before


def f(kind, x):
    match kind:
        case "handled":
            return handled(x)
        case "tested":
            return tested(x)
        case _:
            return replaced(x)


CALLS = [
    ("handled", np.ones(2)),
    ("handled", -np.ones(2)),
    ("tested", np.ones(2)),
]
PLAIN = "AT101"
