"""The text of a call in the user's own line: ``os.environ.get()``, where the method is `collections.abc.Mapping`'s."""

from __future__ import annotations

import ast
import functools
import linecache
import types
from collections.abc import Callable, Iterator
from typing import Any, Final

from astrace.locations import Location
from astrace.util.parsing import parse_module

LONGEST: Final = 60


def called_as(function: Callable[..., Any], where: Location | None) -> str:
    """Return how a line writes the call of a method or of an item; empty where that is not visible, or no method.

    Args:
        function: what is called.
        where: the line.
    """
    name = getattr(function, "__name__", "")
    if where is None or not name or not _is_method(function):
        return ""
    tree = _parsed("".join(linecache.getlines(where.file)))
    found = set(_written(tree, where.line, name)) if tree is not None else set[str]()
    return found.pop() if len(found) == 1 else ""


def _is_method(function: Callable[..., Any]) -> bool:
    """Return whether something belongs to a class or an object, rather than to a module."""
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, types.ModuleType):
        return True
    return "." in getattr(function, "__qualname__", "").rpartition("<locals>.")[2]


@functools.lru_cache(maxsize=8)
def _parsed(source: str) -> ast.Module | None:
    try:
        return parse_module(source)
    except (SyntaxError, ValueError):
        return None


def _written(tree: ast.Module, line: int, name: str) -> Iterator[str]:
    """The calls of a method in a line, without their arguments."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call | ast.Subscript) or not node.lineno <= line <= (
            node.end_lineno or 0
        ):
            continue
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=attribute)) if attribute == name:
                text = f"{ast.unparse(node.func)}()"
            case ast.Subscript(value=owner, ctx=ast.Load()) if name == "__getitem__":
                text = ast.unparse(node)
            case _:
                continue
        if _is_name(owner) and len(text) <= LONGEST:
            yield text


def _is_name(node: ast.expr) -> bool:
    """Return whether an expression is a name, or attributes of one."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)
