"""Functions of NumPy that a program calls: a call checks that they have not been replaced."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.leaf_nodes import RULES
from astrace.backends.jax.refusal import Refused
from astrace.ir.block import Block
from astrace.ir.walk import nodes

NOT_THERE: Final = object()


def _found(name: str) -> Any:
    """Return the object that a name such as ``np.linalg.norm`` leads to now."""
    found: Any = np
    for part in name.split(".")[1:]:
        found = getattr(found, part, NOT_THERE)
    return found


def _held(name: str) -> str:
    """Return the name under which NumPy holds a function; for a method of a ufunc, bound anew each time, the ufunc's."""
    owner = name.rpartition(".")[0]
    return owner if isinstance(_found(owner), np.ufunc) else name


HELD: Final = {name: _held(name) for name in RULES if name.startswith("np.")}
"""The names under which NumPy's modules hold the functions that have rules."""
OWN: Final = {name: _found(name) for name in HELD.values()}
"""NumPy's own objects of these names."""


def called_functions(block: Block) -> dict[str, Any]:
    """Return the functions of NumPy that a block calls, by the text that leads to them.

    Raises:
        Refused: one of them has been replaced.
    """
    names = {HELD[node.op] for node in nodes(block) if node.op in HELD}
    found = {name: OWN[name] for name in sorted(names)}
    for name, own in found.items():
        if _found(name) is not own:
            raise Refused("AT304", f"`{name}` is not NumPy's own now")
    return {name: own for name, own in found.items() if own is not NOT_THERE}
