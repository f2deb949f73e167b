"""Calls that a program does not run: the exact backend runs them, and all calls if there are too many of these.

A program does not run a call if JAX can't trace it for these sizes, or if a check of the program fails.  Both cost a
run of the program, or a trace of it; after too many of them in a row, the program is given up for good, with a
reason.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, Final

import jax
import numpy as np

from astrace.errors import Reason
from astrace.locations import Location

LOG: Final = logging.getLogger("astrace.jax")
MOST_ERRORS: Final = 3
"""The number of calls in a row that JAX may refuse before the program is given up: each is traced anew."""
MOST_FAILURES: Final = 20
"""The number of calls in a row in which a check may fail before the program is given up."""
OF_SHAPES: Final = (TypeError, ValueError, IndexError, ArithmeticError, jax.errors.JaxRuntimeError, Warning)
"""Exceptions of JAX if shapes, sizes or dtypes do not fit, as NumPy's will be; a warning if a filter makes it one."""
WANTS_NUMBERS: Final = ("dynamic start/stop values", "concrete values")
"""Texts of JAX's errors if the number of iterations of a loop that it differentiates, or a size, is not known."""
NESTED: Final = "compiler_options` can only be passed to top-level"
"""The text of JAX's error if it traces though no argument shows it, as in a branch of ``lax.cond``."""
RESHAPED: Final = "carry input and carry output must have equal types"
"""The text of JAX's error if a loop carries an array whose shape or dtype changes."""
VARYING: Final = "manual axis types do not match"
"""The text of JAX's error in a ``shard_map`` if only one of two branches, or iterations, varies between devices."""


class Replaced(TypeError):
    """Another program has taken the place of this one."""


class Refusals:
    """Runs calls that the program does not run through the exact backend, and remembers why.

    Args:
        exact: the exact backend's function.
        start: the line of the function, for reasons without a line of their own.
    """

    def __init__(self, exact: Callable[..., Any], start: Location | None = None) -> None:
        self.exact = self.nested = exact
        self.errors: list[str] = []
        self.given_up: Reason | None = None
        self.in_a_row = 0
        self._start = start
        self.with_numbers: Callable[[], Callable[..., Any] | None] = lambda: None
        self.reshaping: Callable[[], Callable[..., Any] | None] = lambda: None
        self.varying: Callable[[], Callable[..., Any]] | None = None
        self.careful: Callable[[], Callable[..., Any] | None] | None = None
        self.others_reason: Callable[[], Reason | None] | None = None
        self._instead: Callable[..., Any] | None = None

    def reason(self) -> Reason | None:
        """Return why the exact backend runs all calls from now on, of this program or of that in its place."""
        return self.given_up if self.others_reason is None else self.others_reason()

    def __call__(self, error: Exception, *given: Any) -> Any:
        """Run a call for which the program raised an exception.

        Raises:
            Exception: the exception itself, if it is a fault of astrace's and ``ASTRACE_DEBUG`` is set.
        """
        if NESTED in str(error):
            return self.nested(*given)
        if RESHAPED in str(error):
            self._instead, self.reshaping = self.reshaping() or self._instead, lambda: None
        if self._instead is not None and (RESHAPED in str(error) or isinstance(error, Replaced)):
            return self._instead(*given)
        concrete = jax.errors.ConcretizationTypeError | jax.errors.TracerIntegerConversionError
        if isinstance(error, concrete) or any(text in str(error) for text in WANTS_NUMBERS):
            again = self.with_numbers()
            if again is not None:
                return again(*given)
        if os.environ.get("ASTRACE_DEBUG") and not isinstance(error, OF_SHAPES):
            raise error
        self._note(error)
        return self.exact(*given)

    def inlined(self, error: Exception, *given: Any) -> Any:
        """Run a call inside what JAX traces, for which the program raised an exception: Python runs its loops.

        Raises:
            Exception: the exception itself, if Python would need the contents of arrays.
        """
        if VARYING in str(error) and self.varying is not None:
            return self.varying()(*given)
        try:
            found = self.exact(*given)
        except jax.errors.ConcretizationTypeError:
            raise error from None
        self._note(error)
        return found

    def unmet(self, *given: Any) -> Any:
        """Run a call for which a check of the program has failed.

        A program that assumes finite arguments fails its check if one is not: then another program, which tracks
        what NaN and infinity come from, takes its place.
        """
        if self.careful is not None and not all(map(_is_finite, given)):
            self._instead, self.careful = self.careful() or self._instead, None
            if self._instead is not None:
                return self._instead(*given)
        self._count(MOST_FAILURES, "a check of the program, or of its arguments, fails")
        return self.exact(*given)

    def _note(self, error: Exception) -> None:
        message = f"{type(error).__name__}: {error}"
        if message not in self.errors:
            self.errors.append(message)
            LOG.info("JAX does not run this call: %s", message)
        self._count(MOST_ERRORS, message)

    def _count(self, most: int, why: str) -> None:
        """Count one more call in a row that the program does not run."""
        self.in_a_row += 1
        if self.in_a_row < most or self.given_up is not None:
            return
        message = f"the program was given up after {self.in_a_row} calls in a row that it does not run: {why}"
        self.given_up = Reason("AT306", message, self._start, HINT)
        LOG.info("%s", self.given_up)


def _is_finite(argument: Any) -> bool:
    """Return whether an argument is no float, or holds finite ones alone."""
    if isinstance(argument, float | complex | np.inexact | np.ndarray):
        array = np.asarray(argument)
        return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())
    if isinstance(argument, list | tuple):
        return all(map(_is_finite, argument))  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
    return True


HINT: Final = "compile a separate function for such arguments, or use the exact backend"
"""The advice about a program that was given up."""
