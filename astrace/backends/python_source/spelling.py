"""Source of ops: one entry for each that is not simply a function called by its name."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.backends.python_source.expressions import (
    ATOM,
    COMPARISON,
    NOT,
    OR,
    TERNARY,
    UNARY,
    Code,
    constant,
    lay_out,
    namedtuple,
    subscript,
    tree,
)
from astrace.backends.python_source.names import VariableNames
from astrace.backends.python_source.public_names import public_path
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.jax_arrays import jax_module
from astrace.ir.specs import ArraySpec, GenericSpec, Spec, class_of
from astrace.ir.walk import nodes
from astrace.ops import OPS, Op
from astrace.ops.effects import may_retry
from astrace.ops.numpy.method_aliases import METHODS
from astrace.ops.numpy.names import SUBSCRIPTED
from astrace.ops.python.operators import INPLACE
from astrace.util.entrances import Entrance, Entrances, entry
from astrace.util.trees import Pattern, Tree

LEVELS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "is", "is not", "in", "not in"), 5),
    "|": 6,
    "^": 7,
    "&": 8,
    **dict.fromkeys(("<<", ">>"), 9),
    **dict.fromkeys(("+", "-"), 10),
    **dict.fromkeys(("*", "/", "//", "%", "@"), 11),
    "**": 13,
}
READS: Final = ("read_global", "read_cell", "get_attr")
"""Ops that look a name up when the program runs; the name is their second input."""
WARNED: Final = frozenset({int, float, str, bytes, tuple})
"""Classes whose literals Python's compiler warns of beside ``is``."""


