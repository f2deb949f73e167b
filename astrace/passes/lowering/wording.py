"""What stands in the way of a lowered form, in the words of those who wrote the function.

Takes the name of an op, or a spec; gives text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from astrace.ir.specs import ANY, Spec

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
