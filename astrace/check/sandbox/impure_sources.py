"""Callables and objects that ask the world: by the table of impure callables, and iterators that go on."""

from __future__ import annotations

import types
from typing import Any, Final

from astrace.ops.callables.purity import row_of

CLOCK: Final = "the clock, the time zone"
GOES_ON: Final = "a generator, which advances at every call"


def source_of(function: Any) -> str:
    """Name the state that a callable asks for, in a few words; empty where nothing is known.

    Example:
        >>> import time
        >>> source_of(time.monotonic), source_of(print), source_of(len)
        ('the clock, the time zone', '', '')
    """
    if isinstance(getattr(function, "__self__", None), types.GeneratorType):
        return GOES_ON
    row = row_of(function)
    return row.what if row is not None and row.asks else ""


def source_of_object(owner: Any) -> str:
    """Name the state that an object's methods ask for: a generator, a file, a connection, a context variable."""
    if isinstance(owner, types.GeneratorType):
        return GOES_ON
    return next(filter(None, map(source_of, type(owner).__mro__)), "")
