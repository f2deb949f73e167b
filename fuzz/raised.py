"""Random programs about exceptions, and all that hangs on them.

Exceptions of all kinds, `BaseException` too, are raised, caught, raised again, chained, given notes, grouped and looked at:
their arguments and attributes, ``__cause__``, ``__context__``, what `sys.exc_info` and `traceback` say in a handler, in
a branch, a loop, a generator, a manager, a helper and behind a call that is not looked into.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

from fuzz.grammar import Grammar, Written, whole

HEADER: Final = '''"""A random program about exceptions."""

import contextlib
import functools
import io
import logging
import operator
import sys
import traceback

import numpy as np

LOG = []


class Mine(Exception):
    def __init__(self, value=0, *more):
        super().__init__(value, *more)
        self.value = value

    def __str__(self):
        return f"<{self.value}>"


class Base(BaseException):
    pass


class Slots(ValueError):
    __slots__ = ("extra",)


class Manager:
    def __init__(self, swallows):
        self.swallows = swallows

    def __enter__(self):
        LOG.append("in")
        return self

    def __exit__(self, kind, error, trace):
        LOG.append(("out", kind and kind.__name__, told(error, 1), trace is None, current()))
        return self.swallows


def told(error, depth=4):
    """An exception as data: its class, its text, and all that hangs on it."""
    if not isinstance(error, BaseException) or not depth:
        return None
    held = {name: repr(value)[:60] for name, value in sorted(vars(error).items()) if name != "__notes__"}
    named = {name: repr(getattr(error, name))[:40] for name in NAMED if hasattr(error, name)}
    chain = told(error.__cause__, depth - 1), told(error.__context__, depth - 1), error.__suppress_context__
    inside = [told(one, depth - 1) for one in error.exceptions] if isinstance(error, BaseExceptionGroup) else ()
    notes = list(getattr(error, "__notes__", ()))
    return type(error).__name__, str(error), repr(error.args), held, named, notes, chain, inside


NAMED = ("name", "obj", "key", "code", "value", "errno", "start", "end", "reason", "extra")


def current():
    """The exception that is being handled, according to `sys`."""
    kind, error, trace = sys.exc_info()
    return kind and kind.__name__, str(error), trace is None, sys.exception() is error


def say(tag, value):
    LOG.append((tag, value))
    return value


def fails(error):
    raise error


def fails_in_handler(n):
    try:
        [][n]
    except IndexError:
        raise Mine(n)


def walk(items):
    try:
        for item in items:
            yield item
    except ValueError as error:
        LOG.append(("in the generator", told(error)))
        yield -1
    finally:
        LOG.append("closed")


def opaque(function, *given):
    locals()
    return function(*given)


@contextlib.contextmanager
def managed(n):
    try:
        yield n
    except (KeyError, Mine) as error:
        LOG.append(("managed", told(error)))
        if n > 1:
            raise ValueError("from the manager") from error


def arguments(call):
    """The arguments of a call."""
    x = np.array([[0.0, 1.0, -2.0], [1.5, 0.0, 1.0], [-0.0, 2.0, 2.0], [1.0, 1.0, 0.5]][call])
    return (x, [1.5, 0.0, 3, np.float64(2.0)][call], [1, 0, 3, 2][call], {"a": call})


'''
PARAMETERS: Final = "x, s, n, d"

FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "e": (
        "ValueError('a', n)", "ValueError", "KeyError(n)", "Mine(n)", "Mine(s, 'more')", "Mine", "Base(n)", "KeyboardInterrupt('k')", "KeyboardInterrupt", "SystemExit(n)", "SystemExit", "GeneratorExit(n)",
        "StopIteration(n)", "StopIteration", "StopAsyncIteration", "RecursionError('r')", "Slots(n)", "NameError('q', name='q')", "AttributeError('at', name='z', obj=n)", "ImportError('i', name='m', path='p')", "OSError(2, 'none', 'file')",
        "OSError(13, 'no')", "UnicodeDecodeError('utf-8', b'ab', 0, 1, 'bad')", "ExceptionGroup('g', [ValueError(n), Mine(1)])", "BaseExceptionGroup('b', [Base(n), KeyError(1)])", "kept", "kept", "Warning('w')", "AssertionError", "LookupError(*d)",
    ),
    "c": (
        "1 // n", "x[n]", "d['b']", "[][n]", "int('a')", "undefined", "x.missing", "None.y", "x + 'a'", "len(n)", "fails({e})", "fails_in_handler(n)", "opaque(fails, {e})", "opaque(fails_in_handler, n)", "[fails(Mine(i)) for i in range(n)]", "next(iter(()))",
        "np.ones(2) + np.ones(3)", "float('q')", "(lambda: 1 / n)()", "bool(1, n)", "bytes([n, 256])", "'a'.join([n])", "sys.exit(n)", "operator.floordiv(1, n)", "sum(1 / i for i in range(n))", "exec('1 +')", "next(j)", "j.throw({e})", "list(walk([1, fails({e})]))",
        "getattr(n, 'nope')", "d.nope", "x.reshape(7)", "'%d' % 'a'", "'{{}}'.format()", "[*n]", "f(*[1])", "(i for i in n)", "int.from_bytes(n)", "chr(-n)", "'é'.encode('ascii')", "max([])", "{{}}[n, s]", "isinstance(n, 1)", "dict([n])", "set([[]])", "range(1, 2, 0)",
    ),
    "v": (
        "n", "s", "told({x})", "told({x})", "told({x})", "current()", "current()", "sys.exc_info()[0] is None", "sys.exception() is {x}", "{x} is kept", "str({x})", "repr({x})", "{x}.args", "{x}.__context__ is None", "{x}.__cause__ is kept", "{x}.__suppress_context__",
        "getattr({x}, '__notes__', None)", "traceback.format_exception_only({x})", "traceback.format_exc().splitlines()[-1]", "len(traceback.extract_tb({x}.__traceback__)) > 0", "{x}.__traceback__ is None", "isinstance({x}, ValueError)", "getattr({x}, 'name', 0)",
        "type({x}).__mro__[1].__name__", "{x} == {x}", "[told(one) for one in getattr({x}, 'exceptions', ())]", "kept.__context__ is {x}", "next(j, 0)", "tried({v0})", "tried({v0})", "tried({v0})", "logged()", "b", "[told(t) for t in (kept, caught)]",
    ),
    "v0": ("n", "0", "1", "2"),
    "x": ("kept", "caught", "error", "kept", "caught", "caught.__context__", "caught.__cause__"),
    "t": ("n > 1", "s > 0", "n", "x[0] > 0", "kept is None", "caught is not None", "sys.exc_info()[0]", "isinstance(caught, Exception)", "len(LOG) > 3"),
}  # fmt: skip
"""Expressions, by what they give: exceptions, what may raise, values, simple values, names of exceptions, tests."""

CHANGES: Final = (
    "raise {e}", "raise {e}", "raise {e}", "raise {e} from None", "raise {e} from {x}", "raise {e} from {e}", "raise", "raise caught", "raise kept from caught", "b = {c}", "b = {c}", "b = {c}", "b = {c}", "b = {c}", "LOG.append({v})", "LOG.append({v})",
    "LOG.append({v})", "a = {v}", "a = {v}", "print({v})", "kept = Mine(n)", "kept = {e}", "kept = caught", "kept.extra = n", "kept.args = (n, 1)", "kept.add_note('note')", "caught.add_note('a note')", "{x}.__notes__ = ['n']", "{x}.__cause__ = Mine(1)",
    "{x}.__context__ = None", "{x}.__suppress_context__ = True", "{x}.with_traceback(None)", "{x}.value = s", "kept = Mine(2).with_traceback(None)", "if {t}: raise {e}", "if {t}: raise {e}", "if {t}: raise {e} from None", "if {t}: return {v}", "assert {t}, {v}",
    "assert n", "j = walk([1, n])", "next(j)", "j.close()", "LOG.append(j.throw(ValueError(n)))", "del caught", "n -= 1", "x[0] = n", "return {v}", "b = tried({v0})", "opaque(n.__add__, 1)", "with contextlib.suppress({w}): b = {c}", "with managed(n): b = {c}",
    "with Manager({t}): b = {c}", "with Manager(True): raise {e}", "with managed(n): raise {e}", "logging.getLogger('q').debug('m', exc_info=True)", "traceback.print_exc(file=io.StringIO())",
)  # fmt: skip
HEADS: Final = (
    "if {t}:", "if {t}:", "for i in range(n):", "for i in range(2):", "with Manager({t}):", "with Manager(True):", "with contextlib.suppress({w}):", "with managed(n):", "while n > 0:", "for i in walk([1, n]):", "with Manager(False), Manager({t}):", "with np.errstate(all='raise'):",
)  # fmt: skip
ERRORS: Final = (
    "Exception", "BaseException", "BaseException", "ValueError", "Mine", "(KeyboardInterrupt, SystemExit)", "(ArithmeticError, LookupError)", "(NameError, AttributeError)", "(TypeError, ValueError, IndexError)", "(Base, GeneratorExit)", "KeyError", "StopIteration",
)  # fmt: skip
GRAMMAR: Final = Grammar(
    {**FORMS, "w": ERRORS},
    CHANGES,
    HEADS,
    ERRORS,
    simple={"v": "n", "c": "1 // n", "e": "ValueError(n)"},
    sizes={"v": 5, "e": 4, "c": 4, "t": 3, "x": 3},
    handled="LOG.append((told(error), current()))",
    depth=3,
)


class Raised(Written):
    """A program in the making."""

    def attempt(self) -> None:
        """Write a ``try`` with some of its other parts."""
        self.line("try:")
        self.suite()
        star = "*" if self.rng.random() < 0.08 else ""
        handlers = self.rng.choice([0, 1, 1, 1, 2])
        for _ in range(handlers):
            self.handler(star)
        if handlers and self.rng.random() < 0.25:
            self.line("else:")
            self.suite()
        if not handlers or self.rng.random() < 0.25:
            self.line("finally:")
            self.suite()

    def handler(self, star: str) -> None:
        """Write a handler, which mostly keeps what it caught."""
        named = self.rng.random() < 0.8
        self.line(f"except{star} {self.rng.choice(self.grammar.errors)}{' as error' * named}:")
        self.depth += 1
        self.line(self.grammar.handled if named else "LOG.append(current())")
        if named and self.rng.random() < 0.7:
            self.line("caught = error")
        self.depth -= 1
        if not star and self.rng.random() < 0.5:  # nothing may jump out of an ``except*``
            self.suite()

    def helper(self) -> None:
        """A function of its own that raises, or handles."""
        self.line("def tried(i):")
        self.depth += 1
        self.line("try:")
        self.line("    " + self.text("return say('tried', {c})"))
        self.line(f"except {self.rng.choice(self.grammar.errors)} as error:")
        self.line("    LOG.append((told(error), current()))")
        self.line(
            "    "
            + self.rng.choice(
                [
                    "raise",
                    "return i",
                    "if i: raise Mine(i)",
                    "if i: raise Mine(i) from None",
                    "if i > 1: raise KeyError(i) from error",
                ]
            )
        )
        if self.rng.random() < 0.3:
            self.line("finally:")
            self.line("    LOG.append(current())")
        self.depth -= 1


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has."""
    made = Raised(rng, grammar=GRAMMAR)
    made.line("a = b = caught = None")
    made.line("kept, j = Mine(s), walk([n])")
    if any("tried" in form for form in made.forms["v"] + made.changes):
        made.helper()
    while made.budget > 0:
        if made.rng.random() < 0.5:
            made.budget -= 1
            made.attempt()
        else:
            made.statement()
    made.line(f"return a, b, told(caught), told(kept), {made.text('{v}')}")
    return whole(HEADER, PARAMETERS, made)
