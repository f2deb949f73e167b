"""Liveness and definite assignment at each statement of a function without jumps.

Liveness is one backward walk, definedness one forward walk; loops are repeated until nothing changes.
Results are side tables; the tree is not touched.  A name that a nested function captures is live
everywhere, since the function may read it at any time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from astrace.rewrite.names import Function as AnyFunction
from astrace.rewrite.names import Known, NameUses, names_of
from astrace.rewrite.statements import (
    Body,
    Define,
    For,
    If,
    Jump,
    Match,
    Plain,
    Return,
    Statement,
    Try,
    While,
    With,
)

NameSet: TypeAlias = frozenset[str]
NOTHING: NameSet = frozenset()


@dataclass(slots=True)
class StatementNames:
    """The uses of names in the statements of one function and of those in it, each found once."""

    _heads: dict[Statement, NameUses] = field(default_factory=dict[Statement, NameUses])
    _whole: dict[Statement, NameUses] = field(default_factory=dict[Statement, NameUses])
    _known: Known = field(default_factory=dict[AnyFunction, NameUses])

    def head(self, statement: Statement) -> NameUses:
        """The uses of names in a leaf statement, or in the head of a compound one."""
        if statement not in self._heads:
            self._heads[statement] = self._found(statement)
        return self._heads[statement]

    def _found(self, statement: Statement) -> NameUses:
        match statement:
            case Plain():
                found = names_of(statement.code, known=self._known)
                if isinstance(statement.code, ast.Delete):
                    found.reads |= found.binds
                return found
            case Define():
                return names_of(statement.code, known=self._known)
            case If() | While():
                return names_of(statement.test.code, known=self._known)
            case For():
                return names_of(statement.iterable.code, known=self._known)
            case With():
                return names_of(statement.manager.code, known=self._known)
            case Return():
                return names_of(statement.value.code, known=self._known)
            case Try() | Jump() | Match():
                return NameUses()

    def all(self, body: Body) -> NameUses:
        """The uses of names in all statements of a body, inner bodies included, nested functions as one."""
        found = NameUses()
        for statement in body:
            found.update(self._all_in(statement))
        return found

    def _all_in(self, statement: Statement) -> NameUses:
        inner = parts(statement)
        if not inner:
            return self.head(statement)
        if statement not in self._whole:
            found = self.all(sum(inner.values(), ()))
            found.update(self.head(statement))
            found.binds |= targets(statement)
            self._whole[statement] = found
        return self._whole[statement]


@dataclass(slots=True)
class Flow:
    """Side tables for one function.

    Args:
        names: the local names of the function.
        cells: those that nested functions capture.
        uses: the names in its statements.
        start: the names that may be read before they are bound.
        after: the names live after each statement.
        entry: the names live where a part (``then``, ``body``, …) of a statement starts.
        bound: the names certainly bound before each statement that has parts.
    """

    names: NameSet
    cells: NameSet
    uses: StatementNames
    start: NameSet = NOTHING
    after: dict[Statement, NameSet] = field(default_factory=dict[Statement, NameSet])
    entry: dict[tuple[Statement, str], NameSet] = field(default_factory=dict[tuple[Statement, str], NameSet])
    bound: dict[Statement, NameSet] = field(default_factory=dict[Statement, NameSet])


def parts(statement: Statement) -> dict[str, Body]:
    """The bodies of a compound statement, by name."""
    match statement:
        case If():
            return {"then": statement.then, "orelse": statement.orelse}
        case While() | For() | With():
            return {"body": statement.body}
        case Try():
            handlers = {f"handler{i}": handler.body for i, handler in enumerate(statement.handlers)}
            return {"body": statement.body, **handlers, "final": statement.final}
        case _:
            return {}


def targets(statement: Statement) -> set[str]:
    """The names that the head of a compound statement binds: a loop's target, ``as`` names."""
    match statement:
        case For():
            return names_of(statement.target.code).binds
        case With() if statement.target is not None:
            return names_of(statement.target.code).binds
        case Try():
            return {handler.name for handler in statement.handlers if handler.name}
        case _:
            return set()


def analyse(
    body: Body,
    names: Iterable[str],
    parameters: Iterable[str],
    cells: Iterable[str],
    uses: StatementNames,
) -> Flow:
    """Run both analyses on one function's body.

    Args:
        body: statements without jumps.
        names: the local names; others are not tracked.
        parameters: the names bound when the function starts.
        cells: the local names that nested functions capture.
        uses: the names in the statements.
    """
    flow = Flow(frozenset(names), frozenset(cells), uses)
    flow.start = _live(body, flow.cells, NOTHING, flow) - frozenset(parameters)
    _bound(body, frozenset(parameters), flow)
    return flow


