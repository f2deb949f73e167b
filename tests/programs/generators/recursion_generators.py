"""Generators that walk themselves."""


def countdown(n):
    if n > 0:
        yield n
        yield from countdown(n - 1)


def gen(n):
    return list(countdown(n))


def gen_local(n):
    def cd(k):
        if k > 0:
            yield k
            yield from cd(k - 1)

    return list(cd(n)), sum(cd(n))


def f(n):
    return gen(n), gen_local(n)


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
