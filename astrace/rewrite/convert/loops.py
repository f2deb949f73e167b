"""``while`` and ``for`` as ``ag.while_loop`` and ``ag.for_loop``.

A body takes the carried names and returns them; one that can leave the loop returns its flag in front.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from astrace.rewrite import templates
from astrace.rewrite.dataflow import targets
from astrace.rewrite.names import names_of
from astrace.rewrite.statements import Expression, For, While

if TYPE_CHECKING:
    from astrace.rewrite.convert.converter import Converter


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
    """The statements for a ``for``; a target that is more than a name of the turn is unpacked in the body."""
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
