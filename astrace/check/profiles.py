"""The profiles of Hypothesis that come with astrace; Hypothesis finds them by an entry point when it is imported."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

import hypothesis
from hypothesis import HealthCheck

PROFILES: Final = ("astrace-ci", "astrace-nightly")
"""The same inputs at every run; and new ones at every run, with what failed before first."""

CHECKS: Final = tuple(cast("Iterable[HealthCheck]", HealthCheck))


def register_profiles() -> None:
    """Make the profiles known to Hypothesis, so that ``settings.load_profile`` finds them."""
    register = hypothesis.settings.register_profile
    register("astrace-ci", derandomize=True, deadline=None, suppress_health_check=CHECKS)
    register("astrace-nightly", max_examples=2000, deadline=None, suppress_health_check=CHECKS)
