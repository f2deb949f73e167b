"""`functools.wraps` around a compiled function: what it wraps is called by it, never in its place."""

import functools

import astrace


def counted(function):
    seen = []

    @functools.wraps(function)
    @astrace.compile
    def counts(*args):
        seen.append(args)
        return function(*args) * 10

    counts.seen = seen
    return counts


def kept(function):
    cache = {}

    @functools.wraps(function)
    @astrace.compile
    def keeps(*args):
        if args not in cache:
            cache[args] = function(*args)
        return cache[args]

    keeps.cache = cache
    return keeps


@counted
def plus(x):
    """Adds one."""
    return x + 1


@counted
@astrace.compile
def minus(x):
    return x - 1


@kept
@counted
def twice(x):
    return x * 2


@kept
def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


class Account:
    def __init__(self, rate):
        self.rate = rate

    @counted
    def paid(self, x):
        return self.rate * x


def f(x):
    account = Account(3)
    numbers = plus(x), minus(x), twice(x), twice(x), account.paid(x)
    counts = len(plus.seen), len(minus.seen), len(Account.paid.seen)
    return numbers, counts, plus.__name__, plus.__doc__, plus.__wrapped__(x), minus.__wrapped__(x)


CALLS = [(1,), (2,), (2.5,), (1,)]
AFTER = "plus.seen, minus.seen, twice.cache, binomial(5, 2), binomial.cache"
