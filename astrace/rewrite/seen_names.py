"""``eval(text)``: the names of the function that it sees are handed to it, where it is known which of them are bound.

Takes a parsed function and gives it with such calls as ``ag.evaluate(eval, text, name=name, …)``.  It knows nothing of
what ``eval`` is when the program runs.  A call that stays as it is can't be captured: one in a loop, a ``try`` or a
scope of its own, one that is not the only look at the frame, and one at which a name may be unbound.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from astrace.rewrite.converted import OPERATORS
from astrace.rewrite.desugar import map_bodies
from astrace.rewrite.names import Comprehension, declared, free_names, names_of, parameters
from astrace.rewrite.statements import Body, Function, Plain, Return, Statement, from_code, statement
from astrace.rewrite.unsupported import FRAME_READERS

SCOPES = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, *Comprehension.__args__)
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def tell_names(function: Function) -> Function:
    """Hand the names that they see to the calls of ``eval`` in a function; its tree is changed in place."""
    code = function.code
    if not _is_plain(code):
        return function
    known = _BoundNames(set(parameters(code.args)))
    known.enter(code.body)
    for call, names in known.calls.items():
        keywords = [ast.keyword(name, ast.Name(name, ast.Load())) for name in names]
        call.args, call.keywords = [call.func, *call.args], keywords
        call.func = ast.Attribute(ast.Name(OPERATORS, ast.Load()), "evaluate", ast.Load())
        ast.fix_missing_locations(call)
    return replace(function, body=_told(function.body, set(known.calls))) if known.calls else function


def _is_plain(code: ast.FunctionDef) -> bool:
    """Return whether one look at the frame finds just the variables that the function itself binds."""
    nodes = list(ast.walk(code))
    looks = sum(isinstance(node, ast.Name) and node.id in FRAME_READERS for node in nodes)
    if looks != 1 or any(isinstance(node, ast.Yield | ast.YieldFrom | ast.ClassDef) for node in nodes):
        return False
    if declared(code, ast.Global) or declared(code, ast.Nonlocal):
        return False
    local = names_of(*code.body).binds | set(parameters(code.args))
    inner = [node for node in nodes if isinstance(node, ast.Lambda | ast.FunctionDef) and node is not code]
    captured = {name for node in inner for name in free_names(node).captured}
    mangled = any(name.startswith("__") and not name.endswith("__") for name in local)
    return not mangled and captured.isdisjoint(local)


@dataclass(slots=True)
class _BoundNames:
    """The names that are bound for certain, and those that may be, statement by statement.

    Args:
        bound: bound for certain.
        possible: those and others.
        calls: the calls of ``eval`` so far at which both are the same, with the names.
    """

    bound: set[str]
    possible: set[str] = field(default_factory=set[str])
    calls: dict[ast.Call, list[str]] = field(default_factory=dict[ast.Call, "list[str]"])

    def __post_init__(self) -> None:
        self.possible = self.possible or set(self.bound)

    def enter(self, body: Sequence[ast.stmt]) -> None:
        """Go through the statements of a block."""
        for code in body:
            self._statement(code)

    def _statement(self, code: ast.stmt) -> None:
        binds = names_of(code).binds
        if any(isinstance(node, ast.NamedExpr) for node in ast.walk(code)):
            self.possible |= binds
            return
        match code:
            case ast.If():
                self._branches(code)
            case ast.With():
                self._block(code, binds)
            case ast.Delete():
                self.bound -= binds
                self.possible -= binds
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return() | ast.Import() | ast.ImportFrom():
                if self.bound == self.possible and isinstance(code, SIMPLE):
                    self.calls |= {call: sorted(self.bound) for call in _evaluations(code)}
                self.bound |= binds
                self.possible |= binds
            case _:
                self.possible |= binds

    def _branches(self, code: ast.If) -> None:
        """Both branches; one that leaves binds nothing for what comes after."""
        ways = [_BoundNames(set(self.bound), set(self.possible), self.calls) for _ in range(2)]
        for way, body in zip(ways, (code.body, code.orelse), strict=True):
            way.enter(body)
        going = [
            way
            for way, body in zip(ways, (code.body, code.orelse), strict=True)
            if not (body and isinstance(body[-1], LEAVING))
        ]
        for way in ways:
            self.calls |= way.calls
        if going:
            self.bound = set.intersection(*(way.bound for way in going))
            self.possible = set.union(*(way.possible for way in going))

    def _block(self, code: ast.With, binds: set[str]) -> None:
        """A ``with`` statement, whose manager may end its body early."""
        targets = names_of(*(item.optional_vars for item in code.items)).binds
        inside = _BoundNames(self.bound | targets, self.possible | targets, self.calls)
        inside.enter(code.body)
        self.calls |= inside.calls
        self.possible |= binds


def _evaluations(node: ast.AST) -> Iterator[ast.Call]:
    """The calls of ``eval`` with a text alone in an expression, but for those in scopes of their own."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, SCOPES):
            continue
        match part:
            case ast.Call(func=ast.Name(id="eval"), args=[one], keywords=[]) if not isinstance(
                one, ast.Starred
            ):
                yield part
            case _:
                pass
        yield from _evaluations(part)


def _told(body: Body, calls: set[ast.Call]) -> Body:
    return tuple(_told_statement(one, calls) for one in body)


def _told_statement(old: Statement, calls: set[ast.Call]) -> Statement:
    """A statement with the text that its changed tree has."""
    match old:
        case Plain() if not calls.isdisjoint(ast.walk(old.code)):
            return replace(old, text=statement(ast.unparse(old.code), old.line).text)
        case Return() if not calls.isdisjoint(ast.walk(old.value.code)):
            return replace(old, value=from_code(old.value.code))
        case _:
            return map_bodies(old, lambda body: _told(body, calls))
