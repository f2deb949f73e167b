"""``except … as name``, where Python unbinds the name when the handler ends.

A name that only its handlers use is a parameter of theirs.  Any other, one that is used elsewhere as well,
captured, or declared ``global`` or ``nonlocal``, is assigned when the handler starts and deleted when it ends:

    except E as e:          except E as error_1:
        body                    e = error_1
                                try:
                                    body
                                finally:
                                    e = None
                                    del e
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from astrace.rewrite.conditions import Fresh
from astrace.rewrite.desugar import map_bodies
from astrace.rewrite.names import names_of, statements_in
from astrace.rewrite.statements import Body, Function, Handler, Statement, Try, statement

Inner = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.GeneratorExp


def unbind_caught(function: Function, fresh: Fresh) -> Function:
    """Bind and unbind the names of handlers by statements, where they are used elsewhere too.

    Args:
        function: a desugared function.
        fresh: gives names that the function does not use.
    """
    tries = [one for one in statements_in(function.code.body, functions=True) if isinstance(one, ast.Try)]
    if not any(handler.name for one in tries for handler in one.handlers):
        return function
    elsewhere = set(_elsewhere(function.code, frozenset()))
    return replace(function, body=_body(function.body, elsewhere, fresh))


def _elsewhere(node: ast.AST, caught: frozenset[str]) -> Iterator[str]:
    """The names used outside the handlers that bind them; ``caught`` are the names of the handlers around."""
    match node:
        case ast.Name():
            yield from {node.id} - caught
        case ast.Global() | ast.Nonlocal():
            yield from node.names
        case ast.ExceptHandler(name=str() as name):
            if name in caught:
                yield name
            if node.type is not None:
                yield from _elsewhere(node.type, caught)
            for part in node.body:
                yield from _elsewhere(part, caught | {name})
            return
        case ast.stmt() | ast.pattern() | ast.arg() | ast.alias():
            yield from _bound_by(node) - caught
        case _:
            pass
    inside = frozenset[str]() if isinstance(node, Inner) else caught
    for child in ast.iter_child_nodes(node):
        yield from _elsewhere(child, inside)


def _bound_by(node: ast.AST) -> set[str]:
    """The names that a node binds without a `Name` node of its own."""
    match node:
        case ast.arg():
            return {node.arg}
        case ast.FunctionDef() | ast.alias() | ast.MatchAs() | ast.MatchStar() | ast.MatchMapping():
            return names_of(node).binds
        case _:
            return set()


def _body(body: Body, elsewhere: set[str], fresh: Fresh) -> Body:
    return tuple(_statement(old, elsewhere, fresh) for old in body)


def _statement(old: Statement, elsewhere: set[str], fresh: Fresh) -> Statement:
    new = map_bodies(old, lambda body: _body(body, elsewhere, fresh))
    if not isinstance(new, Try):
        return new
    handlers = tuple(
        _unbinding(handler, handler.name, fresh) if handler.name in elsewhere else handler
        for handler in new.handlers
    )
    return replace(new, handlers=handlers)


def _unbinding(handler: Handler, name: str | None, fresh: Fresh) -> Handler:
    """A handler that binds its name by an assignment, and unbinds it however it ends."""
    line, error = handler.line, fresh("error")
    final = (statement(f"{name} = None", line), statement(f"del {name}", line))
    body = (statement(f"{name} = {error}", line), Try(handler.body, (), (), final, line))
    return replace(handler, name=error, body=body)
