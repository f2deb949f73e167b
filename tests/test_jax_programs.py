"""Programs of JAX's own functions: those of the corpus that others are measured on, written with ``jax.numpy``."""

from __future__ import annotations

from typing import Any

import harness
import jax
import jaxed
import pytest
from left_to_numpy import Exact

import astrace

REFUSED = {
    "chained_cmp_once": "AT305",
    "dyn_zeros": "AT305",
    "global_list_changed": "AT301",
    "global_write_loop": "AT305",
    "method_self_mut_branch": "AT305",
    "np_random_baked": "AT305",
    "print_traced": "AT305",
    "starred_unpack": "AT301",
    "time_baked": "AT305",
}
"""Programs that do not run through XLA, and why: the others do."""
LEFT = {"dict_dispatch_traced_key": "2 of 2", "dyn_slice": "2 of 2"}
"""Calls of programs that JAX can't trace, with a key or a size that depends on data: the exact backend runs them."""


def outcome(function: Any, given: Any) -> tuple[Any, type | None]:
    """Return what a function returns, or the class of what it raises."""
    try:
        return function(*jaxed.to_jax(given)), None
    except Exception as error:
        return None, type(error)


def reason_of(function: Any) -> str | None:
    """Return the reason why a part of a function does not run through JAX; ``None`` if everything does."""
    for entry in function._entries:
        stages = entry.stages
        reasons = (
            stages.refused,
            stages.fallback,
            *(stages.recording.plain_calls if stages.recording else ()),
        )
        codes = [reason.code for reason in reasons if reason is not None]
        if codes:
            return codes[0]
        assert stages.executable.backend == "jax"
    return None


@pytest.mark.parametrize("name", sorted(harness.COMMON))
def test_programs_written_with_jax(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are those of plain Python over arrays of JAX, without asking for a backend."""
    exact = Exact(monkeypatch)
    with jax.enable_x64(True):
        plain, captured = jaxed.load(name), jaxed.load(name)
        function = astrace.compile(captured.f)
        varies = getattr(plain, "VARIES", False)
        for index, given in enumerate(plain.CALLS):
            harness.prepare(plain, index)
            harness.prepare(captured, index)
            expected, error = outcome(plain.f, given)
            found, raised = outcome(function, captured.CALLS[index])
            assert error is raised
            assert varies or jaxed.close(expected, found), given
            exact.note(function, given, error is not None)
    reason = reason_of(function)
    assert reason == REFUSED.get(name)
    assert reason or (exact.row() or (None,))[0] == LEFT.get(name)


def test_most_programs_run_whole() -> None:
    """Of the 85 programs, at least 70 run through XLA, at every call."""
    assert len(set(harness.COMMON) - set(REFUSED) - set(LEFT)) >= 70
