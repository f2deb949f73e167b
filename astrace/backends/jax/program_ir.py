"""A block as XLA wants it: values without identity, no writes, no exceptions.

A *program* is made from a block by ``lower`` and written as text by ``emit``.  Its variables hold what JAX
computes, or Python objects that are known when JAX traces: sizes and what follows from them.  A `Step` makes
new variables out of others; parts of steps (`Part`) see the variables around them, as nested functions do.

============== ============================================== =====================================
step           arguments                                      parts (each given …)
============== ============================================== =====================================
``expression`` what the holes of ``text`` stand for
``logic``      two truth values, or two lengths
``calm``       floats, and what they were made of
``item``       array, what the holes of the key hold
``update``     array, value, what the holes of the key hold
``cond``       test                                           then, orelse ()
``while_loop`` carried…                                       test, body (carried…)
``for_loop``   start, stop, carried…                          body (index, carried…)
``unrolled_…`` as the loops; Python runs it when JAX traces
``scan``       start, stop, carried…                          body (index, carried…); puts out rows, too
``function``   its interface                                  body (leaves of the arguments)
============== ============================================== =====================================
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias, final

import numpy as np

from astrace.locations import Location

DEVICE: Final = np.dtype(object)
"""The dtype of a variable that holds whatever JAX makes of an expression, in a program of JAX's own functions."""


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A variable.

    Args:
        dtype: of the JAX value it holds; ``None`` for a Python object that is known when JAX traces.
        rank: how many dimensions it has.
        name: the user's name for it, where there is one.
    """

    dtype: np.dtype[Any] | None
    rank: int = 0
    name: str = ""

    def rename(self, name: str) -> None:
        """Give a variable that has no name yet the one the user gives it; nothing but printing depends on it."""
        if not self.name:
            object.__setattr__(self, "name", name)


@dataclass(frozen=True, slots=True)
class Lit:
    """A constant of the program; a Python number is written as it is."""

    value: Any


Atom: TypeAlias = Var | Lit


@final
class Missing:
    """Stands where a branch or a loop has no array yet; the shape is that of the other branch, or of the next iteration."""

    def __repr__(self) -> str:
        return "support.MISSING"


MISSING: Final = Missing()


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step.

    Args:
        op: which kind of step.
        args: what it is given.
        outs: the variables it makes.
        parts: the programs inside a step of control flow.
        text: an expression with numbered holes for ``args``; for an item or an update the key.
        level: how tightly the expression binds.
        location: the user's line.
        promotes: what the parts put out may differ in dtype; JAX's promotion decides.
        raises: JAX may refuse it when it traces, as NumPy would raise: it stays, even if nobody uses it.
    """

    op: str
    args: tuple[Atom, ...]
    outs: tuple[Var, ...]
    parts: tuple[Part, ...] = ()
    text: str = ""
    level: int = 0
    location: Location | None = None
    promotes: bool = False
    raises: bool = False


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
        steps: what is written so far.
        known: expressions that are written once, by what they compute.
    """

    inputs: list[Var] = field(default_factory=list[Var])
    steps: list[Step] = field(default_factory=list[Step])
    known: dict[Hashable, Var] = field(default_factory=dict[Hashable, Var])

    def part(self, outputs: tuple[Atom, ...]) -> Part:
        """What has been made."""
        return Part(tuple(self.inputs), tuple(self.steps), outputs)


def all_steps(part: Part) -> Iterator[Step]:
    """The steps of a part, those of inner parts included."""
    for step in part.steps:
        yield step
        for inner in step.parts:
            yield from all_steps(inner)


def may_refuse(step: Step) -> bool:
    """Whether JAX may refuse a step, or one inside it."""
    return step.raises or any(may_refuse(inner) for part in step.parts for inner in part.steps)


def used_by(step: Step) -> set[Var]:
    """The variables from around that a step uses."""
    found = {atom for atom in step.args if isinstance(atom, Var)}
    for part in step.parts:
        found |= {atom for atom in part.outputs if isinstance(atom, Var)}
        for inner in part.steps:
            found |= used_by(inner)
    return found


def substituted(step: Step, atom: Callable[[Atom], Atom]) -> Step:
    """A step with atoms replaced in it and its parts."""
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
    """Whether an atom is known when JAX traces."""
    return isinstance(atom, Lit) or atom.dtype is None
