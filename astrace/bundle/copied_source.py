"""Copies of functions of astrace's own as source text, with everything that they refer to.

Takes functions and classes, gives text that defines them without astrace.  Annotations are left out.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeGuard

OWN: Final = "astrace."
FREE: Final = ("numpy", "math", "operator", "itertools", "functools", "types", "copy", "builtins", "gc", "enum", "warnings", "cmath")  # fmt: skip
"""Modules that a standalone program may import."""


class Untold(Exception):
    """The program refers to something that text does not tell."""


class Copies:
    """The functions and classes that were copied.

    Args:
        literal: writes a constant.
        taken: names that mean something else; those of copies are added.
    """

    def __init__(self, literal: Callable[[Any], str], taken: set[str]) -> None:
        self._literal, self._taken = literal, taken
        self._texts: list[str] = []
        self._imports: dict[str, str] = {}
        self._known: dict[str, Any] = {}

    def texts(self) -> Iterator[str]:
        """The imports, and the definitions in an order in which they can stand."""
        yield from sorted(self._imports.values())
        yield from self._texts

    def is_own(self, value: Any) -> bool:
        """Return whether a value is a function or class of astrace's, which has to be copied."""
        return isinstance(value, types.FunctionType | type) and str(value.__module__).startswith(OWN)

    def copy(self, value: Any) -> str:
        """Copy a function or class; return the name that it has.

        Raises:
            Untold: it refers to something that text does not tell.
        """
        name = value.__name__
        if self._reserve(name, value):
            return name
        module = sys.modules[value.__module__]
        if vars(module).get(name) is not value:
            raise Untold(f"it calls {value.__qualname__}, which has no name in its module")
        tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
        _without_annotations(tree)
        for used in sorted(_names(tree) - {name}):
            if used in vars(module):
                self._refer(used, vars(module)[used], module)
        self._texts.append(f"\n\n{ast.unparse(tree)}")
        return name

    def sentinel(self, value: Any) -> str:
        """The name of an object that stands for no value, of which there is one."""
        name = type(value).__name__.upper()
        if not self._reserve(name, value):
            self._texts.append(f"{name} = {self.copy(type(value))}()")
        return name

    def _reserve(self, name: str, value: Any) -> bool:
        """Take a name for a value; true where it has it already."""
        if name in self._known:
            if self._known[name] is not value:
                raise Untold(f"two things have the name {name}")
            return True
        if name in self._taken:
            raise Untold(f"two things have the name {name}")
        self._known[name] = value
        self._taken.add(name)
        return False

    def _refer(self, name: str, value: Any, module: types.ModuleType) -> None:
        """Define what a copy refers to under a name."""
        if isinstance(value, types.ModuleType):
            if name not in ("np", "math", "operator"):
                self._import(name, value.__name__, f"import {value.__name__} as {name}", value)
        elif self.is_own(value):
            if value.__name__ != name:
                raise Untold(f"{name} is another name for {value.__name__}")
            self.copy(value)
        elif isinstance(value, types.FunctionType | types.BuiltinFunctionType | type):
            self._import(
                name, value.__module__, f"from {value.__module__} import {value.__name__} as {name}", value
            )
        elif name not in self._known or self._known[name] is not value:
            try:
                literal = self._literal(value)
            except Untold:
                literal = self._assigned(name, module)
            if literal != name and not self._reserve(name, value):
                self._texts.append(f"{name} = {literal}")

    def _assigned(self, name: str, module: types.ModuleType) -> str:
        """The expression by which a module defines a name."""
        body = ast.parse(inspect.getsource(module)).body
        expression = next((node.value for node in body if _defines(node, name)), None)
        if expression is None:
            raise Untold(f"it refers to {name} of {module.__name__}")
        for used in sorted(_names(expression) - {name}):
            if used in vars(module):
                self._refer(used, vars(module)[used], module)
        return ast.unparse(expression)

    def _import(self, name: str, module: str, line: str, value: Any) -> None:
        if module == "typing":
            line = f"from typing import {name}"
        elif module.split(".", maxsplit=1)[0] not in FREE:
            raise Untold(f"it refers to {name} of {module}")
        if not self._reserve(name, value):
            self._imports[name] = line


def _without_annotations(tree: ast.AST) -> None:
    """Leave out annotations, which nothing depends on."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef():
                node.returns = None
                node.body = [_unannotated(statement) for statement in node.body]
            case ast.arg():
                node.annotation = None
            case _:
                pass


def _defines(node: ast.stmt, name: str) -> TypeGuard[ast.AnnAssign]:
    """Return whether a statement gives a name its value."""
    return (
        isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.target.id == name
        and node.value is not None
    )


def _unannotated(statement: ast.stmt) -> ast.stmt:
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        made = ast.Assign([statement.target], statement.value)
        return ast.copy_location(ast.fix_missing_locations(made), statement)
    return statement


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
