"""Calls that a program does not run: the exact backend runs them, and in the end all of them.

A program leaves a call where JAX can't trace it for these sizes, or where a check of the program fails.  Both cost a
run of the program, or a trace of it; where nothing else comes of it, the program is given up for good, with the
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
"""How many calls in a row JAX may refuse before it is asked no more: each is traced anew."""
MOST_FAILURES: Final = 20
"""How many calls in a row a check of the program may fail in."""


OF_SHAPES: Final = (TypeError, ValueError, IndexError, ArithmeticError, jax.errors.JaxRuntimeError, Warning)
"""What JAX raises where shapes, sizes or dtypes do not fit, as NumPy will; a warning where a filter says so."""


WANTS_NUMBERS: Final = ("dynamic start/stop values", "concrete values")
"""What JAX says of loops that it can't differentiate since it does not know how often they turn, and of sizes."""


NESTED: Final = "compiler_options` can only be passed to top-level"
"""What JAX says where it traces, though none of the arguments shows it: in a branch of ``lax.cond``, say."""


RESHAPED: Final = "carry input and carry output must have equal types"
"""What JAX says of a loop that carries an array whose shape or dtype changes."""


VARYING: Final = "manual axis types do not match"
"""What JAX says inside a ``shard_map``, where only one of two branches, or turns, gives the same on all devices."""


class Replaced(TypeError):
    """A program that another one has taken the place of."""


class Refusals:
    """Runs calls that JAX can't trace through the exact backend, and remembers why.

    Args:
        exact: the exact backend's function.
        start: the line of the function, for what has no line of its own.
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
        """Why the exact backend runs all calls from now on; that of the program that has taken the place of this one."""
        return self.given_up if self.others_reason is None else self.others_reason()

    def __call__(self, error: Exception, *given: Any) -> Any:
        """Run a call for which the program raised an exception.

        Raises:
            Exception: the exception itself, if it is a fault of astrace's and faults are looked for.
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
        """Run a call that is a part of what JAX traces, for which the program raised an exception: Python runs its loops.

        Raises:
            Exception: the exception itself, where Python would have to know what only the arrays tell.
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

        Where something that was not finite came in, one does that takes everything for finite: another program finds out
        what came of what.
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
        """One more call in a row that the program does not run."""
        self.in_a_row += 1
        if self.in_a_row < most or self.given_up is not None:
            return
        message = f"the program was given up after {self.in_a_row} calls in a row that it does not run: {why}"
        self.given_up = Reason("AT306", message, self._start, HINT)
        LOG.info("%s", self.given_up)


def _is_finite(argument: Any) -> bool:
    """Whether an argument is no float, or holds nothing but finite ones."""
    if isinstance(argument, float | complex | np.inexact | np.ndarray):
        array = np.asarray(argument)
        return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())
    if isinstance(argument, list | tuple):
        return all(map(_is_finite, argument))  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
    return True


HINT: Final = "compile a function of its own for such arguments, or use the exact backend"
"""What to do about a program that was given up."""
