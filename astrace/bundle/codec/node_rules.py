"""What nodes of a bundle may be: ops of the table, which call and look up what the tables have.

Asked when a graph is saved, so that the error names the user's line, and when one is loaded, so that nothing else runs.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping, Sequence
from string import Formatter
from typing import Any, Final

from astrace.bundle.codec.tables import (
    ATTRIBUTES,
    CALLS,
    CLASSES_MADE,
    METHODS,
    NAMED,
    OPERATIONS,
    SETTABLE,
    may_be_called,
)
from astrace.guards.access_paths import Path, Root
from astrace.ir.block import Block, Node, Operand
from astrace.ir.constants import show
from astrace.ir.control import CONTROL
from astrace.ir.interpret import call_arguments
from astrace.ir.values import Constant
from astrace.ir.walk import captured

UNKNOWN: Final = object()
"""Stands for what is only known when the graph runs."""
NO_OPERANDS: Final[Mapping[Operand, Any]] = types.MappingProxyType({})
CONTROL_IN_BUNDLES: Final = CONTROL - {"function"}


def fault(
    node: Node, operators: Collection[int], pinned: Mapping[Operand, Any] | None = NO_OPERANDS
) -> str | None:
    """What a bundle may not have about a node; None where all is well.

    Args:
        node: any node.
        operators: the identities of operators, which may be called.
        pinned: the operators that operands stand for; ``None`` where that is not known yet, and will be asked again.
    """
    if node.op in CONTROL:
        return None if node.op in CONTROL_IN_BUNDLES else "it makes a function for JAX"
    if node.op not in OPERATIONS:
        return f"bundles have no operation `{node.op}`"
    known = NO_OPERANDS if pinned is None else pinned
    given = [one.value if isinstance(one, Constant) else known.get(one, UNKNOWN) for one in node.inputs]
    args, kwargs = call_arguments(node, given)
    if pinned is None and args and args[0] is UNKNOWN and node.op in ("call", "call_method"):
        return None
    return _call_fault(node, args, kwargs, operators) or _name_fault(node, args, operators)


def _call_fault(
    node: Node, args: tuple[Any, ...], kwargs: dict[str, Any], operators: Collection[int]
) -> str | None:
    place = CALLS.get(node.op)
    if place is not None:
        called = args[place] if place < len(args) else UNKNOWN
        if called is UNKNOWN:
            return f"`{node.op}` calls what is only known when it runs"
        if id(called) not in operators and not may_be_called(called) and not _is_filter(node, called):
            return f"it calls {show(called)}"
    if node.op in ("type", "iter") and len(args) + len(kwargs) > 1:
        return f"`{node.op}` is given more than one argument"
    place = CLASSES_MADE.get(node.op)
    if place is not None and not isinstance(args[place] if place < len(args) else None, type):
        return f"`{node.op}` makes an instance of what is only known when it runs"
    if (
        node.op in ("sorted", "max", "min")
        and kwargs.get("key") is not None
        and not may_be_called(kwargs["key"])
    ):
        return f"`{node.op}` calls a key function"
    if "formatter" in kwargs:
        return "it is given formatting functions"
    return None


def _is_filter(node: Node, called: Any) -> bool:
    return node.op == "filter" and called is None


def pinned_operands(block: Block, paths: Sequence[Path], operators: Collection[int]) -> dict[Operand, Any]:
    """The operators that the inputs of a block stand for, and their captures in regions."""
    found: dict[Operand, Any] = {
        value: path.pinned
        for value, path in zip(block.inputs, paths, strict=True)
        if isinstance(path, Root) and id(path.pinned) in operators
    }
    if found:
        found |= {inner: found[outer] for inner, outer in captured(block).items() if outer in found}
    return found


class UnmadeOperator:
    """Stands for an operator in a graph that is looked at, and not to be called."""

    def __call__(self) -> None:
        """Nothing can be called."""


def _is_method(name: Any, owner: Any) -> bool:
    """Return whether a name is that of a public method that the class of an operator has in Python."""
    if type(name) is not str or name.startswith("_"):
        return name == "__call__"
    if isinstance(owner, UnmadeOperator):
        return True
    found = next((vars(cls)[name] for cls in type(owner).__mro__ if name in vars(cls)), None)
    return isinstance(getattr(found, "__func__", found), types.FunctionType)  # of class methods, too


def _name_fault(node: Node, args: tuple[Any, ...], operators: Collection[int]) -> str | None:
    place = NAMED.get(node.op)
    if place is None:
        return None
    name = args[place] if place < len(args) else UNKNOWN
    if node.op == "call_method" and id(args[0]) in operators:
        return None if _is_method(name, args[0]) else f"an operator has no public method {name!r:.80}"
    if node.op == "call_method" and name == "format" and _is_plain_format(args[0]):
        return None
    known = {"call_method": METHODS, "set_attr": SETTABLE}.get(node.op, ATTRIBUTES | METHODS)
    if type(name) is str and name in known:
        return None
    return (
        f"`{node.op}` looks up {'a name that is only known when it runs' if name is UNKNOWN else repr(name)}"
    )


def _is_plain_format(text: Any) -> bool:
    """Return whether a text is a format whose fields are arguments themselves, not what is reached from them."""
    if type(text) is not str:
        return False
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return False
    reaching = any(set(name or "") & set(".[]") for _, name, _, _ in parts)
    return not reaching and not any("{" in (spec or "") for _, _, spec, _ in parts)
