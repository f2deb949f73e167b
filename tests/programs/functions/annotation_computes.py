"""An annotation of a local function is computed where the function is defined, and may do something."""


def f(n):
    seen = []

    def g(a: seen.append(n)) -> "int | None":
        return a

    return seen, g(n)


CALLS = [(0,), (2.5,)]
PLAIN = "AT106"
