"""Functions about integers of 64 bits without a sign, and others whose bits matter: each function with its calls.

Hashes, generators of random numbers, codes and counts; what wraps around, or has no integer with a sign, among the arguments.
"""

import numpy as np
from registry import registry

PROGRAMS, called_with = registry()
LEFT_TO_NUMPY: dict[str, set[int]] = {"makes_signed": {1, 2}, "hashes_rows": {0, 1, 3, 4}}
"""Integers that do not fit; and what wraps around, where Python runs a kernel's text: NumPy's scalars warn of it."""


def words(count, seed=0):
    """Random words of 64 bits."""
    return np.random.default_rng(seed).integers(0, 2**64, count, dtype=np.uint64)


@called_with(
    lambda: (88172645463325252, 9),
    lambda: (1, 1),
    lambda: (2**63 + 1, 0),
    lambda: (np.uint64(2**64 - 1), 30),
)
def shifts_and_turns(seed, n):
    """A generator of random numbers that shifts."""
    found = np.empty(n, np.uint64)
    state = np.uint64(seed)
    for i in range(n):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        found[i] = state
    return found, state


@called_with(
    lambda: (words(7),),
    lambda: (np.array([0, 1, 2**63, 2**64 - 1], np.uint64),),
    lambda: (words(12)[::-3],),
    lambda: (words(0),),
)
def counts_bits(items):
    """How many bits are set in each item."""
    found = np.zeros(len(items), np.int64)
    for i in range(len(items)):
        rest, count = items[i], 0
        while rest:
            rest &= rest - np.uint64(1)
            count += 1
        found[i] = count
    return found


@called_with(
    lambda: (np.arange(24).reshape(6, 4),),
    lambda: (words((3, 5)),),
    lambda: (np.zeros((2, 0), np.int64),),
    lambda: (np.array([[-1, 5], [2**40, -(2**63)]]),),
    lambda: (np.arange(6, dtype=np.uint8).reshape(2, 3),),
)
def hashes_rows(table):
    """A hash of each row, column by column."""
    found = np.full(table.shape[0], 14695981039346656037, dtype=np.uint64)
    for j in range(table.shape[1]):
        found ^= table[:, j].astype(np.uint64)
        found *= np.uint64(1099511628211)
    return found, found % np.uint64(16), found >> 60


@called_with(
    lambda: (np.arange(9) * 7, np.arange(9) * 5),
    lambda: (np.array([65535]), np.array([1])),
    lambda: (np.arange(4, dtype=np.uint16), np.arange(4, dtype=np.uint64)),
    lambda: (np.arange(0), np.arange(0)),
)
def interleaves(x, y):
    """The bits of two numbers in turn."""
    found = np.zeros(x.shape, np.uint64)
    x, y = x.astype(np.uint64), y.astype(np.uint64)
    for b in range(16):
        bit = np.uint64(b)
        found |= ((x >> bit) & 1) << np.uint64(2 * b)
        found |= ((y >> bit) & np.uint64(1)) << np.uint64(2 * b + 1)
    return found


@called_with(
    lambda: (np.array([0, 3, 3, 1]), 4),
    lambda: (np.array([0, 3, 3, 1], np.uint64), 4),
    lambda: (np.array([0, 4]), 4),
    lambda: (np.array([2**64 - 1], np.uint64), 4),
    lambda: (np.array([-1, 2**63 - 1]), 4),
    lambda: (np.zeros(0, np.uint64), 0),
)
def counts_items(items, bins):
    """How often each number comes."""
    found = np.zeros(bins, np.uint64)
    for item in items:
        found[item] += 1
    return found, found.sum()


@called_with(
    lambda: (words(5),),
    lambda: (np.array([0, 2**11 - 1, 2**63, 2**64 - 1], np.uint64),),
)
def weighs_bits(items):
    """Words as floats below one, and compared with numbers of other types."""
    found = np.empty(len(items))
    large = 0
    for i in range(len(items)):
        found[i] = (items[i] >> np.uint64(11)) * (1.0 / 9007199254740992.0)
        large += items[i] > np.uint64(2**63)
        large += items[i] > 0xFFFFFFFFFFFFFFF0
        large += items[i] >= 2
    return found, large


@called_with(
    lambda: (np.arange(6.0), np.array([5, 0, 1], np.uint64)),
    lambda: (np.arange(6.0), np.array([0, 2**64 - 1], np.uint64)),
    lambda: (np.arange(6.0), np.array([2**63, 1], np.uint64)),
)
def takes_places(items, places):
    """Items at places that have no sign."""
    total = 0.0
    for place in places:
        total += items[place]
    return total, items[places % np.uint64(6)]


@called_with(
    lambda: (np.array([1, 2, 300], np.uint64), np.uint64(7)),
    lambda: (np.array([1, 2**63], np.uint64), np.uint64(7)),
    lambda: (np.array([2**64 - 1], np.uint64), np.uint64(1)),
    lambda: (np.array([5, 6], np.uint64), np.uint64(0)),
)
def makes_signed(items, divisor):
    """Words as other numbers."""
    narrow, total = items.astype(np.uint8), 0
    for i in range(len(items)):
        total += int(items[i]) // 3
        total += int(items[i] // divisor) - int(items[i] % divisor)
    return narrow, items.astype(np.float32), items * 0.5, total


@called_with(
    lambda: (np.array([1, 2, 3], np.uint64), 5),
    lambda: (np.array([1, 2**64 - 1, 3], np.uint64), 5),
    lambda: (np.array([2**60, 2**63, 3], np.uint64), 8),
    lambda: (np.array([7, 0], np.uint64), -1),
    lambda: (np.array([7, 0], np.int64), 2**63),
)
def overflows(items, given):
    """Sums, products and differences of NumPy's scalars, which warn where they wrap around."""
    found = np.zeros_like(items)
    for i in range(len(items)):
        found[i] = items[i] + given
        found[i] = found[i] * items[i]
        found[i] -= items[0]
    return found


@called_with(
    lambda: (words(6), words(6, 1), np.arange(6)),
    lambda: (np.array([1, 2**63], np.uint64), np.array([2**64 - 1, 3], np.uint64), np.array([-1, 2])),
    lambda: (words(8)[::2], words(8, 1)[::-2], np.arange(8)[4:]),
    lambda: (words(3), np.arange(3, dtype=np.uint32), np.arange(3, dtype=np.int8)),
)
def combines_arrays(a, b, k):
    """Arrays of words in expressions: wrapped around, chosen, with others beside them, stored in place."""
    c = (a + b) * np.uint64(3) - (a & b) | 1
    a -= b
    a[a > b] = 0xFFFFFFFFFFFFFFFF
    return c, np.where(a > b, a, c), np.maximum(a, c), a + k, ~a, abs(a), a == c, k * 2.0 + a
