"""Access by attribute and by key, for the records that hold others under names; and the error for a name that is not there."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from astrace.errors import NotInTrace
from astrace.util.terminal import printable


class NamedParts:
    """A record whose parts have names: they are found as attributes, too, and completed by the tab key."""

    def __getitem__(self, key: Any) -> Any:
        """The part of a name, a number or a slice."""
        raise NotImplementedError

    def keys(self) -> tuple[str, ...]:
        """The names of the parts."""
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # of protocols: a copy, a pickle, a notebook ask for these
            raise AttributeError(name)
        return self[name]

    def __dir__(self) -> list[str]:
        own = [name for name in super().__dir__() if not name.startswith("_")]
        return [*(name for name in self.keys() if name.isidentifier()), *own]

    def _ipython_key_completions_(self) -> list[str]:
        return [*self.keys()]

    def __repr__(self) -> str:
        return str(self)


def unknown(what: str, name: object, known: Sequence[str]) -> NotInTrace:
    """The error for a name that is not there.

    Args:
        what: the record that was asked, in words.
        name: the name.
        known: those that are there.
    """
    listed = ", ".join(printable(repr(one)) for one in known[:20]) or "none"
    listed += ", …" * (len(known) > 20)
    close = difflib.get_close_matches(str(name), known, 1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return NotInTrace(f"{what} has no {name!r}{hint}; there are {listed}")


def numbered(what: str, parts: Sequence[Any], number: int) -> Any:
    """The part of a number; negative ones count from the end.

    Raises:
        IndexError: there are not so many.
    """
    if not -len(parts) <= number < len(parts):
        raise IndexError(f"{what} has no number {number}: it has {len(parts)}")
    return parts[number]
