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
