"""Graphs as matrices: all-pairs shortest paths with outer sums, and products of sparse matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- paths -----------------------------------------------------------------------------------------------


def shortest_paths(distances):
    """All shortest paths, through one more point at a time, in place (Floyd, 1962; Warshall, 1962)."""
    for k in range(len(distances)):
        np.minimum(distances, np.add.outer(distances[:, k], distances[k, :]), out=distances)
    return distances


def shortest_paths_with_steps(distances):
    """The same on a copy, with the first step of each path, which masks keep up to date."""
    n = distances.shape[0]
    best = distances.copy()
    steps = np.where(np.isfinite(best), np.arange(n)[np.newaxis, :], -1)
    for k in range(n):
        through = best[:, k, None] + best[None, k, :]
        shorter = through < best
        best[shorter] = through[shorter]
        steps[shorter] = np.broadcast_to(steps[:, k : k + 1], (n, n))[shorter]
    return best, steps


def roads(size: int) -> tuple[Any, ...]:
    """A few roads between points, most of them one-way."""
    rng = np.random.default_rng(11)
    distances = rng.uniform(1.0, 9.0, (size, size))
    distances[rng.random((size, size)) < 0.6] = np.inf
    np.fill_diagonal(distances, 0.0)
    return (distances,)


def other_roads() -> tuple[tuple[Any, ...], ...]:
    """No points, one, no roads, whole miles."""
    distances = roads(4)[0]
    miles = np.arange(16).reshape(4, 4) % 7
    return (distances[:0, :0],), (distances[:1, :1],), (np.full((3, 3), np.inf),), (miles,)


# -- sparse matrices -------------------------------------------------------------------------------------


def sparse_product(values, columns, starts, x):
    """A matrix in compressed rows times a vector: each row is a slice that the data give."""
    y = np.empty(len(starts) - 1, dtype=values.dtype)
    for i in range(len(starts) - 1):
        row = slice(starts[i], starts[i + 1])
        y[i] = values[row] @ x[columns[row]]
    return y


def page_rank(columns, starts, damping, tolerance):
    """Compute the frequency with which a random walker visits each page; each passes its rank to those it links to."""
    n = starts.size - 1
    rank = np.full(n, 1.0 / n)
    turns = 0
    while True:
        fresh = np.full(n, (1.0 - damping) / n)
        for page in range(n):
            links = columns[starts[page] : starts[page + 1]]
            if len(links) == 0:
                fresh += damping * rank[page] / n
            else:
                np.add.at(fresh, links, damping * rank[page] / len(links))
        turns += 1
        if np.abs(fresh - rank).sum() < tolerance or turns == 100:
            return fresh, turns
        rank = fresh


def sparse(size: int) -> tuple[Any, ...]:
    """Rows of zero to four elements, and a vector."""
    rng = np.random.default_rng(12)
    counts = rng.integers(0, 5, size)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return rng.random(starts[-1]), rng.integers(0, size, starts[-1]), starts, rng.random(size)


def links(size: int) -> tuple[Any, ...]:
    """The same rows as pages with their links."""
    _, columns, starts, _ = sparse(size)
    return columns, starts, 0.85, 1e-6


def other_sparse() -> tuple[tuple[Any, ...], ...]:
    """No rows, one row, indices of four bytes, a column out of bounds."""
    values, columns, starts, x = sparse(5)
    short = starts.astype(np.int32), x
    return (
        (values, columns, starts[:1], x),
        (values, columns, starts[:2], x),
        (values, columns.astype(np.int32), *short),
        (values, columns + 3, starts, x),
    )


def other_links() -> tuple[tuple[Any, ...], ...]:
    """Near enough at once, and pages without links."""
    columns, starts, _, _ = links(4)
    return (columns, starts, 0.5, 10.0), (columns, starts * 0, 0.85, 1e-3)


KERNELS = (
    Kernel(shortest_paths, roads, 5, 120, other_roads),
    Kernel(shortest_paths_with_steps, roads, 5, 80, other_roads),
    Kernel(sparse_product, sparse, 6, 1_000, other_sparse),
    Kernel(page_rank, links, 6, 60, other_links),
)
