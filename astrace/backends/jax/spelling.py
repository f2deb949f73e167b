"""Ops of programs as Python expressions: the one place where they become text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from astrace.backends.jax.program_ops import row_of
from astrace.backends.python_source.expressions import ATOM, TERNARY, Code, lay_out
from astrace.util.trees import Pattern, Tree

HOLE: Final = re.compile(r"\{(\d+)(?::(\w+))?\}")
Constants = Callable[[Any], Code]
"""Returns the text of an argument that is not a variable."""


def spelled(
    op: str, codes: Sequence[Code], layout: Pattern | None, constant: Constants, home: str = "jnp"
) -> Code:
    """Return the expression of an op.

    Args:
        op: its name.
        codes: its operands.
        layout: the pattern that lays them out as arguments; ``None`` for one after the other.
        constant: returns the text of the other arguments.
        home: the module that JAX's functions are called from.
    """

    def leaf(part: Any) -> Code:
        return part if isinstance(part, Code) else constant(part)

    args, kwargs = (codes, {}) if layout is None else layout.fill(codes)
    row = row_of(op)
    if row.template:
        return Code(_filled(row.template, args, leaf), row.level)
    shown = [lay_out(one, leaf).at(TERNARY) for one in args]
    shown += [f"{name}={lay_out(one, leaf).at(TERNARY)}" for name, one in kwargs.items()]
    if op.startswith("."):
        owner = lay_out(args[0], leaf).at(ATOM)
        return Code(f"{owner}{op}({', '.join(shown[1:])})")
    function = f"{home}.{op.removeprefix('jnp.')}" if op.startswith("jnp.") else op
    return Code(f"{function}({', '.join(shown)})")


def _filled(template: str, args: Sequence[Tree], leaf: Constants) -> str:
    """Fill the holes of a template, with parentheses where they are needed."""

    def text(match: re.Match[str]) -> str:
        part, wanted = args[int(match[1])], match[2]
        if wanted == "key":
            return _key(part, leaf)
        if wanted == "items":
            return "".join(f"{lay_out(one, leaf).at(TERNARY)}, " for one in part)
        return lay_out(part, leaf).at(int(wanted or TERNARY))

    return HOLE.sub(text, template)


def _key(key: Sequence[Tree], leaf: Constants) -> str:
    """Write a key between the brackets behind an array."""
    return ", ".join(_index(part, leaf) for part in key) or "()"


def _index(part: Tree, leaf: Constants) -> str:
    """Write one part of a key."""
    if part is None or part is ...:
        return "None" if part is None else "..."
    if not isinstance(part, slice):
        return lay_out(part, leaf).at(TERNARY)
    start, stop, step = (
        "" if one is None else lay_out(one, leaf).at(TERNARY) for one in (part.start, part.stop, part.step)
    )
    return f"{start}:{stop}" + (f":{step}" if step else "")
