"""Python text to syntax trees, and syntax trees to code, by one thread at a time.

CPython counts how deep it is in a tree in one place for all threads: where two of them turn trees into objects, or
objects into code, at once, ``SystemError: AST constructor recursion depth mismatch`` may be raised
(https://github.com/python/cpython/issues/106905).

What Python has to say of a text (``b is 3``) it said when the program was compiled; it is neither said again nor, where
warnings are errors, a reason to refuse the text.
"""

from __future__ import annotations

import ast
import threading
import types
from collections.abc import Iterable, Mapping
from typing import Any, Final

from astrace.util.unwarned import unwarned

LOCK: Final = threading.RLock()
"""A holder of it waits for nothing else."""


UNKNOWN: Final = "<unknown>"
NO_COLUMN: Final = -1
"""The place in its line of a node whose text is not the user's: tracebacks mark nothing there."""


def parse_module(text: str, file: str = UNKNOWN) -> ast.Module:
    """The tree of a module's text."""
    with LOCK, unwarned(file):
        return ast.parse(text, file)


def parse_expression(text: str) -> ast.expr:
    """The tree of an expression's text."""
    with LOCK, unwarned(UNKNOWN):
        return ast.parse(text, UNKNOWN, mode="eval").body


def tree_nodes(root: ast.AST, closed: type[ast.AST] | tuple[()] = ()) -> list[ast.AST]:
    """A tree and all nodes in it, each before those that it holds, but for operators and contexts: `ast.walk` in little time.

    Args:
        root: the tree.
        closed: a class of nodes, other than the root, in which nothing is looked for.

    Example:
        >>> [type(node).__name__ for node in tree_nodes(parse_expression("-x"))]
        ['UnaryOp', 'Name']
    """
    found = [root]
    for node in found:
        if not closed or node is root or not isinstance(node, closed):
            found += child_nodes(node)
    return found


CLOSED: Final = frozenset({"arg", "attr", "ctx", "id", "kind", "op", "ops", "type_comment"})
"""Fields of nodes that hold texts, operators (`ast.Add`) or contexts (`ast.Load`): most of all fields."""
FIELDS: Final[Mapping[type[Any], tuple[str, ...]]] = {
    one: tuple(name for name in one._fields if name not in CLOSED)
    for one in vars(ast).values()
    if isinstance(one, type) and issubclass(one, ast.AST)
}
"""The fields of nodes that may hold others."""


def child_nodes(node: ast.AST) -> list[ast.AST]:
    """The nodes that a node holds, but for operators and contexts.

    Only its fields are looked at: other tools keep a node's parent in an attribute, also on the one `ast.Load` that all
    trees of a process share.
    """
    found: list[ast.AST] = []
    for name in FIELDS.get(type(node), node._fields):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            found.append(part)
        elif type(part) is list:
            found += [one for one in part if isinstance(one, ast.AST)]  # type: ignore[reportUnknownVariableType]
    return found


def consists_of(root: ast.AST, classes: tuple[type[ast.AST], ...]) -> bool:
    """Return whether all nodes of a tree are of some classes, but for operators and contexts."""
    return isinstance(root, classes) and all(consists_of(node, classes) for node in child_nodes(root))


def code_of_text(text: str, file: str, flags: int = 0) -> types.CodeType:
    """The code of a module's text; ``flags`` as `compile` takes them."""
    with LOCK, unwarned(file):
        return compile(text, file, "exec", flags=flags, dont_inherit=True)


def code_of_module(tree: Any, file: str) -> types.CodeType:
    """The code of a module's tree."""
    with LOCK, unwarned(file):
        return compile(tree, file, "exec", dont_inherit=True)


def constants_of(code: types.CodeType) -> dict[Any, Any]:
    """Return the constants in a code object and in nested ones, with their kinds."""
    found: dict[Any, Any] = {}
    for value in code.co_consts:
        found |= constants_of(value) if isinstance(value, types.CodeType) else by_kind([value])
    return found


def by_kind(values: Iterable[Any]) -> dict[Any, Any]:
    """Return constants, and those in tuples, with their kinds."""
    found: dict[Any, Any] = {}
    for value in values:
        if type(value) is tuple:
            found |= by_kind(value)  # type: ignore[reportUnknownArgumentType]
        if type(value) in LITERALS:
            found.setdefault(_kind(value), value)
    return found


LITERALS: Final = (str, bytes, int, float, complex, tuple)
"""Classes of constants that Python may hold several equal ones of."""


def _kind(value: Any) -> Any:
    return (tuple, *map(_kind, value)) if type(value) is tuple else (type(value), repr(value))  # type: ignore[reportUnknownArgumentType]


def with_constants(code: types.CodeType, known: Mapping[Any, Any]) -> types.CodeType:
    """Code whose constants are those objects that are known: another text of a function has the function's own."""

    def own(value: Any) -> Any:
        if isinstance(value, types.CodeType):
            return with_constants(value, known)
        if type(value) not in LITERALS:
            return value
        found = known.get(_kind(value))
        if found is None and type(value) is tuple:
            return tuple(map(own, value))  # type: ignore[reportUnknownArgumentType]
        return value if found is None else found

    return code.replace(co_consts=tuple(map(own, code.co_consts)))
