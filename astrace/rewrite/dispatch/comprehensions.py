"""The lowering rules for comprehensions and generator expressions: each hands its items to an ``emit``.

A variable that nothing nested keeps is a parameter of the iteration, a new one each time.  One that a lambda or a generator
expression inside reads is Python's own: a single variable for all iterations, which each iteration assigns (`Late`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from astrace.rewrite.converted import OPERATORS
from astrace.rewrite.dispatch.expressions import (
    Expressions,
    constant,
    elements_of,
    lambda_of,
    operator,
    tuple_of,
    unpack,
)
from astrace.rewrite.dispatch.scopes import NameScope
from astrace.rewrite.names import Comprehension, comprehension_names, names_of

KINDS: Final[dict[type[ast.expr], str]] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.DictComp: "dict",
    ast.GeneratorExp: "generator",
}


class Comprehensions(Expressions):
    """Lowers expressions, those that make several items among them."""

    def visit_ListComp(self, node: Comprehension) -> ast.expr:
        """``ag.comprehend(kind, first_iterable, lambda emit, target: …)``: the inside hands out items."""
        emit = self.fresh("emit")
        first = self.expr(node.generators[0].iter)
        bound = names_of(*(part.target for part in node.generators)).binds
        late = frozenset(bound & (comprehension_names(node).captured | _read_elsewhere(node)))
        self.scopes.stack.append(NameScope(frozenset({*bound, emit}), late=late))
        if isinstance(node, ast.DictComp):
            result: ast.expr = tuple_of([node.key, node.value])
        else:
            result = node.elt
        iteration = self._iteration(node.generators, result, emit)
        iteration.args.args.insert(0, ast.arg(emit))
        self.scopes.stack.pop()
        kind = constant(KINDS[type(node)])
        if not late:
            return operator("comprehend", kind, first, iteration)
        return self._sharing(sorted(late), kind, first, iteration)

    visit_SetComp = visit_ListComp
    visit_DictComp = visit_ListComp
    visit_GeneratorExp = visit_ListComp

    def _sharing(
        self, late: Sequence[str], kind: ast.expr, first: ast.expr, iteration: ast.Lambda
    ) -> ast.expr:
        """``(lambda i, first: ag.comprehend(…, lambda: (i,)))(ag.UNDEFINED, …)``: all iterations have one ``i``."""
        given = self.fresh("first")
        shown = lambda_of([], tuple_of(_name(name) for name in late))
        made = operator("comprehend", kind, _name(given), iteration, shown)
        undefined = [ast.Attribute(_name(OPERATORS), "UNDEFINED", ast.Load()) for _ in late]
        return ast.Call(lambda_of([*late, given], made), [*undefined, first], [])

    def _iteration(self, parts: Sequence[ast.comprehension], result: ast.expr, emit: str) -> ast.Lambda:
        """Lower the iteration over one element of ``parts[0]``."""
        part, rest = parts[0], parts[1:]
        if rest:
            inner: ast.expr = operator("each", self.expr(rest[0].iter), self._iteration(rest, result, emit))
        else:
            inner = ast.Call(_name(emit), [self.expr(result)], [])
        for test in reversed(part.ifs):
            inner = operator("when", self.expr(test), lambda_of([], inner))
        return lambda_of(*self._received(part.target, inner, set()))

    def _received(self, target: ast.expr, inner: ast.expr, later: set[str]) -> tuple[list[str], ast.expr]:
        """Return the parameter that receives the element for ``target``, and ``inner`` with it stored there.

        A name that the same target assigns again is of no use here: ``later`` holds those, and gets this one.
        """
        if isinstance(target, ast.Name) and not self.scopes.is_late(target.id):
            name = self.fresh("item") if target.id in later else target.id
            later.add(target.id)
            return [name], inner
        item = self.fresh("item")
        match target:
            case ast.Name():
                stored = operator("rebound", _name(item), lambda_of([], _name(target.id)))
            case ast.Attribute():
                name = constant(self.scopes.mangled(target.attr))
                stored = operator("store_attr", _name(item), self.expr(target.value), name)
            case ast.Subscript():
                stored = operator("store_item", _name(item), self.expr(target.value), self.expr(target.slice))
            case _:
                return [item], self._unpacked(target, _name(item), inner, later)
        return [item], ast.Subscript(tuple_of([stored, inner]), constant(1), ast.Load())

    def _unpacked(self, target: ast.expr, value: ast.expr, inner: ast.expr, later: set[str]) -> ast.expr:
        """``inner`` with the names of a tuple target bound to the items of ``value``, the first one first."""
        names: list[str] = []
        for element in reversed(elements_of(target)):
            stored = element.value if isinstance(element, ast.Starred) else element
            (name,), inner = self._received(stored, inner, later)
            names.append(name)
        items = ast.Starred(unpack(target, value), ast.Load())
        return ast.Call(lambda_of(names[::-1], inner), [items], [])


def _read_elsewhere(node: Comprehension) -> set[str]:
    """The variables that are read before they are assigned, or assigned in several places."""
    found: set[str] = set()
    held: set[str] = set()
    for place, part in enumerate(node.generators):
        later = names_of(*(one.target for one in node.generators[place + 1 :])).binds
        own = names_of(part.target)
        found |= own.binds & (held | later)
        found |= own.reads & (own.binds | later) | names_of(*part.ifs).reads & later
        found |= (names_of(part.iter).reads & (own.binds | later)) if place else set()
        held |= own.binds
    return found


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
