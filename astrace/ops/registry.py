"""What an op is: one row for each, found by name or by the function it stands for.

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

DEEP: Final = 99
"""For ops that read all levels of the containers they are given, as a conversion to an array does."""

Raises: TypeAlias = Callable[[tuple[Any, ...], Mapping[str, Any]], bool]


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
        view: its result may share memory with its first argument.
        ordered: it may see or do things outside its arguments, so it keeps its place among such nodes.
        safe: tells, for given arguments, that it can't raise; by default it may.
        creates: its result is new and its own at each call, however constant the arguments.
        identity: its result tells which objects its arguments are, or whether they share memory.
        reads: how many levels deep it only reads the containers it is given; objects that lie deeper may be
            held by its result, or by an argument it changes.
    """

    name: str
    function: Callable[..., Any]
    rule: Rule
    symbol: str = ""
    method: str = ""
    writes: tuple[int | str, ...] = ()
    view: bool = False
    ordered: bool = False
    safe: Raises | None = None
    creates: bool = False
    identity: bool = False
    reads: int = 1


class Table:
    """Ops by name and by function.

    Args:
        rows: the ops; a name stands once.
    """

    def __init__(self, rows: Iterable[Op]) -> None:
        by_name: dict[str, Op] = {}
        by_function: dict[int, Op] = {}
        for op in rows:
            assert op.name not in by_name, op.name
            by_name[op.name] = op
            by_function.setdefault(id(op.function), op)
        self.by_name: Mapping[str, Op] = MappingProxyType(by_name)
        self._by_function: Mapping[int, Op] = MappingProxyType(by_function)

    def __getitem__(self, name: str) -> Op:
        return self.by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    def find(self, function: Any) -> Op | None:
        """The op that a function stands for, if there is one."""
        op = self._by_function.get(id(function))
        return op if op is not None and op.function is function else None

    def implementation(self, name: str) -> Callable[..., Any]:
        """What an op does."""
        return self.by_name[name].function
