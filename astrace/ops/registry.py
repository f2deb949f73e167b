"""The registry of ops: one row for each, found by name or by the function it stands for.

A row says what the op does (a function), what is known of its result (a rule), how it is written in
Python, and what a pass must know before it moves, merges or drops a node: which inputs it writes, whether
its result shares memory with an input, whether it can raise, whether its place in the order matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from astrace.ir.specs import Spec

Rule: TypeAlias = Callable[[tuple[Any, ...], Mapping[str, Any]], "Spec | tuple[Spec, ...] | None"]
"""Gives the spec of an op's result.

The arguments come laid out as in the call, with a `Spec` for each value and the Python object for each
constant.  ``None`` means that nothing is known.
"""


class Impossible(Exception):
    """Raised by a `Rule` where the function can only raise."""


DEEP: Final = 99
"""For ops that read all levels of the containers they are given, as a conversion to an array does."""

Test: TypeAlias = Callable[[tuple[Any, ...], Mapping[str, Any]], bool]
"""Answers yes or no for arguments laid out as a `Rule` sees them."""


def always(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """True of all arguments."""
    return True


@dataclass(frozen=True, slots=True)
class Switch:
    """An argument that makes an op reuse what it is given, unless it is left at its default.

    Args:
        place: its position.
        name: its keyword.
        default: the constant that leaves it off.
    """

    place: int
    name: str
    default: bool | int

    def is_on(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Return whether a call sets the argument to anything but its default."""
        given = args[self.place] if self.place < len(args) else kwargs.get(self.name, self.default)
        return given is not self.default

    def is_off(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
        """Return whether a call leaves the argument at its default."""
        return not self.is_on(args, kwargs)


@dataclass(frozen=True, slots=True)
class Op:
    """One operation.

    Args:
        name: its name in blocks: a Python operator's (``add``), or the public path of a function (``np.sum``).
        function: what it does.
        rule: the spec of its result.
        symbol: the Python operator that spells it.
        method: the method that spells it on an array.
        writes: the positions and keywords of the arguments it changes in place.
        overwrites: tells, for given arguments, that it may change any of them; by default it does not.
        fresh: tells, for given arguments, that neither its result nor what it writes comes to share memory
            with anything else among them; by default it may.  What containers hold is judged by their specs.
        ordered: it may see or do things outside its arguments, so it keeps its place among such nodes.
        safe: tells, for given arguments, that it can't raise; by default it may.
        creates: its result is new and its own at each call, however constant the arguments.
        identity: its result tells which objects its arguments are, or whether they share memory.
        droppable: it is left out where nobody uses its result, with the exception that it might have raised.
        reads: how many levels deep it only reads the containers it is given; objects that lie deeper may be
            held by its result, or by an argument it changes.
    """

    name: str
    function: Callable[..., Any]
    rule: Rule
    symbol: str = ""
    method: str = ""
    writes: tuple[int | str, ...] = ()
    overwrites: Test | None = None
    fresh: Test | None = None
    ordered: bool = False
    safe: Test | None = None
    creates: bool = False
    identity: bool = False
    droppable: bool = False
    reads: int = 1


class Table:
    """Ops by name and by function.

    Args:
        rows: the ops; a name stands once.
        lowered: the ops that only lowered blocks have beside them: no program calls these.
    """

    def __init__(self, rows: Iterable[Op], lowered: Iterable[Op] = ()) -> None:
        by_name: dict[str, Op] = {}
        by_function: dict[int, Op] = {}
        for op in rows:
            assert op.name not in by_name, op.name
            by_name[op.name] = op
            by_function.setdefault(id(op.function), op)
        self.by_name: Mapping[str, Op] = MappingProxyType(by_name)
        self._all: Mapping[str, Op] = MappingProxyType({**by_name, **{op.name: op for op in lowered}})
        self._by_function: Mapping[int, Op] = MappingProxyType(by_function)

    def __getitem__(self, name: str) -> Op:
        return self._all[name]

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def find(self, function: Any) -> Op | None:
        """The op that a function stands for, if there is one."""
        op = self._by_function.get(id(function))
        return op if op is not None and op.function is function else None

    def implementation(self, name: str) -> Callable[..., Any]:
        """Return the function that an op stands for."""
        return self[name].function
