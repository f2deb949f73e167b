"""A tuple that a result holds in two places is one object there."""

def f(a):
    x = (a, [])
    y = (x, x)
    z = (a, 1)
    held = [x, z]
    if a > 1:
        held.append(z)
    return y, held, {1: x, 2: (z, held)}, z

CALLS = [(0,), (1,), (2,)]
