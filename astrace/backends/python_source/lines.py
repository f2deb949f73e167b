"""Lines of generated source: long statements over several rows, and the user's line of each piece.

A piece of an expression that stands on another line of the user's than the statement is marked with that line.
Marks are part of a line's text until it is shown; parentheses and operators are outside of them or inside as a whole,
so that every syntax tree of a piece belongs to the innermost mark around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from astrace.locations import Location

WIDTH: Final = 96
"""How long a row may be, where it can be broken."""
STEP: Final = 4
OPENED, NUMBERED, CLOSED = "\x01", "\x02", "\x03"
"""A mark: the first, a line, the second, a piece, the third; a literal has none of them, for ``repr`` escapes them."""
MARK: Final = re.compile(r"\x01(\d+)\x02|\x03")
COMPARISONS: Final = ("not in", "in", "is not", "is", "<=", ">=", "==", "!=", "<", ">")
PRECEDENCE: Final = (
    (",",),
    ("if", "else"),
    ("or",),
    ("and",),
    COMPARISONS,
    *(("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "//", "%", "@"), ("**",)),
)
"""Where rows are broken, the loosest first."""
LEVELS: Final = {word: level for level, words in enumerate(PRECEDENCE) for word in words}
TOKEN: Final = re.compile(
    r"(?P<opened>\x01\d+\x02|[(\[{])|(?P<closed>[\x03)\]}])"
    r"|(?P<string>[bBfFrRuU]{0,2}(?:'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"))"
    r"|(?P<word>\w+)"
    rf"|(?P<operator> (?:{'|'.join(map(re.escape, sorted(LEVELS.keys() - {','}, key=len, reverse=True)))}) )"
    r"|(?P<comma>, )|(?P<other>.)"
)
HEAD: Final = re.compile(r"(?:return|if|elif|while) |for [\w, ()]+ in ")
KEYWORD: Final = re.compile(r"(?:raise|del|with|try|except|def) ")
"""The beginning of a statement that can be broken in brackets alone."""
WRAPPED: Final = re.compile(r"(?:[^\s\w\x01(]+ |\w+ )?\(*\x01\d+\x02[^\x01\x03]*\x03\)*,?")
"""A row that is a single piece of another line."""
BEGINNING: Final = re.compile(r"(?:[^\s\w\x01(]+ |\w+ )?\(*\x01(\d+)\x02")
"""The beginning of a row that begins with a piece of another line."""
HUGGED: Final = 24
"""How much may stand in front of the brackets that a statement is broken in."""


@dataclass(slots=True)
class Line:
    """A line of generated code.

    Args:
        indent: how many steps it is moved in.
        text: the code, with marks.
        location: where its statement comes from.
        shown: the user's line that it tells, where it is a row of a statement; ``0`` for none.
    """

    indent: int
    text: str
    location: Location | None = None
    shown: int | None = None


def number(location: Location) -> int:
    """Return the line of the compiled function that a location leads to."""
    return location.root_line or location.line


def marked(text: str, line: int) -> str:
    """A piece that stands on another line than what is around it."""
    return f"{OPENED}{line}{NUMBERED}{text}{CLOSED}"


def unmarked(text: str) -> str:
    """A text as Python reads it."""
    return MARK.sub("", text)


def line_text(line: Line) -> str:
    """A line as it stands in the source, with the user's line at its end."""
    text = "    " * line.indent + unmarked(line.text)
    shown = line.shown if line.shown is not None else line.location and number(line.location)
    return f"{text}  #@{shown}" if shown else text


def source_text(header: str, lines: Iterable[Line]) -> tuple[str, list[Line]]:
    """Return the source of a function, and the lines under its header, one for each row."""
    rows = [row for line in lines for row in rows_of(line)]
    return "\n".join([header, *map(line_text, rows)]) + "\n", rows


# -- rows --------------------------------------------------------------------------------------------------


def rows_of(line: Line) -> list[Line]:
    """Return a line as it is, or broken into rows where it is too long or has pieces of other lines."""
    room = WIDTH - STEP * line.indent
    if _fits(line.text, room):
        return [line]
    rows = _statement(line.text, room)
    own = 0 if line.location is None else number(line.location)
    told, open_marks, found = -1, [own], list[Line]()
    for depth, text in rows:
        at = _line_at_start(text, open_marks)
        found.append(replace(line, indent=line.indent + depth, text=text, shown=0 if at == told else at))
        told = told if text[0] in ")]}" else at
        _follow(text, open_marks)
    return found


def _line_at_start(text: str, open_marks: Sequence[int]) -> int:
    """The user's line of a row's first piece; of none for a row that only closes brackets."""
    if text[0] in ")]}":
        return 0
    found = BEGINNING.match(text)
    return int(found[1]) if found else open_marks[-1]


def _follow(text: str, open_marks: list[int]) -> None:
    for mark in MARK.finditer(text):
        if mark[1]:
            open_marks.append(int(mark[1]))
        else:
            open_marks.pop()


def _fits(text: str, room: int) -> bool:
    """Return whether a row is short enough, and all of it from one line of the user's."""
    if CLOSED not in text:
        return len(text) <= room
    return bool(WRAPPED.fullmatch(text)) and len(unmarked(text)) <= room


