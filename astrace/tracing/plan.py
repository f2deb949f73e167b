"""The plan of an attempt: what earlier attempts to capture a function have taught."""

from __future__ import annotations

import copy
import functools
import operator
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.errors import Reason
from astrace.guards.access_paths import Path
from astrace.ir.specs import AnySpec, ListSpec, Spec, TupleSpec, UnionSpec, join_elements
from astrace.tracing.changes.journal import Site

MOVE: Final = "move that line into a function of its own: then only its call is left to plain Python"


Place: TypeAlias = tuple[int, int]
"""An instruction: the ``id`` of its code object, and its position."""
Chain: TypeAlias = tuple[Place, ...]
"""The calls that lead to a place, the innermost first."""


@dataclass(slots=True)
class Doubts:
    """Lookups that opaque code may have replaced.

    Args:
        attributes: what opaque code stores, of whatever.
        variables: the globals that it stores.
        members: attributes that were set on objects which only the running program knows, with their classes.
        holders: objects given to code that stores what it computes, by ``id``.
        classes: classes of objects given so which only the running program knows, by ``id``.
    """

    attributes: set[str] = field(default_factory=set[str])
    variables: set[str] = field(default_factory=set[str])
    members: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    holders: dict[int, Any] = field(default_factory=dict[int, Any])
    classes: dict[int, type] = field(default_factory=dict[int, type])

    def size(self) -> int:
        """The number of lookups in doubt."""
        held = (self.attributes, self.variables, self.members, self.holders, self.classes)
        return sum(map(len, held))

    def include(self, other: Doubts) -> bool:
        """Add the contents of another one; return whether anything is new."""
        before = self.size()
        self.attributes |= other.attributes
        self.variables |= other.variables
        self.members |= other.members
        self.holders |= other.holders
        self.classes |= other.classes
        return self.size() > before


