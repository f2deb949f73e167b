"""The pieces of libcst that converted statements are built from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from astrace.rewrite.converted import OPERATORS
from astrace.rewrite.statements import Comments


def origin(line: int) -> cst.TrailingWhitespace:
    """The comment that says which line of the user's file a line stands for."""
    return cst.TrailingWhitespace(cst.SimpleWhitespace("  "), cst.Comment(f"#@{line}"))


def line_of(small: cst.BaseSmallStatement, line: int, comments: Comments = ()) -> cst.SimpleStatementLine:
    """A statement on a line of its own, with its origin."""
    return cst.SimpleStatementLine([small], leading_lines=comments, trailing_whitespace=origin(line))


def define(
    name: str,
    parameters: Iterable[str],
    body: Sequence[cst.BaseStatement],
    line: int,
    comments: Comments = (),
) -> cst.FunctionDef:
    """``def name(parameters): body``."""
    given = cst.Parameters([cst.Param(cst.Name(parameter)) for parameter in parameters])
    block = cst.IndentedBlock(body or [line_of(cst.Pass(), line)], header=origin(line))
    return cst.FunctionDef(cst.Name(name), given, block, leading_lines=comments)


def names_tuple(names: Iterable[str]) -> cst.Tuple:
    """``(a, b)``; one name keeps its comma."""
    elements = [cst.Element(cst.Name(name)) for name in names]
    if len(elements) == 1:
        elements = [elements[0].with_changes(comma=cst.Comma())]
    return cst.Tuple(elements)


def tuple_of(items: Iterable[cst.BaseExpression]) -> cst.Tuple:
    """A tuple of expressions; one item keeps its comma."""
    elements = [cst.Element(item) for item in items]
    if len(elements) == 1:
        elements = [elements[0].with_changes(comma=cst.Comma())]
    return cst.Tuple(elements)


def strings(names: Iterable[str]) -> cst.Tuple:
    """``("a", "b")``."""
    return tuple_of(cst.SimpleString(f'"{name}"') for name in names)


def named(names: Iterable[str]) -> cst.Dict:
    """``{"a": a, "b": b}``."""
    return cst.Dict([cst.DictElement(cst.SimpleString(f'"{name}"'), cst.Name(name)) for name in names])


def call(name: str, *arguments: cst.BaseExpression | str, **keywords: str) -> cst.Call:
    """``ag.name(arguments, keyword=…)``; strings are names."""
    given = [cst.Arg(cst.Name(item) if isinstance(item, str) else item) for item in arguments]
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    given += [
        cst.Arg(cst.parse_expression(value), cst.Name(key), equal=equal) for key, value in keywords.items()
    ]
    return cst.Call(cst.Attribute(cst.Name(OPERATORS), cst.Name(name)), given)


def thunk(body: cst.BaseExpression, parameters: Iterable[str] = ()) -> cst.Lambda:
    """``lambda parameters: body``."""
    names = list(parameters)
    space = cst.SimpleWhitespace(" ") if names else cst.MaybeSentinel.DEFAULT
    given = cst.Parameters([cst.Param(cst.Name(name)) for name in names])
    return cst.Lambda(given, body, whitespace_after_lambda=space)


def assign(names: Sequence[str], value: cst.BaseExpression, line: int) -> cst.SimpleStatementLine:
    """``(a, b) = value``, or just ``value`` where there are no names."""
    if not names:
        return line_of(cst.Expr(value), line)
    return line_of(cst.Assign([cst.AssignTarget(names_tuple(names))], value), line)


def returns(value: cst.BaseExpression, line: int, comments: Comments = ()) -> cst.SimpleStatementLine:
    """``return value``."""
    return line_of(cst.Return(value), line, comments)


def nonlocals(names: Sequence[str], line: int) -> cst.SimpleStatementLine:
    """``nonlocal a, b``."""
    return line_of(cst.Nonlocal([cst.NameItem(cst.Name(name)) for name in names]), line)


def globals_(names: Sequence[str], line: int) -> cst.SimpleStatementLine:
    """``global a, b``."""
    return line_of(cst.Global([cst.NameItem(cst.Name(name)) for name in names]), line)


def called(name: str, operator: str, line: int) -> cst.SimpleStatementLine:
    """``name = ag.operator(name)``."""
    value = cst.parse_expression(f"{OPERATORS}.{operator}({name})")
    return line_of(cst.Assign([cst.AssignTarget(cst.Name(name))], value), line)


def rename(target: str, source: str, line: int) -> cst.SimpleStatementLine:
    """``target = source``."""
    return line_of(cst.Assign([cst.AssignTarget(cst.Name(target))], cst.Name(source)), line)
