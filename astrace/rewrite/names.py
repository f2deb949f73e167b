"""Local names that a piece of syntax reads and binds.

Works on ``ast`` nodes, looks through nested functions and comprehensions the way Python's scopes do,
and returns plain sets; nothing is stored on the tree.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from astrace.util.parsing import child_nodes

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
CONSUMERS = frozenset(
    {"sum", "any", "all", "min", "max", "list", "tuple", "set", "dict", "sorted", "frozenset"}
)
"""Builtins that use up a generator expression at once."""

COMPOUND: Mapping[type[ast.AST], tuple[str, ...]] = {
    **dict.fromkeys((ast.If, ast.For, ast.AsyncFor, ast.While), ("body", "orelse")),
    **dict.fromkeys((ast.With, ast.AsyncWith, ast.ExceptHandler, ast.match_case), ("body",)),
    **dict.fromkeys((ast.Try, ast.TryStar), ("body", "orelse", "finalbody", "handlers")),
    ast.Match: ("cases",),
}
"""The fields of compound statements that hold statements of the same scope, or what holds them."""

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


Known: TypeAlias = dict[Function, NameUses]
"""What was found in the own scopes of functions, so that it is found once however deeply they are nested."""


def names_of(*trees: ast.AST | None, known: Known | None = None) -> NameUses:
    """Return the uses of names in pieces of syntax.

    Args:
        trees: the pieces; all in one scope.
        known: what was found in functions so far, of trees that have not changed since; more is added.

    Example:
        >>> found = names_of(ast.parse("y = [x + i for i in range(n)]"))
        >>> sorted(found.reads), sorted(found.binds)
        (['n', 'range', 'x'], ['y'])
    """
    collector = _Collector({} if known is None else known)
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


def function_names(function: Function, known: Known | None = None) -> NameUses:
    """Return the uses of names in a function's own scope, with parameters bound and without declarations.

    Args:
        function: the function.
        known: as for `names_of`.
    """
    known = {} if known is None else known
    if function not in known:
        body: Iterable[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else function.body
        found = names_of(*body, known=known)
        found.binds |= set(parameters(function.args))
        known[function] = found
    return known[function]


def declared(function: Function, kind: type[ast.Global | ast.Nonlocal]) -> set[str]:
    """The names that a function declares ``global`` or ``nonlocal``."""
    if isinstance(function, ast.Lambda):
        return set()
    return {name for node in statements_in(function.body) if isinstance(node, kind) for name in node.names}


def statements_in(body: Iterable[ast.AST], functions: bool = False) -> Iterator[ast.stmt]:
    """The statements of a scope, those of compound statements included; no expression is entered.

    Args:
        body: of the scope, or what else holds statements.
        functions: those of functions in it are wanted, too.
    """
    for node in body:
        if isinstance(node, ast.stmt):
            yield node
        blocks = (
            ("body",) if functions and isinstance(node, ast.FunctionDef) else COMPOUND.get(type(node), ())
        )
        for block in blocks:
            yield from statements_in(getattr(node, block), functions)


def free_names(function: Function, known: Known | None = None) -> NameUses:
    """Return a nested function's uses of names of the scopes around it; ``known`` is as for `names_of`."""
    inner = function_names(function, known)
    outer, unbound = declared(function, ast.Nonlocal), declared(function, ast.Global)
    local = inner.binds - outer - unbound
    reads = (inner.reads - local - unbound) | outer
    return NameUses(reads=reads, captured=set(reads), rebound=outer | (inner.rebound - local))


def comprehension_names(node: Comprehension) -> NameUses:
    """Return the uses of names inside a comprehension, its own variables included; its first iterable is outside."""
    results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
    first, *rest = node.generators
    return names_of(first.target, *first.ifs, *rest, *results)


class _Collector:
    """Collects the names of one scope; sets, so that the order of the nodes is of no account.

    Args:
        known: what was found in the own scopes of functions so far.
    """

    def __init__(self, known: Known) -> None:
        self.names = NameUses()
        self._known = known

    def visit(self, root: ast.AST) -> None:
        """Add the names of a tree."""
        waiting = [root]
        for node in waiting:
            if isinstance(node, ast.Name):
                (self.names.reads if isinstance(node.ctx, ast.Load) else self.names.binds).add(node.id)
            elif (rule := RULES.get(type(node))) is not None:
                rule(self, node)
            else:
                waiting += child_nodes(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.names.reads.add(node.target.id)
        self._children(node)

    def _children(self, node: ast.AST) -> None:
        for child in child_nodes(node):
            self.visit(child)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.names.binds.add(node.name)
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._function(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node)

    def _function(self, node: Function) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self.names.update(free_names(node, self._known))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.binds.add(node.name)
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(part)
        inner = names_of(*node.body, known=self._known)
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

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """Count the names that a generator expression reads as captured, as a function's: it may run later."""
        inside = _Collector(self._known)
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
        self._children(node)

    def visit_alias(self, node: ast.alias) -> None:
        self.names.binds.add(node.asname or node.name.split(".")[0])

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name is not None:
            self.names.binds.add(node.name)
        self._children(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name is not None:
            self.names.binds.add(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest is not None:
            self.names.binds.add(node.rest)
        self._children(node)


RULES: Mapping[type[ast.AST], Callable[[_Collector, Any], None]] = {
    ast.AugAssign: _Collector.visit_AugAssign,
    ast.FunctionDef: _Collector.visit_FunctionDef,
    ast.AsyncFunctionDef: _Collector.visit_FunctionDef,
    ast.Lambda: _Collector.visit_Lambda,
    ast.ClassDef: _Collector.visit_ClassDef,
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp), _Collector.visit_ListComp),
    ast.GeneratorExp: _Collector.visit_GeneratorExp,
    ast.Call: _Collector.visit_Call,
    ast.ExceptHandler: _Collector.visit_ExceptHandler,
    ast.alias: _Collector.visit_alias,
    ast.MatchAs: _Collector.visit_MatchAs,
    ast.MatchStar: _Collector.visit_MatchStar,
    ast.MatchMapping: _Collector.visit_MatchMapping,
}
"""The nodes at which more is to be done than to look at their parts."""
