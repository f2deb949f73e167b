"""A NaN is found where it is kept, and no other one is found there: all hangs on which object it is."""

import math
import operator

import numpy as np

exec("def opaque(value):\n    return value")


class State:
    turns = 3


def made():
    nan, other = float("nan"), float("nan")
    return operator.countOf([nan, nan], nan), nan in [other], [nan] == [nan], (nan,) == (other,), nan is other


def made_in_turns():
    found = [float("nan") for _ in range(State.turns)]
    grown = []
    while len(grown) < State.turns:
        grown.append(float("nan"))
    return [found.count(one) for one in found], [grown.count(one) for one in grown], found == list(found)


def computed():
    first, second = math.inf - math.inf, math.inf - math.inf
    return first is second, [first] == [second], [first] == [first]


def of_modules():
    kept = opaque(np.nan)
    return kept is np.nan, math.nan in [math.nan], [np.nan].index(np.nan)


def in_branches():
    nan = float("nan")
    either = nan if State.turns > 2 else float("nan")
    return either is nan, either in [nan]


def in_containers():
    nan = float("nan")
    held = {nan: 1, float("nan"): 2}
    return nan in held, float("nan") in held, len({nan, nan}), len({float("nan"), float("nan")})


def tried():
    nan = float("nan")
    try:
        return [nan].index(float("nan"))
    except ValueError:
        return [1.0, nan].index(nan)


def generated():
    def items(nan):
        for _ in range(State.turns):
            yield nan

    nan = float("nan")
    return [one is nan for one in items(nan)]


def f(x, turns):
    State.turns = turns
    scaled = x * float("nan")
    ways = made, made_in_turns, computed, of_modules, in_branches, in_containers, tried, generated
    return scaled in [scaled], float("nan") in [scaled], [way() for way in ways]


PLAIN = "AT101"
CALLS = [(2.0, 3), (2.0, 0), (1.5, 1)]
