"""Pieces of Python expressions: constants, displays, arguments and subscripts, with how tightly each binds.

Takes values and trees of pieces, gives `Code`.  It knows how Python is written, nothing of nodes or ops.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.backends.python_source.names import VariableNames
from astrace.backends.python_source.public_names import jax_path, public_path
from astrace.ir.constants import is_nan
from astrace.ir.jax_arrays import is_function as is_device_function
from astrace.locations import Location
from astrace.util.trees import Hole, Tree, is_namedtuple, is_namedtuple_class, leaves

ATOM: Final = 20
NUMBER: Final = 19
UNARY: Final = 12
TERNARY, OR, AND, NOT, COMPARISON = 1, 2, 3, 4, 5


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of an expression.

    Args:
        text: the piece.
        level: how tightly it binds.
        location: the line it came from, where that is known.
        replacement: how it is written inside an f-string, where it is a piece of one.
        kind: the class of a literal or a display.
        update: the left operand, the symbol and the right one, of an operator whose left operand is a number.
    """

    text: str
    level: int = ATOM
    location: Location | None = None
    replacement: str = ""
    kind: type | None = None
    update: tuple[str, str, str] | None = None

    def at(self, level: int) -> str:
        """The text, in parentheses where it binds less tightly than ``level``."""
        return self.text if self.level >= level else f"({self.text})"

    def called(self) -> str:
        """A literal through a call of its class, where Python's compiler would warn of what can't be done with it."""
        if self.kind is None:
            return self.at(ATOM)
        singleton = self.kind in (type(None), type(...))
        return f"type({self.text})()" if singleton else f"{self.kind.__name__}({self.text})"


def constant(value: Any, names: VariableNames) -> Code:
    """A constant."""
    kind: type[Any] = type(value)
    if value is None or value is ... or kind in (bool, str, bytes):
        return Code("..." if value is ... else repr(value), kind=kind)
    if kind is int or (kind is float and math.isfinite(value)):
        return Code(repr(value), UNARY if repr(value).startswith("-") else NUMBER, kind=kind)
    if kind is float and not math.isnan(value):  # the identity of a NaN can be observed
        return Code(f'float("{value!r}")')
    if kind is slice:
        parts = (constant(part, names).text for part in (value.start, value.stop, value.step))
        return Code(f"slice({', '.join(parts)})")
    if kind is tuple:
        return tree([constant(item, names) for item in value], tuple)
    path = public_path(value, names) or (jax_path(value, names) if is_device_function(value) else None)
    if path is not None:
        return Code(path)
    return Code(names.object(value, hint_of(value)))


def hint_of(value: Any) -> str:
    """A readable name for an object."""
    if isinstance(value, np.dtype):
        return f"dtype_{value.name}"
    if is_nan(value):
        return "nan"
    if isinstance(value, dict) and "__name__" in value:
        return f"{value['__name__'].split('.')[-1]}_globals"  # type: ignore[reportUnknownMemberType]
    name = getattr(value, "__name__", None) or type(value).__name__.lower()
    if name.startswith("__") and name.endswith("__"):  # a special method of an object
        return f"{type(getattr(value, '__self__', value)).__name__.lower()}_{name.strip('_')}"
    return name


def tree(items: Sequence[Code], kind: type) -> Code:
    """A display of a list, a tuple or a set."""
    inner = ", ".join(item.at(TERNARY) for item in items)
    if kind is list:
        return Code(f"[{inner}]", kind=kind)
    if kind is tuple:
        return Code(f"({inner},)" if len(items) == 1 else f"({inner})", kind=kind)
    return Code(f"{{{inner}}}", kind=kind)


def lay_out(tree_: Tree, leaf: Callable[[Any], Code]) -> Code:
    """A tree of arguments as Python writes it; ``leaf`` gives its leaves."""

    def inner(part: Tree) -> Code:
        return lay_out(part, leaf)

    if is_namedtuple(tree_) and any(isinstance(part, Code | Hole) for part in leaves(tree_)):
        return namedtuple(type(tree_), leaf(type(tree_)), [inner(part) for part in tree_])
    if is_namedtuple(tree_):
        return leaf(tree_)
    match tree_:
        case _ if type(tree_) in (tuple, list):
            return tree([inner(part) for part in tree_], type(tree_))
        case dict():
            pairs = (f"{inner(key).at(TERNARY)}: {inner(item).at(TERNARY)}" for key, item in tree_.items())
            return Code("{" + ", ".join(pairs) + "}", kind=dict)
        case slice():
            return Code(
                f"slice({inner(tree_.start).text}, {inner(tree_.stop).text}, {inner(tree_.step).text})"
            )
        case _:
            return leaf(tree_)


def subscript(key: Tree, leaf: Callable[[Any], Code]) -> str:
    """Write a key between brackets: slices with colons, a tuple without parentheses."""
    if type(key) is tuple and key:
        return ", ".join(index_text(part, leaf) for part in key) + ("," if len(key) == 1 else "")
    return index_text(key, leaf)


def index_text(key: Tree, leaf: Callable[[Any], Code]) -> str:
    """Write one part of a key between brackets."""
    if not isinstance(key, slice):
        return lay_out(key, leaf).at(TERNARY)
    start, stop, step = (
        "" if part is None else lay_out(part, leaf).at(OR) for part in (key.start, key.stop, key.step)
    )
    return f"{start}:{stop}" + (f":{step}" if step else "")


def namedtuple(cls: type | None, name: Code, items: Sequence[Code]) -> Code:
    """A named tuple; by its constructor where that only stores."""
    if cls is not None and is_namedtuple_class(cls):
        return Code(f"{name.at(ATOM)}({', '.join(item.at(TERNARY) for item in items)})")
    return Code(f"{name.at(ATOM)}._make({tree(items, tuple).text})")
