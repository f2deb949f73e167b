"""``if`` as ``ag.cond``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from astrace.rewrite import templates
from astrace.rewrite.dataflow import certainly_bound
from astrace.rewrite.statements import Body, If

if TYPE_CHECKING:
    from astrace.rewrite.convert.converter import Converter


def convert_if(converter: Converter, statement: If) -> Sequence[cst.BaseStatement]:
    """The statements for an ``if``.

    The branches take the names that one of them reads before it binds them, or leaves unbound; they return
    the names that are live afterwards, or, at the end of a function, its result.
    """
    flow, line = converter.flow, statement.line
    bound = converter.carried_in(statement, statement.then, statement.orelse)
    carried = set[str]() if statement.tail else bound & flow.after[statement]
    always = certainly_bound(statement.then, flow.names) & certainly_bound(statement.orelse, flow.names)
    live = flow.entry[statement, "then"] | flow.entry[statement, "orelse"]
    given = converter.use(statement, (bound & live) | (carried - always))
    then = _branch(converter, statement, "then", statement.then, given, carried)
    lines = [then.with_changes(leading_lines=statement.comments)]
    if statement.orelse or statement.tail or set(given) != carried:
        lines.append(_branch(converter, statement, "else", statement.orelse, given, carried))
    orelse = lines[1].name.value if len(lines) > 1 else "None"
    handed = [templates.names_tuple(given)] if given else []
    value = templates.call("cond", statement.test.text, then.name.value, orelse, *handed)
    if statement.tail:
        return [*lines, templates.returns(value, line)]
    return [*lines, templates.assign(sorted(carried), value, line)]


def _branch(
    converter: Converter, statement: If, base: str, body: Body, given: Sequence[str], carried: set[str]
) -> cst.FunctionDef:
    line = statement.line
    name = converter.region_name(base) if statement.tail else converter.carrying(base)
    lines = converter.lines(body)
    if not statement.tail:
        lines.append(templates.returns(templates.names_tuple(sorted(carried)), line))
    return converter.region(name, given, converter.bound_in(statement, body), lines, line)
