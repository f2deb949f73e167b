"""Local functions and lambdas that call themselves: they exist when the program runs."""


def local(n):
    def fact(k):
        return 1 if k <= 0 else k * fact(k - 1)

    return fact(n) + 1


def local_fib(n):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n)


def local_closure(n):
    base = n * 2

    def rec(k):
        return base if k <= 0 else rec(k - 1) + base

    return rec(n)


def lambda_(n):
    f = lambda k: 1 if k <= 0 else k * f(k - 1)
    return f(n)


def sum_digits(n):
    def d(k):
        return k if k < 10 else k % 10 + d(k // 10)

    return d(n * 12345)


def gcd(n):
    def gcd(a, b):
        return a if b == 0 else gcd(b, a % b)

    return gcd(n, 12)


def memo(n, memo={}):
    def fib(k, memo):
        if k in memo:
            return memo[k]
        memo[k] = k if k < 2 else fib(k - 1, memo) + fib(k - 2, memo)
        return memo[k]

    return fib(n, {})


def f(n):
    return local(n), local_fib(n), local_closure(n), lambda_(n), sum_digits(n), gcd(n), memo(n)


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
