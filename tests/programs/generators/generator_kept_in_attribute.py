"""A generator is kept as an attribute or item, and its variable is assigned later."""


class O:
    pass


o = O()


def f(n):
    k = n
    o.g = (v * k for v in [1, 2])
    k = 5
    return list(o.g)


CALLS = [(0,), (1,), (4,)]
PLAIN = "AT204"