class Speller:
    """Writes leaf nodes.

    Args:
        names: gives names to objects.
    """

    def __init__(self, names: VariableNames) -> None:
        self.names = names
        self._entrances: Mapping[int, Entrance] = {}
        self._late: frozenset[Value] = frozenset()

    def enters(self, block: Block, entrances: Entrances) -> None:
        """Call compiled functions in two steps, those that are known and those that are read by such names."""
        self._entrances = entrances.functions
        self._late = frozenset(
            node.outputs[0]
            for node in nodes(block)
            if node.op in READS
            and any(isinstance(one, Constant) and one.value in entrances.names for one in node.inputs[1:])
        )

    def called(self, node: Node, callee: Code) -> tuple[str, str]:
        """Return the text before and behind the arguments of a call."""
        function = node.inputs[0] if node.inputs else None
        if isinstance(function, Constant) and (known := self._entrances.get(id(function.value))) is not None:
            return f"{self.names.object(known, function.value.__name__)}.enter(", ")()"
        if function in self._late:
            return f"{self.names.object(entry, 'entry')}({callee.text})(", ")()"
        return f"{callee.called()}(", ")"

    def spell(self, node: Node, inputs: Sequence[Code]) -> Code:
        """The expression for a node, given those for its inputs."""
        op = OPS[node.op]
        args, kwargs = self.arguments(node, inputs)
        special = SPECIAL.get(node.op)
        if special is not None:
            return special(self, node, args, kwargs)
        if op.symbol and not kwargs and node.op not in INPLACE:
            codes = [self.code(arg) for arg in args]
            return replace(self._operator(op, codes), update=_update(op, node, codes))
        return self._call(op, node, args, kwargs)

    def arguments(self, node: Node, inputs: Sequence[Code]) -> tuple[list[Tree], dict[str, Tree]]:
        """The arguments as trees with `Code` for the values."""
        attrs = dict(node.attrs)
        pattern: Pattern | None = attrs.pop("pattern", None)
        if pattern is None:
            return list(inputs), attrs
        args, kwargs = pattern.fill(inputs)
        return list(args), {**attrs, **kwargs}

    def code(self, part: Tree) -> Code:
        """An argument as an expression."""
        return lay_out(part, lambda leaf: leaf if isinstance(leaf, Code) else constant(leaf, self.names))

    def texts(self, args: Sequence[Tree], kwargs: Mapping[str, Tree]) -> str:
        """The text between the parentheses of a call."""
        shown = [self.code(arg).at(TERNARY) for arg in args]
        return ", ".join([*shown, *(self._keyword(name, value) for name, value in kwargs.items())])

    def _keyword(self, name: str, value: Tree) -> str:
        shown = self.code(value).at(TERNARY)
        return f"{name}={shown}" if is_attribute_name(name) else f"**{{{name!r}: {shown}}}"

    def _operator(self, op: Op, args: Sequence[Code]) -> Code:
        if op.name in ("is_", "is_not"):
            args = [Code(arg.called()) if arg.kind in WARNED else arg for arg in args]
        if len(args) == 1:
            level = NOT if op.symbol == "not" else UNARY
            return Code(f"{op.symbol}{' ' if level == NOT else ''}{args[0].at(level)}", level)
        level = LEVELS[op.symbol]
        left, right = (level + 1, level) if op.symbol == "**" else (level, level + 1)
        if level == COMPARISON:
            left = right = level + 1
        if op.symbol == "**":
            right = UNARY
        return Code(f"{args[0].at(left)} {op.symbol} {args[1].at(right)}", level)

    def _call(self, op: Op, node: Node, args: Sequence[Tree], kwargs: Mapping[str, Tree]) -> Code:
        if _is_method_call(op, node, args, kwargs):
            owner = self.code(args[0]).at(ATOM)
            return Code(f"{owner}.{op.method}({self.texts(args[1:], kwargs)})")
        return Code(f"{self.function(op)}({self.texts(args, kwargs)})")

    def spell_item(self, node: Node, args: Sequence[Tree]) -> str:
        """``owner[key]``, to be stored to or deleted."""
        owner, key = self.code(args[0]), _key(node, args[1])
        text = owner.at(ATOM) if _may_index(owner.kind, key) else owner.called()
        return f"{text}[{subscript(key, _leaf(self))}]"

    def attribute(self, args: Sequence[Tree]) -> str:
        """``owner.name``, given both."""
        owner, name = self.code(args[0]), _plain_string(args[1])
        if is_attribute_name(name):
            return f"{owner.at(ATOM)}.{name}"
        return f"{self.code(getattr).text}({owner.at(TERNARY)}, {name!r})"

    def attribute_statement(self, args: Sequence[Tree]) -> str:
        """``owner.name = value``, given all three, or without a value ``del owner.name``."""
        owner, name = self.code(args[0]), _plain_string(args[1])
        values = [self.code(value) for value in args[2:]]
        if is_attribute_name(name):
            place = f"{owner.at(ATOM)}.{name}"
            return f"{place} = {values[0].text}" if values else f"del {place}"
        function = self.code(setattr if values else delattr).text
        return (
            f"{function}({', '.join([owner.at(TERNARY), repr(name), *(one.at(TERNARY) for one in values)])})"
        )

    def function(self, op: Op) -> str:
        """Return the text of an op's function."""
        if op.name.startswith(("np.", "math.")):
            return op.name
        path = public_path(op.function, self.names)
        return path if path is not None else self.names.object(op.function, op.function.__name__)


def _update(op: Op, node: Node, args: Sequence[Code]) -> tuple[str, str, str] | None:
    """Return the parts of an operator that may be written in place, and means the same: the left operand can't change."""
    kinds = [_kind_of(operand.spec) for operand in node.inputs] if "pattern" not in node.attrs else []
    if len(kinds) != 2 or "" in kinds or not {*kinds} <= {*UPDATES.get(op.name, "")}:
        return None
    return args[0].text, op.symbol, args[1].text


def _kind_of(spec: Spec) -> str:
    """The kind of a number's dtype; nothing for other objects."""
    cls = class_of(spec)
    dtype = spec.dtype if isinstance(spec, GenericSpec) else NUMBERS.get(cls) if cls is not None else None
    return "" if dtype is None else dtype.kind


