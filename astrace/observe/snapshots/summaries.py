"""Summaries: what stands in a record for a value that is too large, or can't be copied.

Frozen data.  They show themselves in one line; who makes them is ``capture``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Curve:
    """An array of one axis as bands from lowest to highest value; ``None`` where a band has no finite one."""

    lows: tuple[float | None, ...]
    highs: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """A small image: bytes of 1, 3 or 4 channels, row by row."""

    width: int
    height: int
    channels: int
    pixels: bytes


Preview: TypeAlias = Curve | Thumbnail


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArraySummary:
    """An array, in short.

    Args:
        type_name: the type of the array.
        dtype: its dtype, as text.
        shape: its shape.
        nbytes: its size in bytes.
        minimum: its smallest element that is not NaN; ``None`` where elements have no order or there are none.
        maximum: its greatest element that is not NaN.
        nan_count: the number of elements that are NaN or NaT; ``None`` where they were not looked at.
        digest: a hash of the bytes of all elements; ``None`` where they were not looked at.
        first: the first elements.
        values: all elements, where they are few, and the array is of another type than ``numpy.ndarray`` or holds objects.
        preview: the array as a picture.
        note: the reason why something is missing.
    """

    type_name: str
    dtype: str
    shape: tuple[int, ...]
    nbytes: int = 0
    minimum: Any = None
    maximum: Any = None
    nan_count: int | None = None
    digest: str | None = None
    first: tuple[Any, ...] = ()
    values: Any = None
    preview: Preview | None = None
    note: str = ""

    @property
    def size(self) -> int:
        """The number of elements."""
        size = 1
        for length in self.shape:
            size *= length
        return size

    def __repr__(self) -> str:
        shown = ", ".join(map(element_text, self.first))
        elements = f", [{shown}{', …' * (len(self.first) < self.size)}]" * bool(self.size)
        return f"<{self.brief()}{elements}{self.note and f', {self.note}'}>"

    def brief(self) -> str:
        """All but the first elements."""
        parts = [f"{self.dtype}{list(self.shape)}"]
        if self.type_name != "numpy.ndarray":
            parts[0] = f"{self.type_name} {parts[0]}"
        if self.minimum is not None:
            parts.append(f"{element_text(self.minimum)} to {element_text(self.maximum)}")
        if self.nan_count:
            parts.append(f"{self.nan_count} NaN")
        if self.digest is not None:
            parts.append(f"#{self.digest[:8]}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True, repr=False)
class TextSummary:
    """The beginning of a long string, or of long bytes."""

    type_name: str
    length: int
    start: str | bytes
    digest: str

    def __repr__(self) -> str:
        return f"{self.start[:60]!r}… ({self.type_name} of length {self.length}, #{self.digest[:8]})"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ContainerSummary:
    """The beginning of a container that is long, or of a type of its own.

    Args:
        type_name: its type.
        length: its length; ``None`` where it was not asked.
        entries: the first items; pairs of key and value for mappings.
        is_mapping: the entries are pairs.
    """

    type_name: str
    length: int | None
    entries: tuple[Any, ...]
    is_mapping: bool = False

    def __getitem__(self, key: Any) -> Any:
        if self.is_mapping:
            return dict(self.entries)[key]
        return self.entries[key]

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{one[0]!r}: {one[1]!r}" if self.is_mapping else repr(one) for one in self.entries[:8]
        )
        more = self.length is None or self.length > min(len(self.entries), 8)
        return f"<{self.type_name} of length {self.length}: {shown}{', …' * more}>"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ObjectSummary:
    """An object that is not copied: its type and its text, or the fields of a dataclass.

    Args:
        type_name: its type.
        text: the text that it gives of itself, with no address in it.
        fields: the fields of a dataclass, by name.
    """

    type_name: str
    text: str
    fields: tuple[tuple[str, Any], ...] = ()

    def __getitem__(self, name: str) -> Any:
        return dict(self.fields)[name]

    def __repr__(self) -> str:
        if not self.fields:
            return self.text
        return f"{self.type_name}({', '.join(f'{name}={value!r}' for name, value in self.fields)})"


def element_text(value: Any) -> str:
    """The text of one element of an array; six digits of a number with a fraction."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind in ("U", "S"):
        return repr(value.item())
    return f"{value:.6g}" if kind in ("f", "c") else str(value)
