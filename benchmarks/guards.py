"""The cost of guards: a hot call with none, a few and many, beside the calls of other compilers; and each kind alone."""

from __future__ import annotations

import builtins
import importlib
import importlib.metadata
import importlib.util
import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import astrace
from astrace.compiler.dispatcher import Specialisation, build_dispatcher
from astrace.guards.access_paths import Attribute, Item, Path, Root
from astrace.guards.kinds import (
    CHEAP,
    Equals,
    Fits,
    Guard,
    HasKeys,
    HasLength,
    HasType,
    Is,
    IsBuiltin,
    Lacks,
    LacksAttribute,
)
from astrace.ir.specs import ArraySpec, ScalarSpec
from benchmarks.made import made
from benchmarks.tables import Cell, Table
from benchmarks.timing import by_column, medians, timer

# -- a hot call, beside other compilers ----------------------------------------------------------------------

COUNTS: Final = (0, 5, 50)


def flagged(count: int) -> types.FunctionType:
    """A function that gives its argument back, after a look at so many flags in globals."""
    names = [f"FLAG_{index}" for index in range(count)]
    body = f"x if {' and '.join(names)} else None" if names else "x"
    return made("\n".join([*(f"{name} = True" for name in names), f"def f(x):\n    return {body}\n"]))


def by_astrace(count: int) -> tuple[Callable[..., Any], Any]:
    """The function as astrace compiles it, which guards every flag."""
    compiled = astrace.compile(flagged(count), fullgraph=True)
    return compiled, np.arange(3.0)


def by_numba(count: int) -> tuple[Callable[..., Any], Any]:
    """As Numba compiles it, which freezes the flags."""
    return importlib.import_module("numba").njit(flagged(count)), np.arange(3.0)


def by_jax(count: int) -> tuple[Callable[..., Any], Any]:
    """As `jax.jit` compiles it, which freezes the flags."""
    jax = importlib.import_module("jax")
    return jax.jit(flagged(count)), jax.numpy.arange(3.0)


COMPILERS: Final = {"astrace": by_astrace, "numba": by_numba, "jax": by_jax}
SHOWN: Final = {"numba": "Numba", "jax": "`jax.jit`"}


def installed() -> list[str]:
    """The compilers that can be compared here."""
    return [name for name in COMPILERS if importlib.util.find_spec(name) is not None]


def measure(smoke: bool) -> Table:
    """Measure the time by which a compiled call is longer than a plain one, by the number of guards."""
    samples, number = (3, 500) if smoke else (501, 500)
    names = installed()
    rows: list[list[Cell]] = []
    free = 0.0
    for count in COUNTS:
        plain = flagged(count)
        calls = [COMPILERS[name](count) for name in names]
        timers = [timer(plain, np.arange(3.0)), *(timer(function, x) for function, x in calls)]
        base, *times = (time * 1e9 for time in medians(timers, samples, number))
        added = [time - base for time in times]
        taken = base + added[0]
        free = free or taken
        each = (taken - free) / count if count else "none"
        rows.append([str(count), base, added[0], each, *added[1:]])
    columns = [
        f"{SHOWN[name]} {importlib.metadata.version(name)} adds, ns" for name in names if name != "astrace"
    ]
    return Table(["Guards", "plain, ns", "astrace adds, ns", "a guard, ns", *columns], rows)


# -- each kind of guard ----------------------------------------------------------------------------------------

MANY: Final = 50


class Thing:
    """Something with attributes."""

    def __init__(self) -> None:
        self.value = 0.5


def items(make: Callable[[], Any], guard: Callable[[Path, Any], Guard]) -> list[Guard]:
    """The same guard on the items of a dict, one by one."""
    held = {f"key {index}": make() for index in range(MANY)}
    root = Root(held, "held")
    return [guard(Item(root, key), value) for key, value in held.items()]


