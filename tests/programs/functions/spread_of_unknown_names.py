"""`f(**named)` where only the running program knows which keys there are; what Python refuses."""

SEEN = []


class Named:
    def __init__(self, held):
        self.held = held

    def keys(self):
        return self.held.keys()

    def __getitem__(self, key):
        SEEN.append(key)
        return self.held[key]


class Kept:
    def __init__(self, *args, **named):
        self.args, self.named = args, named

    def told(self, *args, **named):
        return len(args), named, self.args

    @classmethod
    def made(cls, *args, **named):
        return cls(*args, **named).args


def every(*args, **named):
    SEEN.append(len(args))
    return args, named


def table(x):
    found = {"a": x}
    for i in range(int(x)):
        found[f"k{i}"] = i
    return found


def two(a, b, c=0):
    return a - b + c


def told(call):
    try:
        return call()
    except (TypeError, ValueError) as error:
        return type(error).__name__, str(error).replace(__name__, "")


def names(x):
    found = table(x)
    return (
        every(**found),
        every(x, z=1, **found),
        every(**found, z=1),
        Kept(**found).named,
        Kept().told(**found, **{"q": x}),
        dict(**found, z=1),
        dict({"q": 2}, **found),
        every(**Named({"a": x})),
        every(*[v for v in range(int(x))], **found, b=2),
    )


def copied(x):
    found = table(x)
    _, named = every(**found)
    named["a"] = "changed"
    return found, named


def local(x):
    def inner(*args, **named):
        return args, named, x

    return inner(*[v for v in range(int(x)) if v], **table(x))


def refused(x):
    found, some = table(x), [v for v in range(int(x))]
    return (
        told(lambda: every(a=1, **found)),
        told(lambda: every(**found, **table(1))),
        told(lambda: two(*some)),
        told(lambda: two(**found)),
        told(lambda: every(*some, **{1: x})),
    )


def f(x):
    SEEN.clear()
    return names(x), copied(x), local(x), refused(x), list(SEEN)


CALLS = [(3,), (2,), (1,), (0,), (2.5,)]
PLAIN = "AT201"
