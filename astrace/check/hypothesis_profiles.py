"""The profiles of Hypothesis that come with astrace; Hypothesis finds them by an entry point when it is imported.

So that either may be imported first, the module itself does not import Hypothesis.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

PROFILES: Final = ("astrace-ci", "astrace-nightly")
"""The same inputs at every run; and new ones at every run, with what failed before first."""


def register_profiles() -> None:
    """Make the profiles known to Hypothesis, so that ``settings.load_profile`` finds them."""
    from hypothesis import HealthCheck, settings

    checks = tuple(cast("Iterable[HealthCheck]", HealthCheck))
    register = settings.register_profile
    register("astrace-ci", derandomize=True, deadline=None, suppress_health_check=checks)
    register("astrace-nightly", max_examples=2000, deadline=None, suppress_health_check=checks)


def count_no_time() -> None:
    """Make Hypothesis count no time: the first example of a test may be the call in which a function is captured.

    What tests say themselves stays; so do the other settings of the profile that is loaded.
    """
    from hypothesis import HealthCheck, settings

    now = settings.default
    assert now is not None
    slow = {*now.suppress_health_check, HealthCheck.too_slow}
    settings.register_profile(UNTIMED, now, deadline=None, suppress_health_check=slow)
    settings.load_profile(UNTIMED)


UNTIMED: Final = "astrace-packages"
"""Loaded where the packages of a test run are compiled."""
