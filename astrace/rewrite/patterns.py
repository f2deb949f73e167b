"""``match`` as ``if``: each pattern becomes a test and some bindings.

A case is tried only when the ones before it failed, its names are bound before its guard is evaluated,
and the subject is evaluated once: Python's own rules, PEP 634.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from astrace.rewrite.fragments import OPERATORS
from astrace.rewrite.tree import Body, Case, Expression, If, Match, Plain, assignment, from_code, statement


@dataclass(frozen=True, slots=True)
class Tested:
    """A pattern's test (always true when empty) and what it binds, both in terms of the subject."""

    tests: tuple[ast.expr, ...]
    bindings: tuple[tuple[str, ast.expr], ...] = ()

    def __add__(self, other: Tested) -> Tested:
        return Tested(self.tests + other.tests, self.bindings + other.bindings)


def desugar_match(match: Match, fresh: Callable[[str], str]) -> Body:
    """The ``if`` statements that a ``match`` stands for.

    Args:
        match: the statement.
        fresh: gives a name that the function does not use.
    """
    subject = fresh("subject")
    first = assignment(subject, match.subject, match.line, match.comments)
    return (first, *_cases(match.cases, subject, fresh))


def _cases(cases: tuple[Case, ...], subject: str, fresh: Callable[[str], str]) -> Body:
    if not cases:
        return ()
    case, rest = cases[0], cases[1:]
    tested = _pattern(case.pattern, ast.Name(subject, ast.Load()))
    bindings = tuple(_bind(name, code, case.line) for name, code in tested.bindings)
    if case.guard is None:
        then = (*bindings, *case.body)
        return _if(tested, then, _cases(rest, subject, fresh), case.line)
    failed = fresh("failed")
    guarded = If(case.guard, (statement(f"{failed} = False", case.line), *case.body), (), case.line)
    others = _cases(rest, subject, fresh)
    tail: Body = (If(_name(failed), others, (), case.line),) if others else ()
    start = statement(f"{failed} = True", case.line)
    return (start, *_if(tested, (*bindings, guarded), (), case.line), *tail)


def _if(tested: Tested, then: Body, orelse: Body, line: int) -> Body:
    if not tested.tests:
        return then
    test = tested.tests[0] if len(tested.tests) == 1 else ast.BoolOp(ast.And(), list(tested.tests))
    return (If(from_code(_located(test, line)), then, orelse, line),)


def _located(code: ast.expr, line: int) -> ast.expr:
    ast.fix_missing_locations(code)
    for node in ast.walk(code):
        if isinstance(node, ast.expr):
            node.lineno = node.end_lineno = line
    return code


def _name(name: str) -> Expression:
    return from_code(ast.Name(name, ast.Load()))


def _bind(name: str, code: ast.expr, line: int) -> Plain:
    return statement(f"{name} = {ast.unparse(code)}", line)


def _pattern(pattern: ast.pattern, subject: ast.expr) -> Tested:
    """The test and bindings of one pattern."""
    match pattern:
        case ast.MatchValue():
            return Tested((_compare(subject, ast.Eq(), pattern.value),))
        case ast.MatchSingleton():
            return Tested((_compare(subject, ast.Is(), ast.Constant(pattern.value)),))
        case ast.MatchAs():
            inner = Tested(()) if pattern.pattern is None else _pattern(pattern.pattern, subject)
            return inner + Tested((), ((pattern.name, subject),) if pattern.name else ())
        case ast.MatchOr():
            return _alternatives([_pattern(option, subject) for option in pattern.patterns])
        case ast.MatchSequence():
            return _sequence(pattern, subject)
        case ast.MatchMapping():
            return _mapping(pattern, subject)
        case ast.MatchClass():
            return _class(pattern, subject)
        case _:
            raise AssertionError(pattern)


def _alternatives(options: list[Tested]) -> Tested:
    """``a | b``: names bound in alternatives take their value from the one that matched."""
    tests = [_all(option) for option in options]
    names = [name for name, _ in options[0].bindings]
    bound = [dict(option.bindings) for option in options]
    bindings: list[tuple[str, ast.expr]] = []
    for name in names:
        value = bound[-1][name]
        for test, names_bound in zip(reversed(tests[:-1]), reversed(bound[:-1]), strict=True):
            value = ast.IfExp(test, names_bound[name], value)
        bindings.append((name, value))
    return Tested((ast.BoolOp(ast.Or(), tests),), tuple(bindings))


def _all(tested: Tested) -> ast.expr:
    match tested.tests:
        case ():
            return ast.Constant(True)
        case (only,):
            return only
        case tests:
            return ast.BoolOp(ast.And(), list(tests))


def _sequence(pattern: ast.MatchSequence, subject: ast.expr) -> Tested:
    stars = [index for index, inner in enumerate(pattern.patterns) if isinstance(inner, ast.MatchStar)]
    count = len(pattern.patterns)
    least = count - len(stars)
    tested = Tested((_helper("is_sequence", subject, ast.Constant(least), ast.Constant(bool(stars))),))
    for index, inner in enumerate(pattern.patterns):
        if isinstance(inner, ast.MatchStar):
            part = ast.Slice(ast.Constant(index), _negative(index + 1 - count))
            items = _helper("items_list", ast.Subscript(subject, part, ast.Load()))
            tested += Tested((), ((inner.name, items),) if inner.name else ())
            continue
        position = index if not stars or index < stars[0] else index - count
        tested += _pattern(inner, ast.Subscript(subject, _negative(position) or ast.Constant(0), ast.Load()))
    return tested


def _negative(position: int) -> ast.expr | None:
    """An index constant; ``None`` for zero, the open end of a slice."""
    if position < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-position))
    return ast.Constant(position) if position else None


def _mapping(pattern: ast.MatchMapping, subject: ast.expr) -> Tested:
    tested = Tested((_helper("is_mapping", subject),))
    for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
        tested += Tested((_compare(key, ast.In(), subject),))
        tested += _pattern(inner, ast.Subscript(subject, key, ast.Load()))
    if pattern.rest is not None:
        rest = _helper("mapping_rest", subject, ast.Tuple(list(pattern.keys), ast.Load()))
        tested += Tested((), ((pattern.rest, rest),))
    return tested


def _class(pattern: ast.MatchClass, subject: ast.expr) -> Tested:
    names = [*map(ast.Constant, range(len(pattern.patterns))), *map(ast.Constant, pattern.kwd_attrs)]
    tested = Tested((_helper("is_instance", subject, pattern.cls, *names),))
    inner = (*pattern.patterns, *pattern.kwd_patterns)
    for name, part in zip(names, inner, strict=True):
        tested += _pattern(part, _helper("match_attribute", subject, pattern.cls, name))
    return tested


def _compare(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
    return ast.Compare(left, [operator], [right])


def _helper(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name(OPERATORS, ast.Load()), name, ast.Load()), list(arguments), [])
