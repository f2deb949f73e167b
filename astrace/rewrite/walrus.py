"""``:=`` where it is evaluated conditionally: which ones there are, and which can be named."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from astrace.rewrite.names import Comprehension


def has_walrus(code: ast.expr) -> bool:
    """Return whether an expression binds a name in its own scope."""
    return any(isinstance(node, ast.NamedExpr) for node in ast.walk(code))


def unconditional(code: ast.AST) -> Iterator[ast.NamedExpr]:
    """The ``:=`` of an expression that are evaluated whenever it is."""
    if isinstance(code, ast.NamedExpr):
        yield code
    for child in _always(code):
        yield from unconditional(child)


def _always(code: ast.AST) -> Iterator[ast.AST]:
    """The children of a node that are evaluated whenever it is, in its own scope."""
    match code:
        case ast.BoolOp():
            yield code.values[0]
        case ast.IfExp():
            yield code.test
        case ast.Compare():
            yield from (code.left, code.comparators[0])
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
        case _:
            yield from ast.iter_child_nodes(code)


def nameable(statement: ast.stmt) -> Iterator[ast.NamedExpr]:
    """The ``:=`` of a statement's own expressions that the rewriting can handle."""
    match statement:
        case ast.If() | ast.While():
            yield from _in_condition(statement.test)
        case ast.Assign() | ast.Return() | ast.Expr() if statement.value is not None:
            yield from _in_condition(statement.value)
        case ast.Assert():
            yield from unconditional(statement.test)
        case ast.AugAssign() if not isinstance(statement.target, ast.Name):
            return
        case _:
            for child in ast.iter_child_nodes(statement):
                if isinstance(child, ast.expr | ast.withitem):
                    yield from unconditional(child)


def _in_condition(code: ast.expr) -> Iterator[ast.NamedExpr]:
    match code:
        case ast.BoolOp():
            for operand in code.values:
                yield from _in_condition(operand)
        case ast.UnaryOp(op=ast.Not()):
            yield from _in_condition(code.operand)
        case _:
            yield from unconditional(code)


def needs_naming(code: ast.expr) -> bool:
    """Return whether an expression has a ``:=`` that is not always evaluated."""
    always = {id(node) for node in unconditional(code)}
    inner = (node for node in ast.walk(code) if not isinstance(node, Comprehension))
    return any(isinstance(node, ast.NamedExpr) and id(node) not in always for node in inner)
