"""What the conversion makes of a function: text, and what loading it has to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

OPERATORS: Final = "ag"
"""The name under which rewritten code finds the operators."""


@dataclass(slots=True)
class Converted:
    """A converted function.

    Args:
        text: its source.
        regions: the names of the local functions that stand for parts of statements.
        carrying: those of them that return the names they carry.
        undefined: the local names that may be unbound where they are read.
        shared: the local names that nested functions assign.
    """

    text: str = ""
    regions: set[str] = field(default_factory=set[str])
    carrying: set[str] = field(default_factory=set[str])
    undefined: set[str] = field(default_factory=set[str])
    shared: set[str] = field(default_factory=set[str])


class Unconverted(Exception):
    """A function can't be converted.

    Args:
        message: why.
        line: where, in the user's file.
        hint: what to do.
    """

    def __init__(self, message: str, line: int, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.hint = hint
