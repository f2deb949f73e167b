"""`t + ()`, `t * 1`, `t[:]` give the tuple that came in, also where branches and loops meet afterwards."""


def which(p, q, first):
    if first:
        return p
    return q


def nothing():
    return ()


def chosen(t, u, s):
    made = t + (), () + t, t * 1, t[:], tuple(t), t + nothing(), t or 1
    return [which(one, u, s > 0) for one in made], [which(u, one, s > 0) is t for one in made]


def looped(t, u, n):
    for i in range(n):
        t += ()
        u = t if i % 2 else u
    return t, u


def added(t, u, s):
    t += () if s > 0 else u
    return t


def f(t, u, s, n):
    found = chosen(t, u, s), looped(t, u, n), added(t, u, s)
    return found, [one is t for one in found[0][0]], found[1][0] is t, found[1][1] is u, found[2] is t


CALLS = [
    ((1.5, 2.5, "a"), (1.5, 2.0, "a"), 1, 0),
    ((1.5, 2.5, "a"), (1.5, 2.0, "a"), -1, 3),
    ((), (1,), 1, 1),
    ((1.5,), (), -1, 2),
]
