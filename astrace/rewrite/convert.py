"""Last step of the rewriting: control flow statements become calls of operators.

    if s > 0:              def then_1(s):  #@2
        s = s * 2              s = s * 2  #@3
                               return (s,)  #@2
                           (s,) = ag.cond(s > 0, then_1, None, (s,))  #@2

A local function takes and returns just the names it carries; everything else it reads where it stands.
A carried name that one of the user's nested functions captures is stored through ``nonlocal``, so that the
nested function sees every new value.  One that a nested function assigns is not carried at all: any call may
change it, so the trace keeps a journal of it.  Expressions keep the user's text; ``rewrite.dispatch`` makes their
leaves dispatch when the text is loaded.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from astrace.rewrite import templates
from astrace.rewrite.conditions import Fresh
from astrace.rewrite.converted import OPERATORS, Converted
from astrace.rewrite.dataflow import Flow, StatementNames, analyse, certainly_bound, parts, targets
from astrace.rewrite.names import declared, names_of, parameters
from astrace.rewrite.statements import (
    Body,
    Define,
    Expression,
    For,
    Function,
    If,
    Plain,
    Return,
    Statement,
    Try,
    While,
    With,
    assignment,
)


def convert(function: Function, fresh: Fresh) -> Converted:
    """The rewritten text of a function without jumps.

    Args:
        function: what the earlier steps made.
        fresh: gives names that the function does not use.
    """
    converted = Converted()
    converter = Converter(function.code, function.body, fresh, converted, frozenset(), StatementNames())
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
        uses: the names in statements, of all these functions.

    Attributes:
        beside: the names that the branches being converted return beside the function's result.
    """

    def __init__(
        self,
        code: ast.FunctionDef,
        body: Body,
        fresh: Fresh,
        converted: Converted,
        outer: frozenset[str],
        uses: StatementNames,
    ) -> None:
        found = uses.all(body)
        elsewhere = declared(code, ast.Nonlocal)
        theirs = elsewhere & outer
        names = (found.binds | set(parameters(code.args))) - declared(code, ast.Global) - (elsewhere - theirs)
        self.body = body
        self.keywords = None if code.args.kwarg is None else code.args.kwarg.arg
        self.fresh = fresh
        self.converted = converted
        self.given = frozenset(parameters(code.args)) | theirs
        self.declared = {"global": declared(code, ast.Global), "nonlocal": elsewhere - theirs}
        self.flow: Flow = analyse(body, names, self.given, (found.captured & names) | theirs, uses)
        self.shared = frozenset(found.rebound & names) | theirs
        converted.shared |= self.shared
        converted.undefined |= self.shared
        self.outer = outer | self.flow.names
        self.needed: set[str] = set()
        self.beside: list[str] = []

    def block(self, line: int) -> cst.IndentedBlock:
        """The function's new body."""
        lines = self.lines(self.body)
        self.needed |= self._read_too_early()
        self.converted.undefined |= self.needed
        undefined = cst.parse_expression(f"{OPERATORS}.UNDEFINED")
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
        """Return the names that may be read before they are bound: they are local there, too."""
        return set(self.flow.start - self.flow.cells) | (self.flow.start - self._bound_outright())

    def _never_bound_outright(self) -> set[str]:
        """Return the shared names bound only in parts of statements, which nothing would make local to the function."""
        return set(self.shared - self._bound_outright())

    def _bound_outright(self) -> set[str]:
        return {name for statement in self.body for name in self.flow.uses.head(statement).binds}

    def _declarations(self) -> int:
        """Count the statements at the start that are a docstring or declarations, which must stay first."""
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
                return self._return(statement)
            case If():
                return convert_if(self, statement)
            case While():
                return convert_while(self, statement)
            case For():
                return convert_for(self, statement)
            case With():
                return convert_with(self, statement)
            case Try():
                return convert_try(self, statement)
            case Define():
                return [self._define(statement)]
            case _:
                raise AssertionError(statement)

    def _return(self, statement: Return) -> Sequence[cst.BaseStatement]:
        if not self.beside:
            return [templates.returns(statement.value.text, statement.line, statement.comments)]
        result = self.fresh("result")
        return [
            self._plain(assignment(result, statement.value, statement.line, statement.comments)),
            templates.returns(templates.names_tuple([*self.beside, result]), statement.line),
        ]

    def _plain(self, plain: Plain) -> cst.BaseStatement:
        if isinstance(plain.code, ast.Delete):
            deleted = {node.id for node in plain.code.targets if isinstance(node, ast.Name)}
            self.needed |= deleted & self.flow.names
        text = plain.text.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
        return templates.line_of(text, plain.line, plain.comments)

    def _define(self, define: Define) -> cst.BaseStatement:
        inner = Converter(define.code, define.body, self.fresh, self.converted, self.outer, self.flow.uses)
        return define.text.with_changes(body=inner.block(define.line), leading_lines=define.comments)

    def bound_in(self, statement: Statement, *bodies: Body) -> set[str]:
        """The names that parts of a statement may bind."""
        return targets(statement).union(*(self.flow.uses.all(body).binds for body in bodies))

    def carried_in(self, statement: Statement, *bodies: Body) -> set[str]:
        """Return the bound names that are carried; shared names, which any call may assign, are journaled instead."""
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


