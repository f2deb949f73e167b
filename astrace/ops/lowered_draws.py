"""Ops of lowered blocks that draw from random generators: a number, or an array of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.specs import GenericSpec, Spec
from astrace.ops.numpy.draws import FUNCTIONS, GENERATOR, INTERVAL, LEGACY_INTEGERS
from astrace.ops.numpy.legacy_draws import LEGACY
from astrace.ops.python.random_streams import RANDOM
from astrace.ops.registry import Op, always
from astrace.ops.rules import nothing

DRAWN: Final = (GENERATOR, LEGACY, RANDOM)
"""The types of what is drawn from."""


def draw(generator: Any, *parameters: Any, method: str) -> Any:
    """A number out of a random generator; of integers, the parameters are the least and the largest."""
    if method == "integers":
        return generator.integers(*parameters, endpoint=True)
    if method == LEGACY_INTEGERS:
        low, last = map(int, parameters)
        return np.int64(generator.randint(low, last + 1))
    if method == INTERVAL:
        return np.int64(interval(generator, *parameters))
    return FUNCTIONS[method].dtype.type(getattr(generator, method)(*parameters))


def fill_draws(out: Any, generator: Any, *parameters: Any, method: str) -> None:
    """Fill an array in C order with such numbers, one after the other."""
    if method == "integers":
        out[...] = generator.integers(*parameters, size=out.shape, endpoint=True)
    else:
        out[...] = getattr(generator, method)(*parameters, size=out.shape)


def interval(generator: Any, last: int) -> int:
    """Return an integer from zero to another one, as ``random_interval`` draws it: as many bits as that has, until they fit.

    Args:
        generator: draws them.
        last: below 2**32.
    """
    bits = (1 << int(last).bit_length()) - 1
    while bits:
        found = int(generator.integers(0, 2**32 - 1, endpoint=True)) & bits
        if found <= last:
            return found
    return 0


def _number(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec:
    return GenericSpec(FUNCTIONS[kwargs["method"]].dtype)


def rows() -> Iterator[Op]:
    """One row for each of these ops."""
    yield Op("draw", draw, _number, writes=(0,), ordered=True, safe=always, fresh=always)
    yield Op("fill_draws", fill_draws, nothing, writes=(0, 1), ordered=True, safe=always, fresh=always)
