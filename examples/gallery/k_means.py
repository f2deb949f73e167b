"""K-means: groups of points, until no point changes its group."""

import numpy as np


def k_means(points, centres):
    groups = np.zeros(len(points), dtype=np.int64)
    rounds = 0
    while True:
        rounds += 1
        changed = False
        for i in range(len(points)):
            best, least = 0, np.inf
            for k in range(len(centres)):
                x, y = points[i, 0] - centres[k, 0], points[i, 1] - centres[k, 1]
                distance = x * x + y * y
                if distance < least:
                    best, least = k, distance
            if groups[i] != best:
                groups[i], changed = best, True
        if not changed:
            return centres, groups, rounds
        for k in range(len(centres)):
            mine = points[groups == k]
            if len(mine) > 0:
                centres[k] = mine.mean(axis=0)


def arguments(large):
    rng = np.random.default_rng(4)
    count = 250 if large else 6
    points = np.concatenate(
        [rng.normal(place, 0.7, (count, 2)) for place in ((0, 0), (3, 1), (1, 4), (5, 4))]
    )
    return points, points[:4].copy()


def plot(axes, result, points, *_):
    axes.scatter(points[:, 0], points[:, 1], c=result[1], s=4, cmap="tab10")
    axes.plot(result[0][:, 0], result[0][:, 1], "k+", ms=12)
