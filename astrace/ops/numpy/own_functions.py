"""NumPy's own functions: those that NumPy had when it was loaded, by the names under which its modules hold them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from astrace.ir.block import Block
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.numpy.rows import numpy_object


def _held(name: str) -> str:
    """Return the name under which NumPy holds a function; for a method of a ufunc, bound anew each time, the ufunc's."""
    owner = name.rpartition(".")[0]
    return owner if isinstance(numpy_object(owner), np.ufunc) else name


HELD: Final = {name: _held(name) for name in OPS.by_name if name.startswith("np.")}
"""The names under which NumPy's modules hold the functions that are ops."""
OWN: Final = {name: numpy_object(name) for name in HELD.values()}
"""NumPy's own objects of these names."""


def called_functions(block: Block) -> dict[str, Any]:
    """Return the functions of NumPy that a block calls, by the text that leads to them."""
    names = {HELD[node.op] for node in nodes(block) if node.op in HELD}
    return {name: OWN[name] for name in sorted(names) if OWN[name] is not None}


def replaced(functions: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names under which something else is found now."""
    return (name for name, own in functions.items() if numpy_object(name) is not own)
