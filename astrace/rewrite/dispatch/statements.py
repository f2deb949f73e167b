"""The lowering rules for statements: stores, deletions, ``import``, ``assert``, ``raise``, nested functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from astrace.locations import SCOPE
from astrace.rewrite.converted import OPERATORS
from astrace.rewrite.dispatch.comprehensions import Comprehensions
from astrace.rewrite.dispatch.expressions import (
    BINARY,
    LOWERED_ARGUMENTS,
    constant,
    is_name,
    lambda_of,
    operator,
    tuple_of,
    unpack,
)
from astrace.rewrite.dispatch.scopes import Scopes
from astrace.rewrite.names import first_parameter


def lower(function: ast.FunctionDef, scopes: Scopes, carrying: frozenset[str]) -> ast.FunctionDef:
    """Make the leaves of a rewritten function dispatch.

    Args:
        function: the parsed rewritten text; it is changed and returned.  New nodes may have no place in it yet.
        scopes: what names mean.
        carrying: the local functions whose ``return`` hands carried names back.
    """
    return Statements(scopes, carrying).function(function)


class Statements(Comprehensions):
    """Lowers the statements of a rewritten function; a rule gives one statement or a list of them."""

    def __init__(self, scopes: Scopes, carrying: frozenset[str]) -> None:
        super().__init__(scopes)
        self.carrying = carrying
        self._function = ""

    def function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Lower the body of a function; annotations go, defaults are lowered where they stand."""
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        node.returns = None
        scope = self.scopes.function(node)
        self.scopes.stack.append(scope)
        outer, outer_first = self._function, self._first_parameter
        if not scope.region:
            self._first_parameter = first_parameter(node)
        self._function = node.name
        node.body = [*self._shared(scope.own), *self.statements(node.body)]
        self._function, self._first_parameter = outer, outer_first
        self.scopes.stack.pop()
        return node

    def _shared(self, names: frozenset[str]) -> Iterator[ast.stmt]:
        """The variables that nested functions assign are made known where their function begins."""
        if names:
            shown = (ast.Name(name, ast.Load()) for name in sorted(names))
            yield ast.Expr(operator("shared", lambda_of([], tuple_of(shown))))

    def statements(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Lower statements one after the other."""
        lowered: list[ast.stmt] = []
        for old in body:
            new = self.visit(old)
            lowered += [_placed(statement, old) for statement in (new if isinstance(new, list) else [new])]
        return lowered or [ast.Pass()]

    # -- stores ------------------------------------------------------------------------------------

    def visit_Assign(self, node: ast.Assign) -> Any:
        value = self.expr(node.value)
        if len(node.targets) == 1:
            return list(self._store(node.targets[0], value))
        name = self.fresh("value")
        first = ast.Assign([ast.Name(name, ast.Store())], value)
        stores = [
            store for target in node.targets for store in self._store(target, ast.Name(name, ast.Load()))
        ]
        return [first, *stores]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return ast.Pass()
        return list(self._store(node.target, self.expr(node.value)))

    def _store(self, target: ast.expr, value: ast.expr) -> Iterator[ast.stmt]:
        """Statements that store a lowered value."""
        match target:
            case ast.Name():
                yield self._store_name(target, value)
            case ast.Attribute():
                name = constant(self.scopes.mangled(target.attr))
                yield ast.Expr(operator("store_attr", value, self.expr(target.value), name))
            case ast.Subscript():
                owner, key = self.expr(target.value), self.expr(target.slice)
                yield ast.Expr(operator("store_item", value, owner, key))
            case ast.Starred():
                yield from self._store(target.value, value)
            case ast.Tuple() | ast.List():
                yield from self._store_items(target, value)
            case _:
                raise AssertionError(ast.dump(target))

    def _store_name(self, target: ast.Name, value: ast.expr) -> ast.stmt:
        meaning = self.scopes.meaning(target.id)
        name = constant(self.scopes.mangled(target.id))
        if meaning in ("global", "cell"):
            return ast.Expr(operator(f"store_{meaning}", value, ast.Name(SCOPE, ast.Load()), name))
        if not isinstance(value, ast.Constant | ast.Name):
            value = operator("named", name, value)
        return ast.Assign([target], self.assigned(target.id, value))

    def _store_items(self, target: ast.Tuple | ast.List, value: ast.expr) -> Iterator[ast.stmt]:
        names = [element.id for element in target.elts if isinstance(element, ast.Name)]
        local = all(self._is_plain_local(name) for name in names)
        if len(names) == len(target.elts) and local:
            shown = tuple_of(map(constant, names))
            carried = isinstance(value, ast.Call) and _is_control(value)
            items = value if carried else unpack(target, value)
            yield ast.Assign([target], operator("named", shown, items))
            return
        places = [self.fresh("item") for _ in target.elts]
        parts = ast.Tuple([ast.Name(name, ast.Store()) for name in places], ast.Store())
        yield ast.Assign([parts], unpack(target, value))
        for element, name in zip(target.elts, places, strict=True):
            yield from self._store(element, ast.Name(name, ast.Load()))

    def _is_plain_local(self, name: str) -> bool:
        return self.scopes.meaning(name) in ("local", "free") and not self.scopes.is_shared(name)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        name = constant(f"i{BINARY[type(node.op)].rstrip('_')}")
        target = node.target
        if isinstance(target, ast.Name):
            current = self.expr(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            return self._store_name(target, operator("inplace", name, current, self.expr(node.value)))
        value = lambda_of([], self.expr(node.value))
        owner = self.expr(target.value)
        if isinstance(target, ast.Attribute):
            attribute = constant(self.scopes.mangled(target.attr))
            return ast.Expr(operator("inplace_attr", name, owner, attribute, value))
        return ast.Expr(operator("inplace_item", name, owner, self.expr(target.slice), value))

    # -- deletions and declarations ----------------------------------------------------------------

    def visit_Delete(self, node: ast.Delete) -> Any:
        return [statement for target in node.targets for statement in self._delete(target)]

    def _delete(self, target: ast.expr) -> Iterator[ast.stmt]:
        match target:
            case ast.Name():
                yield self._delete_name(target)
            case ast.Attribute():
                name = constant(self.scopes.mangled(target.attr))
                yield ast.Expr(operator("delete_attr", self.expr(target.value), name))
            case ast.Subscript():
                yield ast.Expr(operator("delete_item", self.expr(target.value), self.expr(target.slice)))
            case ast.Tuple() | ast.List():
                for element in target.elts:
                    yield from self._delete(element)
            case _:
                raise AssertionError(ast.dump(target))

    def _delete_name(self, target: ast.Name) -> ast.stmt:
        """A deleted local keeps its place with no value; deleting it twice raises as reading it does."""
        meaning = self.scopes.meaning(target.id)
        if meaning in ("global", "cell"):
            arguments = (ast.Name(SCOPE, ast.Load()), constant(target.id))
            return ast.Expr(operator(f"delete_{meaning}", *arguments))
        current = self.expr(ast.copy_location(ast.Name(target.id, ast.Load()), target))
        value = self.assigned(target.id, operator("deleted", current))
        return ast.Assign([ast.Name(target.id, ast.Store())], value)

    def visit_Global(self, node: ast.Global) -> Any:  # noqa: ARG002
        return ast.Pass()

    def visit_Nonlocal(self, node: ast.Nonlocal) -> Any:
        kept = [name for name in node.names if self.scopes.meaning(name) != "cell"]
        return ast.Nonlocal(kept) if kept else ast.Pass()

    # -- the rest ----------------------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> Any:
        return [
            self._store_name(
                ast.Name(alias.asname or alias.name.split(".")[0], ast.Store()),
                operator("import_", constant(alias.name), constant(alias.asname is not None)),
            )
            for alias in node.names
        ]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        where = (ast.Name(SCOPE, ast.Load()), constant(node.module or ""), constant(node.level))
        return [
            self._store_name(
                ast.Name(alias.asname or alias.name, ast.Store()),
                operator("import_from", *where, constant(alias.name)),
            )
            for alias in node.names
        ]

    def visit_Assert(self, node: ast.Assert) -> Any:
        if not __debug__:
            return ast.Pass()
        message = [self.thunk(node.msg)] if node.msg is not None else []
        return ast.Expr(operator("assert_", self.expr(node.test), *message))

    def visit_Raise(self, node: ast.Raise) -> Any:
        given = [self.expr(part) for part in (node.exc, node.cause) if part is not None]
        return ast.Raise(operator("raise_", *given), None)

    def visit_Return(self, node: ast.Return) -> Any:
        if self._function in self.carrying or node.value is None:
            return node
        return ast.Return(self.expr(node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """A nested function; its decorators are applied through calls that are seen."""
        written = node.decorator_list
        named = any(_names(decorator, node.name) for decorator in written)
        first, decorators = self._evaluated(self.all(written), node.args, early=named)
        node.decorator_list = []
        node.args.defaults = self.all(node.args.defaults)
        node.args.kw_defaults = [self.expr(default) if default else None for default in node.args.kw_defaults]
        if node.name in self.scopes.regions:
            return self.function(node)
        yields = any(map(_is_yield, self._own(node)))
        lowered = self.function(node)
        itself = ast.Name(node.name, ast.Load())
        value: ast.expr = operator("local_function", itself, constant(yields), constant(bool(written)))
        for decorator, where in zip(reversed(decorators), reversed(written), strict=True):
            value = ast.copy_location(operator("call", decorator, value), where)
        if written:
            value = ast.copy_location(operator("decorated", itself, value), node)
        return [*first, lowered, self._store_name(ast.Name(node.name, ast.Store()), value)]

    def _evaluated(
        self, decorators: list[ast.expr], parameters: ast.arguments, early: bool
    ) -> tuple[list[ast.stmt], list[ast.expr]]:
        """Return the statements to run before a function is made, and its decorators, which come before its defaults.

        Nor does the function take its name (``early``) before a decorator of that name is looked up.
        """
        if not early and not parameters.defaults and not any(parameters.kw_defaults):
            return [], decorators
        names = [self.fresh("decorator") for _ in decorators]
        pairs = zip(names, decorators, strict=True)
        first: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], value) for name, value in pairs]
        return first, [ast.Name(name, ast.Load()) for name in names]

    def _own(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes of a function, without those of functions nested in it."""
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.FunctionDef) or child.name in self.scopes.regions:
                yield child
                yield from self._own(child)


def _names(node: ast.expr, name: str) -> bool:
    """Return whether an expression uses a variable."""
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _is_yield(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _operator_name(node) == "yield_"


def _operator_name(value: ast.Call) -> str:
    """The operator that a call of the rewritten text names; empty for a call of the user's."""
    function = value.func
    if isinstance(function, ast.Attribute) and is_name(function.value, OPERATORS):
        return function.attr
    return ""


def _is_control(value: ast.Call) -> bool:
    return _operator_name(value) in LOWERED_ARGUMENTS


def _placed(statement: ast.stmt, where: ast.stmt) -> ast.stmt:
    """Put a new statement in the place of an old one."""
    return statement if hasattr(statement, "lineno") else ast.copy_location(statement, where)
