"""``try … except … finally`` whose body calls opaque code: what names hold when the handler's classes are looked up."""

import numpy as np

exec("def opaque(x): return x\ndef refuse(x, y):\n    if x.sum() > y: raise ValueError(y)\n    return x")


class Keeper:
    def __init__(self):
        self.count = 3
        self.seen = []


def inverted(keeper, x):
    count = keeper.count
    try:
        found = np.linalg.inv(opaque(x)) * 2.0
        if found.diagonal().min() < 0:
            found = None
    except (np.linalg.LinAlgError, ValueError):
        found = "singular"
    finally:
        keeper.count = count + 1
    return found, keeper.count


def steps(keeper, x):
    step = 0
    try:
        step = 1
        y = refuse(x, 10.0)
        step = y.sum()
        y = refuse(y * 2, 5.0)
        step = (step, y.sum())
        y = refuse(y * 2, 1.0)
        step = "end"
    except (ValueError, KeyError) as error:
        y = error.args[0]
        keeper.seen.append(step)
    finally:
        keeper.seen.append((step, keeper.count))
    return y, step


def unhandled(keeper, x):
    step = 0
    try:
        try:
            step = refuse(x, 10.0).sum()
            step = refuse(x * 3, 5.0)[0]
        except KeyError:
            step = "never"
        finally:
            keeper.seen.append(step)
    except ValueError as error:
        return error.args, step
    return step


def in_a_loop(keeper, x):
    total = 0.0
    for value in x.ravel():
        try:
            total = total + value
            total += refuse(x * value, 3.0)[0, 0]
        except (ValueError, ZeroDivisionError):
            total = -total
        finally:
            keeper.seen.append(total)
    return total


def f(keeper, x):
    found = [one(keeper, x) for one in (inverted, steps, unhandled, in_a_loop)]
    return found, keeper.seen, keeper.count


CALLS = [(Keeper(), np.eye(2) * scale) for scale in (-1.0, 0.0, 0.2, 1.0, 3.0, 9.0)]
PLAIN = "AT101"
