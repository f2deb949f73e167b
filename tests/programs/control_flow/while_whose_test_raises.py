"""A `while` whose test is an object: asking it whether it is true may raise, print and change it."""

PLAIN = "AT202"  # a test that prints, and then raises

class Asked:
    def __init__(self, left, error=None):
        self.left, self.error = left, error

    def __bool__(self):
        print("asked", self.left)
        if self.error is not None:
            raise self.error("asked")
        self.left -= 1
        return self.left > 0

class Sized:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        if self.size < 0:
            raise IndexError(self.size)
        self.size -= 1
        return self.size

def told(call, *args):
    try:
        return call(*args)
    except (ValueError, KeyError, StopIteration) as error:
        return repr(error)

def bare(test):
    while test:
        pass
    return "end"

def inside(test, n):
    count = 0
    for i in range(n):
        while test:
            count += 1
    return count

def caught(test, x):
    try:
        while test:
            x = x + 1
    except ValueError as error:
        return str(error), x
    finally:
        print("done")
    return x

def with_else(test, x):
    while test:
        x -= 1
    else:
        return x, "else"
    return x

def items(test):
    while test:
        yield 1
    yield 2

def outer(test, x):
    while x > 0:
        while test:
            x -= 1
        x -= 1
    return x

def f(x, n):
    raising = Asked(2, ValueError)
    found = told(bare, raising), told(inside, raising, n), caught(raising, x), told(with_else, raising, x)
    more = told(outer, Asked(1, KeyError), x), told(lambda: [*items(Asked(1, StopIteration))])
    test, sized = Asked(n), Sized(n)
    return found, more, bare(test), test.left, with_else(Asked(n), x), told(inside, Asked(n), n), bare(Sized(n)), told(outer, sized, x)

CALLS = [(1, 2), (2.0, 0), (0, 1), (3, 3)]
