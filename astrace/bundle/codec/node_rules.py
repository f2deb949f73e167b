"""What nodes of a bundle may be: ops of the table, which call and look up what the tables have.

Asked when a graph is saved, so that the error names the user's line, and when one is loaded, so that nothing else runs.
"""

from __future__ import annotations

from collections.abc import Collection
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
from astrace.ir.block import Node
from astrace.ir.constants import show
from astrace.ir.control import CONTROL
from astrace.ir.interpret import call_arguments
from astrace.ir.values import Constant

UNKNOWN: Final = object()
"""Stands for what is only known when the graph runs."""
CONTROL_IN_BUNDLES: Final = CONTROL - {"function"}


def fault(node: Node, operators: Collection[int]) -> str | None:
    """What a bundle may not have about a node; None where all is well.

    Args:
        node: any node.
        operators: the identities of operators, which may be called.
    """
    if node.op in CONTROL:
        return None if node.op in CONTROL_IN_BUNDLES else "it makes a function for JAX"
    if node.op not in OPERATIONS:
        return f"bundles have no operation `{node.op}`"
    given = [operand.value if isinstance(operand, Constant) else UNKNOWN for operand in node.inputs]
    args, kwargs = call_arguments(node, given)
    return _call_fault(node, args, kwargs, operators) or _name_fault(node, args)


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


def _name_fault(node: Node, args: tuple[Any, ...]) -> str | None:
    place = NAMED.get(node.op)
    if place is None:
        return None
    name = args[place] if place < len(args) else UNKNOWN
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
