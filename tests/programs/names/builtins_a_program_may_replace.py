"""Builtins that programs replace as a matter of course, and names of their own among them: each call finds what is there then."""

import builtins

real = print


def to(found):
    return lambda *items: found.append(items)


def replace(found):
    builtins.print = to(found)


def put_back(found):
    builtins.print = real


def here(x, found):
    print("first", x)
    builtins.print = to(found)
    real("not replaced")
    print("second", x)
    builtins.print = real
    print("third", x)


def on_one_path(n, found):
    if n > 1:
        builtins.print = to(found)
    for i in range(n):
        print("turn", i)
    builtins.print = real


def behind_a_call(change, x, found):
    change(found)
    real("real", x)
    print("which", x)


def own_name(x):
    global added
    builtins.added = x
    found = [added]
    added = x + 1
    found.append(added)
    del added
    found.append(added)
    del builtins.added
    try:
        added
    except NameError as error:
        found.append(str(error))
    return found


def f(change, n, x):
    found = []
    try:
        behind_a_call(change, x, found)
    finally:
        builtins.print = real
    here(x, found)
    on_one_path(n, found)
    return found, own_name(x), print is real


CALLS = [(put_back, 0, 1.0), (replace, 2, 2.0), (replace, 1, 3), (put_back, 2, 4.0), (put_back, 2, 5.0)]
BEFORE = {3: "builtins.print = lambda *items: real('before', *items)", 4: "builtins.print = real"}


def noise(rng):
    return ((put_back, replace)[rng.integers(2)], int(rng.integers(4)), float(rng.integers(9)))
