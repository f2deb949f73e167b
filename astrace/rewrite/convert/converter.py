"""Converting the statements of one function; the compound ones have modules of their own."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

from astrace.rewrite import templates
from astrace.rewrite.convert import branches, loops, try_with
from astrace.rewrite.dataflow import Flow, all_names, analyse, names_in, targets
from astrace.rewrite.names import declared, parameters
from astrace.rewrite.statements import (
    Body,
    Define,
    For,
    Function,
    If,
    Plain,
    Return,
    Statement,
    Try,
    While,
    With,
)
from astrace.rewrite.walrus import Fresh


@dataclass(slots=True)
class Converted:
    """A converted function.

    Args:
        text: its source.
        regions: the names of the local functions that stand for parts of statements.
        carrying: those of them that return the names they carry.
        undefined: the local names that may be unbound where they are read.
        shared: the local names that nested functions assign.
    """

    text: str = ""
    regions: set[str] = field(default_factory=set[str])
    carrying: set[str] = field(default_factory=set[str])
    undefined: set[str] = field(default_factory=set[str])
    shared: set[str] = field(default_factory=set[str])


def convert(function: Function, fresh: Fresh) -> Converted:
    """The rewritten text of a function without jumps.

    Args:
        function: what the earlier steps made.
        fresh: gives names that the function does not use.
    """
    converted = Converted()
    converter = Converter(function.code, function.body, fresh, converted, frozenset())
    text = function.text.with_changes(
        decorators=(), body=converter.block(function.code.lineno), leading_lines=(), returns=None
    )
    converted.text = cst.Module([text]).code
    return converted


class Converter:
    """The state of converting one function: its flow tables and what the text will need.

    Args:
        code: the function's syntax tree, for its signature and declarations.
        body: its statements, without jumps.
        fresh: gives unused names.
        converted: collects what is known of the whole text.
        outer: the local names of the functions around.
    """

    def __init__(
        self, code: ast.FunctionDef, body: Body, fresh: Fresh, converted: Converted, outer: frozenset[str]
    ) -> None:
        found = all_names(body)
        elsewhere = declared(code, ast.Nonlocal)
        theirs = elsewhere & outer
        names = (found.binds | set(parameters(code.args))) - declared(code, ast.Global) - (elsewhere - theirs)
        self.body = body
        self.keywords = None if code.args.kwarg is None else code.args.kwarg.arg
        self.fresh = fresh
        self.converted = converted
        self.given = frozenset(parameters(code.args)) | theirs
        self.declared = {"global": declared(code, ast.Global), "nonlocal": elsewhere - theirs}
        self.flow: Flow = analyse(body, names, self.given, (found.captured & names) | theirs)
        self.shared = frozenset(found.rebound & names) | theirs
        converted.shared |= self.shared
        converted.undefined |= self.shared
        self.outer = outer | self.flow.names
        self.needed: set[str] = set()

    def block(self, line: int) -> cst.IndentedBlock:
        """The function's new body."""
        lines = self.lines(self.body)
        self.needed |= self._read_too_early()
        self.converted.undefined |= self.needed
        undefined = cst.parse_expression(f"{templates.OPERATORS}.UNDEFINED")
        start: list[cst.BaseStatement] = [
            templates.line_of(cst.Assign([cst.AssignTarget(cst.Name(name))], undefined), line)
            for name in sorted((self.needed | self._never_bound_outright()) - self.given)
        ]
        if self.keywords is not None:
            start.append(templates.called(self.keywords, "keywords", line))
        first = self._declarations()
        body = [*lines[:first], *start, *lines[first:]]
        return cst.IndentedBlock(body or [templates.line_of(cst.Pass(), line)], header=templates.origin(line))

    def _read_too_early(self) -> set[str]:
        """Names that may be read before they are bound: they are local there, too, whatever becomes of the binding."""
        return set(self.flow.start - self.flow.cells) | (self.flow.start - self._bound_outright())

    def _never_bound_outright(self) -> set[str]:
        """Shared names that only parts of statements bind, so that nothing would make them local to the function."""
        return set(self.shared - self._bound_outright())

    def _bound_outright(self) -> set[str]:
        return {name for statement in self.body for name in names_in(statement).binds}

    def _declarations(self) -> int:
        """How many statements at the start are a docstring or declarations, which must stay first."""
        for index, statement in enumerate(self.body):
            code = statement.code if isinstance(statement, Plain) else None
            docstring = isinstance(code, ast.Expr) and isinstance(code.value, ast.Constant)
            if not docstring and not isinstance(code, ast.Global | ast.Nonlocal):
                return index
        return len(self.body)

    def lines(self, body: Body) -> list[cst.BaseStatement]:
        """Convert statements one after the other."""
        return [line for statement in body for line in self._statement(statement)]

    def _statement(self, statement: Statement) -> Sequence[cst.BaseStatement]:
        match statement:
            case Plain():
                return [self._plain(statement)]
            case Return():
                return [templates.returns(statement.value.text, statement.line, statement.comments)]
            case If():
                return branches.convert_if(self, statement)
            case While():
                return loops.convert_while(self, statement)
            case For():
                return loops.convert_for(self, statement)
            case With():
                return try_with.convert_with(self, statement)
            case Try():
                return try_with.convert_try(self, statement)
            case Define():
                return [self._define(statement)]
            case _:
                raise AssertionError(statement)

    def _plain(self, plain: Plain) -> cst.BaseStatement:
        if isinstance(plain.code, ast.Delete):
            deleted = {node.id for node in plain.code.targets if isinstance(node, ast.Name)}
            self.needed |= deleted & self.flow.names
        text = plain.text.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
        return templates.line_of(text, plain.line, plain.comments)

    def _define(self, define: Define) -> cst.BaseStatement:
        inner = Converter(define.code, define.body, self.fresh, self.converted, self.outer)
        return define.text.with_changes(body=inner.block(define.line), leading_lines=define.comments)

    def bound_in(self, statement: Statement, *bodies: Body) -> set[str]:
        """The names that parts of a statement may bind."""
        return {name for body in bodies for name in all_names(body).binds} | targets(statement)

    def carried_in(self, statement: Statement, *bodies: Body) -> set[str]:
        """Those of them that are carried: any call may assign a shared name, so these are journaled instead."""
        return self.bound_in(statement, *bodies) - self.shared

    def use(self, statement: Statement, names: set[str]) -> list[str]:
        """Names to pass into parts of ``statement``; those that may be unbound there get a first value."""
        self.needed |= names - self.flow.bound[statement]
        return sorted(names)

    def carrying(self, base: str) -> str:
        """A name for a region that returns the names it carries."""
        name = self.region_name(base)
        self.converted.carrying.add(name)
        return name

    def region_name(self, base: str) -> str:
        """A name for a region."""
        name = self.fresh(base)
        self.converted.regions.add(name)
        return name

    def region(
        self, name: str, given: Sequence[str], bound: set[str], body: Sequence[cst.BaseStatement], line: int
    ) -> cst.FunctionDef:
        """A local function that takes ``given`` and may bind ``bound``.

        Names that live in cells are assigned through ``nonlocal``; their parameters get names of their own.
        """
        cells = sorted((bound | set(given)) & self.flow.cells)
        taken = {cell: self.fresh(f"{cell}_in") for cell in cells if cell in given}
        outside = sorted(cells + sorted(bound & self.declared["nonlocal"]))
        start: list[cst.BaseStatement] = [templates.nonlocals(outside, line)] if outside else []
        if unseen := sorted(bound & self.declared["global"]):
            start.append(templates.globals_(unseen, line))
        start += [templates.rename(cell, parameter, line) for cell, parameter in taken.items()]
        return templates.define(name, [taken.get(item, item) for item in given], [*start, *body], line)
