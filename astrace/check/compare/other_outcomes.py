"""The first difference between what a function does and what another compiler made of it.

As `astrace.check.compare.observe.divergence`, but for what the compiler's own rules say: results are put beside each
other (`beside`), floats may differ as far as tolerances allow, a refusal is a note, the text of an exception is its own,
and so are the warnings that it gives beside the program's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from astrace.check.compare.beside import Beside, within_rounding
from astrace.check.compare.diff import difference
from astrace.check.compare.observe import Call, Divergence, Outcome, divergence
from astrace.check.compilers.other_side import NotTaken, OtherSide
from astrace.check.inputs.call_variants import rebuilt

REFUSED: Final = NotTaken.__qualname__


def other_divergence(expected: Outcome, found: Outcome, other: OtherSide, ulps: int) -> Divergence | None:
    """Return the first difference that is not by the compiler's rules; nothing where there is none.

    Args:
        expected: the function's.
        found: that of the compiled one.
        other: the compiled one.
        ulps: how far apart two floats may be, beside the tolerances.
    """
    if found.error is not None and found.error[0] == REFUSED:
        if expected.error is None:
            other.keep(found.error[1])
        return None
    if found.late:  # it may be compiling
        return None
    if expected.error is not None and found.error is not None:
        return _of_errors(expected.error, found.error, other)
    if expected.error is not None or found.error is not None:
        return divergence(expected, found)
    ours, theirs = _brought_together(expected, found, other)
    if not other.compiler.shares:
        ours, theirs = (replace(one, shared=()) for one in (ours, theirs))
    return divergence(ours, theirs, ulps, other.tolerances)


def _of_errors(expected: tuple[str, str], found: tuple[str, str], other: OtherSide) -> Divergence | None:
    """Exceptions on both sides: their texts are the compiler's own; another class is told."""
    if expected[0] != found[0]:
        other.told[f"where the function raises {expected[0]}, it raises {found[0]}"] = None
    return None


def _brought_together(expected: Outcome, found: Outcome, other: OtherSide) -> tuple[Outcome, Outcome]:
    """Both outcomes, with their results and arguments in one form."""
    beside = Beside(other.compiler.narrows(), other.told.setdefault)
    ours, theirs = beside.pair(expected.result, found.result)
    given, left = beside.pair(expected.arguments, found.arguments)
    lost = tuple(one for one in expected.warned if one not in found.warned)
    return (
        replace(expected, result=ours, arguments=given, warned=lost),
        replace(found, result=theirs, arguments=left, warned=()),
    )


# -- rounding --------------------------------------------------------------------------------------------------

NUDGES: Final = 4
ROUNDING: Final = "results that differ by no more than what the last places of the arguments decide"


def nudged(calls: Sequence[Call], outcome: Outcome) -> list[list[Call]]:
    """Calls whose floats differ in their last places, a few times.

    Args:
        calls: the calls.
        outcome: of the compiled side; of its floats the coarsest decides which place is the last one.
    """
    eps = max(map(_eps, _dtypes(outcome.result)), default=0.0)
    return [[_nudged(call, np.random.default_rng(seed), eps) for call in calls] for seed in range(NUDGES)]


def is_rounding(expected: Outcome, found: Outcome, others: Sequence[Outcome], other: OtherSide) -> bool:
    """Return whether two outcomes differ by rounding only.

    Args:
        expected: the function's.
        found: that of the compiled one.
        others: the function's, for calls that are nearly the same.
        other: the compiled one.
    """
    if any(one.error is not None or one.late for one in (expected, found, *others)):
        return False
    ours, theirs = _brought_together(expected, found, other)
    pictures = [_brought_together(one, found, other)[0] for one in others]
    results = [one.result for one in (ours, theirs, *pictures)]
    arguments = [one.arguments for one in (ours, theirs, *pictures)]
    return all(
        difference(left, right, tolerances=other.tolerances) is None or within_rounding(left, right, more)
        for left, right, *more in (results, arguments)
    )


def _nudged(call: Call, random: np.random.Generator, eps: float) -> Call:
    def change(leaf: Any) -> Any:
        if isinstance(leaf, float):
            return type(leaf)(leaf * (1 + eps * random.choice((-1.0, 1.0))))
        if not isinstance(leaf, np.ndarray | np.floating) or leaf.dtype.kind not in "fc":
            return leaf
        step = max(eps, _eps(leaf.dtype)) * random.choice((-1.0, 1.0), leaf.shape)
        with np.errstate(all="ignore"):
            found = np.asarray(leaf * (1 + step)).astype(leaf.dtype)
        return found if isinstance(leaf, np.ndarray) else found[()]

    args, kwargs = rebuilt((call.args, dict(call.kwargs)), change)
    return replace(call, args=args, kwargs=kwargs)


def _dtypes(picture: Any) -> list[np.dtype[Any]]:
    own = [picture.data.dtype] if picture.data is not None else []
    own += [np.dtype(float)] if picture.cls in (float, complex) else []
    return [*own, *(one for _, part in picture.parts for one in _dtypes(part))]


def _eps(dtype: np.dtype[Any]) -> float:
    return float(np.finfo(dtype).eps) if dtype.kind in "fc" else 0.0
