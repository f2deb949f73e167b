"""First steps of the rewriting: statements that are short for others are written out.

``match`` becomes ``if``; a condition that binds names becomes statements; ``while`` with a test that
binds names becomes ``while True`` with a leaving branch; ``yield from`` and ``x = yield v`` become plain
``yield`` statements, after which the consumer may have had enough; ``try`` with all its parts becomes one
``try`` for each.  Takes and gives a tree.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from astrace.rewrite.conditions import Fresh, name_condition
from astrace.rewrite.match import desugar_match
from astrace.rewrite.statements import (
    Body,
    Define,
    Expression,
    For,
    Function,
    Handler,
    If,
    Jump,
    Match,
    Plain,
    Return,
    Statement,
    Try,
    While,
    With,
    expression,
    from_code,
    statement,
)
from astrace.rewrite.walrus import has_walrus


def desugar(function: Function, fresh: Fresh) -> Function:
    """Write out shorthand syntax in simpler statements, in a whole function.

    Args:
        function: a parsed function.
        fresh: gives names that the function does not use.
    """
    return replace(function, body=_body(function.body, fresh))


def map_bodies(statement: Statement, transform: Callable[[Body], Body]) -> Statement:
    """A compound statement with ``transform`` applied to each of its bodies; nested functions too."""
    match statement:
        case If():
            return replace(statement, then=transform(statement.then), orelse=transform(statement.orelse))
        case While() | For():
            return replace(statement, body=transform(statement.body), orelse=transform(statement.orelse))
        case With() | Define():
            return replace(statement, body=transform(statement.body))
        case Try():
            handlers = tuple(
                Handler(handler.kind, handler.name, transform(handler.body), handler.line)
                for handler in statement.handlers
            )
            bodies = (transform(statement.body), transform(statement.orelse), transform(statement.final))
            return Try(bodies[0], handlers, bodies[1], bodies[2], statement.line, statement.comments)
        case _:
            return statement


def _body(body: Body, fresh: Fresh) -> Body:
    return tuple(new for old in body for new in _statement(old, fresh))


def _statement(old: Statement, fresh: Fresh) -> Body:
    if isinstance(old, Match):
        return _body(desugar_match(old, fresh), fresh)
    new = map_bodies(old, lambda body: _body(body, fresh))
    match new:
        case If():
            prelude, test = name_condition(new.test.code, fresh, new.line)
            return (*prelude, replace(new, test=from_code(test)) if prelude else new)
        case While() if has_walrus(new.test.code):
            return _while(new, fresh)
        case Return():
            prelude, value = name_condition(new.value.code, fresh, new.line)
            return (*prelude, replace(new, value=from_code(value)) if prelude else new)
        case Plain():
            return _plain(new, fresh)
        case Try():
            return _try(new, fresh)
        case _:
            return (new,)


def _try(old: Try, fresh: Fresh) -> Body:
    """Split a ``try``: ``finally`` around the rest, ``else`` behind it if nothing was raised."""
    if old.final and (old.handlers or old.orelse):
        inner = _try(replace(old, final=(), comments=()), fresh)
        return (Try(inner, (), (), old.final, old.line, old.comments),)
    if not old.orelse:
        return (old,)
    done = fresh("done")
    body = (*old.body, statement(f"{done} = True", old.line))
    start = statement(f"{done} = False", old.line)
    after = If(expression(done), old.orelse, (), old.line)
    return (start, replace(old, body=body, orelse=()), after)


def _while(loop: While, fresh: Fresh) -> Body:
    """``while test:`` as ``while True: if not test: break``; the ``else`` runs just before that ``break``."""
    prelude, test = name_condition(loop.test.code, fresh, loop.line)
    negated = ast.copy_location(ast.UnaryOp(ast.Not(), test), test)
    leave = If(from_code(negated), (*loop.orelse, Jump("break", loop.line)), (), loop.line)
    return (replace(loop, test=expression("True"), body=(*prelude, leave, *loop.body), orelse=()),)


def _plain(plain: Plain, fresh: Fresh) -> Body:
    code = plain.code
    if isinstance(code, ast.Expr | ast.Assign) and isinstance(code.value, ast.Yield | ast.YieldFrom):
        return _yield(plain, code.value, fresh)
    if not isinstance(code, ast.Assign | ast.Expr):
        return (plain,)
    prelude, value = name_condition(code.value, fresh, plain.line)
    if not prelude:
        return (plain,)
    named = ast.copy_location(
        ast.Expr(value) if isinstance(code, ast.Expr) else ast.Assign(code.targets, value), code
    )
    return (*prelude, Plain(named, statement(ast.unparse(named), plain.line).text, plain.line))


def _yield(plain: Plain, value: ast.Yield | ast.YieldFrom, fresh: Fresh) -> Body:
    """``yield v`` hands ``v`` to the consumer, who may have had enough; the value sent back is ``None``."""
    if isinstance(value, ast.YieldFrom):
        item = fresh("item")
        target = Expression(ast.Name(item, ast.Store()), cst.Name(item))
        loop = For(target, from_code(value.value), _hand_over(item, plain.line, fresh), (), plain.line)
        return (loop, *_received(plain))
    shown = "None" if value.value is None else ast.unparse(value.value)
    return (*_hand_over(shown, plain.line, fresh), *_received(plain))


def _hand_over(shown: str, line: int, fresh: Fresh) -> Body:
    enough = fresh("enough")
    leave = If(expression(enough), (Return(expression("None"), line),), (), line)
    return (statement(f"{enough} = ag.yield_({shown})", line), leave)


def _received(plain: Plain) -> Body:
    if not isinstance(plain.code, ast.Assign):
        return ()
    targets = " = ".join(map(ast.unparse, plain.code.targets))
    return (statement(f"{targets} = None", plain.line),)
