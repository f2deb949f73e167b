"""Tables in Markdown, and a text that holds them between markers."""

from __future__ import annotations

import math
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

import astrace

Cell: TypeAlias = str | float


@dataclass(frozen=True)
class Table:
    """Rows under a head; the first column names the row, the others hold its figures.

    Example:
        >>> print(Table(["Stage", "ms"], [["trace", 12.345]]))
        | Stage |   ms |
        | ----- | ---: |
        | trace | 12.3 |
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __str__(self) -> str:
        head, *body = [list(self.columns), *([shown(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        return "\n".join(_line(cells, widths) for cells in (head, rule, *body))


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """A row, the first column to the left and the others to the right."""
    first, *others = (
        cell.rjust(width) if index else cell.ljust(width)
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return f"| {' | '.join([first, *others])} |"


def shown(cell: Cell) -> str:
    """A cell's text; numbers have three significant digits, or all that stand before the point.

    Example:
        >>> [shown(number) for number in (0.012345, 0.9999, 98.76, 12345.6)]
        ['0.0123', '1.00', '98.8', '12,346']
    """
    if isinstance(cell, str):
        return cell
    rounded = float(f"{cell:.3g}")
    digits = 2 - math.floor(math.log10(abs(rounded))) if rounded else 0
    return f"{cell:,.{max(digits, 0)}f}"


def machine() -> str:
    """The processor and the versions that figures belong to."""
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, astrace {astrace.__version__}"
    return f"{_processor()}, {platform.system()}, {versions}"


def _processor() -> str:
    """The processor's name."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def replaced(text: str, parts: Mapping[str, str]) -> str:
    r"""A text with new content between the markers of each part.

    Args:
        text: holds ``<!-- name -->`` and ``<!-- /name -->``, once each, for every part.
        parts: the new contents by name.

    Raises:
        ValueError: a part has no place.

    Example:
        >>> replaced("<!-- a -->\nold\n<!-- /a -->", {"a": "new"})
        '<!-- a -->\nnew\n<!-- /a -->'
    """
    for name, content in parts.items():
        before, opening, rest = text.partition(f"<!-- {name} -->\n")
        _, closing, after = rest.partition(f"<!-- /{name} -->")
        if not closing:
            raise ValueError(f"no place is marked {name!r}")
        text = f"{before}{opening}{content}\n{closing}{after}"
    return text
