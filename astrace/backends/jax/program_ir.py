"""Programs, blocks as XLA can run them: values without identity, no writes, no exceptions.

A *program* is made from a block by ``lower`` and written as text by ``emit``.  Its variables hold what JAX
computes, or Python objects that are known when JAX traces: sizes and what follows from them.  A `Step` makes
new variables out of others; parts of steps (`Part`) see the variables around them, as nested functions do.

============== ============================================== =====================================
step           arguments                                      parts (each given …)
============== ============================================== =====================================
``cond``       test                                           then, orelse ()
``while_loop`` carried…                                       test, body (carried…)
``for_loop``   start, stop, carried…                          body (index, carried…)
``unrolled_…`` as the loops; Python runs it when JAX traces
``scan``       start, stop, carried…                          body (index, carried…); puts out rows, too
``function``   its interface                                  body (leaves of the arguments)
============== ============================================== =====================================

``program_ops`` has the ops of all other steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, final

import numpy as np

from astrace.ir.block import NO_ATTRS
from astrace.locations import Location
from astrace.util.trees import Hole, Pattern, Tree, map_tree

DEVICE: Final = np.dtype(object)
"""The dtype of a variable that holds any result of JAX, in a program of JAX's own functions."""


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A variable.

    Args:
        dtype: the dtype of the JAX value it holds; ``None`` for a Python object that is known when JAX traces.
        rank: its number of dimensions.
        name: the user's name for it, if there is one.
    """

    dtype: np.dtype[Any] | None
    rank: int = 0
    name: str = ""

    def rename(self, name: str) -> None:
        """Name a variable that has no name yet as the user does; only printing depends on it."""
        if not self.name:
            object.__setattr__(self, "name", name)


@dataclass(frozen=True, slots=True)
class Lit:
    """A constant of the program; a Python number is written as it is."""

    value: Any


Atom: TypeAlias = Var | Lit


@final
class Missing:
    """Stands for an array that a branch or a loop lacks; its shape is that of the other branch, or the next iteration."""

    def __repr__(self) -> str:
        return "support.MISSING"


MISSING: Final = Missing()


def laid_out(
    args: Sequence[Tree], kwargs: Mapping[str, Tree] = NO_ATTRS
) -> tuple[tuple[Atom, ...], Mapping[str, Any]]:
    """Return the operands in trees of arguments, and the attributes that lay them out in this way.

    Example:
        >>> laid_out(((Lit(1), Lit(2)),), {"axis": Lit(0)})[1]
        {'pattern': Pattern(args=((Hole(index=0), Hole(index=1)),), kwargs={'axis': Hole(index=2)})}
    """
    if not kwargs and all(isinstance(one, Var | Lit) for one in args):
        return tuple(args), NO_ATTRS
    atoms: list[Atom] = []

    def hole(leaf: Any) -> Any:
        if not isinstance(leaf, Var | Lit):
            return leaf
        atoms.append(leaf)
        return Hole(len(atoms) - 1)

    pattern = Pattern(map_tree(hole, tuple(args)), map_tree(hole, dict(kwargs)))
    return tuple(atoms), {"pattern": pattern}


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step.

    Args:
        op: its op.
        args: its operands.
        outs: the variables it makes.
        parts: the parts of a step of control flow.
        attrs: its attributes; ``pattern`` lays ``args`` out if they are nested, or passed by name.
        location: the user's line.
        promotes: the outputs of its parts may differ in dtype; JAX's promotion decides.
        raises: JAX may refuse it when it traces, as NumPy would raise: it stays, even if it is not used.
    """

    op: str
    args: tuple[Atom, ...]
    outs: tuple[Var, ...]
    parts: tuple[Part, ...] = ()
    attrs: Mapping[str, Any] = field(default_factory=lambda: NO_ATTRS)
    location: Location | None = None
    promotes: bool = False
    raises: bool = False


def step_of(
    op: str,
    args: Sequence[Tree],
    out: Var,
    location: Location | None,
    named: Mapping[str, Tree] = NO_ATTRS,
) -> Step:
    """Return a step that makes one variable, out of trees of arguments."""
    atoms, attrs = laid_out(args, named)
    return Step(op, atoms, (out,), (), attrs, location)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A sequence of steps: a whole program, a branch, the body of a loop."""

    inputs: tuple[Var, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Atom, ...]


@dataclass(slots=True)
class OpenPart:
    """A part in the making.

    Args:
        inputs: its inputs.
        steps: the steps written so far.
        known: variables of expressions that are written once, by op and operands.
    """

    inputs: list[Var] = field(default_factory=list[Var])
    steps: list[Step] = field(default_factory=list[Step])
    known: dict[Hashable, Var] = field(default_factory=dict[Hashable, Var])

    def part(self, outputs: tuple[Atom, ...]) -> Part:
        """Return the finished part."""
        return Part(tuple(self.inputs), tuple(self.steps), outputs)


def key_of(step: Step) -> tuple[Tree, ...]:
    """Return the key of an item or an update: atoms, slices of them, ``None`` and ``...``."""
    return step.attrs["pattern"].fill(step.args)[0][-1]


def all_steps(part: Part) -> Iterator[Step]:
    """Yield the steps of a part, including those of inner parts."""
    for step in part.steps:
        yield step
        for inner in step.parts:
            yield from all_steps(inner)


def may_refuse(step: Step) -> bool:
    """Return whether JAX may refuse a step, or one inside it."""
    return step.raises or any(may_refuse(inner) for part in step.parts for inner in part.steps)


def used_by(step: Step) -> set[Var]:
    """Return the variables from around that a step uses."""
    found = {atom for atom in step.args if isinstance(atom, Var)}
    for part in step.parts:
        found |= {atom for atom in part.outputs if isinstance(atom, Var)}
        for inner in part.steps:
            found |= used_by(inner)
    return found


def substituted(step: Step, atom: Callable[[Atom], Atom]) -> Step:
    """Return a step with atoms replaced in it and its parts."""
    parts = tuple(
        Part(
            one.inputs,
            tuple(substituted(inner, atom) for inner in one.steps),
            tuple(map(atom, one.outputs)),
        )
        for one in step.parts
    )
    return replace(step, args=tuple(map(atom, step.args)), parts=parts)


def is_host(atom: Atom) -> bool:
    """Return whether an atom is known when JAX traces."""
    return isinstance(atom, Lit) or atom.dtype is None
