"""Graphs and sequences, edge by edge: searches with queues, spanning trees, alignments, sparse rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- graphs ----------------------------------------------------------------------------------------------


def hops(starts, ends, first):
    """How many edges away each point is; a list is the queue, and a number tells its front."""
    n = len(starts) - 1
    away = np.full(n, -1)
    away[first] = 0
    queue = [first]
    front = 0
    while front < len(queue):
        point = queue[front]
        front += 1
        for k in range(starts[point], starts[point + 1]):
            if away[ends[k]] < 0:
                away[ends[k]] = away[point] + 1
                queue.append(ends[k])
    return away, front


def nearest_first(lengths, first):
    """The shortest ways from one point (Dijkstra, 1959), in a matrix of lengths."""
    n = lengths.shape[0]
    away = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    away[first] = 0.0
    for _ in range(n):
        best = -1
        for i in range(n):
            if not done[i] and (best < 0 or away[i] < away[best]):
                best = i
        done[best] = True
        for i in range(n):
            if away[best] + lengths[best, i] < away[i]:
                away[i] = away[best] + lengths[best, i]
    return away


def top(parents, i):
    """The one that stands for a group."""
    while parents[i] != i:
        i = parents[i]
    return i


def spanning_tree(left, right, lengths, count):
    """The edges that hold all together and are shortest in sum (Kruskal, 1956): the sum, and which they are."""
    parents = list(range(count))
    chosen = []
    total = 0.0
    for edge in np.argsort(lengths):
        a, b = top(parents, left[edge]), top(parents, right[edge])
        if a != b:
            parents[a] = b
            chosen.append(edge)
            total += lengths[edge]
    return total, np.array(chosen)


def csr_product(values, columns, starts, x):
    """A matrix in compressed rows times a vector, number by number."""
    y = np.zeros(len(starts) - 1)
    for i in range(len(y)):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total
    return y


def edges_of(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of one to five elements: their starts, columns and values."""
    rng = np.random.default_rng(49)
    starts = np.concatenate([[0], np.cumsum(rng.integers(1, 6, size))])
    return starts, rng.integers(0, size, starts[-1]), rng.random(starts[-1])


def network(size: int) -> tuple[Any, ...]:
    """A graph and a point."""
    starts, ends, _ = edges_of(size)
    return starts, ends, 0


def other_networks() -> tuple[tuple[Any, ...], ...]:
    """No edges, another point, a point that there is not, an edge to nowhere."""
    starts, ends, _ = network(5)
    return (starts * 0, ends, 0), (starts, ends, 3), (starts, ends, 9), (starts, ends + 2, 0)


def distances(size: int) -> tuple[Any, ...]:
    """Lengths and a point."""
    lengths = np.random.default_rng(50).random((size, size))
    return np.where(lengths < 0.5, np.inf, lengths), 0


def other_distances() -> tuple[tuple[Any, ...], ...]:
    """One point, no edges, a point that there is not."""
    lengths, _ = distances(4)
    return (lengths[:1, :1], 0), (lengths + np.inf, 2), (lengths, 7)


def forest(size: int) -> tuple[Any, ...]:
    """Edges, their lengths, the number of points."""
    rng = np.random.default_rng(51)
    return rng.integers(0, size, 3 * size), rng.integers(0, size, 3 * size), rng.random(3 * size), size


def other_forests() -> tuple[tuple[Any, ...], ...]:
    """No edges, a cycle, loops."""
    left, right, lengths, count = forest(4)
    cycle = np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([1.0, 2.0, 3.0]), 3
    return (left[:0], right[:0], lengths[:0], count), cycle, (left, left, lengths, count)


def sparse_rows(size: int) -> tuple[Any, ...]:
    """A sparse matrix and a vector."""
    starts, columns, values = edges_of(size)
    return values, columns, starts, np.random.default_rng(52).random(size)


def other_sparse_rows() -> tuple[tuple[Any, ...], ...]:
    """No rows, one, a column out of bounds."""
    values, columns, starts, x = sparse_rows(5)
    return (
        (values, columns, starts[:1], x),
        (values, columns, starts[:2], x),
        (values, columns + 3, starts, x),
    )


