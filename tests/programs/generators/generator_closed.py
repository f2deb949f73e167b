"""A generator with a `finally` is closed."""


def f(n):
    def g():
        try:
            yield n
            yield 2
        finally:
            out.append("fin")

    out = []
    x = g()
    a = next(x)
    x.close()
    return a, out, list(x)


CALLS = [(0,), (1,), (4,)]
PLAIN = "AT209"
