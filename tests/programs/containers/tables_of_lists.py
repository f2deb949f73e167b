"""Rows that are added to a table of lists while its last ones are read, and places that are tuples of numbers."""

import numpy as np


def f(n, heights):
    triangle = [[1]]
    for i in range(1, n):
        row = [triangle[i - 1][-1]]
        for j in range(1, i + 1):
            row.append(row[j - 1] + triangle[i - 1][j - 1])
        triangle.append(row)
    seen, place = set(), (0, 0)
    path = [place]
    size = len(heights)
    while place not in seen:
        seen.add(place)
        i, j = place
        around = [(i + di, j + dj) for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        inside = [(a, b) for a, b in around if 0 <= a < size and 0 <= b < size]
        place = max(inside, key=lambda one: heights[one], default=place)
        path.append(place)
    return triangle, path, len(seen), heights[place]


CALLS = [
    (5, np.array([[1.0, 5.0, 2.0], [0.0, 6.0, 7.0], [3.0, 9.0, 8.0]])),
    (1, np.array([[1, 2], [4, 3]])),
    (0, np.array([[1]])),
]
