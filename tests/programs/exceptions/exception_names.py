"""Names in handlers: of closures, of globals, of what the body has assigned."""


def handler_assigns(x):
    a = b = 0
    try:
        a = 1
        int("q")
        b = 1
    except ValueError:
        b = a + x
    else:
        b = 9
    return a, b


def nested_fn(x):
    n = 0

    def inc():
        nonlocal n
        n += 1
        raise KeyError(n)

    for i in range(3):
        try:
            inc()
        except KeyError as e:
            last = e.args
    return n, last


e_3 = "global"


def h_3():
    try:
        int("q")
    except ValueError as e_3:
        pass


def shadow(x):
    h_3()
    return e_3


def closure_e(x):
    try:
        int("q")
    except ValueError as e:
        f = lambda: e.args
        r = f()
    return r


def f(x):
    return handler_assigns(x), nested_fn(x), shadow(x), closure_e(x)


CALLS = [(1,), (0,), (True,)]
