r"""Text for a terminal: lines of source with carets below them, colours where they are shown, and nothing that moves the cursor.

Takes plain text, gives plain text; what astrace says is written without colours, and painted as the last step, by the way its
lines begin.  Knows lines of source, nothing of what is said about them.
"""

from __future__ import annotations

import functools
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final, TextIO

from astrace.locations import Location

RESET: Final = "\x1b[0m"
STYLES: Final[Mapping[str, str]] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "label": "\x1b[36m",
    "quiet": "\x1b[2m",
}
"""Colours that can be read on dark and on light terminals."""
PAINTED: Final[tuple[tuple[str, str], ...]] = (
    (r"^error AC\d{3}|^astrace:(?= )|^problem:", "error"),
    (r"^warning AC\d{3}", "warning"),
    (r"^note AC\d{3}", "note"),
    (r"^ *(?:AT\d{3} )*(?:AT[1-3]|AB)\d{2}(?=:| )|^runs as plain Python(?=:)", "warning"),
    (r"(?<=\| ) {4}AT[1-3]\d\d(?=: )", "warning"),
    (r"^ *AT0\d\d(?: AT0\d\d)*(?= \|)|(?<=\| ) {4}AT0\d\d(?=: )", "label"),
    (r"(?<=\| ) *\^[\^ ]*$", "error"),
    (r"^ *(?:hint|fix|why|see it)(?=:)", "label"),
    (r"^\[astrace\.\w+\]", "quiet"),
    (r"^ +\w* *\|(?: +\d* \|)?|^ +\d+ \|", "quiet"),
)
"""How a line, or the part of one that is still left, begins, and how that is painted; compiled when colours are asked for first."""
NAMED: Final = re.compile(r"`([^`]+)`")
"""What a message names."""


def is_coloured(stream: TextIO) -> bool:
    """Return whether a stream shows colours: a terminal does, unless the environment says otherwise.

    ``NO_COLOR`` wins over ``FORCE_COLOR``, as it does for Python's own messages.

    Args:
        stream: what is written to.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def painted(text: str) -> str:
    r"""A text of astrace's with escape sequences that colour it.

    Args:
        text: findings, reasons, messages or the gutter of `explain`, as they are without colours.

    Example:
        >>> painted("error AC101 f.py:1: a value\n    fix: none")
        '\x1b[1;31merror AC101\x1b[0m f.py:1: a value\n\x1b[36m    fix\x1b[0m: none'
    """
    return "\n".join(map(_painted_line, text.split("\n")))


def shown(text: str, stream: TextIO) -> str:
    """A text of astrace's as it is written to a stream: in colour where that shows colours.

    Args:
        text: as `painted` takes it.
        stream: what it is written to.
    """
    return painted(text) if is_coloured(stream) else text


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), style) for pattern, style in PAINTED)


def _painted_line(line: str) -> str:
    """A line with each part painted that one of the patterns fits; the first that fits a part decides."""
    spans: list[tuple[int, int, str]] = []
    for pattern, style in _patterns():
        found = pattern.search(line)
        if (
            found
            and found[0].strip()
            and all(found.end() <= at or found.start() >= end for at, end, _ in spans)
        ):
            spans.append((*found.span(), style))
    for start, end, style in sorted(spans, reverse=True):
        line = f"{line[:start]}{STYLES[style]}{line[start:end]}{RESET}{line[end:]}"
    return line


def printable(text: str) -> str:
    r"""A text whose control characters, and those that change the direction of writing, are escaped.

    Example:
        >>> print(printable(chr(27) + "[31m"))
        \x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def printable_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(printable, text.split("\n")))


# -- lines of source ---------------------------------------------------------------------------------------


def excerpt(location: Location | None, message: str = "") -> list[str]:
    """A line of source, and carets below what a message names in it; nothing where the source can't be read.

    Args:
        location: the line.
        message: what is said of it, with names in backticks.
    """
    if location is None or not location.text:
        return []
    text = printable(location.text)
    return excerpt_of(location.line, text, carets(text, message))


def excerpt_of(line: int, text: str, marks: str) -> list[str]:
    """The same for a text and carets that are known.

    Example:
        >>> print(*excerpt_of(12, "return y", "       ^"), sep=chr(10))
        12 | return y
           |        ^
    """
    return [f"{line} | {text}", f"{' ' * len(str(line))} | {marks}"]


def carets(text: str, message: str) -> str:
    """Carets to stand below a line: under each place of the first name in a message that is there, else under all code.

    Example:
        >>> carets("total += scale * x[0]  # scaled", "`scale` is frozen")
        '         ^^^^^'
        >>> carets("  total += scale * x[0]  # scaled", "it differs")
        '  ^^^^^^^^^^^^^^^^^^^^^'
    """
    for name in NAMED.findall(message):
        found = list(_places(text, name))
        if found:
            return _marks(text, found)
    return _marks(text, [(len(text) - len(text.lstrip()), len(_code(text)))])


def columns(text: str, start: int, end: int) -> str:
    """Carets below a part of a line.

    Args:
        text: the line.
        start: the first character.
        end: the one after the last; at least one is marked.
    """
    return _marks(text, [(start, max(end, start + 1))])


def _places(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a name stands in a line, as a whole word, with quotes of either kind.

    Expressions are not compiled for it: a program that is told about may have replaced a builtin that `re` is made of.
    """
    line, sought = text.replace('"', "'"), name.removesuffix("()").replace('"', "'")
    start = line.find(sought) if sought else -1
    while start >= 0:
        end = start + len(sought)
        if not _is_word(line[start - 1 : start] + line[end : end + 1]) and line[start - 1 : start] != ".":
            yield start, end
        start = line.find(sought, start + 1)


def _is_word(text: str) -> bool:
    """Return whether one of some characters can be part of a name."""
    return any(one.isalnum() or one == "_" for one in text)


def _code(text: str) -> str:
    """A line without the comment at its end."""
    quote = ""
    for index, one in enumerate(text):
        if not quote and one == "#" and text[:index].strip():
            return text[:index].rstrip()
        if one in "'\"" and text[index - 1 : index] != "\\":
            quote = one if not quote else "" if one == quote else quote
    return text


def _marks(text: str, spans: list[tuple[int, int]]) -> str:
    """Carets below parts of a line, as wide as what stands there."""
    marked = {index for start, end in spans for index in range(start, end)}
    shown = [
        ("^" if index in marked else " ") * _width(one)
        for index, one in enumerate(text.ljust(max(marked, default=-1) + 1))
    ]
    return "".join(shown).rstrip()


def _width(character: str) -> int:
    """The columns that a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def counted(number: int, what: str) -> str:
    """Return a number with what it counts.

    Example:
        >>> counted(1, "call"), counted(3, "call")
        ('1 call', '3 calls')
    """
    return f"{number} {what}{'s' * (number != 1)}"
