"""PageRank: the weight of pages that link to each other, until it settles."""

import numpy as np


def page_rank(starts, targets, damping, tolerance):
    count = len(starts) - 1
    rank = np.full(count, 1 / count)
    change = 1.0
    rounds = 0
    while change > tolerance:
        new = np.full(count, (1 - damping) / count)
        for page in range(count):
            links = starts[page + 1] - starts[page]
            if links == 0:
                new += damping * rank[page] / count
            for link in range(starts[page], starts[page + 1]):
                new[targets[link]] += damping * rank[page] / links
        change = np.abs(new - rank).sum()
        rank = new
        rounds += 1
    return rank, rounds


def arguments(large):
    rng = np.random.default_rng(2)
    count = 300 if large else 7
    degrees = rng.integers(0, 8, count)
    targets = (count * rng.random(degrees.sum()) ** 2).astype(np.int64)
    return np.concatenate([[0], np.cumsum(degrees)]), targets, 0.85, 1e-8


def plot(axes, result, *_):
    axes.semilogy(np.sort(result[0])[::-1])
    axes.set_xlabel("pages")
