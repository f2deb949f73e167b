"""Finding a function's source, and making sure that it is this function's source.

The function is the node whose code object *equals* the one that runs, positions included.  So a file edited after import,
two lambdas on one line and a redefined name are told apart, and a stale text is never rewritten.  Most functions are
found by parsing and compiling their own lines (`excerpt`); for others the whole file is, once (cached by its text).
"""

from __future__ import annotations
import __future__

import ast
import inspect
import linecache
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

from astrace.errors import Reason
from astrace.locations import Location
from astrace.rewrite.excerpt import excerpt
from astrace.util.code_stubs import code_of
from astrace.util.parsing import code_of_module, code_of_text, parse_module, tree_nodes

FUTURES: Final = sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names})

NO_FILES: Final = ("<string>", "<stdin>")
"""What code is said to be from that is from no file.  The text under this name, if there is one, is what ``python -c`` was given."""
NO_SOURCE: Final = "define it in a file, a notebook or with the source in `linecache`"

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
FUNCTION_NODES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class SourceMissing(Exception):
    """There is no source to rewrite; ``reason`` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """A function as its file has it.

    Args:
        node: the function's syntax tree, with the file's line numbers.
        text: the source of the node alone, as the file has it.
        file: the file name of the function's code.
        line: the line in the file where ``text`` starts.
        class_name: the class whose body holds the function, for private names (``__x``).
    """

    node: FunctionNode
    text: str
    file: str
    line: int
    class_name: str | None


def find_source(function: types.FunctionType) -> FunctionSource:
    """The source of a Python function.

    Args:
        function: any function made by a ``def`` or a ``lambda``.

    Raises:
        SourceMissing: there is no file, or its text is not what the function was compiled from.
    """
    code = code_of(function)
    where = Location.of(code)
    lines = _lines(code.co_filename, function.__globals__)
    if not lines:
        raise SourceMissing(Reason("AT101", f"`{code.co_name}` has no source", where, NO_SOURCE))
    found = _in_excerpt(lines, code) or _in_file("".join(lines), code)
    if found is None and code.co_filename in NO_FILES:
        raise SourceMissing(Reason("AT101", f"`{code.co_name}` has no source", where, NO_SOURCE))
    if found is None:
        hint = "import the module again; the file was edited after it was loaded"
        message = f"the file no longer holds the source of `{code.co_name}`"
        raise SourceMissing(Reason("AT102", message, where, hint))
    node, class_name = found
    first = _first_line(node)
    segment = "".join(lines[first - 1 : node.end_lineno])
    if isinstance(node, ast.Lambda):
        segment = ast.get_source_segment("".join(lines), node) or ""
    return FunctionSource(node, segment, code.co_filename, first, class_name)


def _lines(file: str, namespace: dict[str, Any]) -> list[str]:
    """The lines of a file.

    Those of a module that its loader alone can read; they are not the source of what the module has compiled under another name.
    """
    known = namespace.get("__file__") == file
    return linecache.getlines(file, namespace if known else None)


Found: TypeAlias = tuple[FunctionNode, str | None]
"""A function, and the name of the class around it."""


def _in_excerpt(lines: Sequence[str], code: types.CodeType) -> Found | None:
    """Find a function by its own lines; ``None`` where they do not compile to its code, as in a file that was edited."""
    found = excerpt(lines, code)
    if found is None:
        return None
    try:
        module = code_of_text(found.text, code.co_filename, code.co_flags & FUTURES)
        node, *_ = parse_module(found.text, code.co_filename).body
    except (SyntaxError, ValueError):
        return None
    if found.indented and isinstance(node, ast.ClassDef | ast.If):
        node = node.body[0]
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not _matches(node, code):
        return None
    return (node, found.class_name) if code in _codes(module) else None


def _in_file(text: str, code: types.CodeType) -> Found | None:
    """Find a function in the whole file."""
    try:
        return _find_node(_parsed(text, code.co_filename, code.co_flags & FUTURES), code)
    except SyntaxError:
        return None


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A file: its functions with the class around them, and all its code objects."""

    functions: tuple[Found, ...]
    codes: tuple[types.CodeType, ...]


@lru_cache(maxsize=64)
def _parsed(text: str, file: str, futures: int) -> _Parsed:
    """Parse and compile a file; ``futures`` are the ``__future__`` features its code was compiled with."""
    tree = parse_module(text, file)
    notebook = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT if "ipython" in file or "ipykernel" in file else 0
    module = code_of_text(text, file, futures | notebook)
    return _Parsed(tuple(_functions(tree, None)), tuple(_codes(module)))


def _functions(tree: ast.AST, class_name: str | None) -> Iterator[Found]:
    """The functions in a tree, with the names of the classes around them."""
    for node in tree_nodes(tree, ast.ClassDef):
        if isinstance(node, FUNCTION_NODES):
            yield node, class_name
        elif isinstance(node, ast.ClassDef) and node is not tree:
            yield from _functions(node, node.name)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _codes(constant)


def _find_node(parsed: _Parsed, code: types.CodeType) -> Found | None:
    """The node of a code object, if the file still compiles to that very code."""
    if code not in parsed.codes and not _instrumented(code):
        return None
    nodes = [found for found in parsed.functions if _matches(found[0], code)]
    return min(nodes, key=lambda found: _extent(found[0]), default=None)


def _instrumented(code: types.CodeType) -> bool:
    """Return whether pytest rewrote the ``assert`` statements of this code: its names start with ``@``."""
    return any(name.startswith("@") for name in (*code.co_names, *code.co_varnames))


def _matches(node: FunctionNode, code: types.CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and _contains(node, code)
    return node.name == code.co_name and _first_line(node) == code.co_firstlineno


def _contains(node: ast.Lambda, code: types.CodeType) -> bool:
    """Return whether all instructions of a lambda's code come from this node's body.

    Code that gives a constant has none that tells its place in Python 3.12: it is the node that compiles to the same.
    """
    body = node.body
    start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    spans = [span for span in code.co_positions() if None not in span and span[2] != span[3]]
    if not spans:
        return code.replace(co_flags=0) == _code_of_lambda(node, code.co_filename).replace(co_flags=0)
    return all(start <= (a or 0, c or 0) and (b or 0, d or 0) <= end for a, b, c, d in spans)


def _code_of_lambda(node: ast.Lambda, file: str) -> types.CodeType:
    """The code of a lambda by itself, whose flags do not tell of a function around it or of a module's future features."""
    module = ast.Module([ast.copy_location(ast.Expr(node), node)], [])
    codes = [one for one in code_of_module(module, file).co_consts if isinstance(one, types.CodeType)]
    return codes[-1]  # those of lambdas among its defaults are in front


def _first_line(node: FunctionNode) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min((decorator.lineno for decorator in decorators), default=node.lineno)


def _extent(node: FunctionNode) -> tuple[int, int]:
    lines = (node.end_lineno or node.lineno) - node.lineno
    return lines, (node.end_col_offset or 0) - node.col_offset


def unsupported_kind(function: types.FunctionType) -> Reason | None:
    """Return the reason why a function of this kind is never captured, if there is one.

    Coroutines have no place in a graph.  Globals that are an instance of a subclass of `dict` answer with code of their own.
    """
    code = code_of(function)
    where = Location.of(code)
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        hint = "compile the plain functions that it calls"
        return Reason("AT103", f"`{code.co_name}` is an async function", where, hint)
    if type(function.__globals__) is not dict:
        kind = type(function.__globals__).__name__
        return Reason(
            "AT106", f"`{code.co_name}` has a `{kind}` for its globals, with lookups of its own,", where
        )
    return None
