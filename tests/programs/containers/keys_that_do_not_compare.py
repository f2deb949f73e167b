"""`max` and `min` compare as they go: after keys that can't be compared no other key is computed; `sorted` has all."""

import numpy as np

asked = []

def key(pair):
    asked.append(pair[0])
    return pair[0] * pair[1]

def f(items, scale):
    pairs = [(item, scale) for item in items]
    found = []
    for order in (max, min, sorted):
        try:
            found.append(order(pairs, key=key))
        except (TypeError, ValueError) as error:
            found.append((type(error).__name__, str(error)))
    return found, len(asked)

CALLS = [
    ([3.0, 1.0, 2.0], 2.0),
    ([3.0, 1.0, 2.0], np.array([1.0, 2.0])),
    ([3.0, 1.0, 2.0], np.array(2.0)),
    ([3.0, 1.0, 2.0], 2j),
    ([3.0, 1.0, 2.0], np.complex128(1j)),
    (np.arange(4.0), np.array([1.0, 2.0])),
    (np.arange(4.0), -1),
]
AFTER = "asked"
