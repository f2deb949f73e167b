"""What stands behind a `*` or `**` is taken when the display comes there; later items may change it."""

import numpy as np


def f(items, table, x):
    own = {"old": x, "b": 2}
    renamed = {**own, "new": own.pop("old"), **own}
    moved = {**table, "last": table.pop("k"), **table}
    taken = [*items, items.pop(), *items]
    grown = (*items, items.append(x), *items)
    counted = {*items, items.pop(), *range(2)}
    nested = [*[*items, x], *(x for _ in range(2)), *"ab", *{3: 1}]
    return renamed, moved, taken, grown, sorted(counted), nested, items, own, table


CALLS = [
    ([1.0, 2.0, 3.0], {"k": 1, "j": 2}, np.float64(1.5)),
    ([4.0], {"k": 5}, np.float64(2.5)),
    ([1.0, 2.0], {"k": [1], "j": "a", "i": None}, np.float64(-1.5)),
]
