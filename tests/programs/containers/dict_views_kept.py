"""Keys, values and items of a dict show what it holds now, also those that were taken before it was written."""

import numpy as np

D = {"a": 1.0}
KEYS, VALUES, ITEMS = D.keys(), D.values(), D.items()


def f(x, options):
    taken = options.keys()
    before = [key for key in KEYS] + [key for key in taken]
    D["a"] = D["a"] + x
    if x > 1:
        D["b"] = 2.0
    options["late"] = x
    total = 0.0
    for _, value in ITEMS:
        total += value
    found = "b" in KEYS, "late" in taken, len(VALUES), len(taken)
    return before, list(KEYS), list(taken), total, sum(VALUES), found, KEYS & {"a"}, bool(taken)


CALLS = [(np.float64(1.0), {}), (np.float64(2.0), {"given": 1}), (np.float64(0.5), {"late": 3})]
BEFORE = {2: "D.pop('b'); D['c'] = 10.0"}
AFTER = "D"
