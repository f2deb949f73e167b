"""The contract between the passes of functional programs and the backends that write them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from astrace.backends.jax.op_text import ROWS
from astrace.backends.jax.runtime import support
from astrace.ops.python.operators import ARITHMETIC, COMPARISON, UNARY
from astrace.passes import functional
from astrace.passes.functional.ops import CONTROL, LIBRARY, NO_WARNING, OWN, SUPPORT, kind_of

FILES = sorted(Path(functional.__file__).parent.rglob("*.py"))
OPERATORS = ARITHMETIC.keys() | COMPARISON.keys() | UNARY.keys()
WRITING = ("expr", "once", "arithmetic")
"""The methods of a lowering that write a node, by the name of its op."""


def constants(tree: ast.AST) -> Iterator[str]:
    """The strings of a module."""
    return (
        one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


def written(tree: ast.AST) -> Iterator[str]:
    """The ops of the nodes that a module writes, where they stand in the call itself."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)
    for node in calls:
        first = node.args[0]
        named = isinstance(node.func, ast.Attribute) and node.func.attr in WRITING
        if named and isinstance(first, ast.Constant):
            yield str(first.value)


def test_every_op_that_the_passes_write_is_one_of_the_tables() -> None:
    """Functions of the array library and of the backend, and ops of their own names."""
    trees = [ast.parse(file.read_text()) for file in FILES]
    dotted = {one for tree in trees for one in constants(tree) if one.startswith(("xp.", "support."))}
    known = {f"xp.{name}" for name in LIBRARY} | {f"support.{name}" for name in SUPPORT}
    assert {one for one in dotted if one[-1] != "." and " " not in one} <= known
    ops = {one for tree in trees for one in written(tree) if "." not in one}
    assert len(ops) > 30
    assert ops <= OWN.keys() | OPERATORS


def test_jax_writes_every_op() -> None:
    """A text for each op of its own name, a function for each that the backend supplies."""
    leaves = {name for name, row in OWN.items() if row.kind != CONTROL}
    assert leaves - ROWS.keys() == {"min"}  # Python's own function
    assert SUPPORT.keys() <= vars(support.FUNCTIONS).keys()


def test_kinds() -> None:
    """Ops that compute are of no kind."""
    assert kind_of("support.no_warnings") == NO_WARNING
    assert kind_of("xp.where") == kind_of("masked") == kind_of("add") == ""
