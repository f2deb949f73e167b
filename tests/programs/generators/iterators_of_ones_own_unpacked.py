"""An iterator of a class of one's own is taken apart: by unpacking, stars, and functions that walk it."""

PLAIN = "AT201"

class Counting:
    def __init__(self, last):
        self.now, self.last = 0, last

    def __iter__(self):
        return self

    def __next__(self):
        self.now += 1
        if self.now > self.last:
            raise StopIteration
        return self.now

def told(call, *args):
    try:
        return call(*args)
    except ValueError as error:
        return str(error)

def pair(numbers):
    a, b = numbers
    return a, b, numbers.now

def rest(numbers):
    a, *more = numbers
    return a, more

def inner(numbers, x):
    (a, b), c = numbers, x
    return a, b, c

def starred(numbers):
    return (lambda *all: all)(*numbers), [*numbers, 0], {*numbers}

def f(n, x):
    found = told(pair, Counting(n)), told(rest, Counting(n)), told(inner, Counting(n), x)
    return found, starred(Counting(n)), tuple(Counting(n)), max(Counting(n), default=x), [p + q for p, q in [Counting(2)]]

CALLS = [(2, 0.5), (3, 1), (1, 2), (0, 3)]
