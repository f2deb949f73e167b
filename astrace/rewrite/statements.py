"""The statements of a function as a small closed tree, which the steps of the rewriting work on.

A leaf holds the user's statement twice: as libcst has it, for its text, and as ``ast`` has it, for
analysis.  `parse` walks both in step.  Synthetic statements are made from text by `statement` and
`expression`.  Ten kinds of statement are all there is: everything that is not control flow is `Plain`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import libcst as cst

from astrace.rewrite.source import FunctionSource
from astrace.util.parsing import parse_expression, parse_module

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True, eq=False)
class Expression:
    """An expression, as text and as tree."""

    code: ast.expr
    text: cst.BaseExpression


Comments: TypeAlias = tuple[cst.EmptyLine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """A statement without control flow of its own: an assignment, a call, ``raise``, ``del``, ``import``."""

    code: ast.stmt
    text: cst.BaseSmallStatement
    line: int
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class Define:
    """A nested function."""

    code: ast.FunctionDef
    text: cst.FunctionDef
    body: Body
    line: int
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """``if``/``else``; with ``tail`` its branches return the function's result."""

    test: Expression
    then: Body
    orelse: Body
    line: int
    tail: bool = False
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """``while``; ``stop`` is the name of the flag by which its body leaves it, once jumps are lowered."""

    test: Expression
    body: Body
    orelse: Body
    line: int
    stop: str | None = None
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """``for``; ``stop`` as for `While`."""

    target: Expression
    iterable: Expression
    body: Body
    orelse: Body
    line: int
    stop: str | None = None
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class With:
    """``with`` one manager."""

    manager: Expression
    target: Expression | None
    body: Body
    line: int
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class Handler:
    """``except kind as name``; no kind catches everything."""

    kind: Expression | None
    name: str | None
    body: Body
    line: int


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """``try``."""

    body: Body
    handlers: tuple[Handler, ...]
    orelse: Body
    final: Body
    line: int
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """``return``."""

    value: Expression
    line: int
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class Jump:
    """``break`` or ``continue``."""

    kind: str
    line: int
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """``match``, until it is desugared."""

    subject: Expression
    cases: tuple[Case, ...]
    line: int
    comments: Comments = ()


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One ``case`` of a ``match``."""

    pattern: ast.pattern
    guard: Expression | None
    body: Body
    line: int


FIRST_LINE_OF_LAMBDA = 2
"""A lambda's text is parsed behind a parenthesis on a line of its own."""

Statement: TypeAlias = Plain | Define | If | While | For | With | Try | Return | Jump | Match
Body: TypeAlias = tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A whole function: its signature as text, its body as a tree.

    Args:
        source: where it came from.
        code: its syntax tree, numbered as the file is.
        text: its text; the body is not used.
        body: its statements.
    """

    source: FunctionSource
    code: ast.FunctionDef
    text: cst.FunctionDef
    body: Body = field(default=())


def expression(text: str) -> Expression:
    """A synthetic expression."""
    return Expression(parse_expression(text), cst.parse_expression(text))


def from_code(code: ast.expr) -> Expression:
    """An expression of which only the syntax tree is known; its text is written anew."""
    return Expression(code, cst.parse_expression(ast.unparse(code)))


def statement(text: str, line: int) -> Plain:
    """A synthetic statement that stands for something on ``line``."""
    code = parse_module(text).body[0]
    parsed = cst.ensure_type(cst.parse_statement(text), cst.SimpleStatementLine)
    return Plain(code, parsed.body[0], line)


def assignment(name: str, value: Expression, line: int, comments: Comments = ()) -> Plain:
    """``name = value``, for a value out of the user's text."""
    code = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value.code), value.code)
    text = cst.Assign([cst.AssignTarget(cst.Name(name))], value.text)
    return Plain(ast.fix_missing_locations(code), text, line, comments)


def parse(source: FunctionSource) -> Function:
    """The tree of a function's source.

    Args:
        source: a ``def`` or a ``lambda``; a lambda becomes a function that returns its body.
    """
    if isinstance(source.node, ast.Lambda):
        code, text = _lambda_function(source)
    else:
        code, text = _function(source)
    return Function(source, code, text, _body(code.body, text.body))


class Unparsed(Exception):
    """A statement that Python accepts and the parser that keeps the text does not: ``(x): int``.

    Args:
        line: its line in the file.
    """

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def _text(source: FunctionSource, parser: Callable[[str], Parsed], before: str, after: str = "") -> Parsed:
    """The text of a function as libcst parses it.

    Raises:
        Unparsed: libcst does not know the syntax.
    """
    try:
        return parser(before + source.text + after)
    except cst.ParserSyntaxError as error:
        # The message tells the line at fault; the exception's own attribute may be that of the next statement.
        told = re.search(r"error at (\d+):", error.message)
        line = int(told[1]) if told else error.raw_line
        raise Unparsed(source.line + line - 1 - before.count("\n")) from None


def _function(source: FunctionSource) -> tuple[ast.FunctionDef, cst.FunctionDef]:
    """Parse a ``def``, wherever it was indented; its lines are those of the file, by blank lines above it."""
    header = "if True:\n" if source.text[:1].isspace() else ""
    above = "\n" * (source.line - 1 - header.count("\n"))
    tree = parse_module(above + header + source.text).body[0]
    node: cst.CSTNode = _text(source, cst.parse_module, header).body[0]
    if isinstance(tree, ast.If):
        tree = tree.body[0]
        node = cst.ensure_type(node, cst.If).body.body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree, cst.ensure_type(node, cst.FunctionDef)


