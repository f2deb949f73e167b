"""`check`: the way into a check, for a function, a graph, a class or a module."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from typing import Any

from astrace.check.checker import check_subject
from astrace.check.compare.observe import Call, example_call
from astrace.check.isolation.time_limits import Clock
from astrace.check.members import check_members
from astrace.check.report.report import Report
from astrace.check.settings import settings_for
from astrace.check.subject import subject_of


def check(
    obj: Any,
    /,
    *args: Any,
    original: Callable[..., Any] | None = None,
    examples: Iterable[Any] = (),
    level: str = "default",
    against: str | None = None,
    **settings: Any,
) -> Report:
    """Look for a difference between a function and its capture, and name the reason.

    Args:
        obj: a function, a compiled one, also by Numba, JAX or PyTorch, a graph with its ``original``, a class or a module.
        *args: the arguments of an example call.
        original: the function that a graph was made of.
        examples: more example calls: tuples of arguments, dicts of keyword arguments, or pairs of both.
        level: ``quick``, ``default`` or ``thorough``.
        against: compile it by ``numba``, ``jax`` or ``torch``, and check that.
        **settings: fields of `astrace.check.settings.Settings`.

    Returns:
        What was found; ``report.ok`` says whether it is free of errors.

    Raises:
        InvalidArgument: what is to be checked, a setting or an example is not accepted.
        MissingExtra: the compiler that is to compile it is not installed.

    Example:
        >>> import numpy as np
        >>> rate = 2.0
        >>> def scale(x):
        ...     return x * rate if x.sum() > 0 else -x
        >>> check(scale, np.arange(3.0), level="quick").ok
        True
    """
    chosen = settings_for(level, **settings)
    calls = [*([Call(args)] if args else []), *map(example_call, examples)]
    if isinstance(obj, types.ModuleType | type) and original is None:
        return check_members(obj, calls, chosen, against)
    clock = Clock(chosen.deadline)
    subject = subject_of(obj, original, against, calls[0] if calls else None, chosen)
    return check_subject(subject, calls, chosen, clock)
