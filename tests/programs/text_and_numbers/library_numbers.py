"""Numbers of the standard library made inside; what a context says of them holds at each call."""

import datetime
import decimal
from fractions import Fraction

import numpy as np


def f(x, n):
    third = decimal.Decimal(1) / decimal.Decimal(3)
    half = Fraction(1, 2) * n
    span = datetime.timedelta(seconds=2) * n
    if half > 1:
        x = x + float(third)
    return x * float(half), span, third


CALLS = [(np.float64(2.0), 1), (np.float64(2.0), 4), (np.float64(2.0), 4)]
BEFORE = {1: "decimal.getcontext().prec = 5", 2: "decimal.getcontext().prec = 28"}
