"""The line of a function that decides by an argument: the ``if`` that reads a flag, the test of a dtype.

A capture for one value of a flag goes one way through the function; the line to look at is the test, not the first
statement on that way.
"""

from __future__ import annotations

import ast
import linecache
import types
from collections.abc import Iterator
from typing import Any, Final

from astrace.locations import Location
from astrace.util.parsing import parse_module

KINDS: Final = frozenset({"dtype", "ndim", "shape", "size", "itemsize", "kind", "flags"})
ASKING: Final = frozenset(
    {"isinstance", "type", "len", "callable", "hasattr", "issubdtype", "ndim", "shape", "size"}
)


def deciding(function: Any, name: str, where: Location | None, of_kind: bool) -> Location | None:
    """The test that a parameter decides.

    Args:
        function: the function.
        name: the parameter.
        where: where the two ways were first seen to part; of several tests the one around it is meant.
        of_kind: what is asked is what kind of value it is, rather than the value.

    Returns:
        The line, or ``where`` if no line of the function itself tests the parameter.
    """
    code: types.CodeType | None = getattr(function, "__code__", None)
    node = None if code is None else _definition(code)
    found = [one for one in _tests(node) if _asks(one.test, name, of_kind)] if node is not None else []
    if code is None or not found:
        return _around(where)
    if where is not None and where.file == code.co_filename:
        around = [one for one in found if one.first <= where.line <= one.last]
        found = around[-1:] or [one for one in found if one.first <= where.line][-1:] or found
    return Location(code.co_filename, found[0].test.lineno, code.co_qualname)


def _around(where: Location | None) -> Location | None:
    """The test of a parameter around a line of another function, which was passed what decides."""
    tree = None if where is None else _tree(where.file)
    if where is None or tree is None:
        return where
    for node in ast.walk(tree):
        if isinstance(node, DEFINITIONS) and node.lineno <= where.line <= (node.end_lineno or 0):
            names = {one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
            tests = [one for one in _tests(node) if one.first <= where.line <= one.last]
            found = [one for one in tests if any(_asks(one.test, name, False) for name in names)]
            if node.name == where.function.rpartition(".")[2] and found:
                return Location(where.file, found[-1].test.lineno, where.function)
    return where


class _Test:
    """A test, and the first and last line of what it decides."""

    def __init__(self, test: ast.expr, first: int, last: int | None) -> None:
        self.test, self.first, self.last = test, first, last or first


def _tests(node: ast.AST) -> Iterator[_Test]:
    """Yield the tests in a function, in the order of its lines, outer ones first."""
    for one in ast.walk(node):
        match one:
            case ast.If() | ast.While() | ast.Assert() | ast.IfExp():
                yield _Test(one.test, one.lineno, one.end_lineno)
            case ast.Match():
                yield _Test(one.subject, one.lineno, one.end_lineno)
            case ast.BoolOp():
                yield _Test(one.values[0], one.lineno, one.end_lineno)
            case ast.Subscript() if isinstance(one.ctx, ast.Load):  # a table, looked up by the argument
                yield _Test(one.slice, one.lineno, one.end_lineno)
            case ast.For():
                yield _Test(one.iter, one.lineno, one.end_lineno)
            case ast.comprehension():
                yield from (_Test(test, test.lineno, test.end_lineno) for test in one.ifs)
            case _:
                pass


def _asks(test: ast.expr, name: str, of_kind: bool) -> bool:
    """Return whether a test reads a parameter, or asks of what kind it is."""
    if not of_kind:
        return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(test))
    for one in ast.walk(test):
        match one:
            case ast.Attribute(ast.Name(owner), attribute) if owner == name and attribute in KINDS:
                return True
            case ast.Call(ast.Name(called) | ast.Attribute(_, called), [ast.Name(given), *_]) if (
                called in ASKING
            ):
                if given == name:
                    return True
            case _:
                continue
    return False


DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def _definition(code: types.CodeType) -> ast.AST | None:
    """The syntax of a function, as far as its source is known."""
    tree = _tree(code.co_filename)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, DEFINITIONS) and node.name == code.co_name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            if first == code.co_firstlineno:
                return node
    return None


def _tree(file: str) -> ast.AST | None:
    try:
        return parse_module("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return None
