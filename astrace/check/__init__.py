"""Look for a difference between a function and what was captured of it, and name the reason.

This package is a function: ``astrace.check(obj, *args, original=None, examples=(), level="default", against=None,
**settings)``.

It calls the function and what was captured of it on equal inputs, from the same state, and compares all that can be
seen: values, types, exceptions, changed arguments, shared memory, printed text, changed state.  Then it changes the world
around them, place by place, and compares again.  Whatever the calls change is put back.

Args:
    obj: a function, a compiled one (by `astrace.compile`, ``numba.njit``, ``jax.jit``, ``torch.compile``), a graph (or any
        other callable) with its ``original``, a class or a module.
    *args: the arguments of an example call; of a class those of its constructor.
    original: the function that a graph was made of.
    examples: more example calls: tuples of arguments, dicts of keyword arguments, or pairs of both.
    level: ``"quick"``, ``"default"`` or ``"thorough"``.
    against: ``"numba"``, ``"jax"`` or ``"torch"``: the function is compiled by that, and checked against itself.
    **settings: ``max_examples``, ``directed``, ``changes``, ``deadline``, ``call_deadline``, ``seed``, ``ulps``, ``strict``,
        ``accept_refused``, ``rtol``, ``atol``, ``database``, ``shrink``; see `astrace.check.settings.Settings`.

Returns:
    A `Report`: ``report.ok`` says whether it is free of errors, ``report.findings`` what was found; it prints itself, and
    ``text()``, ``json()``, ``sarif()``, ``junit()`` and ``html()`` write it down.

Raises:
    InvalidArgument: what is to be checked, a setting or an example is not accepted.
    MissingExtra: Hypothesis, or the compiler named by ``against``, is not installed.

Example:
    >>> import numpy as np
    >>> import astrace
    >>> def scale(x, double=False):
    ...     return x * 2 if double else x
    >>> astrace.check(scale, np.arange(3.0), level="quick").ok
    True
    >>> graph = astrace.trace(scale, np.arange(3.0))  # made for double=False
    >>> report = astrace.check(graph, np.arange(3.0), original=scale, level="quick")
    >>> report.ok, report.errors[0].constant.what
    (False, 'double')

START HERE: `check`.  The folders and modules, for those who look inside:

=======================  ==================================================================================
``check``                the way in: a function, a graph, a class, a module
``checker``              all steps of a check in a row; gives a ``Report``
``subject``              what is checked: a function, a compiled one, a graph and its original
``settings``             how many inputs, how long, from which seed
``members``              the functions of a module, the methods of a class
``hypothesis_profiles``  profiles that Hypothesis finds by an entry point
``inputs/``              calls to try
``compilers/``           Numba, JAX, PyTorch: what they made of a function
``compare/``             runs of both sides, written down and compared
``mutate/``              changes of the world around the function
``sandbox/``             state that is kept and put back; impure callables
``isolation/``           bounds of time and memory, a process of its own
``diagnose/``            which constant, guard or node made the difference
``reproduce/``           a difference as a program that shows it
``report/``              findings, and how they are written down
=======================  ==================================================================================

Hypothesis is imported nowhere else in astrace.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from astrace.errors import MissingExtra

if TYPE_CHECKING:
    from astrace.check.report.report import Report


class _CallableModule(types.ModuleType):
    """A module that can be called: its name is that of its only public function."""

    def __call__(
        self,
        obj: Any,
        /,
        *args: Any,
        original: Callable[..., Any] | None = None,
        examples: Iterable[Any] = (),
        level: str = "default",
        against: str | None = None,
        **settings: Any,
    ) -> Report:
        """`astrace.check.check.check`.

        Raises:
            MissingExtra: Hypothesis is not installed.
        """
        try:
            from astrace.check.check import check
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "hypothesis":
                raise
            raise MissingExtra.of("astrace.check needs Hypothesis", "check") from error
        return check(
            obj, *args, original=original, examples=examples, level=level, against=against, **settings
        )


sys.modules[__name__].__class__ = _CallableModule
