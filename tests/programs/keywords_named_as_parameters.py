"""Keywords that are called as the parameters of methods usually are."""

def f(n):
    held = {}
    held.update(red=n, self=8, function=3, trace=1, name=2, args=4, kwargs=5, owner=6)
    held.update(dict(self=n, cls=2, value=3))
    return held, "{self} {function} {trace}".format(self=n, function=2, trace=3), dict([("a", n)], self=1, function=2)

CALLS = [(1,), ("a",)]
