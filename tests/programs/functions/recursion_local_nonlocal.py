"""A local function that calls itself assigns a variable of the function around it."""


def f(n):
    count = 0

    def rec(k):
        nonlocal count
        count += 1
        if k > 0:
            rec(k - 1)

    rec(n)
    return count


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT204"
