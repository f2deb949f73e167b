"""Random Python programs over NumPy, by a grammar: each ends, most run without an exception.

`program(seed)` gives the source of a function ``f`` and how to make arguments for it.  Variables have
kinds (``float``, ``int``, ``array``, ``list``), so that expressions mostly make sense; conditions depend
on traced values more often than not.
"""

from __future__ import annotations

import collections
import random
from dataclasses import dataclass, field

HEADER = '''"""A random program."""

import numpy as np

G = 1.5
TABLE = {"k": 2.0, "n": 3}
LOG = []


class Box:
    def __init__(self, v):
        self.v = v
        self.n = 0

    def bump(self, d):
        self.n += 1
        if d > 0:
            self.v = self.v + d
        return self.v


def helper(a, b=2):
    if a > b:
        return a - b
    return b * 2


def items(x):
    for v in x:
        if v > 0:
            yield v


'''


@dataclass
class Scope:
    """The variables at a place of the program, by kind, and what statements may stand there."""

    kinds: dict[str, list[str]]
    depth: int = 0
    in_loop: bool = False
    function: bool = False
    budget: int = 12
    counters: set[str] = field(default_factory=set)


class Generator:
    """Writes one program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.rules: collections.Counter[str] = collections.Counter()

    # -- expressions -------------------------------------------------------------------------------

    def pick(self, *options: object) -> object:
        return self.rng.choice(options)

    def name(self, scope: Scope, kind: str) -> str | None:
        names = scope.kinds.get(kind, [])
        return self.rng.choice(names) if names else None

    def number(self, scope: Scope, depth: int = 2) -> str:
        """An expression for a number."""
        r = self.rng.random()
        if depth == 0 or r < 0.25:
            return self.rng.choice(
                [x for x in (self.name(scope, "float"), self.name(scope, "int")) if x]
                + [repr(self.rng.choice([0, 1, 2, 3, -1, 0.5, 2.5, -1.5]))]
            )
        a, b = self.number(scope, depth - 1), self.number(scope, depth - 1)
        choices = [
            f"({a} + {b})",
            f"({a} - {b})",
            f"({a} * {b})",
            f"({a} / 2)",
            f"abs({a})",
            f"max({a}, {b})",
            f"min({a}, {b})",
            f"-{a}" if a[0] != "-" else a,
            f"({a} if {self.test(scope, 0)} else {b})",
            f"helper({a}, {b})",
            f"helper({a})",
            f"({a} % 7)",
            "G",
            "TABLE['k']",
            f"float({a})",
        ]
        array = self.name(scope, "array")
        if array:
            choices += [
                f"{array}[{self.index(scope)}]",
                f"{array}.sum()",
                f"np.max({array})",
                f"len({array})",
                f"{array}.mean()",
                f"{array}.shape[0]",
                f"sum(v for v in {array} if v > {a})",
                f"sum({array})",
                f"float({array}[0])",
            ]
        items = self.name(scope, "list")
        if items:
            choices += [f"len({items})", f"({items}[0] if {items} else {a})", f"sum({items})"]
        box = self.name(scope, "box")
        if box:
            choices += [f"{box}.v", f"{box}.n", f"{box}.bump({a})"]
        return self.rng.choice(choices)

    def index(self, scope: Scope) -> str:
        whole = self.name(scope, "index")
        return self.rng.choice(["0", "-1", "1"] + ([f"{whole} % 3"] * 2 if whole else []))

    def test(self, scope: Scope, depth: int = 1) -> str:
        """A condition."""
        a, b = self.number(scope, depth), self.number(scope, depth)
        simple = [f"{a} > {b}", f"{a} < {b}", f"{a} == {b}", f"{a}", f"{a} >= 1", f"0 < {a} < 5"]
        array = self.name(scope, "array")
        if array:
            simple += [f"({array} > {a}).any()", f"all(v < 9 for v in {array})", f"{a} in {array}"]
        if depth == 0 or self.rng.random() < 0.6:
            return self.rng.choice(simple)
        p, q = self.test(scope, depth - 1), self.test(scope, depth - 1)
        return self.rng.choice([f"{p} and {q}", f"{p} or {q}", f"not ({p})"])

    def array(self, scope: Scope, depth: int = 1) -> str:
        """An expression for an array of three numbers."""
        base = self.name(scope, "array") or "np.ones(3)"
        if depth == 0:
            return base
        other, number = self.array(scope, depth - 1), self.number(scope, 1)
        return self.rng.choice(
            [
                f"{base} + {other}",
                f"{base} * {number}",
                f"np.where({base} > {number}, {base}, {other})",
                f"{base}.copy()",
                f"np.abs({base})",
                f"{base}[::-1]",
                f"np.maximum({base}, {number})",
                base,
                f"np.array([{number}, {self.number(scope, 1)}, 1.0])",
                "np.zeros(3)",
                f"-{base}",
                f"np.cumsum({base})",
                f"np.sort({base})",
            ]
        )

    # -- statements --------------------------------------------------------------------------------

    def line(self, scope: Scope, text: str) -> None:
        self.lines.append("    " * (scope.depth + 1) + text)

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}{self.count}"

    def inner(self, scope: Scope, **changes: object) -> Scope:
        kinds = {kind: list(names) for kind, names in scope.kinds.items()}
        new = Scope(
            kinds, scope.depth + 1, scope.in_loop, scope.function, max(scope.budget // 2, 1), scope.counters
        )
        for key, value in changes.items():
            setattr(new, key, value)
        return new

    def body(self, scope: Scope) -> None:
        for _ in range(self.rng.randint(1, max(1, min(scope.budget, 4)))):
            if self.statement(scope):
                return

    def statement(self, scope: Scope) -> bool:
        """Write a statement; tells whether what follows it is never reached."""
        scope.budget -= 1
        simple = [
            self.assign,
            self.assign,
            self.assign_array,
            self.augment,
            self.write,
            self.listed,
            self.effect,
            self.tuples,
        ]
        if scope.in_loop:
            simple += [self.jump]
        simple += [self.early] if scope.depth > 0 else []
        compound = [
            self.branch,
            self.branch,
            self.for_loop,
            self.while_loop,
            self.attempt,
            self.nested,
            self.manager,
            self.matching,
        ]
        deep = scope.depth >= 3 or scope.budget <= 0
        kind = self.rng.choice(simple if deep or self.rng.random() < 0.55 else compound)
        self.rules[kind.__name__] += 1
        return bool(kind(scope))

    def target(self, scope: Scope, kind: str, base: str) -> str:
        name = self.name(scope, kind)
        if name is None or self.rng.random() < 0.4 or name in scope.counters:
            name = self.fresh(base)
        return name

    def learn(self, scope: Scope, kind: str, name: str) -> None:
        for names in scope.kinds.values():
            if name in names:
                names.remove(name)
        scope.kinds.setdefault(kind, []).append(name)

    def assign(self, scope: Scope) -> None:
        value = self.number(scope)
        name = self.target(scope, "float", "a")
        self.line(scope, f"{name} = {value}")
        self.learn(scope, "float", name)

    def assign_array(self, scope: Scope) -> None:
        value = self.array(scope)
        name = self.target(scope, "array", "x")
        self.line(scope, f"{name} = {value}")
        self.learn(scope, "array", name)

    def augment(self, scope: Scope) -> None:
        kind = self.rng.choice(["float", "array"])
        name = self.name(scope, kind)
        if name is not None and name not in scope.counters:
            self.line(scope, f"{name} {self.rng.choice(['+=', '-=', '*='])} {self.number(scope, 1)}")

    def write(self, scope: Scope) -> None:
        array = self.name(scope, "array")
        if array is None:
            return
        number = self.number(scope, 1)
        self.line(
            scope,
            self.rng.choice(
                [
                    f"{array}[{self.index(scope)}] = {number}",
                    f"{array}[{self.index(scope)}] += {number}",
                    f"{array}[1:] = {number}",
                    f"{array}[{array} > {number}] = 0.0",
                    f"{array}[:2] *= {number}",
                    f"np.add({array}, {number}, out={array})",
                    f"{array}.sort()",
                    f"{array}.fill({number})",
                ]
            ),
        )

    def listed(self, scope: Scope) -> None:
        items = self.name(scope, "list")
        number = self.number(scope, 1)
        if items is None or self.rng.random() < 0.3:
            name = self.fresh("l")
            array = self.name(scope, "array") or "np.ones(2)"
            made = self.rng.choice(
                ["[]", f"[{number}, 1]", f"[v * 2 for v in {array}]", f"[i * {number} for i in range(3)]"]
            )
            self.line(scope, f"{name} = {made}")
            self.learn(scope, "list", name)
            return
        self.line(
            scope,
            self.rng.choice(
                [
                    f"{items}.append({number})",
                    f"{items} = {items} + [{number}]",
                    f"{items}.insert(0, {number})",
                    f"{items}[:] = {items}[::-1]",
                ]
            ),
        )

    def effect(self, scope: Scope) -> None:
        number = self.number(scope, 1)
        box = self.name(scope, "box")
        choices = [
            f"print({number}, 'x')",
            f"LOG.append({number})",
            f"TABLE['n'] = {number}",
            f"print(f'{{{self.name(scope, 'float') or 1}}}')",
        ]
        if box:
            choices += [f"{box}.v = {number}", f"{box}.n += 1", f"{box}.bump({number})"]
        self.line(scope, self.rng.choice(choices))

    def tuples(self, scope: Scope) -> None:
        a, b = self.fresh("p"), self.fresh("q")
        value = self.rng.choice(
            [f"{self.number(scope, 1)}, {self.number(scope, 1)}", f"divmod({self.number(scope, 0)}, 2)"]
        )
        self.line(scope, f"{a}, {b} = {value}")
        self.learn(scope, "float", a)
        self.learn(scope, "float", b)
        if self.rng.random() < 0.4:
            self.line(scope, f"{a}, {b} = {b}, {a}")

    def jump(self, scope: Scope) -> bool:
        if self.rng.random() < 0.5:
            self.line(scope, f"if {self.test(scope)}:")
            self.line(self.inner(scope), self.rng.choice(["break", "continue"]))
            return False
        self.line(scope, self.rng.choice(["break", "continue"]))
        return True

    def early(self, scope: Scope) -> bool:
        value = self.rng.choice(
            [self.number(scope), self.array(scope), "None", f"({self.number(scope, 1)}, 'early')"]
        )
        if self.rng.random() < 0.1:
            self.line(scope, f"raise ValueError({self.number(scope, 1)})")
            return True
        self.line(scope, f"return {value}")
        return True

    def branch(self, scope: Scope) -> None:
        self.line(scope, f"if {self.test(scope)}:")
        then = self.inner(scope)
        self.body(then)
        kinds = [then.kinds]
        if self.rng.random() < 0.3:
            self.line(scope, f"elif {self.test(scope)}:")
            other = self.inner(scope)
            self.body(other)
            kinds.append(other.kinds)
        if self.rng.random() < 0.6:
            self.line(scope, "else:")
            other = self.inner(scope)
            self.body(other)
            kinds.append(other.kinds)
        self.maybe_learn(scope, kinds)

    def maybe_learn(self, scope: Scope, kinds: list[dict[str, list[str]]]) -> None:
        """Now and then a name that only some path binds is used afterwards."""
        if self.rng.random() < 0.15:
            for kind, names in kinds[0].items():
                for name in names:
                    if all(name not in known for known in scope.kinds.values()):
                        scope.kinds.setdefault(kind, []).append(name)
                        return

    def for_loop(self, scope: Scope) -> None:
        loop = self.inner(scope, in_loop=True)
        array = self.name(scope, "array") or "np.arange(3.0)"
        i, v = self.fresh("i"), self.fresh("v")
        bound = self.rng.choice(
            [
                "3",
                "n",
                "len(" + array + ")",
                "n, 0, -1",
                "1, 6, 2",
                f"int(abs({self.name(scope, 'float') or 1})) % 4",
            ]
        )
        head, kinds = self.rng.choice(
            [
                (f"for {i} in range({bound}):", {"index": i, "int": i}),
                (f"for {v} in {array}:", {"float": v}),
                (f"for {i}, {v} in enumerate({array}):", {"index": i, "float": v}),
                (f"for {i}, {v} in zip(range(n), {array}):", {"index": i, "float": v}),
                (f"for {v} in reversed({array}):", {"float": v}),
                (f"for {v} in [1.0, n, 2]:", {"float": v}),
                (f"for {v} in items({array}):", {"float": v}),
            ]
        )
        self.line(scope, head)
        for kind, name in kinds.items():
            loop.kinds.setdefault(kind, []).append(name)
        self.body(loop)
        if self.rng.random() < 0.2:
            self.line(scope, "else:")
            self.body(self.inner(scope))
        self.maybe_learn(scope, [loop.kinds])

    def while_loop(self, scope: Scope) -> None:
        counter = self.fresh("k")
        self.line(scope, f"{counter} = 0")
        loop = self.inner(scope, in_loop=True)
        loop.counters = {*scope.counters, counter}
        extra = f" and {self.test(scope, 0)}" if self.rng.random() < 0.6 else ""
        self.line(scope, f"while {counter} < {self.rng.choice(['3', 'n', '5'])}{extra}:")
        self.line(loop, f"{counter} += 1")
        loop.kinds.setdefault("index", []).append(counter)
        self.body(loop)
        if self.rng.random() < 0.2:
            self.line(scope, "else:")
            self.body(self.inner(scope))

    def attempt(self, scope: Scope) -> None:
        self.line(scope, "try:")
        inside = self.inner(scope)
        if self.rng.random() < 0.6:
            array = self.name(scope, "array") or "np.ones(2)"
            name = self.fresh("e")
            self.line(inside, f"{name} = {array}[n]")
        else:
            self.line(inside, f"if {self.test(scope)}:")
            self.line(self.inner(inside), "raise ValueError('inside')")
        if self.rng.random() < 0.4:
            self.body(inside)
        if self.rng.random() < 0.7:
            self.line(
                scope,
                f"except {self.rng.choice(['IndexError', 'ValueError', '(ValueError, IndexError)', 'Exception'])}:",
            )
            self.body(self.inner(scope))
        else:
            self.line(scope, "finally:")
            self.effect(self.inner(scope))

    def nested(self, scope: Scope) -> None:
        name, arg = self.fresh("fn"), self.fresh("z")
        captured = self.name(scope, "float")
        self.line(scope, f"def {name}({arg}):")
        inside = Scope(
            {kind: list(names) for kind, names in scope.kinds.items()}, scope.depth + 1, False, True, 2
        )
        inside.kinds.setdefault("float", []).append(arg)
        if captured and captured not in scope.counters and self.rng.random() < 0.5 and scope.depth == 0:
            self.line(inside, f"nonlocal {captured}")
            self.line(inside, f"{captured} = {captured} + 1")
        self.line(inside, f"return {self.number(inside)}")
        self.line(scope, f"{self.fresh('r')} = {name}({self.number(scope, 1)})")
        self.learn(scope, "float", f"r{self.count}")

    def manager(self, scope: Scope) -> None:
        self.line(scope, "with np.errstate(all='ignore'):")
        self.body(self.inner(scope))

    def matching(self, scope: Scope) -> None:
        self.line(scope, f"match {self.rng.choice(['n', self.number(scope, 0)])}:")
        case = self.inner(scope)
        for pattern in self.rng.sample(["0", "1 | 2", "3", "-1"], 2):
            self.line(case, f"case {pattern}:")
            self.body(self.inner(case))
        if self.rng.random() < 0.6:
            self.line(case, "case _:")
            self.body(self.inner(case))

    def program(self) -> str:
        """The source of the program."""
        scope = Scope(
            {"float": ["s"], "int": ["n"], "index": ["n"], "array": ["x"], "list": [], "box": []}, budget=14
        )
        if self.rng.random() < 0.5:
            self.line(scope, "box = Box(s)")
            scope.kinds["box"].append("box")
        if self.rng.random() < 0.3:
            self.line(scope, "y = x[1:]" if self.rng.random() < 0.5 else "y = x")
            scope.kinds["array"].append("y") if self.lines[-1].endswith("= x") else None
        for _ in range(self.rng.randint(3, 7)):
            if self.statement(scope):
                break
        names = [name for kind in ("float", "array", "list") for name in scope.kinds[kind]]
        results = self.rng.sample(names, min(len(names), 4))
        extra = ", box.v, box.n" if scope.kinds["box"] else ""
        self.line(scope, f"return {', '.join(results)}{extra},")
        return HEADER + "def f(x, s, n):\n" + "\n".join(self.lines) + "\n"


def program(seed: int) -> str:
    """The source of a random program.

    Args:
        seed: decides everything.
    """
    return Generator(seed).program()


def rules_of(seed: int) -> collections.Counter[str]:
    """Count the uses of each rule in the program of a seed."""
    generator = Generator(seed)
    generator.program()
    return generator.rules
