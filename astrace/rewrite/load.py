"""From rewritten text to a function that runs.

The text is parsed, lowered, given the user's line numbers (each line's ``#@n`` says which) and compiled
under the user's file name: tracebacks, breakpoints and coverage show the user's own source.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Mapping, Sequence
from typing import Any

from astrace.locations import SCOPE
from astrace.rewrite.converted import OPERATORS, Converted
from astrace.rewrite.dispatch import lower
from astrace.rewrite.dispatch.scopes import Scopes
from astrace.rewrite.names import statements_in
from astrace.rewrite.source import FunctionSource
from astrace.util.parsing import (
    NO_COLUMN,
    child_nodes,
    code_of_module,
    constants_of,
    parse_module,
    with_constants,
)

ORIGIN = re.compile(r"#@(\d+)\s*$")
BREAK = re.compile(r"\r\n|\r|\n")
"""The end of a line for Python: form feeds and other breaks of ``str.splitlines`` do not end one."""


def load(converted: Converted, source: FunctionSource, original: types.FunctionType) -> types.CodeType:
    """Compile a converted function.

    Args:
        converted: the rewritten text.
        source: where the function came from.
        original: the function itself.

    Returns:
        The code of the rewritten function.
    """
    module = parse_module(converted.text)
    lines = user_lines(module, converted.text)
    (function,) = module.body
    assert isinstance(function, ast.FunctionDef)
    scopes = Scopes(
        frozenset(original.__code__.co_freevars),
        frozenset(converted.regions),
        frozenset(converted.undefined),
        frozenset(converted.shared),
        source.class_name,
    )
    _without_defaults(function.args)
    lower(function, scopes, frozenset(converted.carrying))
    _place(module, lines)
    function.lineno = original.__code__.co_firstlineno  # a decorator's line, where there is one
    (code,) = (
        constant
        for constant in code_of_module(module, source.file).co_consts
        if isinstance(constant, types.CodeType)
    )
    code = with_constants(code, constants_of(original.__code__))
    code = _with_parameters(code, original.__code__).replace(co_name=original.__code__.co_name)
    return _qualified(code, original.__code__.co_qualname, _qualified_names(original.__code__))


def _qualified_names(code: types.CodeType) -> Mapping[tuple[str, int], str]:
    """The qualified names of the functions in a function, by name and line, where these tell which is meant."""
    found: dict[tuple[str, int], str] = {}
    twice: set[tuple[str, int]] = set()
    waiting = [code]
    while waiting:
        for inner in waiting.pop().co_consts:
            if isinstance(inner, types.CodeType):
                place = inner.co_name, inner.co_firstlineno
                twice |= {place} if found.setdefault(place, inner.co_qualname) != inner.co_qualname else set()
                waiting.append(inner)
    return {place: name for place, name in found.items() if place not in twice}


def _qualified(code: types.CodeType, qualname: str, names: Mapping[tuple[str, int], str]) -> types.CodeType:
    """The same code under the user's qualified names: the functions that hold blocks are not the user's."""
    inside = tuple(
        _qualified(inner, names.get((inner.co_name, inner.co_firstlineno), inner.co_qualname), names)
        if isinstance(inner, types.CodeType)
        else inner
        for inner in code.co_consts
    )
    return code.replace(co_qualname=qualname, co_consts=inside)


def _with_parameters(code: types.CodeType, original: types.CodeType) -> types.CodeType:
    """The same code with the parameters as callers name them: in a class, private ones have its name before theirs."""
    count = code.co_argcount + code.co_kwonlyargcount
    called = dict(zip(code.co_varnames[:count], original.co_varnames[:count], strict=True))
    return code.replace(
        co_varnames=tuple(called.get(name, name) for name in code.co_varnames),
        co_cellvars=tuple(called.get(name, name) for name in code.co_cellvars),
    )


def instantiate(
    code: types.CodeType, original: types.FunctionType, operators: Any, scope: Any
) -> types.FunctionType:
    """The rewritten function over given operators.

    Args:
        code: what `load` made.
        original: the function it was made from; its name is kept.
        operators: an object with the operators as attributes.
        scope: passed to the operators that read globals and cells.
    """
    namespace: dict[str, Any] = {OPERATORS: operators, SCOPE: scope}
    if "__name__" in original.__globals__:  # gives local functions their ``__module__``
        namespace["__name__"] = original.__globals__["__name__"]
    return types.FunctionType(code, namespace, original.__name__)


def user_lines(module: ast.Module, text: str) -> Mapping[int, int]:
    """Map each line of the rewritten text to the line of the user's file that it stands for."""
    lines = BREAK.split(text)
    found: dict[int, int] = {}
    for node in statements_in(module.body, functions=True):
        top, last = _extent(node, lines)
        if (marked := ORIGIN.search(lines[last - 1])) is not None:
            first = int(marked[1])
            found |= {number: first + number - node.lineno for number in range(top, last + 1)}
    return found


def _extent(node: ast.stmt, lines: Sequence[str]) -> tuple[int, int]:
    """The first and last line of a statement; of a function only of its decorators and header."""
    if not isinstance(node, ast.FunctionDef):
        return node.lineno, node.end_lineno or node.lineno
    top = min((decorator.lineno for decorator in node.decorator_list), default=node.lineno)
    return top, next(
        number for number in range(node.lineno, len(lines) + 1) if ORIGIN.search(lines[number - 1])
    )


def _place(module: ast.Module, lines: Mapping[int, int]) -> None:
    """Give each node the line on which the user's begins; columns would be those of another text.

    A node that the lowering made stands on the line of the node around it.
    """
    nodes: list[Any] = [module]  # classes of nodes do not tell their attributes
    at = [1]
    for node, line in zip(nodes, at, strict=True):  # both grow meanwhile
        if node._attributes:
            line = getattr(node, "lineno", line)  # noqa: PLW2901
            node.lineno = node.end_lineno = lines.get(line, line)
            node.col_offset = node.end_col_offset = NO_COLUMN
        inside = child_nodes(node)
        nodes += inside
        at += [line] * len(inside)


def _without_defaults(arguments: ast.arguments) -> None:
    """Defaults are the original function's objects, passed by the caller; their text is not evaluated again."""
    arguments.defaults = []
    arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
