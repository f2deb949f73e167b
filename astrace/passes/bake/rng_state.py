"""Random generators that are put back: what is drawn while a graph is frozen is drawn again by the program."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Generator, Iterable
from typing import Any, Final

import numpy as np

GLOBAL_GENERATORS: Final = (np.random.mtrand._rand, random._inst)  # type: ignore[attr-defined]
"""The generators behind ``np.random.rand`` and ``random.random``."""


@contextlib.contextmanager
def put_back(generators: Iterable[Any]) -> Generator[None]:
    """A stretch of code after which generators, and Python's and NumPy's own, stand where they stood.

    Args:
        generators: any objects; those that are no random generators are left alone.
    """
    found = [one for one in (*GLOBAL_GENERATORS, *generators) if isinstance(one, KINDS)]
    kept = [(one, _state(one)) for one in found if not isinstance(one, random.SystemRandom)]
    try:
        yield
    finally:
        for one, state in reversed(kept):
            _put(one, state)


KINDS: Final = (random.Random, np.random.RandomState, np.random.Generator)


def _state(generator: Any) -> Any:
    match generator:
        case random.Random():
            return generator.getstate()
        case np.random.RandomState():
            return generator.get_state()
        case _:
            return generator.bit_generator.state


def _put(generator: Any, state: Any) -> None:
    match generator:
        case random.Random():
            generator.setstate(state)
        case np.random.RandomState():
            generator.set_state(state)
        case _:
            generator.bit_generator.state = state
