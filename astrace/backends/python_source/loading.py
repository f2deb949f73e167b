"""Generated source as a function: compiled under the user's file name, with the user's line numbers."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Sequence
from typing import Any

from astrace.backends.numpy.emitter import Line
from astrace.util.parsing import by_kind, code_of_module, parse_module, with_constants


def line_text(line: Line) -> str:
    """A line as it stands in the source, with the user's line at its end."""
    text = "    " * line.indent + line.text
    return text if line.location is None else f"{text}  #@{line.location.root_line or line.location.line}"


def load(
    source: str,
    lines: Sequence[Line],
    name: str,
    file: str,
    namespace: dict[str, Any],
    constants: Iterable[Any] = (),
) -> types.FunctionType:
    """Compile generated source under the user's file name, with the user's line numbers and the very ``constants``."""
    tree = parse_module(source)
    numbers = _user_lines(lines)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.arg | ast.keyword):
            node.lineno = node.end_lineno = numbers[node.lineno - 1]
            node.col_offset = node.end_col_offset = 0
    scope = dict(namespace)
    exec(with_constants(code_of_module(tree, file), by_kind(constants)), scope)
    return scope[name]


def _user_lines(lines: Sequence[Line]) -> list[int]:
    """Return the user's line for each line of generated source, the header's first."""
    known = [line.location.root_line or line.location.line for line in lines if line.location is not None]
    current = known[0] if known else 1
    found = [current]
    for line in lines:
        if line.location is not None:
            current = line.location.root_line or line.location.line
        found.append(current)
    return found
