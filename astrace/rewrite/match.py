"""``match`` as ``if``: each pattern becomes tests and some bindings.

A case is tried only when the ones before it failed, its names are bound before its guard is evaluated, and the subject is
evaluated once: Python's own rules, PEP 634.  What a pattern takes out of its subject (items, values of keys, attributes) is
taken once, in the order in which CPython takes it (``compile.c``), and held by names of its own until the whole pattern has
matched.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from astrace.rewrite.converted import OPERATORS
from astrace.rewrite.statements import (
    Body,
    Case,
    Expression,
    If,
    Match,
    Plain,
    assignment,
    from_code,
    statement,
)

Then = Callable[[], Body]
"""Gives the statements for a pattern that has matched."""


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
    case, rest = cases[0], _cases(cases[1:], subject, fresh)
    matched, patterns = fresh("matched"), Patterns(case.line, fresh)

    def bound(and_then: Body) -> Then:
        return lambda: (
            *(_bind(name, _load(value), case.line) for name, value in patterns.captures),
            *and_then,
        )

    if case.guard is None and not rest:
        return patterns.matching(case.pattern, subject, bound(case.body))
    if case.guard is None and _is_simple(case.pattern):
        test = patterns.simple(case.pattern, subject)
        bind = bound(case.body)()
        return bind if test is None else (patterns.test(test, bind, rest),)
    known = (statement(f"{matched} = True", case.line),)
    if case.guard is not None:
        known = (If(case.guard, known, (), case.line),)
    start = statement(f"{matched} = False", case.line)
    tried = patterns.matching(case.pattern, subject, bound(known))
    return (start, *tried, If(_name(matched), case.body, rest, case.line))


def _is_simple(pattern: ast.pattern) -> bool:
    """Return whether a pattern takes nothing out of its subject, so that its test is one expression."""
    match pattern:
        case ast.MatchValue() | ast.MatchSingleton():
            return True
        case ast.MatchAs():
            return pattern.pattern is None or _is_simple(pattern.pattern)
        case ast.MatchOr():
            return all(map(_is_simple, pattern.patterns)) and not _names(pattern)
        case ast.MatchClass():
            return not pattern.patterns and not pattern.kwd_patterns
        case _:
            return False


def _names(pattern: ast.pattern) -> list[str]:
    """The names that a pattern binds, in order."""
    found: dict[str, None] = {}
    for node in ast.walk(pattern):
        name = node.rest if isinstance(node, ast.MatchMapping) else getattr(node, "name", None)
        if isinstance(name, str):
            found[name] = None
    return list(found)


def _is_wildcard(pattern: ast.pattern) -> bool:
    return (
        isinstance(pattern, ast.MatchAs | ast.MatchStar)
        and pattern.name is None
        and (isinstance(pattern, ast.MatchStar) or pattern.pattern is None)
    )


@dataclass(slots=True)
class Patterns:
    """The patterns of one case.

    Args:
        line: the user's line.
        fresh: gives a name that the function does not use.
        captures: what the pattern binds so far: a name, and the name that holds its value until all has matched.
    """

    line: int
    fresh: Callable[[str], str]
    captures: tuple[tuple[str, str], ...] = ()

    def test(self, test: ast.expr, then: Body, orelse: Body = ()) -> If:
        """``if test: … else: …``."""
        return If(from_code(_located(test, self.line)), then, orelse, self.line)

    def keep(self, name: str | None, value: str) -> None:
        """Bind a name where the pattern has matched."""
        if name is not None:
            self.captures = (*self.captures, (name, value))

    # -- one expression ----------------------------------------------------------------------------

    def simple(self, pattern: ast.pattern, subject: str) -> ast.expr | None:
        """The test of a pattern that takes nothing out of its subject; ``None`` where it always matches."""
        match pattern:
            case ast.MatchValue():
                return _compare(_load(subject), ast.Eq(), pattern.value)
            case ast.MatchSingleton():
                return _compare(_load(subject), ast.Is(), ast.Constant(pattern.value))
            case ast.MatchAs():
                test = None if pattern.pattern is None else self.simple(pattern.pattern, subject)
                self.keep(pattern.name, subject)
                return test
            case ast.MatchOr():
                tests = [self.simple(option, subject) or ast.Constant(True) for option in pattern.patterns]
                return ast.BoolOp(ast.Or(), tests)
            case ast.MatchClass():
                return _helper("is_instance", _load(subject), pattern.cls)
            case _:
                raise AssertionError(pattern)

    # -- statements --------------------------------------------------------------------------------

    def matching(self, pattern: ast.pattern, subject: str, then: Then) -> Body:
        """Statements that do ``then`` where a pattern matches."""
        if _is_simple(pattern):
            test = self.simple(pattern, subject)
            return then() if test is None else (self.test(test, then()),)
        match pattern:
            case ast.MatchAs(pattern=inner) if inner is not None:
                return self.matching(inner, subject, lambda: self._named(pattern.name, subject, then))
            case ast.MatchOr():
                return self._alternatives(pattern, subject, then)
            case ast.MatchSequence():
                return self._sequence(pattern, subject, then)
            case ast.MatchMapping():
                return self._mapping(pattern, subject, then)
            case ast.MatchClass():
                return self._class(pattern, subject, then)
            case _:
                raise AssertionError(pattern)

    def _named(self, name: str | None, subject: str, then: Then) -> Body:
        self.keep(name, subject)
        return then()

    def _all(self, patterns: Sequence[tuple[ast.pattern, str, Body]], then: Then) -> Body:
        """Match several subjects in order, each made by statements of its own."""
        if not patterns:
            return then()
        (pattern, subject, made), rest = patterns[0], patterns[1:]
        return (*made, *self.matching(pattern, subject, lambda: self._all(rest, then)))

    def _alternatives(self, pattern: ast.MatchOr, subject: str, then: Then) -> Body:
        """``a | b``: names bound in alternatives take their value from the one that matched."""
        found, names = self.fresh("found"), _names(pattern)
        held = {name: self.fresh(f"held_{name}") for name in names}
        outer, body = self.captures, tuple[Plain | If, ...]()
        for option in pattern.patterns:
            self.captures = ()

            def taken() -> Body:
                values = dict(self.captures)
                kept = (_bind(held[name], _load(values[name]), self.line) for name in names)
                return (*kept, statement(f"{found} = True", self.line))

            tried = self.matching(option, subject, taken)
            body = (*body, self.test(ast.UnaryOp(ast.Not(), _load(found)), tried)) if body else tried  # type: ignore[assignment]
        self.captures = outer
        for name in names:
            self.keep(name, held[name])
        return (statement(f"{found} = False", self.line), *body, self.test(_load(found), then()))

    def _sequence(self, pattern: ast.MatchSequence, subject: str, then: Then) -> Body:
        stars = [index for index, inner in enumerate(pattern.patterns) if isinstance(inner, ast.MatchStar)]
        least, more = len(pattern.patterns) - len(stars), bool(stars)
        test = _helper("is_sequence", _load(subject))
        if least or not more:
            counted = _helper("has_length", _load(subject), ast.Constant(least), ast.Constant(more))
            test = ast.BoolOp(ast.And(), [test, counted])
        if all(map(_is_wildcard, pattern.patterns)):
            return (self.test(test, then()),)
        if stars and _is_wildcard(pattern.patterns[stars[0]]):
            return (self.test(test, self._all(self._subscripts(pattern, subject, stars[0]), then)),)
        names = [self.fresh("part") for _ in pattern.patterns]
        target = ", ".join(f"*{name}" if index in stars else name for index, name in enumerate(names))
        taken = statement(f"{target}, = {subject}", self.line)
        parts: list[tuple[ast.pattern, str, Body]] = []
        for inner, name in zip(pattern.patterns, names, strict=True):
            whole = ast.MatchAs(None, inner.name) if isinstance(inner, ast.MatchStar) else inner
            parts.append((whole, name, ()))
        return (self.test(test, (taken, *self._all(parts, then))),)

    def _subscripts(
        self, pattern: ast.MatchSequence, subject: str, star: int
    ) -> list[tuple[ast.pattern, str, Body]]:
        """Return the patterns to match, by position, where the items of the star are not bound."""
        parts: list[tuple[ast.pattern, str, Body]] = []
        for index, inner in enumerate(pattern.patterns):
            if _is_wildcard(inner):
                continue
            position = index if index < star else index - len(pattern.patterns)
            name = self.fresh("part")
            item = _helper("item_at", _load(subject), ast.Constant(position))
            parts.append((inner, name, (_bind(name, item, self.line),)))
        return parts

    def _mapping(self, pattern: ast.MatchMapping, subject: str, then: Then) -> Body:
        keys = [self.fresh("key") for _ in pattern.keys]
        parts = list(zip(pattern.patterns, [self.fresh("part") for _ in keys], [()] * len(keys), strict=True))

        def matched() -> Body:
            if pattern.rest is None:
                return then()
            rest = self.fresh("rest")
            code = _helper(
                "mapping_rest", _load(subject), ast.Tuple([_load(key) for key in keys], ast.Load())
            )
            self.keep(pattern.rest, rest)
            return (_bind(rest, code, self.line), *then())

        body = self._all(parts, matched)
        for index in reversed(range(len(keys))):
            before = ast.Tuple([_load(key) for key in keys[:index]], ast.Load())
            value = _helper("value_at", _load(subject), _load(keys[index]), before)
            name = parts[index][1]
            body = (_bind(name, value, self.line), self.test(_helper("is_found", _load(name)), body))
        made = tuple(_bind(key, code, self.line) for key, code in zip(keys, pattern.keys, strict=True))
        test = _helper("is_mapping", _load(subject))
        if keys:
            counted = _helper("has_length", _load(subject), ast.Constant(len(keys)), ast.Constant(True))
            test = ast.BoolOp(ast.And(), [test, counted])
        return (self.test(test, (*made, *body)),)

    def _class(self, pattern: ast.MatchClass, subject: str, then: Then) -> Body:
        cls = self.fresh("kind")
        inner = (*pattern.patterns, *pattern.kwd_patterns)
        parts = [(part, self.fresh("part"), ()) for part in inner]
        body = self._all(parts, then)
        names = [*range(len(pattern.patterns)), *pattern.kwd_attrs]
        named = ast.Tuple([ast.Constant(name) for name in pattern.kwd_attrs], ast.Load())
        asked = ast.Constant(len(pattern.patterns)), named
        for index in reversed(range(len(parts))):
            name = parts[index][1]
            value = _helper("part_of", _load(subject), _load(cls), ast.Constant(names[index]), *asked)
            body = (_bind(name, value, self.line), self.test(_helper("is_found", _load(name)), body))
        test = _helper("is_instance", _load(subject), _load(cls))
        return (_bind(cls, pattern.cls, self.line), self.test(test, body))


def _located(code: ast.expr, line: int) -> ast.expr:
    ast.fix_missing_locations(code)
    for node in ast.walk(code):
        if isinstance(node, ast.expr):
            node.lineno = node.end_lineno = line
    return code


def _load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _name(name: str) -> Expression:
    return from_code(ast.Name(name, ast.Load()))


def _bind(name: str, code: ast.expr, line: int) -> Plain:
    return statement(f"{name} = {ast.unparse(code)}", line)


def _compare(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
    return ast.Compare(left, [operator], [right])


def _helper(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name(OPERATORS, ast.Load()), name, ast.Load()), list(arguments), [])
