"""A global or an enclosing function's variable that only some paths set or delete: reading it raises `NameError`."""

def make():
    c = 0

    def counted(k):
        nonlocal c
        if k > 0:
            del c
        try:
            return c
        except NameError as error:
            c = k
            return str(error)

    return counted

counted = make()

def f(k):
    global W
    if k > 0:
        W = k
    try:
        first = W
    except NameError as error:
        first = str(error)
    if k > 1:
        del W
    try:
        second = W + 1
    except NameError:
        W = second = -1
    return first, second, counted(k)

CALLS = [(-1,), (1,), (2,), (-3,)]
AFTER = "W"