def _lambda_function(source: FunctionSource) -> tuple[ast.FunctionDef, cst.FunctionDef]:
    """Parse a lambda as ``def lambda_(…): return …`` with the same arguments and positions."""
    tree = parse_expression(f"(\n{source.text})")
    node = cst.ensure_type(_text(source, cst.parse_expression, "(", ")"), cst.Lambda)
    assert isinstance(tree, ast.Lambda)
    ast.increment_lineno(tree, source.line - FIRST_LINE_OF_LAMBDA)
    returns = ast.copy_location(ast.Return(tree.body), tree.body)
    code = ast.FunctionDef("lambda_", tree.args, [returns], [])
    body = cst.IndentedBlock([cst.SimpleStatementLine([cst.Return(node.body)])])
    return ast.copy_location(code, tree), cst.FunctionDef(cst.Name("lambda_"), node.params, body)


def _body(codes: Sequence[ast.stmt], text: cst.BaseSuite) -> Body:
    """Pair the statements of a suite."""
    texts = list(_flat(text))
    return tuple(_pair(code, *texts[index]) for index, code in enumerate(codes))


def _flat(suite: cst.BaseSuite) -> Sequence[tuple[cst.CSTNode, Comments]]:
    found: list[tuple[cst.CSTNode, Comments]] = []
    for line in suite.body if isinstance(suite, cst.IndentedBlock) else [suite]:
        match line:
            case cst.SimpleStatementLine():
                comments = [_comments(line.leading_lines)] + [()] * (len(line.body) - 1)
                found.extend(zip(line.body, comments, strict=True))
            case cst.SimpleStatementSuite():
                found.extend((small, ()) for small in line.body)
            case _:
                found.append((line, _comments(getattr(line, "leading_lines", ()))))
    return found


def _comments(lines: Sequence[cst.EmptyLine]) -> Comments:
    return tuple(line for line in lines if line.comment is not None)


def _enclosed(text: cst.BaseExpression) -> cst.BaseExpression:
    """An expression that can be assigned: a tuple and an assignment expression in parentheses."""
    if not isinstance(text, cst.Tuple | cst.NamedExpr) or text.lpar:
        return text
    return text.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _pair(code: ast.stmt, text: cst.CSTNode, comments: Comments) -> Statement:
    line = code.lineno
    match code, text:
        case ast.If(), cst.If():
            orelse, body = _orelse(code.orelse, text.orelse), _body(code.body, text.body)
            return If(Expression(code.test, text.test), body, orelse, line, comments=comments)
        case ast.While(), cst.While():
            orelse, body = _orelse(code.orelse, text.orelse), _body(code.body, text.body)
            return While(Expression(code.test, text.test), body, orelse, line, comments=comments)
        case ast.For(), cst.For():
            target = Expression(code.target, cst.ensure_type(text.target, cst.BaseExpression))
            orelse, body = _orelse(code.orelse, text.orelse), _body(code.body, text.body)
            return For(
                target, Expression(code.iter, _enclosed(text.iter)), body, orelse, line, comments=comments
            )
        case ast.With(), cst.With():
            return _with(code, text, comments)
        case ast.Try(), cst.Try():
            return _try(code, text, comments)
        case ast.Return(), cst.Return():
            return Return(_returned(code, text), line, comments)
        case ast.Break() | ast.Continue(), _:
            return Jump(type(code).__name__.lower(), line, comments)
        case ast.FunctionDef(), cst.FunctionDef():
            return Define(code, text, _body(code.body, text.body), line, comments)
        case ast.Match(), cst.Match():
            return _match(code, text, comments)
        case _:
            # A compound statement left here is one that the fence refuses (class, async): its text is not used.
            small = text if isinstance(text, cst.BaseSmallStatement) else cst.Pass()
            return Plain(code, small, line, comments)


def _returned(code: ast.Return, text: cst.Return) -> Expression:
    if code.value is None or text.value is None:
        return expression("None")
    return Expression(code.value, text.value)


def _orelse(codes: Sequence[ast.stmt], text: cst.Else | cst.If | None) -> Body:
    match text:
        case None:
            return ()
        case cst.Else():
            return _body(codes, text.body)
        case cst.If():
            return (_pair(codes[0], text, _comments(text.leading_lines)),)


def _with(code: ast.With, text: cst.With, comments: Comments) -> Statement:
    body = _body(code.body, text.body)
    for number, (item, shown) in reversed(list(enumerate(zip(code.items, text.items, strict=True)))):
        target = None
        if item.optional_vars is not None and shown.asname is not None:
            target = Expression(item.optional_vars, cst.ensure_type(shown.asname.name, cst.BaseExpression))
        above = () if number else comments
        body = (With(Expression(item.context_expr, shown.item), target, body, code.lineno, above),)
    return body[0]


def _try(code: ast.Try, text: cst.Try, comments: Comments) -> Statement:
    handlers = tuple(
        Handler(
            Expression(handler.type, shown.type) if handler.type and shown.type else None,
            handler.name,
            _body(handler.body, shown.body),
            handler.lineno,
        )
        for handler, shown in zip(code.handlers, text.handlers, strict=True)
    )
    orelse = _orelse(code.orelse, text.orelse)
    final = _body(code.finalbody, text.finalbody.body) if text.finalbody else ()
    return Try(_body(code.body, text.body), handlers, orelse, final, code.lineno, comments)


def _match(code: ast.Match, text: cst.Match, comments: Comments) -> Statement:
    cases = tuple(
        Case(
            case.pattern,
            Expression(case.guard, shown.guard) if case.guard and shown.guard else None,
            _body(case.body, shown.body),
            case.pattern.lineno,
        )
        for case, shown in zip(code.cases, text.cases, strict=True)
    )
    return Match(Expression(code.subject, _enclosed(text.subject)), cases, code.lineno, comments)
