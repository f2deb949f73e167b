"""The subject of `match` may be a tuple without parentheses, hold an assignment expression or a star."""


def named(x):
    match w := x,:
        case y as v,:
            return w, y, v


def single(x):
    match w := x:
        case 1:
            return "one", w
        case _:
            return "other", w


def pair(x):
    match x, x + 1:
        case 1, y:
            return "first is one", y
        case y, 3:
            return "second is three", y
        case _:
            return "neither"


def starred(x):
    items = [x, 2]
    match *items, x:
        case a, b, c:
            return a, b, c


def f(x):
    return named(x), single(x), pair(x), starred(x)


CALLS = [(1,), (2,), (2.5,), ("ab"[0:0] or 3,)]
