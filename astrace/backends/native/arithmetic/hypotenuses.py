"""``np.hypot`` of arrays as compiled code: NumPy calls the C library's function for one number after the other.

That of glibc (`sysdeps/ieee754/dbl-64/e_hypot.c`, since 2.35) takes the root of the sum of the squares, and corrects it by what rounding
took; numbers that are very large or small are scaled first.  For the others its steps are written here, so that LLVM computes several at once.
"""

from __future__ import annotations

import functools
import math
from typing import Any, Final

import numpy as np

from astrace.backends.native.arithmetic.flags import bits_of
from astrace.backends.native.callees import callee
from astrace.backends.native.numpy_arrays import reshape_of

# pyright: basic
one_axis: Any = reshape_of  # intrinsics, whose first parameter is Numba's
word_of: Any = bits_of

SMALLEST, LARGEST = 2.0**-450, 2.0**500
"""Between these no step leaves the range of floats, and the C library does not scale."""
NOTHING: Final = 2.0**-54
"""A number times this, or less, does not show in a hypotenuse."""
TRIED: Final = 40_000
_WORDS: Final = [int(one.view(np.int64)) for one in (np.float64(SMALLEST), np.float64(LARGEST))]
LOW, HIGH = _WORDS
SIGNLESS: Final = 0x7FFFFFFFFFFFFFFF


@functools.cache
def is_computed_so() -> bool:
    """Return whether the C library gives what the steps give, in a trial with numbers that are alike, and some that are not."""
    rng = np.random.default_rng(0)
    for span in (0, 1, 3, 60, 400):
        x, y = (
            rng.uniform(1.0, 2.0, TRIED // 5) * 2.0 ** rng.integers(-span, span + 1, TRIED // 5)
            for _ in range(2)
        )
        found = [_hypotenuse(one, other) for one, other in zip(x.tolist(), y.tolist(), strict=True)]
        if np.hypot(x, y).tobytes() != np.array(found).tobytes():
            return False
    return True


def _hypotenuse(x: Any, y: Any) -> Any:
    """The hypotenuse of two numbers, each of which is zero or in range."""
    x, y = abs(x), abs(y)
    long, short = (y, x) if x < y else (x, y)
    is_long = short <= long * NOTHING
    a = 1.0 if is_long else long
    b = 1.0 if is_long else short
    root = math.sqrt(a * a + b * b)
    is_near = root <= 2.0 * b
    rest = root - (b if is_near else a)
    first = a * (2.0 * rest - a) if is_near else 2.0 * rest * (a - 2.0 * b)
    second = (rest - 2.0 * (a - b)) * rest if is_near else (4.0 * rest - b) * b + rest * rest
    return long + short if is_long else root - (first + second) / (2.0 * root)


def array_hypot(by_loop: Any) -> Any:
    """Hypotenuses of arrays in C order, as compiled code.

    Args:
        by_loop: calls NumPy's loop with the result and the operands.
    """
    if not is_computed_so():
        return by_loop
    of_two = callee(_hypotenuse)

    @callee
    def are_in_range(items):
        beyond = False
        for item in items:
            word = word_of(item) & SIGNLESS
            beyond |= (word != 0) & ((word < LOW) | (word > HIGH))
        return not beyond

    @callee
    def hypot(out, x, y):
        size = out.size
        if x.size == size and y.size == size:
            found, left, right = one_axis(out, (size,)), one_axis(x, (size,)), one_axis(y, (size,))
            if are_in_range(left) and are_in_range(right):
                for place in range(size):
                    found[place] = of_two(left[place], right[place])
                return
        by_loop(out, x, y)

    return hypot
