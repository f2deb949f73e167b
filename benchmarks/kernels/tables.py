"""Dynamic programming: tables that are filled from neighbours already known."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

GAP = 1

# -- two sequences ---------------------------------------------------------------------------------------


def edit_distance(a, b):
    """Count the insertions, deletions and replacements that lead from a to b (Wagner and Fischer, 1974)."""
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    table[:, 0] = np.arange(len(a) + 1)
    table[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1]
            else:
                table[i, j] = 1 + min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
    return table[-1, -1]


def score(x, y):
    """Return the score of aligning x with y."""
    return 3 if x == y else -3


def align(a, b):
    """The best local alignment: its score, and the pairs on the way back (Smith and Waterman, 1981)."""
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i in range(1, table.shape[0]):
        for j in range(1, table.shape[1]):
            beside = table[i - 1, j - 1] + score(a[i - 1], b[j - 1])
            table[i, j] = max(0, beside, table[i - 1, j] - GAP, table[i, j - 1] - GAP)
    i, j = np.unravel_index(np.argmax(table), table.shape)
    pairs = []
    while i > 0 and j > 0 and table[i, j] > 0:
        if table[i, j] == table[i - 1, j] - GAP:
            i -= 1
        elif table[i, j] == table[i, j - 1] - GAP:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return table.max(), pairs


def sequences(size: int) -> tuple[Any, ...]:
    """Two sequences over four letters."""
    rng = np.random.default_rng(7)
    return rng.integers(0, 4, size), rng.integers(0, 4, size + 2)


def other_sequences() -> tuple[tuple[Any, ...], ...]:
    """Empty, equal, wholly different, and bytes."""
    a, b = sequences(4)
    return (a[:0], b), (a, a), (a * 0, a * 0 + 1), (a.astype(np.uint8), b.astype(np.uint8))


# -- folding ---------------------------------------------------------------------------------------------


def pairs_up(x, y):
    """Return whether two bases can pair: 0 with 3, 1 with 2."""
    return 1 if x + y == 3 else 0


def fold(bases):
    """The most pairs that a strand can make with itself (Nussinov, 1978), row by row from the last."""
    n = len(bases)
    table = np.zeros((n, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            best = max(table[i, j - 1], table[i + 1, j])
            if i < j - 1:
                best = max(best, table[i + 1, j - 1] + pairs_up(bases[i], bases[j]))
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best
    return table


def strand(size: int) -> tuple[Any, ...]:
    """A strand of bases."""
    return (np.random.default_rng(8).integers(0, 4, size),)


def other_strands() -> tuple[tuple[Any, ...], ...]:
    """Empty, one base, three, all alike."""
    return (strand(0)[0],), (strand(1)[0],), (np.array([0, 1, 3]),), (np.zeros(5, int),)


# -- choices ---------------------------------------------------------------------------------------------


def knapsack(weights, values, capacity):
    """The best value that fits, and which items to take (Bellman)."""
    n = len(weights)
    best = np.zeros((n + 1, capacity + 1), dtype=values.dtype)
    for i in range(n):
        w, v = weights[i], values[i]
        best[i + 1] = best[i]
        best[i + 1, w:] = np.maximum(best[i, w:], best[i, : capacity + 1 - w] + v)
    taken = np.zeros(n, dtype=bool)
    room = capacity
    for i in reversed(range(n)):
        if best[i + 1, room] != best[i, room]:
            taken[i] = True
            room -= weights[i]
    return best[n, capacity], taken


def items(size: int) -> tuple[Any, ...]:
    """Weights, values and room for about half of them."""
    rng = np.random.default_rng(9)
    weights = rng.integers(1, 10, size)
    return weights, rng.random(size), int(weights.sum() // 2)


def other_items() -> tuple[tuple[Any, ...], ...]:
    """No items, no room, room for all, whole numbers."""
    weights, values, _ = items(4)
    return (
        (weights[:0], values[:0], 5),
        (weights, values, 10),
        (weights, values, 40),
        (weights, weights, 12),
    )


def viterbi(start, transition, emission, observed):
    """The likeliest path of states behind what was observed (Viterbi, 1967), in logarithms."""
    steps, states = len(observed), len(start)
    back = np.zeros((steps, states), dtype=np.intp)
    now = np.log(start) + np.log(emission[:, observed[0]])
    for t in range(1, steps):
        through = now[:, np.newaxis] + np.log(transition)
        back[t] = through.argmax(axis=0)
        now = through.max(axis=0) + np.log(emission[:, observed[t]])
    path = [int(now.argmax())]
    for t in range(steps - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    return path[::-1], now.max()


def rows_of_one(table):
    """Rows that sum to one."""
    return table / table.sum(axis=-1, keepdims=True)


def observations(size: int) -> tuple[Any, ...]:
    """A model of three states and what it showed."""
    rng = np.random.default_rng(10)
    start, transition, emission = (rows_of_one(rng.random(shape)) for shape in ((3,), (3, 3), (3, 5)))
    return start, transition, emission, rng.integers(0, 5, size)


def other_observations() -> tuple[tuple[Any, ...], ...]:
    """One observation, none."""
    *model, observed = observations(5)
    return (*model, observed[:1]), (*model, observed[:0])


KERNELS = (
    Kernel(edit_distance, sequences, 5, 60, other_sequences),
    Kernel(align, sequences, 5, 60, other_sequences),
    Kernel(fold, strand, 6, 40, other_strands),
    Kernel(knapsack, items, 5, 100, other_items),
    Kernel(viterbi, observations, 5, 300, other_observations),
)
