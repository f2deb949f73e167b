"""Pictures and boards: windows around each point, neighbours that decide, points that belong together."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.kernels.kernel import Kernel

# -- windows ---------------------------------------------------------------------------------------------


def convolve_2d(picture, weights):
    """Weights slide over a picture, number by number; the border is left out."""
    rows, columns = picture.shape
    height, width = weights.shape
    result = np.zeros((rows - height + 1, columns - width + 1))
    for i in range(result.shape[0]):
        for j in range(result.shape[1]):
            total = 0.0
            for k in range(height):
                for m in range(width):
                    total += picture[i + k, j + m] * weights[height - 1 - k, width - 1 - m]
            result[i, j] = total
    return result


def bilateral(picture, radius, near, alike):
    """Smooth without blurring edges: near and alike points count most (Tomasi and Manduchi, 1998)."""
    rows, columns = picture.shape
    result = np.empty_like(picture)
    for i in range(rows):
        for j in range(columns):
            total = weight = 0.0
            for k in range(max(0, i - radius), min(rows, i + radius + 1)):
                for m in range(max(0, j - radius), min(columns, j + radius + 1)):
                    apart = ((k - i) ** 2 + (m - j) ** 2) / near
                    differs = (picture[k, m] - picture[i, j]) ** 2 / alike
                    w = np.exp(-0.5 * (apart + differs))
                    total += w * picture[k, m]
                    weight += w
            result[i, j] = total / weight
    return result


def median_3x3(picture):
    """The median of each point and its eight neighbours; nine values are sorted where they lie."""
    result = picture.copy()
    window = np.empty(9, dtype=picture.dtype)
    for i in range(1, picture.shape[0] - 1):
        for j in range(1, picture.shape[1] - 1):
            for k in range(9):
                value = picture[i - 1 + k // 3, j - 1 + k % 3]
                place = k
                while place > 0 and window[place - 1] > value:
                    window[place] = window[place - 1]
                    place -= 1
                window[place] = value
            result[i, j] = window[4]
    return result


def edges(picture, threshold):
    """Where brightness changes fast (Sobel's operator), without a loop."""
    smooth_down = picture[:-2, :] + 2.0 * picture[1:-1, :] + picture[2:, :]
    smooth_right = picture[:, :-2] + 2.0 * picture[:, 1:-1] + picture[:, 2:]
    across = smooth_down[:, 2:] - smooth_down[:, :-2]
    down = smooth_right[2:, :] - smooth_right[:-2, :]
    strength = np.sqrt(across * across + down * down)
    return np.where(strength > threshold, strength, 0.0)


def picture(size: int) -> np.ndarray:
    """A bright disc, and noise."""
    y, x = np.indices((size, size + 1)) - size / 2
    return np.where(x * x + y * y < size * size / 8, 1.0, 0.2) + 0.1 * np.random.default_rng(32).random(
        x.shape
    )


def with_weights(size: int) -> tuple[Any, ...]:
    """A picture and five by five weights."""
    return picture(size), np.outer(np.hanning(7)[1:-1], np.hanning(7)[1:-1]) / 9


def other_weights() -> tuple[tuple[Any, ...], ...]:
    """As large as the picture, larger, one weight."""
    shown, weights = with_weights(6)
    return (shown[:5, :5], weights), (shown[:3], weights), (shown, weights[:1, :1])


def with_widths(size: int) -> tuple[Any, ...]:
    """A picture, a radius, two widths."""
    return picture(size), 2, 4.0, 0.05


def other_widths() -> tuple[tuple[Any, ...], ...]:
    """The point alone, no picture, one point."""
    return (picture(4), 0, 4.0, 0.05), (picture(0), 1, 4.0, 0.05), (np.ones((1, 1)), 1, 4.0, 0.05)


def pictures(size: int) -> tuple[Any, ...]:
    """A picture."""
    return (picture(size),)


def other_pictures() -> tuple[tuple[Any, ...], ...]:
    """Nothing inside, one point inside, whole numbers."""
    return (picture(2),), (np.arange(9.0).reshape(3, 3),), ((100 * picture(5)).astype(np.int64),)


def with_limit(size: int) -> tuple[Any, ...]:
    """A picture and a threshold."""
    return picture(size), 1.5


def other_limits() -> tuple[tuple[Any, ...], ...]:
    """Nothing inside, one point inside."""
    return (picture(2), 1.5), (np.arange(9.0).reshape(3, 3), 0.1), (picture(4), 100.0)


# -- boards ----------------------------------------------------------------------------------------------


def game_of_life(board, turns):
    """Conway's game of life (1970), on a board whose edges meet."""
    for _ in range(turns):
        around = np.zeros_like(board)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down != 0 or right != 0:
                    around += np.roll(np.roll(board, down, axis=0), right, axis=1)
        board = np.where((around == 3) | ((board == 1) & (around == 2)), 1, 0)
    return board


def ising_by_noise(spins, coupling, noise):
    """A magnet point by point, in place; random numbers are given (Metropolis et al., 1953)."""
    rows, columns = spins.shape
    energy = 0.0
    for sweep in range(noise.shape[0]):
        for i in range(rows):
            for j in range(columns):
                up, down = spins[i - 1, j], spins[(i + 1) % rows, j]
                left, right = spins[i, j - 1], spins[i, (j + 1) % columns]
                change = 2.0 * coupling * spins[i, j] * (up + down + left + right)
                if change <= 0.0 or noise[sweep, i, j] < np.exp(-change):
                    spins[i, j] = -spins[i, j]
                    energy += change
    return energy


def flood(board, row, column, colour):
    """Fill an area of one colour; the points still to do are on a stack."""
    old = board[row, column]
    if old == colour:
        return 0
    rows, columns = board.shape
    todo = [(row, column)]
    filled = 0
    while todo:
        i, j = todo.pop()
        if i < 0 or i >= rows or j < 0 or j >= columns or board[i, j] != old:
            continue
        board[i, j] = colour
        filled += 1
        todo.append((i - 1, j))
        todo.append((i + 1, j))
        todo.append((i, j - 1))
        todo.append((i, j + 1))
    return filled


def root(parents, i):
    """The one that stands for all that belong together; the way to it gets shorter."""
    while parents[i] != i:
        parents[i] = parents[parents[i]]
        i = parents[i]
    return i


def unite(board, parents):
    """Let points that are set belong together with those above and on the left that are."""
    rows, columns = board.shape
    for i in range(rows):
        for j in range(columns):
            here = i * columns + j
            if board[i, j] != 0 and i > 0 and board[i - 1, j] != 0:
                parents[root(parents, here)] = root(parents, here - columns)
            if board[i, j] != 0 and j > 0 and board[i, j - 1] != 0:
                parents[root(parents, here)] = root(parents, here - 1)


def components(board):
    """Number the areas of points that are set (Hoshen and Kopelman, 1976): labels that meet are united."""
    rows, columns = board.shape
    parents = np.arange(rows * columns)
    unite(board, parents)
    labels = np.zeros(board.shape, dtype=np.int64)
    count = 0
    for i in range(rows):
        for j in range(columns):
            if board[i, j] != 0 and parents[i * columns + j] == i * columns + j:
                count += 1
                labels[i, j] = count
    for i in range(rows):
        for j in range(columns):
            if board[i, j] != 0:
                first = root(parents, i * columns + j)
                labels[i, j] = labels[first // columns, first % columns]
    return labels, count


def board(size: int) -> np.ndarray:
    """A board of which most is set."""
    return (np.random.default_rng(33).random((size, size + 1)) < 0.7).astype(np.int64)


def with_turns(size: int) -> tuple[Any, ...]:
    """A board and a number of turns."""
    return board(size), 10


def other_turns() -> tuple[tuple[Any, ...], ...]:
    """No turn, one, a line that turns."""
    blinker = np.zeros((5, 5), dtype=np.int64)
    blinker[2, 1:4] = 1
    return (board(4), 0), (board(4), 1), (blinker, 2)


def with_noise(size: int) -> tuple[Any, ...]:
    """Spins, a coupling, noise for four sweeps."""
    rng = np.random.default_rng(34)
    return rng.choice([-1, 1], (size, size)), 0.4, rng.random((4, size, size))


def other_noise() -> tuple[tuple[Any, ...], ...]:
    """No sweep, a small board, spins that are floats."""
    spins, coupling, noise = with_noise(3)
    return (
        (spins, coupling, noise[:0]),
        (spins[:1, :1], coupling, noise[:, :1, :1]),
        (spins * 1.0, 0.1, noise),
    )


def with_colour(size: int) -> tuple[Any, ...]:
    """A board, a place, a colour."""
    shown = board(size)
    shown[size // 2, size // 2] = 1
    return shown, size // 2, size // 2, 7


def other_colours() -> tuple[tuple[Any, ...], ...]:
    """The same colour, one point, all points, outside."""
    whole = np.ones((3, 4), dtype=np.int64)
    return (whole, 1, 1, 1), (np.eye(3), 1, 1, 5.0), (whole, 2, 3, 2), (whole, 5, 0, 2)


def boards(size: int) -> tuple[Any, ...]:
    """A board."""
    return (board(size),)


def other_boards() -> tuple[tuple[Any, ...], ...]:
    """Nothing set, all set, no points, a comb."""
    comb = np.ones((3, 7), dtype=np.int64)
    comb[:2, 1::2] = 0
    return (np.zeros((3, 3), dtype=np.int64),), (np.ones((2, 3)),), (board(0),), (comb,)


KERNELS = (
    Kernel(convolve_2d, with_weights, 8, 40, other_weights),
    Kernel(bilateral, with_widths, 5, 24, other_widths),
    Kernel(median_3x3, pictures, 6, 40, other_pictures),
    Kernel(edges, with_limit, 6, 200, other_limits),
    Kernel(game_of_life, with_turns, 6, 100, other_turns),
    Kernel(ising_by_noise, with_noise, 4, 24, other_noise),
    Kernel(flood, with_colour, 6, 60, other_colours),
    Kernel(components, boards, 6, 50, other_boards),
)
