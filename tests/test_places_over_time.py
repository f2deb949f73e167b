"""Places of outside state that come and go: every kind of place × present or missing × written × a opaque call."""

from __future__ import annotations

import itertools
import random
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

import harness
import pytest

import astrace

WORLD = """
import sys, types
class K: pass
class Sub(K): pass
def FN(): pass
OBJ = K.__new__(type("I", (), {}))
DCT = {}
MOD = types.ModuleType("made_here")
"""

KINDS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "class": (
        "K.n = {}",
        "del K.n",
        (
            "K.n",
            "getattr(K, 'n', 0)",
            "hasattr(K, 'n')",
            "K.__dict__.get('n', 0)",
            "getattr(K(), 'n', 0)",
            "Sub.n",
        ),
    ),
    "function": (
        "FN.n = {}",
        "del FN.n",
        ("FN.n", "getattr(FN, 'n', 0)", "hasattr(FN, 'n')", "FN.__dict__.get('n', 0)"),
    ),
    "instance": (
        "OBJ.n = {}",
        "del OBJ.n",
        (
            "OBJ.n",
            "getattr(OBJ, 'n', 0)",
            "hasattr(OBJ, 'n')",
            "OBJ.__dict__.get('n', 0)",
            "'n' in vars(OBJ)",
        ),
    ),
    "item": ("DCT['n'] = {}", "del DCT['n']", ("DCT['n']", "DCT.get('n', 0)", "'n' in DCT")),
    "module": ("MOD.n = {}", "del MOD.n", ("MOD.n", "getattr(MOD, 'n', 0)", "hasattr(MOD, 'n')")),
    "global": ("G = {}", "del G", ("G", "'G' in sys.modules[__name__].__dict__")),
}
"""Statements that write and delete a place, and the ways in which it is read."""

BEFORE = ("", "read", "set")
ACTIONS = ("", "set", "delete", "in a branch", "in a loop", "deleted in a branch", "increased")
CALLS = ("", "before", "after", "both")
SEEN = ("nothing", "set", "delete")
MISSING = "(AttributeError, KeyError, NameError, TypeError)"


def indented(lines: list[str], levels: int) -> Iterator[str]:
    return ("    " * levels + line for line in lines)


def asked(tag: str, read: str) -> list[str]:
    return [
        "try:",
        f"    found.append(({tag!r}, {read}))",
        "except Exception as error:",
        "    found.append(type(error).__name__)",
    ]


def deleted(delete: str) -> list[str]:
    return ["try:", f"    {delete}", f"except {MISSING}:", "    found.append('none')"]


def action(kind: str, write: str, delete: str, read: str) -> list[str]:
    match kind:
        case "set":
            return [write.format("x + 1")]
        case "delete":
            return deleted(delete)
        case "in a branch":
            return ["if x > 1:", f"    {write.format('x + 2')}"]
        case "in a loop":
            return ["for i in range(x):", f"    {write.format('i')}"]
        case "deleted in a branch":
            return ["if x > 1:", *indented(deleted(delete), 1)]
        case "increased":
            return [
                "try:",
                f"    {write.format(f'{read} + 1')}",
                f"except {MISSING}:",
                "    found.append('none')",
            ]
        case _:
            return []


def program(place: str, read: str, before: str, kind: str, calls: str, seen: str) -> str:
    """A function that does all this, and a opaque function."""
    write, delete, _ = KINDS[place]
    lines = ["global G"] if place == "global" else []
    lines.append("found = []")
    lines += ["opaque(x)"] if calls in ("before", "both") else []
    lines += asked("before", read) if before == "read" else [write.format("x")] if before == "set" else []
    lines += action(kind, write, delete, read)
    lines += ["opaque(x)"] if calls in ("after", "both") else []
    lines += [*asked("after", read), "return found"]
    opaque = {
        "nothing": "pass",
        "set": write.format(77),
        "delete": f"try: {delete}\n    except Exception: pass",
    }
    hidden = f"def opaque(x):\n    global G\n    {opaque[seen]}"
    return "\n".join([WORLD, f"exec({hidden!r})", "def f(x):", *indented(lines, 1)])


numbers = itertools.count()


def outcomes(source: str, place: str, present: bool, compiled: bool) -> list[Any]:
    """Return the results of calls; the place is present or missing before the first, and missing before the last two."""
    module: Any = types.ModuleType(f"places_over_time_{next(numbers)}")
    sys.modules[module.__name__] = module
    harness.run_with_source(source, module.__dict__)
    function = astrace.compile(module.f) if compiled else module.f
    write, delete, _ = KINDS[place]
    if present:
        exec(write.format(50), module.__dict__)
    found = [call(function, x) for x in (2, 2, 0, 3)]
    exec(f"try: {delete}\nexcept Exception: pass", module.__dict__)
    found += [call(function, x) for x in (2, 0)]
    del sys.modules[module.__name__]
    return found


def call(function: Any, x: int) -> Any:
    try:
        return function(x)
    except Exception as error:
        return repr(error)


@pytest.mark.parametrize("place", KINDS)
@pytest.mark.parametrize("kind", ACTIONS)
def test_a_place_that_comes_and_goes(place: str, kind: str) -> None:
    reads = KINDS[place][2]
    whole = list(itertools.product(reads, BEFORE, CALLS, SEEN, (False, True)))
    for read, before, calls, seen, present in random.Random(f"{place} {kind}").sample(whole, 6):
        source = program(place, read, before, kind, calls, seen)
        plain, captured = (outcomes(source, place, present, compiled) for compiled in (False, True))
        assert plain == captured, source
