"""Draws from ``np.random.RandomState``, and so by the functions of ``np.random``: numbers of equal odds.

Integers are drawn by as many bits as the largest has, until they fit.  Whether this release of NumPy does so is found out once, by a trial.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.ops.lowered_draws import interval
from astrace.ops.numpy.draws import LEGACY_INTEGERS, METHODS, DrawCall
from astrace.ops.numpy.legacy_draws import legacy_call
from astrace.passes.lowering.rules import Kwargs

TRIAL: Final = (1, 2, 3, 100, 2**31, 2**32)
TURNS: Final = 20


def legacy_draw(name: str, args: Sequence[Any], kwargs: Kwargs) -> tuple[str, DrawCall] | None:
    """Return the draw that a method makes, and a call of the same of a ``np.random.Generator``; ``None`` where it has no lowered form.

    Args:
        name: of the method.
        args: behind the object.
        kwargs: the same by name.
    """
    found = legacy_call(name, args, kwargs)
    if found is None or not draws_as_known():
        return None
    method, parameters = found
    if method != LEGACY_INTEGERS:
        return method, DrawCall(METHODS[method], parameters, None, {})
    return method, DrawCall(METHODS["integers"], parameters, None, {"endpoint": False})


@functools.cache
def draws_as_known() -> bool:
    """Return whether NumPy draws as it is done here."""
    theirs: Any = np.random.RandomState(np.random.MT19937(5))
    own = np.random.Generator(np.random.MT19937(5))
    for count in TRIAL * TURNS:
        found = [
            theirs.rand(),
            theirs.random_sample(),
            theirs.uniform(0.1, 1.7),
            theirs.randint(3, 3 + count),
        ]
        expected = [own.random(), own.random(), own.uniform(0.1, 1.7), 3 + interval(own, count - 1)]
        if found != expected:
            return False
    state, other = theirs.get_state(legacy=False)["state"], own.bit_generator.state["state"]
    return state["pos"] == other["pos"] and bool((state["key"] == other["key"]).all())
