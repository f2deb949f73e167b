"""A stencil with buffers that change places."""

import numpy as np

def f(board, steps):
    new = board.copy()
    for _ in range(steps):
        total = sum(np.roll(np.roll(board, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j)
        new[:] = (total == 3) | ((board == 1) & (total == 2))
        board, new = new, board
    return board

CALLS = [(np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]), 1), (np.eye(4, dtype=int), 2), (np.eye(3, dtype=int), 0)]

def noise(rng):
    return (rng.integers(0, 2, (4, 4)), int(rng.integers(0, 4)))
