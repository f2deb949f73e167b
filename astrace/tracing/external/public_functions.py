"""Functions that generated code calls by their names: what stands under the name has to be what the program calls.

``np.sin(x)`` is written as it is read, and looked up again at each call.  The same function may come another way: by ``from numpy
import sin``, as an argument, as a variable that was set before ``np.sin`` was replaced.  Then a guard says that it
is still found under its name.
"""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from astrace.guards.access_paths import Attribute, Path, Root
from astrace.guards.kinds import Is
from astrace.ops import OPS
from astrace.util.trees import own_attributes

if TYPE_CHECKING:
    from astrace.tracing.context import Trace

ROOTS: Final[Mapping[str, types.ModuleType]] = {"np": np, "math": math}
"""Modules by which generated code finds functions."""

PACKAGES: Final = frozenset({"numpy", "math", "jax"})
"""Packages whose functions are looked up when a graph runs."""


def is_called_by_name(module: types.ModuleType) -> bool:
    """Return whether generated code looks functions of a module up at each call."""
    return own_attributes(module)["__name__"].split(".")[0] in PACKAGES


class PublicNames:
    """The functions of NumPy and `math` in one trace, by the way they came into it.

    Args:
        trace: the trace that is going on.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._read: set[int] = set()
        self._held: set[int] = set()

    def read(self, function: Any) -> None:
        """Take note that a function was read as the attribute that it is called by."""
        self._read.add(id(function))

    def held(self, function: Any) -> None:
        """Take note that a function was found somewhere else."""
        self._held.add(id(function))

    def called(self, function: Any, name: str) -> None:
        """Take note that a function is called, and written as the op of some name.

        Raises:
            Uncapturable: another one is found under that name, or may be by then.
        """
        root, *names = name.split(".")
        if root not in ROOTS:
            return
        owner = getattr(function, "__self__", None)
        if isinstance(owner, np.ufunc):
            function, names = owner, names[:-1]
        path, holder, found = _found(ROOTS[root], names)
        if not isinstance(holder, types.ModuleType) or OPS.find(function) is None:
            return
        if found is not function:
            self._trace.state.stale.replaced(f"`{name}` is now a different function from the one called here")
        if (
            id(function) in self._held
            or id(function) not in self._read
            or self._may_differ(holder, names[-1])
        ):
            self._trace.state.guard(Is(path, function))

    def _may_differ(self, module: types.ModuleType, name: str) -> bool:
        """Return whether opaque code may have put another function in the place."""
        return self._trace.state.stale.may_be_patched(module, name)


def _found(module: types.ModuleType, names: list[str]) -> tuple[Path, Any, Any]:
    """Follow names from a module; return the path, the owner and the object."""
    path: Path = Root(module, module.__name__)
    holder, found = None, module
    for name in names:
        path, holder, found = Attribute(path, name), found, getattr(found, name, None)
    return path, holder, found
