"""Random generators as compiled code sees them: where their state is, and whether they are as they are known.

A ``Generator`` has a ``bitgen_t`` (``numpy/random/bitgen.h``): the address of the state, and functions that give random bits.  NumPy's C
functions are given its address.  The state is the memory that the class of a bit generator adds to that of all of them; where
these places are is found out by looking at generators whose state is known.
"""

from __future__ import annotations

import copy
import ctypes
import functools
import importlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.backends.native.drawing import streams

CLASSES: Final = {
    one.__name__: one
    for one in (
        np.random.PCG64,
        np.random.PCG64DXSM,
        np.random.MT19937,
        np.random.Philox,
        np.random.SFC64,
    )
}
"""The bit generators whose state can be put back."""
WORD: Final = 8
LEGACY: Final = "RandomState"
"""The name of the kind of what draws behind ``np.random``'s functions; its bits are an ``MT19937``."""
Drawn: TypeAlias = np.random.Generator | np.random.RandomState | random.Random
"""What kernels draw from."""
DRAWN: Final = (np.random.Generator, np.random.RandomState, random.Random)
BITGEN_WORDS: Final = 5
"""The size of a ``bitgen_t``, whose first word is the address of the state; functions are behind it."""


class UnknownGenerator(Exception):
    """The C structure of generators is not as it is known."""


@dataclass(frozen=True, slots=True)
class StateLayout:
    """The state of a bit generator.

    Args:
        place: in the bit generator, in bytes.
        size: its bytes.
    """

    place: int
    size: int


@dataclass(frozen=True, slots=True)
class GeneratorLayout:
    """The C structure of generators: the places of its parts, in bytes.

    Args:
        bits: the bit generator.
        bitgen: the ``bitgen_t``.
        lock: the lock.
        states: by the names of the classes of bit generators.
    """

    bits: int
    bitgen: int
    lock: int
    states: Mapping[str, StateLayout]


@functools.cache
def layout() -> GeneratorLayout:
    """Return the C structure of generators.

    Raises:
        UnknownGenerator: it is not as it is known.
    """
    samples = {name: np.random.Generator(cls(3)) for name, cls in CLASSES.items()}
    places = {_places(sample) for sample in samples.values()}
    if len(places) != 1:
        raise UnknownGenerator("generators differ")
    known = GeneratorLayout(*places.pop(), {name: _state(sample) for name, sample in samples.items()})
    for name, sample in samples.items():
        _check_putting_back(sample, known, known.states[name].size)
    return known


@functools.cache
def legacy_layout() -> GeneratorLayout:
    """Return the C structure of a ``RandomState``, which draws as it is known to.

    Raises:
        UnknownGenerator: it is not as it is known.
    """
    sample: Any = np.random.RandomState(3)
    known = layout().states["MT19937"]
    _check_putting_back(np.random.Generator(sample._bit_generator), layout(), known.size)
    return GeneratorLayout(*_places(sample), {LEGACY: known})


def layout_of(kind: str) -> GeneratorLayout:
    """Return the C structure of a kind.

    Args:
        kind: as `kind_of` names it.
    """
    return legacy_layout() if kind == LEGACY else layout()


def bits_of(generator: Any) -> Any:
    """Return the bit generator of NumPy's that something draws from."""
    return (
        generator._bit_generator if isinstance(generator, np.random.RandomState) else generator.bit_generator
    )


def _places(sample: Any) -> tuple[int, int, int]:
    """Return the places of the parts of a generator.

    Raises:
        UnknownGenerator: they are not found.
    """
    own = bits_of(sample)
    words = _words(id(sample), type(sample).__basicsize__)
    given = _words(own.ctypes.bit_generator.value, BITGEN_WORDS * WORD)
    try:
        found = [words.index(one) for one in (id(own), own.ctypes.state_address, id(own.lock))]
    except ValueError:
        raise UnknownGenerator("a generator does not hold its state") from None
    if words[found[1] : found[1] + BITGEN_WORDS] != given:
        raise UnknownGenerator("a generator's functions are not where they are known to be")
    bits, bitgen, lock = (place * WORD for place in found)
    return bits, bitgen, lock


def _state(sample: np.random.Generator) -> StateLayout:
    """Return where the state of a bit generator is: from the address that it gives to the end of its memory.

    Raises:
        UnknownGenerator: it is elsewhere.
    """
    own: Any = sample.bit_generator
    place = own.ctypes.state_address - id(own)
    if not np.random.BitGenerator.__basicsize__ <= place < type(own).__basicsize__:
        raise UnknownGenerator("a bit generator does not hold its state")
    return StateLayout(place, type(own).__basicsize__ - place)


def _check_putting_back(sample: np.random.Generator, known: GeneratorLayout, size: int) -> None:
    """Draw twice, with the state put back in between.

    Raises:
        UnknownGenerator: the draws differ.
    """
    address = _words(id(sample) + known.bitgen, WORD)[0]
    before = ctypes.string_at(address, size)
    first = _some_draws(sample)
    ctypes.memmove(address, before, size)
    if _some_draws(sample) != first:
        raise UnknownGenerator("a generator's state is not all there is")


