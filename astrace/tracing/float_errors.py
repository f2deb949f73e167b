"""Settings under which floating-point operations do more than compute: NumPy may raise or print, or warnings are seen.

``with np.errstate(divide="raise")`` and ``warnings.simplefilter("error")`` in a ``with`` say so for its body, and
so does whoever records warnings or chooses which are shown.  What the caller has set matters to a ``try``
statement only, and is guarded there.
"""

from __future__ import annotations

import warnings
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Derived, Root
from astrace.guards.kinds import Is
from astrace.ir.block import Constant, Node
from astrace.tracing.state_protocol import OutsideState

QUIET: Final = ("ignore", "warn", None)
"""Settings of NumPy under which it does nothing or warns."""
QUIET_ACTIONS: Final = ("ignore",)
"""The actions of filters that show nobody a warning."""
FILTERS: Final = (warnings.simplefilter, warnings.filterwarnings)
FILTERING: Final = (*FILTERS, warnings.catch_warnings, warnings.catch_warnings.__init__)
"""Functions that add filters; ``catch_warnings`` does by its keyword ``action``, and records by ``record``."""


def lets_raise(node: Node) -> bool:
    """Return whether a node calls ``np.seterr``, or lets warnings be raised, shown or recorded from there on."""
    callee = node.inputs[0] if node.op == "call" and node.inputs else None
    if not isinstance(callee, Constant):
        return False
    if callee.value is np.seterr:
        return True
    return any(callee.value is one for one in FILTERING) and not _is_quiet_filter(node, callee.value)


def _is_quiet_filter(node: Node, function: Any) -> bool:
    """Return whether a call of a function of ``warnings`` certainly shows no warning that was not shown before."""
    action: Any = node.attrs.get("action")
    if node.attrs.get("record") not in (None, False):
        return False
    if action is None and function in FILTERS and len(node.inputs) > 1:
        given = node.inputs[1]
        action = given.value if isinstance(given, Constant) else given
    return "pattern" not in node.attrs and (action is None or action in QUIET_ACTIONS)


def raises_outside(state: OutsideState) -> bool:
    """Return whether the caller has set NumPy to raise; the answer is guarded."""
    raising = _is_loud(np.geterr)
    state.guard(Is(Derived(Root(np.geterr, "np.geterr"), _is_loud, "raises"), raising))
    return raising


def _is_loud(settings: Any) -> bool:
    return any(setting not in QUIET for setting in settings().values()) or _filters_raise()


def _filters_raise() -> bool:
    """Return whether a filter may turn floating-point warnings into exceptions: the first that fits decides."""
    filters: Any = warnings.filters
    for action, message, kind, module, line in filters:
        if issubclass(RuntimeWarning, kind):
            if action == "error":
                return True
            if message is None and module is None and not line:
                return False
    return False
