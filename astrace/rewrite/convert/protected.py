"""``with`` and ``try`` as ``ag.with_`` and ``ag.try_``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from astrace.rewrite import fragments
from astrace.rewrite.convert.loops import unpack
from astrace.rewrite.flow import parts, targets
from astrace.rewrite.tree import Body, Try, With

if TYPE_CHECKING:
    from astrace.rewrite.convert.converter import Converter


def convert_with(converter: Converter, statement: With) -> Sequence[cst.BaseStatement]:
    """The statements for a ``with``; the body takes what the manager entered."""
    flow, line = converter.flow, statement.line
    bound = converter.bound_in(statement, statement.body)
    carried = sorted(bound & flow.after[statement])
    live = flow.entry[statement, "body"] - targets(statement)
    given = converter.use(statement, bound & live)
    item = converter.fresh("entered")
    name = converter.carrying("body")
    start = [] if statement.target is None else [unpack(statement.target, item, line)]
    returned = fragments.returns(fragments.names_tuple(carried), line)
    lines = [*start, *converter.lines(statement.body), returned]
    region = converter.region(name, [item, *given], bound, lines, line)
    handed = [fragments.names_tuple(given)] if given else []
    value = fragments.call("with_", statement.manager.text, name, *handed)
    commented = region.with_changes(leading_lines=statement.comments)
    return [commented, fragments.assign(carried, value, line)]


def convert_try(converter: Converter, statement: Try) -> Sequence[cst.BaseStatement]:
    """The statements for a ``try``.

    Its parts share the names they bind through ``nonlocal``, so that a handler sees what the body had bound
    when it raised; the last argument of the operator reads them at any moment.
    """
    flow, line = converter.flow, statement.line
    bound = converter.bound_in(statement, *parts(statement).values())
    caught = {handler.name for handler in statement.handlers if handler.name}
    live = flow.after[statement].union(*(flow.entry[statement, name] for name in parts(statement)))
    shared = converter.use(statement, (bound & live) - (caught - flow.after[statement]))
    cells, flow.cells = flow.cells, flow.cells | frozenset(shared)
    regions: list[cst.FunctionDef] = []

    def part(base: str, body: Body, extra: Sequence[str] = ()) -> cst.BaseExpression:
        name = converter.carrying(base)
        returned = fragments.returns(fragments.names_tuple(shared), line)
        lines = [*converter.lines(body), returned]
        inside = converter.bound_in(statement, body) - caught
        regions.append(converter.region(name, [*extra, *shared], inside, lines, line))
        return cst.Name(name)

    arguments = [
        part("body", statement.body),
        fragments.tuple_of(
            fragments.tuple_of(
                [
                    fragments.thunk(handler.kind.text if handler.kind else cst.Name("BaseException")),
                    part("handler", handler.body, [handler.name or converter.fresh("error")]),
                ]
            )
            for handler in statement.handlers
        ),
        part("final", statement.final) if statement.final else cst.Name("None"),
        fragments.names_tuple(shared),
        fragments.thunk(fragments.names_tuple(shared)),
    ]
    flow.cells = cells
    regions[0] = regions[0].with_changes(leading_lines=statement.comments)
    return [*regions, fragments.assign(shared, fragments.call("try_", *arguments), line)]
