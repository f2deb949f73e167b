"""Python's random streams as compiled code sees them: where the state of a ``random.Random`` is, and whether it is as it is known.

The state is that of a Mersenne twister: 624 words of 32 bits, and in front of them the place of the next one (``Modules/_randommodule.c``).
Nothing but ``random`` and ``getrandbits`` reads it.  Both are written in C and hold the interpreter, as kernels do that draw.
"""

from __future__ import annotations

import ctypes
import functools
import random
from typing import Any, Final

KIND: Final = "Random"
"""The name of the class, among those of NumPy's bit generators."""
PLACE: Final = 16
"""Where the state is in an object, in bytes: behind its count of references and its class."""
WORDS: Final = 624
SIZE: Final = 4 * (1 + WORDS)
"""The bytes of the state."""
MIDDLE: Final = 397
TOP: Final = 0x80000000
MATRIX: Final = 0x9908B0DF
MASKS: Final = 0x9D2C5680, 0xEFC60000
"""What a Mersenne twister computes with."""
LARGEST_WORD: Final = 2**32 - 1
SEEDS: Final = (5, 2**70 + 1)
DRAWS: Final = 400
BITS: Final = (1, 31, 32, 33, 63)


def kind_of(stream: Any) -> str:
    """Return `KIND` for an object that compiled code can draw from; nothing for any other.

    Args:
        stream: any object.

    Example:
        >>> kind_of(random.Random(1)), kind_of(random.SystemRandom())
        ('Random', '')
    """
    return KIND if type(stream) is random.Random and is_known() else ""


@functools.cache
def is_known() -> bool:
    """Return whether the state is where it is known to be, and draws are made of it as they are here."""
    if random.Random.__basicsize__ < PLACE + SIZE:
        return False
    return all(map(_draws_as_known, SEEDS))


def _draws_as_known(seed: int) -> bool:
    sample = random.Random(seed)  # noqa: S311
    words = TwisterWords(_memory_of(sample))
    for turn in range(DRAWS):
        bits = BITS[turn % len(BITS)]
        if (words.number(), words.bits(bits)) != (sample.random(), sample.getrandbits(bits)):
            return False
        if _memory_of(sample) != [words.place, *words.words]:
            return False
    return list(sample.getstate()[1]) == [*words.words, words.place]


def _memory_of(stream: Any) -> list[int]:
    return list((ctypes.c_uint32 * (1 + WORDS)).from_address(id(stream) + PLACE))


class TwisterWords:
    """What a Mersenne twister gives: the meaning of `inline_words`.

    Args:
        state: the place of the next word, and the words.
    """

    def __init__(self, state: list[int]) -> None:
        self.place, *self.words = state

    def next(self) -> int:
        """Return 32 bits."""
        if self.place >= WORDS:
            self._turn()
        word = self.words[self.place]
        self.place += 1
        word ^= word >> 11
        word ^= (word << 7) & MASKS[0]
        word ^= (word << 15) & MASKS[1]
        return word ^ (word >> 18)

    def number(self) -> float:
        """Return what ``random`` does."""
        high, low = self.next() >> 5, self.next() >> 6
        return (high << 26 | low) * 2.0**-53

    def bits(self, count: int) -> int:
        """Return what ``getrandbits`` does.

        Args:
            count: of bits, 1 to 64.
        """
        if count <= 32:
            return self.next() >> (32 - count)
        low = self.next()
        return self.next() >> (64 - count) << 32 | low

    def _turn(self) -> None:
        """Make the words anew."""
        words = self.words
        for place in range(WORDS):
            mixed = words[place] & TOP | words[(place + 1) % WORDS] & (TOP - 1)
            words[place] = words[(place + MIDDLE) % WORDS] ^ mixed >> 1 ^ (MATRIX if mixed & 1 else 0)
        self.place = 0


def copied(stream: random.Random) -> random.Random:
    """Return an object that draws the same numbers.

    Args:
        stream: any.
    """
    made = random.Random(0)  # noqa: S311
    made.setstate(stream.getstate())
    return made
