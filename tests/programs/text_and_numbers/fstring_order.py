"""An f-string formats each piece before it evaluates the next."""

import numpy as np

class Loud:
    def __init__(self, k):
        self.k = k

    def __format__(self, spec):
        print("format", spec)
        self.k = self.k + 1
        return str(self.k)

    def __repr__(self):
        self.k = self.k + 10
        return f"Loud({self.k})"

def f(x, items, k):
    loud = Loud(k)
    first = f"{items} {items.append(4)} {items!r:>20}"
    second = f"{loud:a}{loud.k}{loud!r}{loud.k}{loud!s:>9}"
    third = f"{x[0]} {x.fill(k)} {x[0]:.{len(items)}f}'\"{{}}\n"
    try:
        fourth = f"{loud} {x[9]}"
    except IndexError:
        fourth = loud.k
    return first, second, third, fourth, f"{k}", f"{k:+}", f"plain"

CALLS = [(np.arange(3.0), [1, 2], 1.5), (np.arange(2.0), [np.float64(1)], 2)]

def noise(rng):
    return (rng.integers(0, 9, 3).astype(float), [1] * int(rng.integers(0, 3)), float(rng.integers(0, 5)))
