"""Lists of many pairs, which would be unrolled: it is seen before the first turn that there are too many."""

import numpy as np

def f(pairs, names, x):
    for (weight, shift), name in zip(pairs, names.items()):
        x = x * weight + shift + len(name[0]) * name[1]
    return x

CALLS = [([(0.5, float(i)) for i in range(10_500)], {str(i): i for i in range(10_200)}, np.arange(2.0))]
PLAIN = "AT207"

def noise(rng):
    count = int(rng.integers(10_001, 10_100))
    pairs = [(0.5, float(number)) for number in rng.random(count)]
    return pairs, {str(i): i for i in range(count)}, rng.random(2)
