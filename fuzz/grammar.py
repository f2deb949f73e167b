"""Programs written from tables of forms: expressions by what they give, statements, and heads of compound ones.

A form is text with places: ``{v}`` stands for one of the expressions under ``v``; braces that are meant are doubled.
A program uses a few forms of each kind, so that these meet often.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from fuzz.draft import Draft

PLACE: Final = re.compile(r"(?<!\{)\{([a-z]0?)\}")


@dataclass(frozen=True)
class Grammar:
    """The parts of a kind of programs.

    Args:
        forms: expressions, by the letter of their place.
        changes: simple statements.
        heads: first lines of compound ones.
        errors: what handlers catch.
        simple: for the letters of which forms may hold each other without end, what ends that.
        sizes: how many forms of a letter a program uses, where those are not two.
        handled: what a handler does first.
        depth: how deep expressions may hold each other.
    """

    forms: Mapping[str, Sequence[str]]
    changes: Sequence[str]
    heads: Sequence[str]
    errors: Sequence[str]
    simple: Mapping[str, str]
    sizes: Mapping[str, int]
    handled: str = "LOG.append((type(error).__name__, str(error)))"
    depth: int = 2


@dataclass
class Written(Draft):
    """A program in the making.

    Args:
        grammar: what it may be made of.
        forms: the expressions that it is made of, by what they give.
        changes: the statements that it is made of.
        heads: so are these, around others.
        loops: how many of the statements that stand around are loops.
    """

    grammar: Grammar = field(kw_only=True)
    budget: int = 10
    forms: dict[str, list[str]] = field(default_factory=dict)
    changes: list[str] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    loops: int = 0

    def __post_init__(self) -> None:
        grammar = self.grammar
        self.forms = {
            kind: self.rng.sample(forms, min(grammar.sizes.get(kind, 2), len(forms)))
            for kind, forms in grammar.forms.items()
        }
        self.forms["v"].append("n")
        self.changes = self.rng.sample(grammar.changes, 6)
        self.heads = self.rng.sample(grammar.heads, 3)

    def text(self, form: str) -> str:
        """A form as text, its places filled in."""
        return self._filled(form, self.grammar.depth).replace("{{", "{").replace("}}", "}")

    def _filled(self, form: str, depth: int) -> str:
        simple = self.grammar.simple

        def part(match: re.Match[str]) -> str:
            kind = match[1]
            if kind in simple and not depth:
                return simple[kind]
            return self._filled(self.rng.choice(self.forms[kind]), depth - 1 if kind in simple else depth)

        return PLACE.sub(part, form.replace("{{{", "{{ {").replace("}}}", "} }}"))

    def statement(self) -> None:
        """Write a statement."""
        self.budget -= 1
        kind = self.rng.random()
        if kind < 0.3 and self.depth < 4:
            self.compound()
        elif kind < 0.36 and self.loops:
            self.line(f"if {self.text('{t}')}: {self.rng.choice(['break', 'continue'])}")
        else:
            self.line(self.text(self.rng.choice(self.changes)))

    def compound(self) -> None:
        """Write a statement with others inside."""
        if self.rng.random() < 0.3:
            self.attempt()
            return
        head = self.text(self.rng.choice(self.heads))
        loop = head.startswith(("for", "while"))
        self.line(head)
        self.loops += loop
        self.suite()
        self.loops -= loop
        if head.startswith(("for", "if", "while")) and self.rng.random() < 0.3:
            self.line("else:")
            self.suite()

    def attempt(self) -> None:
        """Write a ``try``."""
        self.line("try:")
        self.suite()
        if self.rng.random() < 0.8:
            self.line(f"except {self.rng.choice(self.grammar.errors)} as error:")
            self.depth += 1
            self.line(self.grammar.handled)
            self.depth -= 1
        else:
            self.line("finally:")
            self.suite()


def whole(header: str, parameters: str, made: Written, before: str = "") -> tuple[str, int]:
    """The source of a program's module, and how many statements it has.

    Args:
        header: what all programs of its kind begin with.
        parameters: those of its function.
        made: the lines of its function.
        before: what stands before the function, and belongs to this program.
    """
    count = len(made.lines) + before.count("\n")
    return f"{header}{before}def f({parameters}):\n" + "\n".join(made.lines) + "\n", count
