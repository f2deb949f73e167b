"""Functional programs: values without identity, no writes, no exceptions; the nodes that they are made of.

A *program* is a `Block` that a backend writes for an array compiler.  Its values hold what the compiled program computes,
or Python objects that are known at compile time: sizes and what follows from them.  A node makes new values out of
others; regions see the values around them, as nested functions do, and capture nothing.

============== ============================================== =====================================
node           inputs                                         regions (each given …)
============== ============================================== =====================================
``cond``       test                                           then, orelse ()
``while_loop`` carried…                                       test, body (carried…)
``for_loop``   start, stop, carried…                          body (index, carried…)
``unrolled_…`` as the loops; Python runs it at compile time
``scan``       start, stop, carried…                          body (index, carried…); puts out rows, too
``function``   its interface                                  body (leaves of the arguments)
============== ============================================== =====================================

All other ops are in `ops`.

A node that ``raises`` is one that the array library may refuse at compile time, as NumPy would raise: it stays, even if it is
not used.  Where a node of control flow has the attribute ``promotes``, the outputs of its regions may differ in dtype, and
the promotion of the array library decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ANY, ArraySpec, Spec
from astrace.passes.functional.ops import kind_of
from astrace.passes.open_blocks import OpenEffects
from astrace.util.trees import Tree

DEVICE: Final = np.dtype(object)
"""The dtype of a value that holds any result of the array library, in a program of device arrays."""
PROMOTES: Final[Mapping[str, Any]] = {"promotes": True}


@dataclass(frozen=True, slots=True)
class Lit(Constant):
    """A constant of a program, equal to others of the same value; a Python number is written as it is."""


Atom: TypeAlias = Operand
"""An operand of a program."""


def variable(dtype: np.dtype[Any] | None, rank: int = 0, name: str = "") -> Value:
    """Return a new value of a program.

    Args:
        dtype: the dtype of the computed value it holds; ``None`` for a Python object that is known at compile time.
        rank: its number of dimensions.
        name: the user's name for it, if there is one.
    """
    return Value(ANY if dtype is None else ArraySpec((None,) * rank, dtype), name)


def value_like(value: Value) -> Value:
    """Return a new value of the same dtype, rank and name."""
    return Value(value.spec, value.name)


def atom_dtype(atom: Atom) -> np.dtype[Any] | None:
    """Return the dtype of a computed value; ``None`` for what is known at compile time."""
    return atom.spec.dtype if isinstance(atom, Value) and isinstance(atom.spec, ArraySpec) else None


def atom_rank(atom: Atom) -> int:
    """Return the number of dimensions of a computed value; 0 for what is known at compile time."""
    return len(atom.spec.shape) if isinstance(atom, Value) and isinstance(atom.spec, ArraySpec) else 0


def scalar_type(dtype: np.dtype[Any]) -> str:
    """Return the op that makes a scalar of a dtype."""
    return f"xp.{dtype.name if dtype.kind != 'b' else 'bool_'}"


def rank_of(spec: Spec) -> int:
    """Return the number of dimensions of a result."""
    return len(spec.shape) if isinstance(spec, ArraySpec) else 0


def identity(atom: Atom) -> Hashable:
    """Return a key that equal atoms have in common."""
    if isinstance(atom, Value):
        return id(atom)
    value = atom.value
    plain = isinstance(value, bool | int | float | complex | str | tuple | np.dtype | type(None))
    return (type(value), repr(value)) if plain else id(value)


def is_host(atom: Atom) -> bool:
    """Return whether an atom is known at compile time."""
    return atom_dtype(atom) is None


def known_logic(op: str, left: Atom, right: Atom) -> Atom | None:
    """Return ``both`` or ``either`` of two truth values where it is known: of ``x & True``, ``x | x`` and the like."""
    neutral = op == "both"
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant):
            return other if bool(one.value) is neutral else Lit(not neutral)
    return left if left is right else None


@final
class Missing:
    """Stands for an array that a branch or a loop lacks; its shape is that of the other branch, or the next iteration."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


@dataclass(slots=True)
class UnfinishedBlock:
    """A block in the making.

    Args:
        inputs: its inputs.
        nodes: the nodes written so far.
        known: values of expressions that are written once, by op and operands.
    """

    inputs: list[Value] = field(default_factory=list[Value])
    nodes: list[Node] = field(default_factory=list[Node])
    known: dict[Hashable, Value] = field(default_factory=dict[Hashable, Value])

    def block(self, outputs: tuple[Atom, ...]) -> Block:
        """Return the finished block."""
        return Block(tuple(self.inputs), tuple(self.nodes), outputs)

    def note_refusals(self, first: int) -> None:
        """Mark nodes from ``first`` on that may be refused at compile time, as NumPy would raise.

        These compute with arrays, or results that are known at compile time.
        """
        for index, node in enumerate(self.nodes[first:], first):
            arrays = any(atom_rank(atom) for atom in node.inputs)
            made = any(atom_dtype(out) is None or atom_dtype(out) == DEVICE for out in node.outputs)
            if not kind_of(node.op) and (arrays or made):
                self.nodes[index] = replace(node, raises=True)


LOOPS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("while_loop", "unrolled_while"), 0),
    **dict.fromkeys(("bounded_while", "for_loop", "scan", "unrolled_for"), 2),
}
"""The nodes that are loops, and the number of inputs in front of the carried values."""
EFFECTS: Final = OpenEffects(LOOPS)


def key_of(node: Node) -> tuple[Tree, ...]:
    """Return the key of an item or an update: atoms, slices of them, ``None`` and ``...``."""
    return node.attrs["pattern"].fill(node.inputs)[0][-1]
