"""What stands in the way of a lowered form, in the words of those who wrote the function.

Takes the name of an op, a spec, or a node; gives text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from astrace.ir.block import Constant, Node
from astrace.ir.specs import ANY, Spec
from astrace.ir.walk import nodes
from astrace.locations import Location

CALL: Final = "a call that is left to Python"
CHECKED: Final = "a list or an array that other code may change"
WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("call", "call_pure", "call_spread", "call_mapping", "call_method"), CALL),
    **dict.fromkeys(("check_array", "check_still", "check_unchanged"), CHECKED),
    "another": "a number made of constants, as an object of its own",
    "delete_item": "`del` of an item",
    "format_value": "an f-string",
    "join_strings": "an f-string",
    "make_dict": "a dict",
    "make_object": "an object that is made",
    "make_set": "a set",
    "raise_": "`raise`",
    "read_cell": "a variable of an enclosing function",
    "read_global": "a global variable",
    "set_attr": "an attribute that can't be set behind the loop",
    "try_": "`try`",
    "with_": "`with`",
}
"""What ops are called that nobody writes by their names."""


def op_in_words(op: str) -> str:
    """Return what an op is called, by the name of its function if it is written so."""
    return WORDS.get(op, f"`{op}`")


def type_in_words(spec: Spec) -> str:
    """Return what a value of a type is called."""
    return "a value of unknown type" if spec == ANY else f"a value of type {spec}"


def unknown_in_words(loop: Node) -> tuple[str, Location | None] | None:
    """Return what gives the first value of unknown type in a loop, and where; ``None`` where it comes from in front of it.

    Args:
        loop: a node with regions.
    """
    for region in loop.regions:
        for node in nodes(region):
            gives = any(output.spec == ANY for output in node.outputs)
            if gives and not node.regions and all(one.spec != ANY for one in node.inputs):
                return f"what {_called(node)} gives, whose type is not known", node.location
    return None


def _called(node: Node) -> str:
    """Return what a node calls."""
    function = node.inputs[0].value if node.inputs and isinstance(node.inputs[0], Constant) else None
    if node.op in ("call", "call_pure"):
        name = getattr(function, "__qualname__", None)
        return "a call" if name is None else f"`{name}`"
    if node.op == "call_method" and isinstance(node.inputs[1], Constant):
        return f"`.{node.inputs[1].value}(...)`"
    return op_in_words(node.op)