# -- ``if`` ------------------------------------------------------------


def convert_if(converter: Converter, statement: If) -> Sequence[cst.BaseStatement]:
    """The statements for an ``if``.

    The branches take the names that one of them reads before it binds them, or leaves unbound; they return
    the names that are live afterwards; at the end of a function its result, with the names that local functions read,
    which may be called later.
    """
    flow, line = converter.flow, statement.line
    bound = converter.carried_in(statement, statement.then, statement.orelse)
    carried = bound & (flow.cells if statement.tail else flow.after[statement])
    outer = converter.beside
    converter.beside = sorted({*outer, *carried}) if statement.tail else []
    always = certainly_bound(statement.then, flow) & certainly_bound(statement.orelse, flow)
    live = flow.entry[statement, "then"] | flow.entry[statement, "orelse"]
    given = converter.use(statement, (bound & live) | (carried - always))
    then = _branch(converter, statement, "then", statement.then, given, carried)
    lines = [then.with_changes(leading_lines=statement.comments)]
    if statement.orelse or statement.tail or set(given) != carried:
        lines.append(_branch(converter, statement, "else", statement.orelse, given, carried))
    orelse = lines[1].name.value if len(lines) > 1 else "None"
    handed = [templates.names_tuple(given)] if given else []
    value = templates.call("cond", statement.test.text, then.name.value, orelse, *handed)
    beside, converter.beside = converter.beside, outer
    if not statement.tail:
        return [*lines, templates.assign(sorted(carried), value, line)]
    if not beside:
        return [*lines, templates.returns(value, line)]
    result = converter.fresh("result")
    returned = templates.names_tuple([*outer, result]) if outer else cst.Name(result)
    return [*lines, templates.assign([*beside, result], value, line), templates.returns(returned, line)]


def _branch(
    converter: Converter, statement: If, base: str, body: Body, given: Sequence[str], carried: set[str]
) -> cst.FunctionDef:
    line = statement.line
    alone = statement.tail and not converter.beside
    name = converter.region_name(base) if alone else converter.carrying(base)
    lines = converter.lines(body)
    if not statement.tail:
        lines.append(templates.returns(templates.names_tuple(sorted(carried)), line))
    return converter.region(name, given, converter.bound_in(statement, body), lines, line)


# -- ``while`` and ``for`` ------------------------------------------------------------


def convert_while(converter: Converter, loop: While) -> Sequence[cst.BaseStatement]:
    """The statements for a ``while``."""
    flow = converter.flow
    tested = names_of(loop.test.code).reads & flow.names
    live = flow.entry[loop, "body"] | flow.after[loop] | tested
    carried = converter.use(loop, (converter.carried_in(loop, loop.body) & live) - {loop.stop or ""})
    if not set(carried) & flow.cells:
        body = _body(converter, loop, carried, carried, [])
        test = templates.thunk(loop.test.text, carried)
        return [body, _result(loop, "while_loop", [test, body.name.value], carried)]
    returned = [templates.returns(loop.test.text, loop.line)]
    region = converter.region(converter.region_name("test"), carried, set(carried), returned, loop.line)
    body = _body(converter, loop, carried, carried, [])
    return [region, body, _result(loop, "while_loop", [region.name.value, body.name.value], carried)]


def convert_for(converter: Converter, loop: For) -> Sequence[cst.BaseStatement]:
    """The statements for a ``for``; a target that is more than a name of the iteration is unpacked in the body."""
    flow, target = converter.flow, loop.target
    live = (flow.entry[loop, "body"] - targets(loop)) | flow.after[loop]
    carried = converter.use(loop, (converter.carried_in(loop, loop.body) & live) - {loop.stop or ""})
    if isinstance(target.code, ast.Name) and target.code.id in flow.names - flow.cells - set(carried):
        item, start = target.code.id, list[cst.BaseStatement]()
    else:
        item = converter.fresh("item")
        start = [unpack(target, item, loop.line)]
    body = _body(converter, loop, [item, *carried], carried, start)
    return [body, _result(loop, "for_loop", [loop.iterable.text, body.name.value], carried)]


