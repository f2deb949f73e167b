"""`astrace.check`: does a graph do what its function does, and what was frozen that should not have been?

::

    subject    what is checked: a function, a compiled one, a graph and its original
    guess      arguments where none are given: from annotations, by trying
    mined      constants of the function's own code, for inputs that matter
    noise      directed inputs; ``strategies``: random ones, by Hypothesis, which also shrinks
    pictures   values as something that can be compared when the values are gone; ``compare``: differences
    world      the state that a function can reach, kept and put back; ``perturb``: changes of it
    observe    one run: what it gave, raised, printed, changed
    reached    which branches, turns and guards the inputs came to
    blame      which constant, guard or node made the difference
    suspects   what was frozen, read and called, without running anything
    validator  START HERE: all of these in a row; gives a ``Report`` of ``Finding`` records
    render     a report as text, JSON, SARIF, JUnit, HTML

The package is a function, too: ``astrace.check(function, *example_arguments)`` (see ``validator.check``).
Hypothesis is imported nowhere else in astrace.
"""

from __future__ import annotations

import sys
import types
from typing import Any

from astrace.errors import MissingExtra


class _Check(types.ModuleType):
    """A module that can be called: its name is that of its only public function."""

    def __call__(self, obj: Any, /, *args: Any, **settings: Any) -> Any:
        """`validator.check`.

        Raises:
            MissingExtra: Hypothesis is not installed.
        """
        try:
            from astrace.check.validator import check
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] != "hypothesis":
                raise
            raise MissingExtra("astrace.check needs Hypothesis: pip install 'astrace[check]'") from error
        return check(obj, *args, **settings)


sys.modules[__name__].__class__ = _Check
