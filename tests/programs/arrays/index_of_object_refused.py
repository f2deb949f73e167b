"""What NumPy says of an index whose `__index__` raises, or gives no number; lists and texts let it through."""

import numpy as np

asked = 0


class At:
    def __init__(self, place):
        self.place = place
        self.turns = 0

    def __index__(self):
        global asked
        asked += 1
        self.turns += 1
        if self.place == "own":
            raise ValueError("no place")
        return self.place


def reads(holder, at):
    try:
        return holder[at], at.turns, asked
    except (IndexError, TypeError, ValueError) as error:
        return type(error).__name__, str(error), error.__context__, at.turns, asked


def writes(holder, at, value):
    try:
        holder[at] = value
    except (IndexError, TypeError, ValueError) as error:
        return type(error).__name__, str(error), at.turns, asked
    return holder, at.turns, asked


def adds(holder, at, value):
    try:
        holder[at] += value
    except (IndexError, TypeError, ValueError) as error:
        return type(error).__name__, str(error), at.turns, asked
    return holder, at.turns, asked


def f(x, place, many):
    at = At(place)
    found = [reads(x, at), reads([1, 2, 3], at), reads("abc", at), reads((1, 2, 3), at)]
    found += [writes(x.copy(), at, 7), writes([1, 2, 3], at, 7), adds(x.copy(), at, 2)]
    for _ in range(many):
        found.append(reads(x, At(place)))
    if x.sum() > 3:
        found.append(reads(x, at))
    return found, asked


CALLS = [
    (np.arange(3), 1, 0),
    (np.arange(4.0), -1, 2),
    (np.arange(3), 9, 1),
    (np.arange(3), "own", 1),
    (np.arange(4.0), 2.5, 2),
    (np.eye(3), None, 0),
    (np.arange(3), True, 0),
]
