"""An argument after a star, or two, that has no items: Python says so of the function that is called."""

PLAIN = "AT201"  # the arguments of a class, and those behind two stars

def told(call, *args):
    try:
        return call(*args)
    except TypeError as error:
        return str(error).replace(f"{__name__}.", "")

def first(a, b=2):
    return a, b

class Pair:
    def __init__(self, a, b=1):
        self.both = a, b

    def kept(self, a=0):
        return a, self.both

def star(x): return first(*x)
def after(x): return first(1, *x)
def names(x): return first(1, **x)
def made(x): return Pair(*x).both
def method(x): return Pair(1).kept(*x)
def largest(x): return max(*x)

def f(x, y):
    found = [told(call, one) for call in (star, after, made, method, largest) for one in (x, y)]
    return found, told(names, x)

CALLS = [(5, (1, 2)), (5.0, [1.0]), (None, ()), ([1, 2, 3], (4,)), ((7,), 3)]
