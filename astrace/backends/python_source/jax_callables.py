"""Source of functions that are given to JAX: trees are taken apart, results put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def taken_apart(parameters: Sequence[str], leaves: Sequence[str]) -> str:
    """The line that binds the leaves of arguments which are trees.

    Args:
        parameters: the names of the arguments.
        leaves: the names of the leaves.

    Example:
        >>> taken_apart(["argument"], ["w", "b"])
        'w, b = jax.tree.leaves((argument,))'
    """
    targets = f"{', '.join(leaves)}{',' if len(leaves) == 1 else ''}" if leaves else "()"
    return f"{targets} = jax.tree.leaves(({', '.join(parameters)}{',' if len(parameters) == 1 else ''}))"


def packed(result: Any, leaves: Sequence[str], name: Callable[[Any], str]) -> str:
    """Return the expression for a function's result.

    Args:
        result: what it is made of, as `astrace.ir.control.Interface` says.
        leaves: the expressions for its leaves.
        name: gives a name to the structure of a tree.

    Example:
        >>> packed(None, ["x"], str), packed(2, ["x", "y"], str)
        ('x', '(x, y)')
    """
    if result is None:
        return leaves[0]
    whole = f"({', '.join(leaves)}{',' if len(leaves) == 1 else ''})"
    return whole if isinstance(result, int) else f"jax.tree.unflatten({name(result)}, {whole})"