def _live(body: Body, after: NameSet, raised: NameSet, flow: Flow) -> NameSet:
    """The names live where ``body`` starts; ``raised`` are those that a handler around may read."""
    for statement in reversed(body):
        after = after | raised
        flow.after[statement] = after
        after = _live_before(statement, after, raised, flow) | raised
    return after


def _live_before(statement: Statement, after: NameSet, raised: NameSet, flow: Flow) -> NameSet:
    found = flow.uses.head(statement)
    reads = frozenset(found.reads & flow.names)
    match statement:
        case If():
            branches = [_part(statement, name, after, raised, flow) for name in ("then", "orelse")]
            return reads | branches[0] | branches[1]
        case While() | For():
            return _live_loop(statement, after | flow.cells, raised, flow) | reads
        case With():
            inner = _part(statement, "body", after, raised, flow)
            return (inner - targets(statement)) | reads
        case Try():
            return _live_try(statement, after, raised, flow)
        case Return():
            return reads | flow.cells
        case _:
            return (after - (found.binds - flow.cells)) | reads


def _part(statement: Statement, name: str, after: NameSet, raised: NameSet, flow: Flow) -> NameSet:
    live = _live(parts(statement)[name], after, raised, flow)
    flow.entry[statement, name] = live
    return live


def _live_loop(loop: While | For, after: NameSet, raised: NameSet, flow: Flow) -> NameSet:
    """A loop's head is reached again from its end: repeat until no more names become live there."""
    tested = flow.uses.head(loop).reads & flow.names if isinstance(loop, While) else NOTHING
    stop = frozenset({loop.stop} if loop.stop else ())
    bound = targets(loop) - flow.cells
    head = after | tested
    while True:
        inner = _part(loop, "body", head | stop, raised, flow) - bound
        if inner <= head:
            return head - stop
        head = head | inner


def _live_try(statement: Try, after: NameSet, raised: NameSet, flow: Flow) -> NameSet:
    final = _part(statement, "final", after, raised, flow) if statement.final else after
    flow.entry[statement, "final"] = final
    caught = NOTHING
    for index, handler in enumerate(statement.handlers):
        live = _part(statement, f"handler{index}", final, raised | final, flow)
        kinds = names_of(handler.kind.code).reads & flow.names if handler.kind else NOTHING
        caught = caught | (live - {handler.name or ""}) | kinds
    return _part(statement, "body", final, raised | caught | final, flow)


def _bound(body: Body, before: NameSet, flow: Flow) -> NameSet:
    """The names certainly bound after ``body``, given those bound before it."""
    # Names that simple statements bind are gathered in one set up to the next compound statement.
    added: set[str] = set()
    for statement in body:
        if isinstance(statement, Plain | Define) and not isinstance(statement.code, ast.Delete):
            added |= flow.uses.head(statement).binds
            continue
        before, added = before | added, set()
        flow.bound[statement] = before
        before = _bound_after(statement, before, flow)
    return before | added


def _bound_after(statement: Statement, before: NameSet, flow: Flow) -> NameSet:
    match statement:
        case If():
            then, orelse = (_bound(part, before, flow) for part in (statement.then, statement.orelse))
            if _raises(statement.then):
                return orelse
            return then if _raises(statement.orelse) else then & orelse
        case While():
            _bound(statement.body, before, flow)
            return before | ({statement.stop} if statement.stop else NOTHING)
        case For():
            _bound(statement.body, before | targets(statement), flow)
            return before | ({statement.stop} if statement.stop else NOTHING)
        case With():
            return _bound(statement.body, before | targets(statement), flow)
        case Try():
            return _bound_try(statement, before, flow)
        case Plain() if isinstance(statement.code, ast.Delete):
            return before - flow.uses.head(statement).binds
        case _:
            return before | flow.uses.head(statement).binds


def _bound_try(statement: Try, before: NameSet, flow: Flow) -> NameSet:
    done = _bound(statement.body, before, flow)
    for handler in statement.handlers:
        start = before | ({handler.name} if handler.name else NOTHING)
        end = _bound(handler.body, start, flow) - {handler.name or ""}
        done = done if _raises(handler.body) else done & end
    return done | _bound(statement.final, before, flow)


def _raises(body: Body) -> bool:
    """Return whether a body always ends with ``raise``."""
    if not body:
        return False
    match body[-1]:
        case Plain() as last:
            return isinstance(last.code, ast.Raise)
        case Return():
            return True
        case If() as last:
            return _raises(last.then) and _raises(last.orelse)
        case _:
            return False


def certainly_bound(body: Body, flow: Flow) -> NameSet:
    """The names that running ``body`` to its end certainly binds; all local names if it never ends."""
    return flow.names if _raises(body) else _bound(body, NOTHING, Flow(flow.names, NOTHING, flow.uses))
