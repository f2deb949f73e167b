"""``np.hypot`` of arrays in kernels: the C library's bits, for numbers of any size, zeros, NaN and infinities."""

from __future__ import annotations

import platform
from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import pytest

import astrace

pytest.importorskip("numba")

from astrace.backends.native.arithmetic import hypotenuses  # noqa: E402 - it needs Numba


def drag(u: Any, v: Any) -> Any:
    speed = np.hypot(u, v)
    return speed * u, speed * v + np.hypot(u - 1.0, v * 2.0)


def in_place(u: Any, v: Any) -> Any:
    u += 0.0
    np.hypot(u, v, out=u)
    np.hypot(v, u, out=v)
    return u * v


def with_a_number(u: Any, v: Any) -> Any:
    return np.hypot(u, 3.0) + np.hypot(-0.0, v)


SPECIAL = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 5e-324, 1e-310, 1e308, -1.7e308, 3e-140, 1e-135, 4e150]


def numbers(span: int, odds: float) -> tuple[Any, Any]:
    """Numbers of a span of sizes, with special ones among them."""
    draws = np.random.default_rng(span)
    parts = (draws.normal(size=(60, 50)) * 10.0 ** draws.integers(-span, span + 1, (60, 50)) for _ in "uv")
    u, v = (np.where(draws.random((60, 50)) < odds, draws.choice(SPECIAL, (60, 50)), one) for one in parts)
    return u, v


@pytest.mark.parametrize("function", [drag, in_place, with_a_number])
@pytest.mark.parametrize("odds", [0.0, 0.001, 0.5])
def test_bits_of_the_c_library(function: Callable[..., Any], odds: float) -> None:
    native = astrace.compile(function, backend="native", recompile_limit=10)
    for span in (0, 2, 17, 130, 300):
        outcomes = [harness.observe(one, numbers(span, odds)) for one in (function, native)]
        assert harness.differences(*outcomes) == []
    assert odds or any(kernel.runs for stages in native.captures for kernel in stages.kernels)


def test_still_water_has_no_warning(recwarn: pytest.WarningsRecorder) -> None:
    """Zeros divide nothing."""
    native = astrace.compile(drag, backend="native")
    u, v = numbers(1, 0.0)
    u[10:40], v[20:50] = 0.0, -0.0
    for _ in range(2):
        assert (
            harness.differences(*(harness.observe(one, (u.copy(), v.copy())) for one in (drag, native))) == []
        )
    (kernel,) = (kernel for stages in native.captures for kernel in stages.kernels)
    assert kernel.runs == 2
    assert len(recwarn) == 0


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library may take other steps")
def test_no_step_is_taken_for_other_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the C library gives other bits it is called."""
    monkeypatch.setattr(hypotenuses.np, "hypot", lambda x, y: np.sqrt(x * x + y * y))
    assert not hypotenuses.is_computed_so.__wrapped__()
