"""The steps of the rewriting that work on text, from a function's source to its converted text.

parse   text → tree
names   ``eval(text)``: the names that it sees are handed to it
desugar ``match``, walrus conditions, ``yield``: short for other statements
handlers ``except … as name``: the name is unbound when the handler ends
jumps   ``break``, ``continue``, ``return``: nested or flagged, so that analysis is one backward walk
convert control flow → calls of operators on small local functions
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from astrace.rewrite.convert import convert
from astrace.rewrite.converted import OPERATORS, Converted, Unconverted
from astrace.rewrite.desugar import desugar
from astrace.rewrite.except_names import unbind_caught
from astrace.rewrite.jumps import lower_jumps
from astrace.rewrite.seen_names import tell_names
from astrace.rewrite.source import FunctionSource
from astrace.rewrite.statements import Unparsed, parse
from astrace.rewrite.unsupported import FRAME_READERS, HINT
from astrace.util.parsing import tree_nodes

UNPARSED: Final = "syntax that `libcst` does not know is not captured"


def conversion(source: FunctionSource) -> Converted:
    """Convert a function.

    Args:
        source: its text, and the line on which that begins; nothing else is looked at.

    Raises:
        Unconverted: it can't be.
    """
    try:
        tree = parse(source)
    except Unparsed as unparsed:
        raise Unconverted(UNPARSED, unparsed.line, HINT) from None
    names = names_used(tree.code)
    if OPERATORS in names:
        message = f"the name `{OPERATORS}` is reserved for the operators"
        raise Unconverted(message, source.line, "rename it")
    fresh = _fresh_names(names)
    tree = tree if names.isdisjoint(FRAME_READERS) else tell_names(tree)
    structured = unbind_caught(desugar(tree, fresh), fresh)
    return convert(lower_jumps(structured, fresh), fresh)


NAMING: Final = frozenset(
    {
        *(ast.Name, ast.arg, ast.FunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal, ast.alias),
        *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping),
    }
)
"""The nodes that hold names; most of all nodes are others."""


def names_used(code: ast.AST) -> set[str]:
    """Return every name that a syntax tree reads, binds or declares: variables, parameters, functions, imports."""
    names: set[str] = set()
    for node in tree_nodes(code):
        if type(node) not in NAMING:
            continue
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Global() | ast.Nonlocal():
                names.update(node.names)
            case ast.alias():
                names.add((node.asname or node.name).split(".")[0])
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                names.add(name)
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                names.add(name)
            case _:
                pass
    return names


def _fresh_names(taken: set[str]) -> Callable[[str], str]:
    """A source of names, numbered by base, that are not taken."""
    counts: dict[str, int] = {}

    def fresh(base: str) -> str:
        counts[base] = counts.get(base, 0) + 1
        name = f"{base}_{counts[base]}"
        return fresh(base) if name in taken else name

    return fresh
