"""A loop in a loop returns a tuple, and the function another one: longer, from outside, or of another class."""

from collections import namedtuple

import numpy as np

Found = namedtuple("Found", "row column")
PAIR = (1.0, 2)

def first_above(rows, limit):
    for i, row in enumerate(rows):
        j = 0
        while j < len(row):
            if row[j] > limit:
                return i, j
            j += 1
    return rows, limit, "none"

def at_once(rows, limit):
    for row in rows:
        i = 0
        while i < 2 and row.sum() > limit:
            return row.copy(), i
    return rows, limit, rows

def at_once_kept(rows, limit):
    for row in map(abs, rows):
        while row.sum() > limit:
            found = (row * 2, None)
            return found
    return limit, rows

def kept(rows, limit, pair):
    for row in rows:
        while row[0] > limit:
            return pair
    return rows, limit, None

def one_of_two(rows, limit, pair):
    for row in rows:
        for x in row:
            if x > limit:
                return pair
            if x < -limit:
                return x, limit
    return ()

def named(rows, limit):
    best = None
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            if x > limit:
                best = Found(i, j)
                break
        if best is not None:
            return best, i
    return best

def nested(rows, limit):
    for row in rows:
        for x in row:
            if x > limit:
                return (x, (limit, PAIR)), row
    return (PAIR, rows), limit, limit

def f(rows, limit):
    pair = (rows, limit)
    before, once, twice = kept(rows, limit, PAIR), one_of_two(rows, limit, PAIR), one_of_two(rows, limit, pair)
    told = before is PAIR, once is PAIR, twice is pair
    at_once_found = at_once(rows, limit), at_once_kept(rows, limit)
    return first_above(rows, limit), at_once_found, before, once, twice, named(rows, limit), nested(rows, limit), told

ROWS = np.array([[0.0, -1.0], [3.0, 2.0], [5.0, -9.0]])
CALLS = [(ROWS, 2.5), (ROWS, 9.0), (ROWS, 4.0), (ROWS, 100.0), (ROWS[:0], 1.0), (ROWS[:, :0], 1.0), (-ROWS, 0.5)]