UPDATES: Final = {
    **dict.fromkeys(("add", "sub", "mul", "truediv"), "biufc"),
    **dict.fromkeys(("floordiv", "mod"), "biuf"),
    **dict.fromkeys(("and_", "or_", "xor", "lshift", "rshift"), "biu"),
}
"""The operators that numbers of some kinds have: no error tells whether they were written in place."""
NUMBERS: Final[Mapping[type, np.dtype[Any]]] = {cls: np.dtype(cls) for cls in (bool, int, float, complex)}


Special: TypeAlias = Callable[[Speller, Node, list[Tree], dict[str, Tree]], Code]


def _get_item(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    return Code(speller.spell_item(node, args))


def _key(node: Node, key: Tree, place: int = 1) -> Tree:
    """A constant key taken apart, so that it is written as the user would."""
    if (
        isinstance(key, Code)
        and "pattern" not in node.attrs
        and isinstance(given := node.inputs[place], Constant)
    ):
        return given.value if isinstance(given.value, tuple | slice) else key
    return key


def _bracketed(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    return Code(f"{node.op}[{subscript(_key(node, args[0], 0), _leaf(speller))}]")


def _may_index(kind: type | None, key: Tree) -> bool:
    """Return whether Python's compiler accepts a key for a literal of a class without a warning."""
    if kind in (None, dict):
        return True
    of_key = key.kind if isinstance(key, Code) else type(key)
    return kind in (list, tuple, str, bytes) and of_key in (None, int, bool, slice)


def _leaf(speller: Speller) -> Callable[[Any], Code]:
    return lambda leaf: leaf if isinstance(leaf, Code) else constant(leaf, speller.names)


def _get_attr(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    return Code(speller.attribute(args))


def is_attribute_name(name: str) -> bool:
    """Return whether an attribute, or a keyword of a call, can be written as a name; any text can be one."""
    return name.isidentifier() and name.isascii() and not keyword.iskeyword(name)


def _plain_string(part: Tree) -> str:
    """The attribute name that a constant spells."""
    text = part.text if isinstance(part, Code) else repr(part)
    return text[1:-1]


def _dim(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    array, axis = speller.code(args[0]), speller.code(args[1]).text
    return Code(f"len({array.text})" if axis == "0" else f"{array.at(ATOM)}.shape[{axis}]")


def _call(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    opening, closing = speller.called(node, speller.code(args[0]))
    return Code(f"{opening}{speller.texts(args[1:], kwargs)}{closing}")


def _spread(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    return Code(f"[*{speller.code(args[0]).at(OR)}]", kind=list)


def _call_spread(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    shown = [f"*{speller.code(args[1]).at(OR)}", *filter(None, [speller.texts((), kwargs)])]
    return Code(f"{speller.code(args[0]).called()}({', '.join(shown)})")


def _is_method_call(op: Op, node: Node, args: Sequence[Tree], kwargs: Mapping[str, Tree]) -> bool:
    """Return whether an op can be written as a call of its first argument's method; scalars lack some, such as ``dot``."""
    if not op.method or not args or not node.inputs or may_retry(node):
        return False
    spec = node.inputs[0].spec
    owned = isinstance(args[0], Code) and isinstance(spec, ArraySpec | GenericSpec)
    return owned and hasattr(class_of(spec), op.method) and METHODS[op.method].takes(len(args) - 1, kwargs)


def _call_method(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    return Code(f"{speller.attribute(args)}({speller.texts(args[2:], kwargs)})")


def _device_update(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    """``array.at[key].set(value)``."""
    owner = speller.code(args[0]).at(ATOM)
    key = subscript(_key(node, args[1]), _leaf(speller))
    return Code(f"{owner}.at[{key}].{_plain_string(args[2])}({speller.texts(args[3:], kwargs)})")


def _device_apply(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    """Write ``jax.grad(f)(x)``, or the leaves of its result."""
    named = {name: value for name, value in kwargs.items() if name != "gives"}
    flat = args[1].text == "True" if isinstance(args[1], Code) else args[1]
    call = f"{speller.code(args[0]).called()}({speller.texts(args[2:], named)})"
    if flat:
        return Code(call)
    speller.names.own("jax", jax_module())
    return Code(f"jax.tree.leaves({call})")


def _method(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    owner = speller.code(args[0]).at(ATOM)
    return Code(f"{owner}.{OPS[node.op].method}({speller.texts(args[1:], kwargs)})")


def _display(kind: type) -> Special:
    def display(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
        if kind is set and not args:
            return Code("set()")
        return tree([speller.code(arg) for arg in args], kind)

    return display


def _make_dict(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    codes = [speller.code(arg).at(TERNARY) for arg in args]
    pairs = (f"{key}: {value}" for key, value in zip(codes[::2], codes[1::2], strict=True))
    return Code("{" + ", ".join(pairs) + "}", kind=dict)


def _make_namedtuple(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    return namedtuple(
        class_of(node.outputs[0].spec), speller.code(args[0]), [speller.code(arg) for arg in args[1:]]
    )


def _join_strings(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    codes = [speller.code(arg) for arg in args]
    known = _known_strings(node, args)
    texts = [
        code.replacement if text is None else _literal(text) for text, code in zip(known, codes, strict=True)
    ]
    if all(texts):
        return Code(f"f'{''.join(texts)}'", kind=str)
    pieces = ", ".join(code.at(TERNARY) for code in codes)
    return Code(f"''.join(({pieces},))")


def _known_strings(node: Node, args: Sequence[Tree]) -> list[str | None]:
    """The arguments that are string constants; ``None`` for the others."""
    values = args
    if "pattern" not in node.attrs:
        values = [operand.value if isinstance(operand, Constant) else None for operand in node.inputs]
    return [value if isinstance(value, str) else None for value in values]


def _literal(text: str) -> str:
    """Text of an f-string outside braces."""
    return repr("'\"" + text)[4:-1].replace("{", "{{").replace("}", "}}")


def _format_value(speller: Speller, node: Node, args: list[Tree], kwargs: dict[str, Tree]) -> Code:
    """Write one piece of an f-string."""
    value, conversion, spec = (speller.code(arg) for arg in args)
    kind = CONVERSIONS.get(conversion.text, "")
    shown = f"{kind}({value.at(TERNARY)})" if kind else value.at(TERNARY)
    text = f"format({shown})" if spec.text == "''" else f"format({shown}, {spec.at(TERNARY)})"
    return Code(text, replacement=_replacement(value.at(OR), kind, _known_strings(node, args)[2]))


def _replacement(value: str, kind: str, spec: str | None) -> str:
    """A piece of an f-string between braces; nothing where Python's grammar has no way to write it there."""
    if spec is None or set(value) & set("{}'\"\\\n#!:=") or set(spec) & set("{}'\"\\\n"):
        return ""
    return "{" + value + (f"!{kind[0]}" if kind else "") + (f":{spec}" if spec else "") + "}"


CONVERSIONS: Final = {"115": "str", "114": "repr", "97": "ascii"}  # by Python's own numbers for them

SPECIAL: Final[Mapping[str, Special]] = {
    "get_item": _get_item,
    "get_attr": _get_attr,
    "dim": _dim,
    "call": _call,
    "call_pure": _call,
    "call_method": _call_method,
    "call_spread": _call_spread,
    "spread": _spread,
    "device_call": _call,
    "device_method": _call_method,
    "device_update": _device_update,
    "device_apply": _device_apply,
    "make_list": _display(list),
    "make_tuple": _display(tuple),
    "make_set": _display(set),
    "make_dict": _make_dict,
    "make_namedtuple": _make_namedtuple,
    "join_strings": _join_strings,
    "format_value": _format_value,
    **{name: _method for name in OPS.by_name if name.startswith("ndarray.")},
    **{f"np.{name}": _bracketed for name in SUBSCRIPTED},
}
