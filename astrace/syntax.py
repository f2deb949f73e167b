"""Python text to syntax trees, and syntax trees to code, by one thread at a time.

CPython counts how deep it is in a tree in one place for all threads: where two of them turn trees into objects, or
objects into code, at once, ``SystemError: AST constructor recursion depth mismatch`` may be raised
(https://github.com/python/cpython/issues/106905).
"""

from __future__ import annotations

import ast
import threading
import types
from typing import Any, Final

LOCK: Final = threading.RLock()
"""Nobody who holds it waits for anything else."""


def parse_module(text: str, file: str = "<unknown>") -> ast.Module:
    """The tree of a module's text."""
    with LOCK:
        return ast.parse(text, file)


def parse_expression(text: str) -> ast.expr:
    """The tree of an expression's text."""
    with LOCK:
        return ast.parse(text, mode="eval").body


def code_of_text(text: str, file: str) -> types.CodeType:
    """The code of a module's text."""
    with LOCK:
        return compile(text, file, "exec", dont_inherit=True)


def code_of_module(tree: Any, file: str) -> types.CodeType:
    """The code of a module's tree."""
    with LOCK:
        return compile(tree, file, "exec", dont_inherit=True)
