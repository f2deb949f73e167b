"""``with`` and ``try`` as ``ag.with_`` and ``ag.try_``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from astrace.rewrite import templates
from astrace.rewrite.convert.loops import unpack
from astrace.rewrite.dataflow import parts, targets
from astrace.rewrite.statements import Body, Try, With

if TYPE_CHECKING:
    from astrace.rewrite.convert.converter import Converter


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
