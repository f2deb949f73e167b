"""An algorithm: newton sqrt."""

import numpy as np

def f(a):
    x = a
    while abs(x * x - a) > 1e-10:
        x = 0.5 * (x + a / x)
    return x

CALLS = [
    (np.float64(2.0),),
    (np.float64(10.0),),
]

def noise(rng):
    return (np.float64(rng.uniform(0.01, 20.0)),)
