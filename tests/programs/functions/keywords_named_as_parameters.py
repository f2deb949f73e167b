"""Keywords that are called as the parameters of methods, and of what a compiler has, usually are."""

HIDDEN = {}
exec("def unseen(*args, **named): return args, named", HIDDEN)
unseen = HIDDEN["unseen"]

def seen(*args, **named):
    return args, named

class Callable:
    def __call__(*args, **named):
        return args[1:], named

    def method(*args, **named):
        return args[1:], named

def f(n):
    held = {}
    held.update(red=n, self=8, function=3, trace=1, name=2, args=4, kwargs=5, owner=6)
    held.update(dict(self=n, cls=2, value=3))
    text = "{self} {function} {trace} {pattern}".format(self=n, function=2, trace=3, pattern=4)
    return (
        held,
        text,
        dict([("a", n)], self=1, function=2, items=3, pattern=4),
        unseen(n, function=1, self=2, args=3, name=4, owner=5, kwargs=6, pattern=7, items=8),
        unseen(*(n, n), function=1, items=2, pattern=3, self=n),
        unseen(pattern=n), unseen([n], pattern="x"), unseen(pattern="x", other=n),
        seen(n, function=1, self=2, args=3, name=4, owner=5, kwargs=6, pattern=7),
        Callable()(n, function=1, self=2, pattern=3), Callable().method(n, function=1, self=2, callback=3, owner=4),
    )

CALLS = [(1,), ("a",), (2.5,)]
PLAIN = "AT101"
