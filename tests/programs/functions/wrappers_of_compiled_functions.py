"""What `functools.wraps` makes of a compiled function is called as what it is, and so is what is compiled of that."""

import functools

import astrace

class Counted:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.calls = 0
    def __call__(self, *args):
        self.calls += 1
        return self.__wrapped__(*args) + 1

@Counted
@astrace.compile
def counted(x):
    return x * 2

@functools.lru_cache(maxsize=None)
@astrace.compile
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

def doubled(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) * 2
    return wrapper

@astrace.compile
@doubled
@astrace.compile
def twice(x):
    return x + 1

def f(n):
    fibonacci.cache_clear()
    counted.calls = 0
    found = [fibonacci(number) for number in range(6)]
    return found, tuple(fibonacci.cache_info()), counted(n), counted(n), counted.calls, twice(n), vars(counted)["calls"]

CALLS = [(1,), (2,), (2.5,)]
