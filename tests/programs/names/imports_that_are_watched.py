"""Import statements while something else stands in place of ``builtins.__import__``, as tests put there for a module that is missing."""

import builtins

PLAIN = "AT211"
real = builtins.__import__


def watching(name, *rest, **named):
    print("imports", name)
    return real(name, *rest, **named)


def refusing(name, *rest, **named):
    raise ImportError(f"no {name}", name=name)


def watch():
    builtins.__import__ = watching


def refuse():
    builtins.__import__ = refusing


def leave():
    pass


def lines():
    try:
        from string import digits
        import os.path as paths
    except ImportError as error:
        return str(error), error.name
    return digits, paths.join("a", "b")


def inside(x):
    before = builtins.__import__
    if x > 1:
        builtins.__import__ = watching
    import string

    builtins.__import__ = before
    return string.digits


def f(change, x):
    before = builtins.__import__
    try:
        found = lines()
        change()
        return found, lines(), x < 0 or inside(x)
    finally:
        builtins.__import__ = before


CALLS = [(leave, 1), (watch, 2), (refuse, -1.0), (leave, 2), (leave, -1), (leave, 0)]
BEFORE = {3: "builtins.__import__ = watching", 4: "builtins.__import__ = refusing", 5: "builtins.__import__ = real"}


def noise(rng):
    change = (leave, watch, refuse)[rng.integers(3)]
    return change, -1.0 if change is refuse else float(rng.integers(3))
