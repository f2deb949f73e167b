"""Counts the calls that do not reach XLA, though a program of JAX's exists: results alone do not tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import numpy as np
import pytest

from astrace.backends.jax import backend


def is_whole(function: Any) -> bool:
    """Return whether everything that was captured runs through JAX."""
    executables = [entry.stages.executable for entry in function._entries]
    return all(one is not None and one.backend == "jax" for one in executables)


class Exact:
    """Counts what the exact backend runs though a program of JAX's exists, of calls that have items and do not raise.

    Args:
        monkeypatch: gives the count to every program that is compiled.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.whole = self.left = self.runs = 0
        self._why: dict[str, None] = {}
        compile_block = backend.compile_block

        def counting(block: Any, result: Any, name: str, file: str, exact: Any, **settings: Any) -> Any:
            def counted(*given: Any) -> Any:
                self.runs += 1
                return exact.function(*given)

            return compile_block(block, result, name, file, replace(exact, function=counted), **settings)

        monkeypatch.setattr(backend, "compile_block", counting)

    def note(self, function: Any, given: Any, raises: bool) -> None:
        """A call has been made."""
        runs, self.runs = self.runs, 0
        empty = any(isinstance(one, np.ndarray) and one.size == 0 for one in jax.tree.leaves(given))
        if empty or raises or not is_whole(function):
            return
        self.whole += 1
        if runs:
            self.left += 1
            scopes = [entry.stages.executable.function.__globals__ for entry in function._entries]
            errors = [one for scope in scopes for one in scope["refused"].errors]
            self._why |= dict.fromkeys(errors or ["a check of the program, or of its arguments"])

    def row(self) -> tuple[str, str] | None:
        """Return the number of calls that NumPy ran, and why; ``None`` if it ran none."""
        why = "; ".join(self._why).replace("|", "\\|")
        return (f"{self.left} of {self.whole}", why) if self.left else None
