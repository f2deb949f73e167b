"""Random programs about arrays that share memory: reads and writes through views, containers and helpers.

`program(rng)` gives the source of a module with a function ``f`` and ``arguments(call)``.  A statement is
tried out while the program is written, on the arguments of the first call, so that nearly all of them are valid;
now and then one that raises is kept.
"""

from __future__ import annotations

import random
import re
import warnings
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from fuzz import forms

PLACE: Final = re.compile(r"\{([A-Z])(\d?)\}")
ATTEMPTS: Final = 12
MOST_ITEMS: Final = 300
SHARED: Final = ("k", "s", "idx", "box", "items", "table")
"""Arguments of functions that the program defines, besides two arrays."""


@dataclass
class Place:
    """The surroundings of a statement.

    Args:
        depth: the indentation.
        world: the variables there, with values as of one run.
        loop: the variable that counts iterations, inside a loop.
        lines: the text so far.
    """

    depth: int
    world: dict[str, Any]
    loop: str = ""
    lines: list[str] = field(default_factory=list)

    def inner(self, **changes: Any) -> Place:
        """A place one step further in."""
        return replace(self, depth=self.depth + 1, **changes)

    def write(self, text: str) -> None:
        """Add a line."""
        self.lines.append("    " * self.depth + text)


class Writer:
    """Writes one program.

    Args:
        rng: decides everything.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.steps = 0
        self.helpers: list[str] = []
        constants = {
            "FIRST": rng.choice([0, 0, 0, 1, 1, 2, 3]),
            "LAST": rng.choice([0, 1, 2, 3]),
            **{name: rng.randrange(8) for name in ("SECOND", "VECTOR", "OTHER")},
        }
        self.header = forms.HEADER + "".join(f"{name} = {value}\n" for name, value in constants.items())
        self.module: dict[str, Any] = {"__name__": "program_sandbox"}
        exec(self.header, self.module)

    def program(self) -> str:
        """The source of a program."""
        names = forms.PARAMETERS.split(", ")
        place = Place(1, {**self.module, **dict(zip(names, self.module["arguments"](0), strict=True))})
        for text in self.rng.sample(forms.LOCAL, self.rng.choice([0, 1, 3, 5])):
            place.write(text)
            self.runs(place, text)
        for _ in range(self.rng.randint(3, 9)):
            self.statement(place)
        arrays = [one for one, value in place.world.items() if self.fits(value, "A")]
        results = self.rng.sample(arrays, min(len(arrays), 6))
        self.write_return(
            place, [*results, *self.rng.sample(["box", "items", "table"], self.rng.randrange(3))]
        )
        body = globals_of(place) + "\n".join(place.lines)
        return f"{self.header}\n\n{''.join(self.helpers)}def f({forms.PARAMETERS}):\n{body}\n"

    def write_return(self, place: Place, results: list[str]) -> None:
        self.steps += 1
        place.write(f"return {', '.join(results)}," if results else "return None")

    # -- filling in -----------------------------------------------------------------------------------------

    def fits(self, value: Any, kind: str) -> bool:
        """Return whether a value fits a place for arrays."""
        if type(value) is not np.ndarray or value.size > MOST_ITEMS:
            return False
        return kind == "A" or value.ndim == {"V": 1, "M": 2}[kind]

    def array(self, place: Place, kind: str) -> str:
        """An expression for an array; most are names."""
        if self.rng.random() < 0.12:
            found = [one for one in forms.ARRAYS if self.fits(self.value(place, one), kind)]
            if found:
                return self.rng.choice(found)
        names = [name for name, value in place.world.items() if self.fits(value, kind)]
        if not names:
            return "w" if kind == "V" else "m"
        return self.rng.choice(names[-3:] if self.rng.random() < 0.4 else names)

    def value(self, place: Place, text: str) -> Any:
        try:
            return eval(text, place.world)
        except Exception:
            return None

    def fill(self, place: Place, template: str, depth: int = 2) -> str:
        """A template with its places filled in."""
        known: dict[str, str] = {}

        def one(match: re.Match[str]) -> str:
            kind, digit = match.groups()
            if digit and match.group() in known:
                return known[match.group()]
            text = self.part(place, kind, depth)
            if digit:
                known[match.group()] = text
            return text

        return PLACE.sub(one, template).replace("{{", "{").replace("}}", "}")

    def part(self, place: Place, kind: str, depth: int) -> str:
        if kind in "AVM":
            return self.array(place, kind)
        if kind == "I" and place.loop and self.rng.random() < 0.5:
            return self.rng.choice([place.loop, f"{place.loop} % 2", f"-{place.loop}"])
        if kind == "N" and (depth == 0 or self.rng.random() < 0.4):
            return self.rng.choice(["0", "1", "-2", "3", "0.5", "s", "k", place.loop or "7"])
        if kind == "Y" and depth == 0:
            return self.array(place, "A")
        return self.fill(place, self.rng.choice(forms.TABLES[kind]), max(depth - 1, 0))

    # -- statements -----------------------------------------------------------------------------------------

    def statement(self, place: Place) -> None:
        """Write a statement, with all that is inside it."""
        self.steps += 1
        compound = [
            self.branch,
            self.branch,
            self.loop,
            self.loop,
            self.while_loop,
            self.attempt,
            self.helper,
        ]
        if place.depth >= 4 or self.rng.random() < 0.72:
            self.simple(place)
        else:
            self.rng.choice(compound)(place)

    def simple(self, place: Place) -> None:
        """Write a statement without others inside; one that does not raise, if one is found."""
        for attempt in range(ATTEMPTS):
            text = self.draft(place)
            if self.runs(place, text) or (attempt == 0 and self.rng.random() < 0.03):
                place.write(text)
                return
        place.write("k = k")

    def draft(self, place: Place) -> str:
        r = self.rng.random()
        if r < 0.22:
            return f"{self.target(place)} = {self.fill(place, '{Y}')}"
        if r < 0.32:
            return f"{self.target(place)} = {self.fill(place, '{X}')}"
        if r < 0.47:
            value = self.rng.choice(["{N}", "{N}", "{A}", "{V}", "{X}", "{Y}"])
            return self.fill(place, f"{self.rng.choice(forms.TARGETS)} = {value}")
        if r < 0.62:
            value = self.rng.choice(["{N}", "{N}", "{A}", "{V}", "{Y}"])
            operator = self.rng.choice(forms.OPERATORS[: self.rng.choice([3, 3, 3, 11])])
            target = self.rng.choice([*forms.TARGETS, *("{A}",) * 20, "box.v", "items[0]", "table['v']"])
            return self.fill(place, f"{target} {operator} {value}")
        if r < 0.8:
            update = self.fill(place, self.rng.choice(forms.UPDATES))
            bound = self.rng.random() < 0.3 and re.search(r" \S?= ", update) is None
            return f"{self.fresh('u')} = {update}" if bound else update
        known = "mine" in place.world or "own" in place.world
        return self.fill(place, self.rng.choice(forms.CONTAINERS if known and r < 0.92 else forms.HELD))

    def target(self, place: Place) -> str:
        """A name to bind: a new one, or one that is in use."""
        used = [name for name in place.world if re.fullmatch(r"x\d+|[mvw]|second", name)]
        return self.rng.choice(used) if used and self.rng.random() < 0.25 else self.fresh("x")

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}{self.count}"

    def runs(self, place: Place, text: str) -> bool:
        """Try a statement out, on the variables as they are."""
        trial = {**place.world, "print": lambda *_: None}
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(text, trial)
            except Exception:
                return False
        del trial["print"]
        place.world.update(trial)
        return True

    def test(self, place: Place) -> str:
        """A condition that can be asked for."""
        for _ in range(ATTEMPTS):
            text = self.fill(place, "{T}")
            if self.runs(place, f"bool({text})"):
                return text
        return "k"

    def body(self, place: Place, most: int = 3) -> None:
        for _ in range(self.rng.randint(1, most)):
            self.statement(place)
        if place.depth > 1 and self.rng.random() < 0.08:
            self.leave(place)

    def leave(self, place: Place) -> None:
        """Write an early return."""
        self.steps += 1
        place.write(f"return {self.array(place, 'A')}, {self.array(place, 'A')}")

    def merge(self, place: Place, inner: Place) -> None:
        """Merge the names that a body has bound, which are known behind it, or may be."""
        for name, value in inner.world.items():
            if name in place.world or self.rng.random() < 0.1:
                place.world[name] = value

    def branch(self, place: Place) -> None:
        place.write(f"if {self.test(place)}:")
        then = place.inner(world=dict(place.world))
        self.body(then)
        orelse = place.inner(world=dict(place.world))
        if self.rng.random() < 0.5:
            place.write("else:")
            self.body(orelse)
            place.world |= {name: value for name, value in then.world.items() if name in orelse.world}
        self.merge(place, then)
        self.merge(place, orelse)

    def loop(self, place: Place) -> None:
        names = {name: self.fresh(name) for name in "irqn"}
        for _ in range(ATTEMPTS):
            head = self.rng.choice(forms.LOOPS)
            for name, chosen in names.items():
                head = head.replace(f"{{{name}}}", chosen)
            head = self.fill(place, head)
            inner = place.inner(world=dict(place.world))
            if self.runs(inner, f"{head}: break"):
                break
        else:
            return
        inner.loop = names["i"] if names["i"] in inner.world else place.loop
        self.loop_body(place, inner, head)

    def while_loop(self, place: Place) -> None:
        count = self.fresh("i")
        place.write(f"{count} = 0")
        inner = place.inner(world={**place.world, count: 1}, loop=count)
        extra = f" and ({self.test(place)})" if self.rng.random() < 0.6 else ""
        inner.write(f"{count} += 1")
        first = inner.lines.pop()
        self.loop_body(place, inner, f"while {count} < {self.rng.choice(['3', 'k', '2'])}{extra}", first)

    def loop_body(self, place: Place, inner: Place, head: str, first: str = "") -> None:
        place.write(f"{head}:")
        place.lines += [first] if first else []
        if self.rng.random() < 0.2:
            inner.write(f"if {self.test(inner)}:")
            inner.inner().write(self.rng.choice(["break", "continue", "continue"]))
        self.body(inner)
        self.merge(place, inner)

    def attempt(self, place: Place) -> None:
        place.write("try:")
        inner = place.inner(world=dict(place.world))
        self.body(inner, 2)
        inner.write(
            self.fill(
                inner,
                self.rng.choice(["if {C}: raise ValueError('inside')", "{V}[k + 2] = {N}", "{A}[7] += 1"]),
            )
        )
        if self.rng.random() < 0.7:
            place.write(f"except {self.rng.choice(forms.CAUGHT)}:")
        else:
            place.write("finally:")
        self.body(place.inner(world=dict(place.world)), 2)
        self.merge(place, inner)

    def helper(self, place: Place) -> None:
        """Write a function and a call of it; inside a function it is a local one, which may know all names."""
        name, result = self.fresh("helper"), self.fresh("x")
        first, second = self.array(place, "A"), self.array(place, "A")
        known = place.world if place.depth > 1 and self.rng.random() < 0.3 else self.module
        world = {**known, "p": self.value(place, first), "q": self.value(place, second)}
        world |= {one: place.world[one] for one in SHARED}
        local = place.depth > 1
        inner = Place(place.depth + 1 if local else 1, world, "", place.lines if local else [])
        replace(inner, depth=inner.depth - 1).write(f"def {name}(p, q, {', '.join(SHARED)}):")
        self.body(inner)
        self.leave(inner)
        if not local:
            head, *rest = inner.lines
            inner.lines[:] = rest
            self.helpers.append(f"{head}\n{globals_of(inner)}" + "\n".join(rest) + "\n\n\n")
        place.write(f"{result} = {name}({first}, {second}, {', '.join(SHARED)})[{self.rng.randrange(2)}]")
        place.world[result] = self.value(place, first)


def globals_of(place: Place) -> str:
    """The declaration that a function needs which binds a global name."""
    bound = any(re.search(r"\bKEPT \S{0,3}=[^=]|, KEPT = |as KEPT\b", line) for line in place.lines)
    return "    global KEPT\n" if bound else ""


def program(rng: random.Random) -> tuple[str, int]:
    """The source of a random program, and how many statements it has.

    Args:
        rng: decides everything.
    """
    writer = Writer(rng)
    return writer.program(), writer.steps
