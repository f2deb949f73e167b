"""Generated source as a function: compiled under the user's file name, with the user's line numbers."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from astrace.backends.python_source.lines import Line, Span, number, spans_of
from astrace.util.parsing import NO_COLUMN, by_kind, code_of_module, parse_module, tree_nodes, with_constants

Placed: TypeAlias = ast.stmt | ast.expr | ast.arg | ast.keyword


def load(
    source: str,
    rows: Sequence[Line],
    name: str,
    file: str,
    namespace: dict[str, Any],
    constants: Iterable[Any] = (),
) -> types.FunctionType:
    """Compile generated source under the user's file name, with the user's line numbers and the very ``constants``."""
    tree = parse_module(source)
    line_of = _user_lines(rows)
    for node in tree_nodes(tree):
        if isinstance(node, Placed):
            node.lineno = node.end_lineno = line_of(node)
            node.col_offset = node.end_col_offset = NO_COLUMN
    scope = dict(namespace)
    exec(with_constants(code_of_module(tree, file), by_kind(constants)), scope)
    return scope[name]


def _user_lines(rows: Sequence[Line]) -> Callable[[Placed], int]:
    """Return what gives the user's line for a syntax tree: of the innermost piece that it is in, else of its row."""
    numbers = _numbers(rows)
    spans: dict[int, list[Span]] = {}
    for span in spans_of(rows):
        for row in range(span.start[0], span.end[0] + 1):
            spans.setdefault(row, []).append(span)

    def line_of(node: Placed) -> int:
        start = (node.lineno, node.col_offset)
        end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
        for span in spans.get(node.lineno, ()):
            if span.start <= start and end <= span.end:
                return span.line
        return numbers[node.lineno - 1]

    return line_of


def _numbers(rows: Sequence[Line]) -> list[int]:
    """Return the user's line for each row of generated source, the header's first."""
    known = [number(row.location) for row in rows if row.location is not None]
    current = known[0] if known else 1
    found = [current]
    for row in rows:
        if row.location is not None:
            current = number(row.location)
        found.append(current)
    return found
