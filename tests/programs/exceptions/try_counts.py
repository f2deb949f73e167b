"""Names that a `try` body assigns before something that may raise: handlers see what they held just then."""

import numpy as np

def counted(x, n):
    count = 0
    try:
        for i in range(n):
            x[i]
            count += 1
    except IndexError:
        pass
    return count

def last_good(x, k):
    best = None
    step = "start"
    try:
        best = x[0]
        step = "first"
        best = best + x[1]
        step = "second"
        best = best / x[k]
        step = "third"
    except IndexError:
        return step, best
    finally:
        step += "!"
    return step, best, "whole"

def in_branches(x, k):
    y = 0
    try:
        if k > 0:
            y = 1
            x[k]
            y = 2
        else:
            y = 3
            x[k - 5]
        y = y + 10
        while y < 40:
            y = y * 2
            x[y // 20]
    except IndexError as error:
        y = -y, str(error)
    return y

def nested(x, k):
    a = b = 0
    try:
        a = 1
        try:
            b = 2
            x[k]
            b = 3
            x[k + 1]
            a = 4
        except ZeroDivisionError:
            a = 5
        finally:
            b = b * 10
        a = x[k + 2]
    except IndexError:
        return a, b, "handled"
    return a, b

def unbound(x, k):
    try:
        x[k]
        z = 1
        x[k + 1]
    except IndexError:
        try:
            return z
        except UnboundLocalError:
            return "no z"
    return z

def f(x, k):
    return counted(x, k), last_good(x, k), in_branches(x, k), nested(x, k), unbound(x, k)

CALLS = [(np.arange(1.0, n + 1), k) for n in (2, 3, 4, 6) for k in (0, 1, 2, 3, 5)]