def _some_draws(generator: np.random.Generator) -> Sequence[float]:
    return [*(int(generator.integers(7)) for _ in range(3)), *generator.standard_normal(2000).tolist()]


def _words(address: int, size: int) -> list[int]:
    return list((ctypes.c_uint64 * (size // WORD)).from_address(address))


MULTIPLIER: Final = (2549297995355413924 << 64) | 4865540595714422341
FRACTION: Final = 2.0**-53
"""What a ``PCG64`` computes with."""


@functools.cache
def is_inline(kind: str) -> bool:
    """Return whether the floats of a bit generator are those that compiled code makes by itself.

    Args:
        kind: its class.
    """
    if kind != "PCG64":
        return False
    sample, other = np.random.Generator(np.random.PCG64(5)), np.random.Generator(np.random.PCG64(5))
    address = _words(id(sample) + layout().bitgen, WORD)[0]
    numbers = _words(_words(address, WORD)[0], 4 * WORD)
    known: Any = sample.bit_generator.state["state"]
    if [known["state"], known["inc"]] != [numbers[0] | numbers[1] << 64, numbers[2] | numbers[3] << 64]:
        return False
    number = known["state"]
    for _ in range(100):
        number = (number * MULTIPLIER + known["inc"]) % 2**128
        high = number >> 64
        mixed, turn = high ^ (number % 2**64), high >> 58
        bits = (mixed >> turn | mixed << (64 - turn)) % 2**64
        found = (bits >> 11) * FRACTION
        if found != sample.random() or 0.1 + (1.7 - 0.1) * found != other.uniform(0.1, 1.7):
            return False
    return True


def class_of(kind: str) -> type:
    """Return a class by the name that `kind_of` gives.

    Args:
        kind: the name.
    """
    if kind == LEGACY:
        return np.random.MT19937
    return random.Random if kind == streams.KIND else CLASSES[kind]


def state_size(kind: str) -> int:
    """Return the bytes of a state.

    Args:
        kind: as `kind_of` names it.
    """
    return streams.SIZE if kind == streams.KIND else layout_of(kind).states[kind].size


# -- generators of a program -------------------------------------------------------------------------------


def kind_of(generator: Any) -> str:
    """Return the class of a generator's bits by name; nothing where compiled code can't use it.

    Args:
        generator: a ``Generator``, or a stream of Python's.

    Example:
        >>> kind_of(np.random.default_rng(1)), kind_of(np.random.Generator(np.random.MT19937(1)))
        ('PCG64', 'MT19937')
        >>> kind_of(random.Random(1))
        'Random'
    """
    if isinstance(generator, random.Random):
        return streams.kind_of(generator)
    if type(generator) not in (np.random.Generator, np.random.RandomState):
        return ""
    own = bits_of(generator)
    is_legacy = type(generator) is np.random.RandomState
    name = LEGACY if is_legacy else type(own).__name__
    if (np.random.MT19937 if is_legacy else CLASSES.get(name)) is not type(own):
        return ""
    try:
        known = layout_of(name)
    except UnknownGenerator:
        return ""
    address = _words(id(generator) + known.bitgen, WORD)[0]
    return name if address == id(own) + known.states[name].place else ""


def is_usable(generator: Any) -> bool:
    """Return whether compiled code can draw from a generator now: another thread may be drawing.

    Args:
        generator: what stands for one.

    Example:
        >>> is_usable(np.random.default_rng(1))
        True
    """
    kind = kind_of(generator)
    if not kind or kind == streams.KIND:
        return bool(kind)
    lock = bits_of(generator).lock
    if not lock.acquire(blocking=False):
        return False
    lock.release()
    return True


def copied(generator: Drawn, known: dict[int, Any]) -> Drawn:
    """Return a generator that draws the same numbers.

    Args:
        generator: any.
        known: what was copied so far, as `copy.deepcopy` has it.
    """
    if isinstance(generator, random.Random):
        return streams.copied(generator)
    if isinstance(generator, np.random.RandomState):
        made = np.random.RandomState(copy.deepcopy(bits_of(generator), known))
        made.set_state(generator.get_state(legacy=False))
        return made
    return np.random.Generator(copy.deepcopy(generator.bit_generator, known))


def state_of(generator: Drawn) -> tuple[Any, ...]:
    """Return the state of a generator as tuples, arrays and numbers.

    Args:
        generator: any.

    Example:
        >>> one, other = np.random.default_rng(1), np.random.default_rng(1)
        >>> state_of(one) == state_of(other), one.random() < 1.0, state_of(one) == state_of(other)
        (True, True, False)
    """
    if isinstance(generator, random.Random):
        return generator.getstate()
    legacy = isinstance(generator, np.random.RandomState)
    return _as_tuple(generator.get_state(legacy=False) if legacy else generator.bit_generator.state)


def _as_tuple(state: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(
        (name, _as_tuple(value) if isinstance(value, dict) else value)  # type: ignore[reportUnknownArgumentType]
        for name, value in state.items()
    )


@functools.cache
def library() -> ctypes.CDLL:
    """Return NumPy's C functions of generators.

    Raises:
        OSError: they are not there.
    """
    return ctypes.CDLL(importlib.import_module("numpy.random._generator").__file__)