def keyed(count: int) -> list[Guard]:
    """Guards on all keys of dicts of so many."""
    return items(
        lambda: {f"key {index}": None for index in range(count)}, lambda path, value: HasKeys(path, (*value,))
    )


def functions() -> list[Guard]:
    """Guards on the code of functions."""
    made_here = [made("def f(x):\n    return x\n") for _ in range(MANY)]
    return [Is(Attribute(Root(one, "one"), "__code__"), one.__code__) for one in made_here]


def cells() -> list[Guard]:
    """Guards on the values of variables of functions around."""
    made_here = [types.CellType(True) for _ in range(MANY)]
    return [Is(Attribute(Root(cell, "cell"), "cell_contents"), True) for cell in made_here]


def attributes() -> list[Guard]:
    """Guards on the class of what attributes hold."""
    things = [Thing() for _ in range(MANY)]
    return [Fits(Attribute(Root(thing, "thing"), "value"), ScalarSpec("float")) for thing in things]


def builtin_names() -> list[Guard]:
    """Guards on builtins."""
    root = Root({}, "names")
    names = [name for name in vars(builtins) if name.islower() and not name.startswith("_")]
    return [IsBuiltin(root, name, vars(builtins)[name]) for name in names[:MANY]]


def absences() -> list[Guard]:
    """Guards that globals are missing."""
    root = Root({"other": 1}, "names")
    return [Lacks(root, f"name {index}") for index in range(MANY)]


ARRAY: Final = ArraySpec(("n",), np.dtype(float))
KINDS: Final[dict[str, Callable[[], Sequence[Guard]]]] = {
    "an item is a flag": lambda: items(lambda: True, Is),
    "an item is a function": lambda: items(lambda: measure, Is),
    "an item is of a class": lambda: items(Thing, lambda path, value: HasType(path, type(value))),
    "an item is a float": lambda: items(lambda: 0.5, lambda path, _: Fits(path, ScalarSpec("float"))),
    "an item is a text": lambda: items(lambda: "text", Equals),
    "an item is an integer": lambda: items(lambda: 10**9, Equals),
    "an attribute is a float": attributes,
    "a closure's variable is a flag": cells,
    "a function has its code": functions,
    "a global is missing": absences,
    "a name is the builtin": builtin_names,
    "a list has its length": lambda: items(lambda: [1, 2], lambda path, value: HasLength(path, len(value))),
    "an instance has no such attribute": lambda: items(Thing, lambda path, _: LacksAttribute(path, "other")),
    "an array has its class, dtype and rank": lambda: items(
        lambda: np.ones(3), lambda path, _: Fits(path, ARRAY)
    ),
    "a tuple has its items": lambda: items(lambda: (1, 2), lambda path, _: Equals(path, (1, 2))),
    "a dict has its 2 keys": lambda: keyed(2),
    "a dict has its 100 keys": lambda: keyed(100),
}


def dispatcher(guards: Sequence[Guard]) -> Callable[[], Any]:
    """A dispatcher with these guards."""
    signature = inspect.signature(lambda: None)
    one = Specialisation(tuple(guards), frozenset(), (), lambda: None)
    return build_dispatcher(signature, "f", [one], _missed, None)


def _missed(given: dict[str, Any]) -> None:
    raise AssertionError(f"no guard fails: {given}")


def measure_kinds(smoke: bool) -> Table:
    """Measure the time of one guard of each kind: a call with many, less the call without, divided by their number."""
    samples, number = (3, 50) if smoke else (501, 50)
    bare = timer(dispatcher(()))
    rows: list[list[Cell]] = []
    for kind, make in KINDS.items():
        guards = make()
        full = timer(dispatcher(guards))
        pairs = ([full.timeit(number), bare.timeit(number)] for _ in range(samples))
        (time,) = by_column([(taken - empty) / number / len(guards)] for taken, empty in pairs)
        rows.append([kind, time * 1e9, "no" if guards[0].cost <= CHEAP else "yes"])
    return Table(["Check", "ns", "`explain` calls it not cheap"], rows)
