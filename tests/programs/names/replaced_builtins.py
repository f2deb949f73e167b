"""A global that shadows a builtin is set in the middle of a call by opaque code."""

exec(
    """def shadow():
    global len, abs
    len = lambda value: 42
    abs = lambda value: "abs"

def clear():
    global len, abs
    del len, abs"""
)


def lengths(x):
    before = len(x)
    shadow()
    after = len(x), abs(-1)
    clear()
    return before, after, len(x)


def in_loop(x):
    found = []
    for i in range(3):
        found.append(len(x))
        if i == 1:
            shadow()
    clear()
    return found


def f(x):
    return lengths(x), in_loop(x)


CALLS = [([1],), ("ab",), ((),)]
PLAIN = "AT101", "AT213"
