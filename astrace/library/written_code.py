"""Numba gets functions as they were written, whatever stands in for their code.

It reads the code of a function when that is first called with some types, or when another one that calls it is: a package
may register its functions with it after they have got their stubs, and a program may hand over any function of a package.
All of that goes through one function of Numba's, which is given the plain twin of a function with a stub for as long as
there is a hook.
"""

from __future__ import annotations

import functools
import sys
import types
from typing import Any, Final

from astrace.util.code_stubs import stub_of
from astrace.util.module_finders import AfterImport

__all__ = ["WRITTEN_CODE", "WrittenCode"]

READER: Final = "numba.core.bytecode"
"""The module of Numba that reads code."""


class WrittenCode:
    """Numba's reading of code, told of stubs between `begin` and `end`; several hooks share it."""

    def __init__(self) -> None:
        self._hooks = 0
        self._waiting: AfterImport | None = None
        self._own: Any = None

    def begin(self) -> None:
        """A hook has been installed."""
        self._hooks += 1
        if self._hooks == 1:
            self._waiting = AfterImport(READER, self._tell)

    def end(self) -> None:
        """A hook has been removed; with the last one Numba gets its function back."""
        self._hooks -= 1
        if self._hooks:
            return
        if self._waiting in sys.meta_path:
            sys.meta_path.remove(self._waiting)
        if self._own is not None:
            sys.modules[READER].FunctionIdentity.from_function = self._own
        self._waiting = self._own = None

    def _tell(self) -> None:
        identity: Any = sys.modules[READER].FunctionIdentity
        self._own = identity.__dict__["from_function"]
        read = self._own.__func__

        @functools.wraps(read)
        def from_function(cls: type, pyfunc: Any) -> Any:
            return read(cls, _written(pyfunc))

        identity.from_function = classmethod(from_function)


def _written(function: Any) -> Any:
    stub = stub_of(function) if type(function) is types.FunctionType else None
    return function if stub is None else stub.plain()


WRITTEN_CODE: Final = WrittenCode()
"""The one of this process."""
