"""A pytest plugin: generators that tests make without a seed are seeded, each test's anew, so that runs compare."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from numpy.random import bit_generator


@pytest.fixture(autouse=True)
def _seeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test draws the same numbers in every run."""
    numbers = itertools.count(1)
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002 - it is what tests draw from
    monkeypatch.setattr(bit_generator, "randbits", lambda _bits: next(numbers))
