"""Positions and counts that are floats or of a class that is no integer: lists and builtins refuse them."""

import numpy as np


class Plain:
    def __init__(self, held):
        self.held = held


def refused(action, *args):
    try:
        return action(*args)
    except TypeError as error:
        return str(error)


def lists(at):
    items = [1, 2]
    told = [refused(items.insert, at, 3), refused(items.pop, at), refused(lambda: items[at])]
    try:
        items.insert(at, 4)
    except TypeError as error:
        told.append(str(error))
    return told, items


def kinds(x):
    return lists(np.float64(x)), lists(x / 2), lists(np.bool_(x)), lists(np.int8(x)), lists(np.array(x))


def others(x):
    return refused(reversed, Plain(x)), refused(isinstance, x, "int"), refused(isinstance, [x], (int, x))


def handled(x):
    try:
        return reversed(Plain(x))
    except TypeError as error:
        return error.args


def f(x):
    return kinds(x), others(x), handled(x), isinstance(x, (int, 5))


CALLS = [(1,), (0,)]
