"""Conditions with ``:=`` in parts that are evaluated conditionally, as statements.

A condition such as ``(n := len(x)) > 3 and (m := g(n)) < 9`` becomes statements, so that no name is bound
inside a region or a lambda.  A ``:=`` that is always evaluated needs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from astrace.rewrite.statements import Body, If, from_code, statement
from astrace.rewrite.walrus import needs_naming
from astrace.util.parsing import parse_expression

Fresh: TypeAlias = Callable[[str], str]


def name_condition(code: ast.expr, fresh: Fresh, line: int) -> tuple[Body, ast.expr]:
    """Statements that evaluate a condition in Python's order, and the expression that holds its value."""
    match code:
        case ast.BoolOp() if needs_naming(code):
            result = fresh("test")
            return _short_circuit(code, result, fresh, line), _loaded(result)
        case ast.UnaryOp(op=ast.Not()) if needs_naming(code):
            prelude, operand = name_condition(code.operand, fresh, line)
            return prelude, ast.copy_location(ast.UnaryOp(ast.Not(), operand), code)
        case _:
            return (), code


def _short_circuit(code: ast.BoolOp, result: str, fresh: Fresh, line: int) -> Body:
    prelude, value = name_condition(code.values[0], fresh, line)
    first = (*prelude, statement(f"{result} = {ast.unparse(value)}", line))
    if len(code.values) == 1:
        return first
    rest = _short_circuit(ast.BoolOp(code.op, code.values[1:]), result, fresh, line)
    test = from_code(_loaded(result))
    if isinstance(code.op, ast.And):
        return (*first, If(test, rest, (), line))
    return (*first, If(test, (), rest, line))


def _loaded(name: str) -> ast.expr:
    return parse_expression(name)