# -- sequences -------------------------------------------------------------------------------------------


def levenshtein(a, b):
    """The distance of two words, with two rows that are lists."""
    last = list(range(len(b) + 1))
    for i in range(len(a)):
        row = [i + 1] + [0] * len(b)
        for j in range(len(b)):
            change = 0 if a[i] == b[j] else 1
            row[j + 1] = min(last[j] + change, last[j + 1] + 1, row[j] + 1)
        last = row
    return last[len(b)]


def global_alignment(a, b, same, other, gap):
    """The score of aligning two sequences from end to end (Needleman and Wunsch, 1970), and both with gaps."""
    n, m = len(a), len(b)
    scores = np.zeros((n + 1, m + 1))
    for i in range(n + 1):
        scores[i, 0] = gap * i
    for j in range(m + 1):
        scores[0, j] = gap * j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            pair = scores[i - 1, j - 1] + (same if a[i - 1] == b[j - 1] else other)
            scores[i, j] = max(pair, scores[i - 1, j] + gap, scores[i, j - 1] + gap)
    first, second = [], []
    i, j = n, m
    while i > 0 or j > 0:
        if (
            i > 0
            and j > 0
            and scores[i, j] == scores[i - 1, j - 1] + (same if a[i - 1] == b[j - 1] else other)
        ):
            i, j = i - 1, j - 1
            first.append(i)
            second.append(j)
        elif i > 0 and scores[i, j] == scores[i - 1, j] + gap:
            i -= 1
            first.append(i)
            second.append(-1)
        else:
            j -= 1
            first.append(-1)
            second.append(j)
    return scores[n, m], first, second


def warping(a, b, width):
    """How far apart two signals are that run at different speeds (Sakoe and Chiba, 1978)."""
    n, m = len(a), len(b)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(max(1, i - width), min(m, i + width) + 1):
            apart = abs(a[i - 1] - b[j - 1])
            cost[i, j] = apart + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m]


def words(size: int) -> tuple[Any, ...]:
    """Two words over four letters."""
    rng = np.random.default_rng(53)
    return rng.integers(0, 4, size), rng.integers(0, 4, size + 3)


def other_words() -> tuple[tuple[Any, ...], ...]:
    """Empty, equal, wholly different, bytes."""
    a, b = words(4)
    return (a[:0], b), (a, b[:0]), (a, a), (a * 0, a * 0 + 1), (a.astype(np.uint8), b.astype(np.uint8))


def genes(size: int) -> tuple[Any, ...]:
    """Two words and three scores."""
    return *words(size), 1.0, -1.0, -2.0


def other_genes() -> tuple[tuple[Any, ...], ...]:
    """Empty, equal, gaps for nothing."""
    a, b, *scores = genes(4)
    return (
        (a[:0], b, *scores),
        (a[:0], b[:0], *scores),
        (a, a, *scores),
        (a, b, 1.0, -1.0, 0.0),
        (a, b, 1, -1, -2),
    )


def speeds(size: int) -> tuple[Any, ...]:
    """Two signals and a width."""
    return np.sin(np.arange(size) / 4), np.sin(np.arange(size + 2) / 5), max(4, size // 5)


def other_speeds() -> tuple[tuple[Any, ...], ...]:
    """Empty, equal, too narrow."""
    a, b, width = speeds(6)
    return (a[:0], b, width), (a, a, width), (a, b, 0), (a[:1], b[:1], 1)


KERNELS = (
    Kernel(hops, network, 8, 1_000, other_networks),
    Kernel(nearest_first, distances, 6, 60, other_distances),
    Kernel(spanning_tree, forest, 6, 300, other_forests),
    Kernel(csr_product, sparse_rows, 10, 2_000, other_sparse_rows),
    Kernel(levenshtein, words, 6, 80, other_words),
    Kernel(global_alignment, genes, 6, 60, other_genes),
    Kernel(warping, speeds, 8, 100, other_speeds),
)
