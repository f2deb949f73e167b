"""Under ``np.errstate(…="raise")`` computing in floats raises, used or not, and can be caught."""

import numpy as np


def inverse(x):
    return 1 / x


def f(values, how):
    total, failures = 0.0, 0
    with np.errstate(all="ignore"):
        for value in values:
            with np.errstate(divide="raise"):
                try:
                    total = total + inverse(value)
                except ArithmeticError:
                    failures += 1
            total = total + np.log(value) * 0
    with np.errstate(divide=how, invalid="ignore"):
        try:
            logs = np.log(values)
        except FloatingPointError as error:
            logs = str(error)
    with np.errstate(over="raise"):
        np.exp(values * 100)
    return total, failures, logs


CALLS = [
    (np.array([1.0, 0.0]), "ignore"),
    (np.array([1.0, 2.0]), "raise"),
    (np.array([0.0, 2.0]), "raise"),
    (np.array([9.0]), "raise"),
    (np.array([]), "raise"),
]
