"""The annotations of a local function are asked for."""


def f(n):
    def g(a: int, b: str = "x") -> float:
        return a + n

    return len(g.__annotations__), g(n)


CALLS = [(0,), (2.5,)]
PLAIN = "AT204"