def _body(
    converter: Converter,
    loop: While | For,
    given: Sequence[str],
    carried: Sequence[str],
    start: Sequence[cst.BaseStatement],
) -> cst.FunctionDef:
    name = converter.carrying("body")
    returned = templates.names_tuple([*([loop.stop] if loop.stop else []), *carried])
    lines = [*start, *converter.lines(loop.body), templates.returns(returned, loop.line)]
    region = converter.region(name, given, converter.bound_in(loop, loop.body), lines, loop.line)
    return region.with_changes(leading_lines=loop.comments)


def _result(
    loop: While | For, operator: str, first: Sequence[cst.BaseExpression | str], carried: Sequence[str]
) -> cst.BaseStatement:
    handed = [templates.names_tuple(carried)] if carried else []
    flags = {"breaks": "True"} if loop.stop else {}
    names = [*([loop.stop] if loop.stop else []), *carried]
    return templates.assign(names, templates.call(operator, *first, *handed, **flags), loop.line)


def unpack(target: Expression, item: str, line: int) -> cst.BaseStatement:
    """``target = item``, for the target of a ``for`` or a ``with``."""
    text = cst.ensure_type(target.text, cst.BaseAssignTargetExpression)
    return templates.line_of(cst.Assign([cst.AssignTarget(text)], cst.Name(item)), line)


# -- ``with`` and ``try`` ------------------------------------------------------------


def convert_with(converter: Converter, statement: With) -> Sequence[cst.BaseStatement]:
    """The statements for a ``with``; the body takes what the manager entered."""
    flow, line = converter.flow, statement.line
    bound = converter.carried_in(statement, statement.body)
    carried = sorted(bound & flow.after[statement])
    live = flow.entry[statement, "body"] - targets(statement)
    given = converter.use(statement, bound & live)
    item = converter.fresh("entered")
    name = converter.carrying("body")
    start = [] if statement.target is None else [unpack(statement.target, item, line)]
    returned = templates.returns(templates.names_tuple(carried), line)
    lines = [*start, *converter.lines(statement.body), returned]
    region = converter.region(
        name, [item, *given], converter.bound_in(statement, statement.body), lines, line
    )
    handed = [templates.names_tuple(given)] if given else []
    value = templates.call("with_", statement.manager.text, name, *handed)
    commented = region.with_changes(leading_lines=statement.comments)
    return [commented, templates.assign(carried, value, line)]


def convert_try(converter: Converter, statement: Try) -> Sequence[cst.BaseStatement]:
    """The statements for a ``try`` with handlers or with ``finally``.

    Its parts share the names they bind through ``nonlocal``: a handler sees what the body had bound when it
    raised.  A handler takes the names that it, or what follows, reads before binding them.
    """
    flow, line = converter.flow, statement.line
    bound = converter.carried_in(statement, *parts(statement).values())
    caught = {handler.name for handler in statement.handlers if handler.name}
    after, final = flow.after[statement], flow.entry[statement, "final"]
    live = after.union(*(flow.entry[statement, name] for name in parts(statement)))
    shared = converter.use(statement, (bound & live) - caught)
    cells, flow.cells = flow.cells, flow.cells | frozenset(shared)
    regions: list[cst.FunctionDef] = []

    def part(base: str, body: Body, given: Sequence[str], results: frozenset[str]) -> cst.BaseExpression:
        name = converter.carrying(base)
        returned = [shown for shown in shared if shown in results]
        lines = [*converter.lines(body), templates.returns(templates.names_tuple(returned), line)]
        regions.append(
            converter.region(name, given, converter.bound_in(statement, body) - caught, lines, line)
        )
        return cst.Name(name)

    handlers: list[cst.BaseExpression] = []
    body = part("body", statement.body, shared, final)
    for index, handler in enumerate(statement.handlers):
        needed = [name for name in shared if name in flow.entry[statement, f"handler{index}"]]
        kind = templates.thunk(handler.kind.text if handler.kind else cst.Name("BaseException"))
        given = [handler.name or converter.fresh("error"), *needed]
        function = part("handler", handler.body, given, final)
        handlers.append(templates.tuple_of([kind, function, templates.strings(needed)]))
    needed = [name for name in shared if name in final]
    ending: list[cst.BaseExpression] = [cst.Name("None")]
    if statement.final:
        ending = [
            templates.tuple_of([part("final", statement.final, needed, after), templates.strings(needed)])
        ]
    now = templates.named(shared)
    value = templates.call("try_", body, templates.tuple_of(handlers), *ending, now, templates.thunk(now))
    flow.cells = cells
    regions[0] = regions[0].with_changes(leading_lines=statement.comments)
    return [*regions, templates.assign([name for name in shared if name in after], value, line)]
