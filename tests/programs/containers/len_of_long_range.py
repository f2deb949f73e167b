"""`len` raises where a range is longer than 64 bit, also where nobody uses what it gives."""

import sys


def tried(function, *args):
    try:
        function(*args)
    except OverflowError as error:
        return str(error)
    return "short"


def f(start, stop):
    numbers = range(start, stop)
    try:
        len(numbers)
    except OverflowError:
        return "long", numbers[0], bool(numbers), numbers[-1] - numbers[0]
    all_of_them = range(-sys.maxsize, sys.maxsize)
    return tried(len, numbers), tried(len, all_of_them), tried(len, range(stop)), stop in numbers


CALLS = [(0, 3), (-sys.maxsize, sys.maxsize), (5, 5), (2, 2**62)]
