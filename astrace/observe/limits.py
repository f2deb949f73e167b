"""The limits of what a trace keeps; it takes numbers, checks them, and knows nothing of values."""

from __future__ import annotations

from dataclasses import dataclass, fields

from astrace.util import validation


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The amounts that a trace keeps of the values it sees.

    Args:
        array_bytes: arrays of up to so many bytes are copied; larger ones are summarised.
        scan_bytes: larger arrays than this are summarised without range, NaN count and hash, which read all of it.
        first: the number of first elements in a summary.
        items: the number of items kept of a container, and of those that a generator gives.
        total: the number of values kept of one container and all that it holds.
        depth: the number of containers within containers.
        text: the number of characters kept of a string, of bytes and of the text of an object.
        calls: the number of calls that a trace keeps; later ones are counted.

    Raises:
        InvalidArgument: one of them is no whole number, or negative.

    Example:
        >>> Limits(array_bytes=0).first
        8
    """

    array_bytes: int = 8192
    scan_bytes: int = 1 << 28
    first: int = 8
    items: int = 256
    total: int = 10_000
    depth: int = 6
    text: int = 2_000
    calls: int = 100_000

    def __post_init__(self) -> None:
        for one in fields(self):
            validation.count("Limits", one.name, getattr(self, one.name), 0)
