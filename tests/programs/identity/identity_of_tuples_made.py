"""A tuple or a slice that the function makes is one object wherever it goes, and two that are equal stay two."""

import copy

PLAIN = "AT101"

HIDDEN = {}
exec(
    """
def give(a): return a
def same(a, b): return a is b
def put(l, a): l.append(a)
def which(l): return [[x is y for y in l] for x in l]
class Box: pass
""",
    HIDDEN,
)
give, same, put, which, Box = (HIDDEN[name] for name in ("give", "same", "put", "which", "Box"))

def handed_twice(a):
    x = (1, 2, 3, [])
    y = (a, 2)
    z = y
    return same(x, x), copy.copy(x) is x, same(y, z), give(y) is z, same(y, (a, 2)), y is (a, 2)

def in_branch(a):
    x = (a, 2)
    y = give(x) if a > 1 else 3
    if a > 2:
        z = (a, 2)
    else:
        z = x
    return y is x, same(x, x), z is x, same(z, x), give(z) is z

def one_per_turn(a):
    new, old, stored, known = [], [], [None] * 3, (a, 2)
    for i in range(3):
        put(new, (a, 2))
        put(old, known)
        stored[i] = (a, 2)
    return which(new), which(old), which(stored)

def carried(a):
    x = y = (a, 2)
    found = []
    for i in range(a):
        put(found, y)
        if i > 1:
            y = (a, 2)
    while len(found) < 5:
        put(found, x)
    return which(found), x is y, same(x, y)

def slices(a):
    s, t, u = slice(1, 2), slice(1, 2), slice(a, 2)
    stored = []
    for _ in range(2):
        put(stored, u)
    return s is t, same(s, t), same(s, s), copy.copy(s) is s, same(u, u), give(u) is u, which(stored)

def stored(a):
    x = (a, [])
    items, names, box = [x, x], {1: x}, Box()
    box.x = x
    return same(*items), same(box.x, names[1]), which([x, x, items[0], names[1]])

def unchanged(a):
    x = (a, 1)
    y, z, w, v = x + (), x[:], tuple(x), x * 1
    def g(p=x): return p
    return same(x, y), same(x, z), same(x, w), same(x, v), g() is x, same(g(), x), same(y[:], z)

def guarded(a):
    x = (a, 2)
    try:
        put(None if a > 1 else [], x)
        y = x
    except AttributeError as error:
        error.x = y = x
    def items():
        yield x
        yield give(x)
    return same(x, y), which([*items(), x])

def returned(a):
    x = (a, [])
    y = (x, x)
    return y, [x, x], {1: x}

def f(a):
    parts = handed_twice, in_branch, one_per_turn, carried, slices, stored, unchanged, guarded
    shown = returned(a)
    return [part(a) for part in parts], which([*shown[0], *shown[1], shown[2][1]])

CALLS = [(0,), (1,), (2,), (3,)]