@dataclass(slots=True)
class Plan:
    """The lessons of earlier attempts to trace a function.

    Args:
        objects: the sites whose objects must exist when the program runs, with the spec of a list's items.
        wider: what items of lists of unknown origin are to be described by instead, in order.
        unrolled: the loops that are unrolled.
        changing: the loops over containers from outside that their bodies change.
        endless: the functions that call themselves too deeply or too often.
        opaque_classes: the codes of ``__new__`` methods that can't be traced through: the program calls the class.
        operators: the operators, by ``id``, whose calls are nodes of their own.
        trials: the operators, by ``id``, that are traced through, with the plan before that.
        refusing: the functions of properties that may raise, in which case Python asks ``__getattr__``.
        attempts: the ``try`` statements that become nodes, each with the calls that lead to it.
        foretold: those that became nodes in other captures, by the place of the statement itself.
        shared: variables that code assigns which waits for other code, by its code object and their names.
        class_names: the attributes that the function writes on classes, after it has read one of that name.
        reshaped: the sites of arrays whose shape or type is set in place; ``None`` if none was met so far.
        results: what pure callables gave for constants.
        texts: the strings from outside that are walked, and so are data.
        fixed_texts: strings are fixed after all: capture would fail otherwise.
        tuples: branches and loops tell which tuple they lead to, where it may be one that is known elsewhere.
        read_first: the places of outside state that are read in front of a store into them.
        twins: the numbers and texts that are objects of their own where they are computed from constants.
        opaque: a loop holds an opaque call, so outside state is read where the program reads it.
        calling: the loops in which opaque code runs.
        doubts: what may have been replaced by the time that a loop's next iteration begins.
        codes: the code objects that sites name by their ids, with the lines of their instructions.
    """

    objects: dict[Site, Spec | None] = field(default_factory=dict[Site, Spec | None])
    wider: list[tuple[Spec | None, Spec]] = field(default_factory=list[tuple[Spec | None, Spec]])
    unrolled: set[Site] = field(default_factory=set[Site])
    changing: set[Site] = field(default_factory=set[Site])
    endless: dict[types.CodeType, Reason] = field(default_factory=dict[types.CodeType, Reason])
    opaque_classes: set[types.CodeType] = field(default_factory=set[types.CodeType])
    operators: dict[int, Any] = field(default_factory=dict[int, Any])
    trials: dict[int, Plan] = field(default_factory=dict[int, "Plan"])
    refusing: set[types.CodeType] = field(default_factory=set[types.CodeType])
    attempts: set[Chain] = field(default_factory=set[Chain])
    foretold: dict[Place, list[Chain]] = field(default_factory=dict[Place, list[Chain]])
    shared: set[tuple[types.CodeType | None, str]] = field(
        default_factory=set[tuple[types.CodeType | None, str]]
    )
    class_names: set[str] = field(default_factory=set[str])
    reshaped: set[Site] | None = None
    results: list[tuple[tuple[Any, ...], Any]] = field(default_factory=list[tuple[tuple[Any, ...], Any]])
    texts: set[Path] = field(default_factory=set[Path])
    fixed_texts: bool = False
    tuples: bool = False
    read_first: set[tuple[int, Any]] = field(default_factory=set[tuple[int, Any]])
    twins: set[tuple[type, Any]] = field(default_factory=set[tuple[type, Any]])
    opaque: bool = False
    calling: set[Site] = field(default_factory=set[Site])
    doubts: Doubts = field(default_factory=Doubts)
    codes: dict[int, tuple[types.CodeType, list[int]]] = field(
        default_factory=dict[int, tuple[types.CodeType, list[int]]]
    )

    def copied(self) -> Plan:
        """A plan that holds what this one holds now."""
        made = _copied(self)
        made.doubts = _copied(self.doubts)
        return made

    def go_back(self, earlier: Plan, left: Mapping[int, Any]) -> None:
        """Hold what an earlier plan held, with more operators whose calls are nodes."""
        operators = {**self.operators, **left}
        for one in fields(self):
            setattr(self, one.name, getattr(earlier, one.name))
        self.operators = operators

    def keep_objects_of(self, guessed: Plan) -> None:
        """Take in what another plan has learned of objects, and nothing else of it."""
        self.objects, self.codes = guessed.objects, guessed.codes

    def require(self, sites: Iterable[Site], element: Spec | None = None) -> bool:
        """Have the objects made at some sites exist when the program runs; whether that is news.

        Args:
            sites: where they are made.
            element: what lists will hold, beside what is known already.
        """
        before = {site: self.objects.get(site, self) for site in sites}
        for site, known in before.items():
            self.objects[site] = element if known is self else join_elements(self.objects[site], element)
        return any(self.objects[site] != known for site, known in before.items())

    def is_tried(self, chain: Chain) -> bool:
        """Return whether a ``try`` statement becomes a node: it did before, or where another capture came by there."""
        if chain in self.attempts:
            return True
        known = self.foretold.get(chain[0], ())
        return any(all(map(operator.eq, chain, one)) for one in known)  # as far as both know who calls

    def lines(self, code: types.CodeType) -> list[int]:
        """The line of each instruction: ``frame.f_lineno`` decodes the whole table at each look."""
        if id(code) not in self.codes:
            self.codes[id(code)] = code, _lines(code.co_linetable, code.co_firstlineno)
        return self.codes[id(code)][1]


ANY_CODE: Final = (lambda: None).__code__
"""Code that is given the table of other code, to decode it."""


@functools.lru_cache(maxsize=64)
def _lines(table: bytes, first: int) -> list[int]:
    """The line of each instruction of a function that may be captured again, whose code is not held here."""
    lines: list[int] = []
    for start, end, line in ANY_CODE.replace(co_linetable=table, co_firstlineno=first).co_lines():
        lines += [line or 0] * ((end - start) // 2)
    return lines


def _copied(record: Any) -> Any:
    """A dataclass with copies of what its fields hold."""
    made = copy.copy(record)
    for one in fields(record):
        setattr(made, one.name, copy.copy(getattr(record, one.name)))
    return made


def is_unsure(spec: Spec) -> bool:
    """Return whether a type says that a value, or an item of it, may be anything, or any array.

    Such a value may come out of a list whose items had no type yet.

    Args:
        spec: the type.
    """
    match spec:
        case AnySpec():
            return spec.cls in UNSURE
        case ListSpec():
            return spec.element is not None and is_unsure(spec.element)
        case TupleSpec():
            return any(map(is_unsure, spec.items))
        case UnionSpec():
            return any(map(is_unsure, spec.options))
        case _:
            return False


UNSURE: Final = frozenset({None, list, tuple, dict, set, np.ndarray})
"""The classes whose instances are of types that are known better, where all is known that they are made of."""
