"""Containers made here keep the caller's objects themselves, and copy the items of the caller's containers."""

import numpy as np


def f(items, mapping, members):
    kept = []
    kept.insert(0, items)
    table = {"a": 1}
    table.setdefault("items", items)
    table |= mapping
    table.update(mapping, last=kept)
    chosen = {1}
    chosen |= members
    chosen.update(members)
    kept[0].append(9)
    return kept, table, table.get("missing", items), chosen, {1}.union(members), {1, 2} - members


CALLS = [
    ([1], {"b": 2.0}, {5}),
    ([2], {"b": 3.0}, {5}),
    ([], {"a": np.arange(2.0)}, {1, 2}),
]
