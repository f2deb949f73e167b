"""The lines of a function's source, and those of helpers in its file that are part of its graphs."""

from __future__ import annotations

import linecache
import re
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from astrace.compiler.stages import Stages
from astrace.ir.walk import nodes
from astrace.locations import Location
from astrace.report.records import SourcePart, StageText
from astrace.util.code_stubs import code_of

ORIGIN: Final = re.compile(r"\s*#@(\d+)\s*$")
MOST_LINES: Final = 3_000
"""The number of lines of a text that are kept."""


def source_of(function: Any, captures: Sequence[Stages]) -> tuple[SourcePart, ...]:
    """Return the source of a function, and the lines of its helpers in the same file.

    Args:
        function: the plain function; one that is not written in Python has no source.
        captures: the stages of its captures.
    """
    if not isinstance(function, types.FunctionType):
        return ()
    code = code_of(function)
    first, last = line_range(code)
    own = _part(f"{code.co_qualname} ({code.co_filename}:{first})", code.co_filename, first, last)
    helpers = _helpers(captures, code.co_filename, range(first, last + 1))
    return (own, *helpers)


def line_range(code: types.CodeType) -> tuple[int, int]:
    """The first and the last line of a function."""
    return code.co_firstlineno, max(line for _, _, line in code.co_lines() if line)


def _part(title: str, file: str, first: int, last: int) -> SourcePart:
    last = min(last, first + MOST_LINES)
    return SourcePart(
        title, first, tuple(linecache.getline(file, line).rstrip() for line in range(first, last + 1))
    )


def _helpers(captures: Iterable[Stages], file: str, own: range) -> Iterator[SourcePart]:
    """The lines of other functions of the file, function by function."""
    found: dict[str, list[int]] = {}
    for where in _locations(captures):
        if where.file == file and not where.root_line and where.line not in own:
            found.setdefault(where.function, []).append(where.line)
    for name, lines in found.items():
        yield _part(f"{name} (called by it)", file, min(lines), max(lines))


def _locations(captures: Iterable[Stages]) -> Iterator[Location]:
    blocks = (stages.graph.block for stages in captures if stages.graph is not None)
    return (node.location for block in blocks for node in nodes(block) if node.location is not None)


def with_origins(text: str) -> StageText:
    r"""Return a text whose lines tell their origin in a comment, without these comments.

    Example:
        >>> with_origins("def f(x):\n    return x  #@7\n")
        StageText(lines=('def f(x):', '    return x'), origins=(0, 7))
    """
    lines = text.rstrip("\n").split("\n")[:MOST_LINES] if text else []
    marks = [ORIGIN.search(line) for line in lines]
    return StageText(
        tuple(ORIGIN.sub("", line) for line in lines),
        tuple(0 if mark is None else int(mark[1]) for mark in marks),
    )
