"""Local functions with decorators that call themselves: by their name they find what the decorators gave."""

import functools


def counted(function):
    calls = []

    @functools.wraps(function)
    def wrapper(*args):
        calls.append(args)
        return function(*args) if len(calls) < 50 else None

    wrapper.calls = calls
    return wrapper


def called_at_once(function):
    try:
        function(1)
    except NameError as error:
        return str(error)
    return function


def cached(n):
    @functools.lru_cache(maxsize=None)
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n), fib.cache_info()


def cached_in_parts(n, weights=(3, 1, 2)):
    best = n * 2

    @functools.cache
    def rest(start, left):
        if start == len(weights) or left <= 0:
            return best
        return max(rest(start + 1, left), rest(start + 1, left - weights[start]) + weights[start])

    return rest(0, n)


def own_decorator(n):
    @counted
    def down(k):
        return 0 if k <= 0 else down(k - 1) + 1

    return down(n), len(down.calls)


def twice(n):
    @functools.cache
    @counted
    def down(k):
        return 0 if k <= 0 else down(k - 1) + 1

    return down(n), down(n), len(down.__wrapped__.calls)


def too_early(n):
    @called_at_once
    def down(k):
        return down(k - 1)

    return down, n


def given_away(values):
    @functools.cache
    def depth(k):
        return 0 if k <= 0 else depth(k // 2) + 1

    return list(map(depth, values)), depth.cache_info().misses


def f(n):
    return (
        cached(n),
        cached_in_parts(n),
        own_decorator(n),
        twice(n),
        too_early(n),
        given_away([n, 2 * n, n + 1]),
    )


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
