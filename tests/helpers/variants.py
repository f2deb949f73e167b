"""The ways from a recording to a result: which passes run, and what runs the block.

A ``Variant`` names one; `captured_by` gives a function that captures as the compiler does and then goes that
way.  All of them must give what plain Python gives.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import astrace
from astrace.backends.numpy.backend import compile_block
from astrace.compiler.compiled import Compiled
from astrace.compiler.graph import Graph
from astrace.compiler.stages import Stages
from astrace.passes import PASSES, Pass
from astrace.passes import run as run_passes

MANY = 10_000


@dataclass(frozen=True)
class Variant:
    """One way from a recording to a result.

    Args:
        name: for the test's id.
        passes: the passes that run.
        backend: the NumPy backend runs the block; otherwise the interpreter does.
    """

    name: str
    passes: tuple[Pass, ...]
    backend: bool


def without(name: str) -> tuple[Pass, ...]:
    """All passes but one."""
    return tuple(one for one in PASSES if one.name != name)


NAMES = sorted({one.name for one in PASSES})
VARIANTS = (
    Variant("backend", PASSES, backend=True),
    Variant("interpreter", PASSES, backend=False),
    Variant("backend, no passes", (), backend=True),
    Variant("interpreter, no passes", (), backend=False),
    *(Variant(f"backend, without {name}", without(name), backend=True) for name in NAMES),
    *(
        Variant(f"interpreter, only {name}", tuple(one for one in PASSES if one.name == name), backend=False)
        for name in NAMES
    ),
)
COMMON = 4
"""The number of them, from the first, that have all passes or none."""


def ways_of(name: str) -> tuple[Variant, ...]:
    """The ways that a program goes if not all: as users run it, in one other way with all passes or none, without one pass, and with one only.

    Args:
        name: the program's; it decides which, so that each way gets a share of the programs.
    """
    without_one, only_one = VARIANTS[COMMON : COMMON + len(NAMES)], VARIANTS[COMMON + len(NAMES) :]
    turn = zlib.crc32(name.encode())
    return (
        VARIANTS[0],
        VARIANTS[1 + turn // 7 % (COMMON - 1)],
        without_one[turn % len(NAMES)],
        only_one[turn // len(NAMES) % len(NAMES)],
    )


def captured_by(variant: Variant, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function captured as the compiler does, whose blocks then go one way.

    Args:
        variant: the way.
        function: the function; it may be compiled already, and then is captured once for all ways.
    """
    compiled = function if isinstance(function, Compiled) else astrace.compile(function, recompile_limit=MANY)
    plain = compiled.__astrace_function__
    made: dict[int, tuple[Stages, Callable[..., Any]]] = {}

    def call(*args: Any) -> Any:
        stages = compiled.stages(*args)
        if stages.recording is None:
            return plain(*args)
        if id(stages) not in made:
            made[id(stages)] = stages, run_of(variant, stages)
        given = compiled.__astrace_target__.bind(args, {})
        return made[id(stages)][1](given)

    return call


def run_of(variant: Variant, stages: Stages) -> Callable[[dict[str, Any]], Any]:
    """Return a function that runs a recording in the variant's way, given arguments by name."""
    assert stages.recording is not None and stages.graph is not None
    block = run_passes(stages.recording.block, variant.passes, check=True)
    graph = replace(stages.graph, block=block)
    if not variant.backend:
        return graph.run
    executable = compile_block(block, graph.result, graph.name, "<variant>")
    return lambda given: executable.function(*given_values(graph, executable.used, given))


def given_values(graph: Graph, used: Sequence[int], given: dict[str, Any]) -> list[Any]:
    """The inputs that generated code takes, found where the graph says."""
    return [graph.inputs[index].follow(given) for index in used]
