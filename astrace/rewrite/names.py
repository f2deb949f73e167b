"""Local names that a piece of syntax reads and binds.

Works on ``ast`` nodes, looks through nested functions and comprehensions the way Python's scopes do,
and returns plain sets; nothing is stored on the tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
CONSUMERS = frozenset(
    {"sum", "any", "all", "min", "max", "list", "tuple", "set", "dict", "sorted", "frozenset"}
)
"""Builtins that use up a generator expression at once."""

SUITES = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields that hold the statements of a compound statement, or what holds them."""

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(slots=True)
class NameUses:
    """The uses of names in a piece of syntax, in the scope that it stands in.

    Args:
        reads: names it loads, or that functions nested in it load from this scope.
        binds: names it stores or deletes.
        captured: names of this scope that nested functions use: they live in cells.
        rebound: names of this scope that nested functions assign (``nonlocal``).
    """

    reads: set[str] = field(default_factory=set[str])
    binds: set[str] = field(default_factory=set[str])
    captured: set[str] = field(default_factory=set[str])
    rebound: set[str] = field(default_factory=set[str])

    def update(self, other: NameUses) -> None:
        """Add what another piece of the same scope does."""
        self.reads |= other.reads
        self.binds |= other.binds
        self.captured |= other.captured
        self.rebound |= other.rebound


def names_of(*trees: ast.AST | None) -> NameUses:
    """Return the uses of names in pieces of syntax.

    Example:
        >>> found = names_of(ast.parse("y = [x + i for i in range(n)]"))
        >>> sorted(found.reads), sorted(found.binds)
        (['n', 'range', 'x'], ['y'])
    """
    collector = _Collector()
    for tree in trees:
        if tree is not None:
            collector.visit(tree)
    return collector.names


def parameters(arguments: ast.arguments) -> list[str]:
    """The parameter names of a function, in the order of its signature."""
    stars = [star.arg for star in (arguments.vararg, arguments.kwarg) if star is not None]
    plain = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return [argument.arg for argument in plain] + stars


def first_parameter(node: ast.FunctionDef | ast.Lambda) -> str:
    """The name of a function's first parameter, which `super()` looks at; empty if there is none."""
    parameters = [*node.args.posonlyargs, *node.args.args]
    return parameters[0].arg if parameters else ""


def function_names(function: Function) -> NameUses:
    """Return the uses of names in a function's own scope, with parameters bound and without declarations."""
    body: Iterable[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else function.body
    found = names_of(*body)
    found.binds |= set(parameters(function.args))
    return found


def declared(function: Function, kind: type[ast.Global | ast.Nonlocal]) -> set[str]:
    """The names that a function declares ``global`` or ``nonlocal``."""
    if isinstance(function, ast.Lambda):
        return set()
    return {name for node in _statements(function.body) if isinstance(node, kind) for name in node.names}


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """The statements of a scope, those of compound statements included; no expression is entered."""
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for block in SUITES:
            yield from _statements(getattr(node, block, ()))


def free_names(function: Function) -> NameUses:
    """Return a nested function's uses of names of the scopes around it."""
    inner = function_names(function)
    outer, unbound = declared(function, ast.Nonlocal), declared(function, ast.Global)
    local = inner.binds - outer - unbound
    reads = (inner.reads - local - unbound) | outer
    return NameUses(reads=reads, captured=set(reads), rebound=outer | (inner.rebound - local))


def comprehension_names(node: Comprehension) -> NameUses:
    """Return the uses of names inside a comprehension, its own variables included; its first iterable is outside."""
    results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
    first, *rest = node.generators
    return names_of(first.target, *first.ifs, *rest, *results)


class _Collector(ast.NodeVisitor):
    """Collects the names of one scope."""

    def __init__(self) -> None:
        self.names = NameUses()

    def visit_Name(self, node: ast.Name) -> None:
        (self.names.reads if isinstance(node.ctx, ast.Load) else self.names.binds).add(node.id)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.names.reads.add(node.target.id)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.names.binds.add(node.name)
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._function(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node)

    def _function(self, node: Function) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self.names.update(free_names(node))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.binds.add(node.name)
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part)
        inner = names_of(*node.body)
        free = inner.reads - inner.binds
        self.names.update(NameUses(reads=free | inner.captured, captured=free | inner.captured))

    def visit_ListComp(self, node: Comprehension) -> None:
        inner = comprehension_names(node)
        targets = {name for generator in node.generators for name in names_of(generator.target).binds}
        self.visit(node.generators[0].iter)
        self.names.update(
            NameUses(
                reads=inner.reads - targets,
                binds=inner.binds - targets,
                captured=inner.captured - targets,
                rebound=inner.rebound - targets,
            )
        )

    visit_SetComp = visit_ListComp
    visit_DictComp = visit_ListComp

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """Count the names that a generator expression reads as captured, as a function's: it may run later."""
        inside = _Collector()
        inside.visit_ListComp(node)
        self.names.update(inside.names)
        self.names.captured |= inside.names.reads

    def visit_Call(self, node: ast.Call) -> None:
        consumed = isinstance(node.func, ast.Name) and node.func.id in CONSUMERS
        self.visit(node.func)
        for argument in (*node.args, *node.keywords):
            if consumed and isinstance(argument, ast.GeneratorExp):
                self.visit_ListComp(argument)
            else:
                self.visit(argument)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name is not None:
            self.names.binds.add(node.name)
        self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> None:
        self.names.binds.add(node.asname or node.name.split(".")[0])

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name is not None:
            self.names.binds.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name is not None:
            self.names.binds.add(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self.names.binds.add(node.rest)
        self.generic_visit(node)
