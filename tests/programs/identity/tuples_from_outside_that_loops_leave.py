"""A variable that held an item of a tuple holds the tuple itself, or another one, after a loop inside the loop."""

PLAIN = "AT101"
exec("def keep(*given): KEPT.extend(given)")
KEPT = []


def inner(t, u):
    for a in t:
        for i in range(2):
            for a in (t, u):
                keep(a)
    else:
        keep(a)
    return a is u, a is t


def flat(t, u):
    for i in range(3):
        a = 1.0
        for a in (t, u):
            keep(a)
    keep(a)
    return a is u, i


def kept(t, u, n):
    a = b = None
    for i in range(n):
        a, b = b, (t, i) if i % 2 else u
        keep(a)
    return a, b


def f(t, u, n):
    KEPT.clear()
    found = inner(t, u), flat(t, u), kept(t, u, n)
    return found, [one is t for one in KEPT], [one is u for one in KEPT]


T = (1.0, 2.0, "aa")
CALLS = [(T, T, 0), (T, (1.5,), 1), (T, (1.0, 2, "aa"), 3), ((2, 3.0), (), 2)]
