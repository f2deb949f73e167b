"""Random calls of a program of the corpus, made as plain Python once, and captured once for all ways if they can be.

A program whose calls leave nothing behind in its module is captured once: the ways of its recordings, which differ in
passes and in what runs the block, can't see each other.  A way that does leave something behind changes what the calls
after it give, in this way and in the others.  All other programs are loaded and captured for each way.
"""

from __future__ import annotations

import functools
import types
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import harness
import numpy as np
from module_state import Unknown, state_of
from variants import MANY, Variant, captured_by

import astrace

CALLS = 100
FEWER = 40
"""The calls in ways that users do not run, unless all cases are run."""


@dataclass(frozen=True)
class Noise:
    """The random calls of one program.

    Args:
        name: the program's.
        plain: the outcomes as plain Python.
        shared: a module of the program and its compiled function, if these serve all ways.
    """

    name: str
    plain: tuple[harness.Kept, ...]
    shared: tuple[types.ModuleType, Any] | None

    def captured_by(self, variant: Variant) -> tuple[types.ModuleType, Callable[..., Any]]:
        """Return a module of the program, and its function captured and run in one way."""
        module, function = self.shared or _captured(self.name)
        return module, captured_by(variant, function)

    def arguments(self, module: types.ModuleType) -> Iterator[tuple[Any, ...]]:
        """Give the arguments of each call; they are the same each time, of the module's own classes."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return (harness.noisy_arguments(module, rng) for _ in range(CALLS))


def _captured(name: str) -> tuple[types.ModuleType, Any]:
    module = harness.load_program(name)
    return module, astrace.compile(module.f, recompile_limit=MANY)


@functools.lru_cache(maxsize=1)
def varies(name: str) -> bool:
    """Return whether no two calls of a program are the same."""
    return getattr(harness.load_program(name), "VARIES", False)


@functools.lru_cache(maxsize=1)
def noise_of(name: str) -> Noise:
    """Make the calls of a program as plain Python; the ways of one program are asked for in a row."""
    module = harness.load_program(name)
    before, is_still, outcomes = _state(module), True, []
    for given in Noise(name, (), None).arguments(module):
        outcomes.append(harness.kept(harness.observe(module.f, given)))
        is_still = is_still and before is not None and _state(module) == before
    return Noise(name, tuple(outcomes), _captured(name) if is_still else None)


def _state(module: types.ModuleType) -> Any:
    """What a module holds; ``None`` where that can't be told."""
    try:
        return state_of(module)
    except Unknown:
        return None
