"""Functions in the manner of various authors: of image processing, numerical recipes, statistics, signals, chemistry."""

import numpy as np
from loop_programs import floats
from registry import registry

PROGRAMS, called_with = registry()
LEFT_TO_NUMPY: dict[str, set[int]] = {
    "begins_without_a_name": {3, 4},
}
"""As in ``test_idioms``."""


@called_with(
    lambda: (floats(12, 14), floats(3, 3)),
    lambda: (floats(4, 9).astype(np.float32), floats(5, 3)),
    lambda: (floats(9, 5)[::2], floats(1, 1)),
    lambda: (floats(3, 3).T, floats(3, 5).T),
)
def slides_a_kernel(image, weights):
    """Rows of a padded image, another distance from those of the result at each turn."""
    rows, columns = weights.shape
    padded = np.pad(image, ((rows // 2,), (columns // 2,)), mode="edge")
    out = np.zeros_like(image)
    for i in range(rows):
        for j in range(columns):
            out += weights[i, j] * padded[i : i + image.shape[0], j : j + image.shape[1]]
    return out


@called_with(lambda: (2.0,), lambda: (1e-9,), lambda: (1.5,))
def goes_on_until_it_stays(x):
    """A name that has no value in front of the loop, and one for certain behind it."""
    count = 0
    while True:
        y = 0.5 * (x + 2 / x)
        count += 1
        if abs(y - x) < 1e-12:
            break
        x = y
    return y, count


@called_with(lambda: (floats(5), 5), lambda: (floats(1) - 2, 3), lambda: (floats(600), 1))
def goes_on_with_arrays(x, most):
    """Likewise, of an array."""
    count = 0
    while True:
        y = np.sin(x) * 0.5
        count += 1
        if np.max(np.abs(y - x)) < 0.1 or count > most:
            break
        x = y
    return y, count


@called_with(
    lambda: (7, 5, 0), lambda: (1, 3, 0), lambda: (3, -1, 0), lambda: (3, 5, 1), lambda: (11, 5, 1)
)
def begins_without_a_name(x, most, reads):
    """A name with a value of one of two types, which one turn may ask for before it has one."""
    while True:
        if reads:
            x += y  # noqa: F821
        y = 1.5 if x > most else x
        x += 1
        if x > 10:
            break
    return y, x
