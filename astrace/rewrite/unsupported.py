"""Python that the rewriting does not support, as a table.

`refusals` walks a function once and names each unsupported construct with its line.  A function with a
refusal is not rewritten: it runs as the plain Python it is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from astrace.errors import Reason
from astrace.locations import Location
from astrace.rewrite.names import Comprehension
from astrace.rewrite.source import FunctionNode, FunctionSource
from astrace.rewrite.walrus import has_walrus, nameable
from astrace.util.parsing import tree_nodes

UNSUPPORTED: Mapping[type[ast.AST], str] = {
    ast.AsyncFunctionDef: "an async function",
    ast.AsyncFor: "`async for`",
    ast.AsyncWith: "`async with`",
    ast.Await: "`await`",
    ast.ClassDef: "a class defined inside a function",
    ast.TryStar: "`except*`",
}

SUPPORTED = frozenset({ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.BinOp, ast.Assign, ast.Expr})
"""Most nodes: of these nothing is asked."""

FRAME_READERS = frozenset({"locals", "globals", "vars", "eval", "exec", "dir"})
"""Builtins that look at the frame they are called from, which rewriting changes."""

HINT = "move it to a function of its own; the callers of that function are captured"
TOP = "define it at the top of the module"
LOOP = "write the comprehension, or the condition, as a loop or an `if`, with the name bound in a statement of its own"
FRAME = "name the variables that are meant, or move the call to a function of its own that is given them"
YIELD = "write the `yield` as a statement of its own, or as the whole right side of an assignment"


def refusals(source: FunctionSource) -> tuple[Reason, ...]:
    """Everything in a function that can't be rewritten.

    Args:
        source: the function.

    Returns:
        One reason for each construct, in the order of the text.
    """
    found = sorted(_unsupported(source.node), key=lambda item: item[0])
    name = getattr(source.node, "name", "<lambda>")
    return tuple(
        Reason("AT106", f"{what} is not captured", Location(source.file, line, name), hint)
        for line, what, hint in found
    )


def _unsupported(function: FunctionNode) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each construct, what it is, and what to do."""
    body = (
        [function.body] if isinstance(function, ast.Lambda) else function.body
    )  # the rest was run by the module
    nodes = [function, *(node for part in body for node in tree_nodes(part))]
    named = _named(nodes)
    for node in (one for one in nodes if type(one) not in SUPPORTED):
        line = getattr(node, "lineno", function.lineno)
        if (what := UNSUPPORTED.get(type(node))) is not None:
            yield line, what, TOP if isinstance(node, ast.ClassDef) else HINT
        elif isinstance(node, ast.FunctionDef) and node is not function and _computes_annotation(node):
            yield (
                line,
                "an annotation of a local function that computes something",
                "leave the annotation out",
            )
        elif isinstance(node, ast.NamedExpr) and id(node) not in named:
            yield line, "`:=` inside a comprehension, a lambda or a nested condition", LOOP
        elif isinstance(node, ast.Call) and _reads_frame(node):
            yield line, f"`{ast.unparse(node.func)}()`, which reads the frame it is called from,", FRAME
        elif isinstance(node, Comprehension) and any(part.is_async for part in node.generators):
            yield line, "an async comprehension", HINT
        elif isinstance(node, ast.Yield | ast.YieldFrom) and not _at_statement(function, node):
            yield line, "`yield` inside an expression", YIELD
        elif isinstance(node, ast.Import | ast.ImportFrom) and _star(node):
            yield line, "`import *`", "import the names that are meant"
        elif isinstance(node, ast.While) and has_walrus(node.test) and _jumps(node.orelse):
            yield line, "`break` in the `else` of a `while` whose test binds a name", LOOP


def _named(nodes: list[ast.AST]) -> set[int]:
    """The ``id`` of each ``:=`` among the nodes that the rewriting can handle."""
    if not any(isinstance(node, ast.NamedExpr) for node in nodes):
        return set()
    statements = (node for node in nodes if isinstance(node, ast.stmt))
    return {id(node) for statement in statements for node in nameable(statement)}


TYPE_NAMES = (
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.Starred,
    ast.BinOp,
    ast.expr_context,
    ast.operator,
)
"""The syntax of annotations that only name a type: a local function's are left out."""


def _computes_annotation(function: ast.FunctionDef) -> bool:
    given = [argument.annotation for argument in ast.walk(function.args) if isinstance(argument, ast.arg)]
    written = [one for one in (*given, function.returns) if one is not None]
    return any(not isinstance(node, TYPE_NAMES) for one in written for node in ast.walk(one))


def _reads_frame(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in FRAME_READERS and not node.args


def _jumps(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Break | ast.Continue) for part in body for node in ast.walk(part))


def _star(node: ast.Import | ast.ImportFrom) -> bool:
    return any(alias.name == "*" for alias in node.names)


def _at_statement(function: FunctionNode, node: ast.Yield | ast.YieldFrom) -> bool:
    """Return whether a ``yield`` is a statement of its own or the whole right side of an assignment."""
    kinds = ast.Expr if isinstance(node, ast.YieldFrom) else ast.Expr | ast.Assign
    return any(isinstance(outer, kinds) and outer.value is node for outer in ast.walk(function))