def _statement(text: str, room: int) -> list[tuple[int, str]]:
    """Return the rows of a statement, with how many steps each is moved in."""
    head, tail = _head(text), ":" if text.endswith(":") else ""
    body = text[len(head) : len(text) - len(tail)]
    place = _bracket(body)
    single = len(_parts(body)) == 1
    ends = place is not None and place[1] == len(body) - 1 and (single or _is_short(body[: place[0]]))
    if place is not None and (ends or KEYWORD.match(body)):
        rows = _between(body, place, 0, room)
    elif _can_break(body) and (head or not tail) and not KEYWORD.match(body):
        rows = [(0, "("), *_rows(body, 1, room), (0, ")")]
    else:
        return [(0, text)]
    rows[0] = (0, head + rows[0][1])
    rows[-1] = (rows[-1][0], rows[-1][1] + tail)
    return rows


def _is_short(text: str) -> bool:
    return len(text) <= HUGGED and OPENED not in text


def _head(text: str) -> str:
    """What a statement has in front of the expression that can be broken."""
    if found := HEAD.match(text):
        return found[0]
    depth = 0
    for token in TOKEN.finditer(text):
        depth += (token.lastgroup == "opened") - (token.lastgroup == "closed")
        if depth == 0 and token[0] == "=" and text[token.end() : token.end() + 1] == " ":
            return text[: token.end() + 1]
    return ""


def _can_break(text: str) -> bool:
    return len(_parts(text)) > 1 or _bracket(text) is not None or OPENED in text


def _rows(text: str, depth: int, room: int) -> list[tuple[int, str]]:
    """Return the rows of an expression that stands between brackets."""
    if _fits(text, room - STEP * depth):
        return [(depth, text)]
    opened = re.match(r"\x01\d+\x02", text)
    if opened and _closes_at_end(text):
        rows = _rows(text[opened.end() : -1], depth, room)
        rows[0] = (rows[0][0], opened[0] + rows[0][1])
        rows[-1] = (rows[-1][0], rows[-1][1] + CLOSED)
        return rows
    parts = _parts(text)
    if len(parts) > 1:
        return _filled((_rows(part, depth, room) for part in parts), room)
    place = _bracket(text)
    return [(depth, text)] if place is None else _between(text, place, depth, room)


def _between(text: str, place: tuple[int, int], depth: int, room: int) -> list[tuple[int, str]]:
    """Return the rows of an expression that is broken in brackets, and in those that are all that stands in them."""
    start, end = place
    while _bracket(text[start + 1 : end]) == (0, end - start - 2):
        start, end = start + 1, end - 1
    inside = _rows(text[start + 1 : end], depth + 1, room)
    return [(depth, text[: start + 1]), *inside, (depth, text[end:])]


def _filled(parts: Iterable[list[tuple[int, str]]], room: int) -> list[tuple[int, str]]:
    """Join the rows of parts as far as they fit, where none is of another line."""
    found: list[tuple[int, str]] = []
    for first, *rows in parts:
        depth, last = found[-1] if found else (0, CLOSED)
        joined = f"{last} {first[1]}"
        goes_on = not rows or first[1][-1] in "([{"
        if goes_on and CLOSED not in joined and OPENED not in joined and len(joined) <= room - STEP * depth:
            found[-1] = (depth, joined)
        else:
            found.append(first)
        found += rows
    return found


# -- tokens ------------------------------------------------------------------------------------------------


def _parts(text: str) -> list[str]:
    """Split an expression at its loosest operators or commas; each part but the first begins with its operator."""
    found = [token for token in _outer(text) if token.lastgroup in ("operator", "comma")]
    if not found:
        return [text]
    loosest = min(LEVELS[token[0].strip()] for token in found)
    places = [0, *(token.start() + 1 for token in found if LEVELS[token[0].strip()] == loosest)]
    return [text[one:other].strip(" ") for one, other in zip(places, [*places[1:], len(text)], strict=True)]


def _outer(text: str) -> Iterator[re.Match[str]]:
    """Give the tokens of a text that are in no brackets and no marks, and the brackets and marks themselves."""
    depth = 0
    for token in TOKEN.finditer(text):
        depth -= token.lastgroup == "closed"
        if depth == 0:
            yield token
        depth += token.lastgroup == "opened"


def _bracket(text: str) -> tuple[int, int] | None:
    """Return where the brackets of an expression begin and end: those with marks inside, else the longest ones."""
    found: list[tuple[int, int]] = []
    for token in _outer(text):
        if token.lastgroup == "opened" and token[0] in "([{":
            found.append((token.start(), -1))
        elif token.lastgroup == "closed" and token[0] != CLOSED:
            found[-1] = (found[-1][0], token.start())
    inside = [(start, end) for start, end in found if end > start + 1]
    return max(inside, key=lambda one: (OPENED in text[one[0] : one[1]], one[1] - one[0]), default=None)


def _closes_at_end(text: str) -> bool:
    """Return whether the mark that a text begins with is around all of it."""
    return [token.lastgroup for token in _outer(text)] == ["opened", "closed"]


# -- the user's lines of syntax trees ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Span:
    """Where a marked piece stands in the source.

    Args:
        start: the row and the byte in it.
        end: the same, behind its last one.
        line: the user's line.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    line: int


def spans_of(rows: Sequence[Line]) -> list[Span]:
    """Return the marked pieces of rows, inner ones before outer ones; a source's first row is its header."""
    found: list[Span] = []
    pending: list[tuple[tuple[int, int], int]] = []
    for index, row in enumerate(rows):
        if CLOSED not in row.text and OPENED not in row.text:
            continue
        place, before = STEP * row.indent, 0
        for mark in MARK.finditer(row.text):
            place, before = place + len(row.text[before : mark.start()].encode()), mark.end()
            here = (index + 2, place)
            if mark[1]:
                pending.append((here, int(mark[1])))
            else:
                found.append(Span(pending[-1][0], here, pending.pop()[1]))
    return found
