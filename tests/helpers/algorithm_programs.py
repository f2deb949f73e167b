"""Algorithms as textbooks have them: goals that are tuples, keys that are functions, flags that are found or read."""

from __future__ import annotations

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()
NAN = float("nan")
LEFT_TO_NUMPY = {"compares_tuples": {3, 6, 7, 8}, "meets_itself": {1, 2}}


@called_with(lambda: (4, 60, 0), lambda: (4, 0, 0), lambda: (2, 5, 3), lambda: (1, 3, 3))
def walks_to_a_corner(size, walks, seed):
    """Learning by walks on a grid: whether the goal is reached is told by a tuple, moves are tuples in a list."""
    rng = np.random.default_rng(seed)
    gains = np.zeros((size, size, 4))
    moves = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    lengths = []
    for _ in range(walks):
        r, c = 0, 0
        steps = 0
        while (r, c) != (size - 1, size - 1) and steps < 100:
            a = int(rng.integers(4)) if rng.random() < 0.2 else int(np.argmax(gains[r, c]))
            dr, dc = moves[a]
            nr = min(max(r + dr, 0), size - 1)
            nc = min(max(c + dc, 0), size - 1)
            reward = 1.0 if (nr, nc) == (size - 1, size - 1) else -0.01
            gains[r, c, a] += 0.5 * (reward + 0.9 * gains[nr, nc].max() - gains[r, c, a])
            r, c = nr, nc
            steps += 1
        lengths.append(steps)
    return gains, lengths


@called_with(
    lambda: (1, 2, 1, 2),
    lambda: (1, 2.5, 1.0, 2),
    lambda: (2.0, 0.0, 2, -0.0),
    lambda: (1, NAN, 1, 3.0),
    lambda: (True, 2, 1, 2.0),
    lambda: (3, 1, 2, 5),
    lambda: (NAN, 1, NAN, 1),
    lambda: (1.0, NAN, 1.0, -NAN),
    lambda: (2**60 + 1, 1, float(2**60), 1),
)
def compares_tuples(a, b, c, d):
    """The first items that differ decide; two NaN, which may be one object, are left to Python."""
    found = 0
    for i in range(2):
        found += 1 if (a, b) == (c, d) else 0
        found += 2 if (a, b) != (c, d) else 0
        found += 4 if (a, b) < (c, d) else 0
        found += 8 if (a, b) <= (c, d) else 0
        found += 16 if (a, b) > (c, d) else 0
        found += 32 if (a, b) >= (c, d, a) else 0
        found += 64 if (a, b) == (c, d, a) else 0
        found += 128 if (b, i) == (b, 1) else 0
    return found


@called_with(
    lambda: ((np.random.default_rng(0).random((9, 9)) > 0.3).astype(np.uint8),),
    lambda: (np.ones((5, 6), np.uint8),),
    lambda: (np.zeros((3, 3), np.uint8),),
)
def thins_out(image):
    """The skeleton of an image (Zhang and Suen): what changes from 0 to 1 is counted by tuples."""
    image = image.copy()
    changed = True
    while changed:
        changed = False
        for y in range(1, image.shape[0] - 1):
            for x in range(1, image.shape[1] - 1):
                if image[y, x] != 1:
                    continue
                around = [image[y - 1, x], image[y, x + 1], image[y + 1, x], image[y, x - 1]]
                turns = sum((u, v) == (0, 1) for u, v in zip(around, around[1:] + around[:1], strict=True))
                if turns == 1 and 2 <= sum(around) <= 3:
                    image[y, x] = 0
                    changed = True
    return image


@called_with(
    lambda: (np.array([3, 1, 4, 1, 5, 9, 2, 6, 5]),),
    lambda: (np.array([2.5, 2.5, NAN, 3.0]),),
    lambda: (np.array([7]),),
    lambda: (np.array([], int),),
)
def longest_rising(a):
    """The longest rising subsequence: where it ends is the place with the largest length."""
    lengths, before = [1] * len(a), [-1] * len(a)
    for i in range(len(a)):
        for j in range(i):
            if a[j] < a[i] and lengths[j] + 1 > lengths[i]:
                lengths[i] = lengths[j] + 1
                before[i] = j
    end = max(range(len(a)), key=lambda i: lengths[i])
    found = []
    while end != -1:
        found.append(a[end])
        end = before[end]
    return found[::-1]


@called_with(
    lambda: (np.random.default_rng(1).random((6, 7)) > 0.4,),
    lambda: (np.ones((3, 3), bool),),
    lambda: (np.zeros((0, 4), bool),),
)
def erodes(mask):
    """What a flag holds is `True`, or what has been read of the mask."""
    rows, columns = mask.shape
    inner, outer, counts = np.zeros_like(mask), np.zeros_like(mask), np.zeros(mask.shape, np.int8)
    for y in range(rows):
        for x in range(columns):
            every, some = True, False
            for dy in range(-1, 2):
                yy = y + dy
                v = mask[yy, x] if 0 <= yy < rows else False
                every = every and v
                some = some or v
            inner[y, x] = every
            outer[y, x] = some
            counts[y, x] = every
    return inner, outer, counts


@called_with(
    lambda: (np.array([[0, 1], [2, 3], [2, 3]]), np.array([2, 3])),
    lambda: (np.array([[0.0, -0.0], [2.0, 3.0]]), np.array([0, 0])),
    lambda: (np.zeros((0, 2), int), np.array([1, 1])),
)
def meets(cells, goal):
    """What is equal to a tuple of NumPy's numbers is told by a truth value of Python's."""
    found = []
    for cell in cells:
        found.append((cell[0], cell[1]) == (goal[0], goal[1]))
    return found


@called_with(
    lambda: (np.array([1 + 1j, 2j]),),
    lambda: (np.array([1 + 1j, complex("nan"), complex(0, np.nan)]),),
    lambda: (np.array([1 + 1j, complex("nan")], np.complex64),),
    lambda: (np.zeros(0, complex),),
)
def meets_itself(z):
    """A number that is none is equal to itself in tuples, if it is one object."""
    count = 0
    for i in range(len(z)):
        w = z[i]
        if (w, i) == (w, i):
            count += 1
        if (w, i) != (w, i):
            count += 10
        if (z[i], i) == (z[i], i):
            count += 100
    return count
