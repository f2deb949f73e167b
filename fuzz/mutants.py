"""Wrong graphs, made of right ones: what the check is tried on.

A mutant is a block with one mistake of a kind that compilers make: the other branch, a constant that is none, a
neighbouring op, swapped operands, a lost effect, a lost update of a carried value, a lost alias, another dtype.

    python -m fuzz.mutants --each 3 --seed 1      # every program of tests/programs, three mutants of each
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))

import harness

import astrace
from astrace.check.isolation.time_limits import TimeUp, time_limit
from astrace.check.report.findings import Finding
from astrace.compiler.graph import Graph
from astrace.ir.block import Block, Constant, Node, Origin, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.specs import ArraySpec, spec_of
from astrace.ir.walk import nodes
from astrace.ops.effects import is_ordered, written
from astrace.util.progress import progress, say

SWAPS = {
    "add": "sub", "sub": "add", "mul": "add", "truediv": "mul", "lt": "le", "le": "lt", "gt": "ge", "ge": "gt",
    "eq": "ne", "ne": "eq", "iadd": "isub", "isub": "iadd", "imul": "iadd", "np.maximum": "np.minimum",
    "np.minimum": "np.maximum", "np.sum": "np.max", "np.max": "np.min", "np.min": "np.max", "max": "min",
    "min": "max", "np.any": "np.all", "np.all": "np.any", "np.sin": "np.cos", "np.exp": "np.sqrt", "neg": "abs",
    "abs": "neg", "floordiv": "truediv", "pow": "mul", "in_": "not_in", "is_": "is_not", "matmul": "mul",
}  # fmt: skip
"""Ops and others that a compiler might take for them."""


CALLS = ("call", "call_method")


@dataclass(frozen=True)
class Mutant:
    """A wrong graph.

    Args:
        kind: what is wrong with it.
        line: the user's line of the node that is wrong.
        graph: the graph.
    """

    kind: str
    line: int
    graph: Graph


Mutation = Callable[[Node, random.Random], "list[Node] | Node | None"]


def other_op(node: Node, rng: random.Random) -> Node | None:
    """Another op of as many operands."""
    return replace(node, op=SWAPS[node.op]) if node.op in SWAPS else None


def other_constant(node: Node, rng: random.Random) -> Node | None:
    """A number that is one more, a flag that is turned."""
    places = [
        index
        for index, operand in enumerate(node.inputs)
        if isinstance(operand, Constant) and isinstance(operand.value, bool | int | float)
    ]
    if not places:
        return None
    place = rng.choice(places)
    value = node.inputs[place].value
    other = not value if isinstance(value, bool) else value + 1
    inputs = [*node.inputs]
    inputs[place] = Constant(other, Origin("literal", location=node.location))
    return replace(node, inputs=tuple(inputs))


def swapped_operands(node: Node, rng: random.Random) -> Node | None:
    """The two operands of an operator the other way round."""
    if node.op not in (
        "sub",
        "truediv",
        "lt",
        "gt",
        "pow",
        "floordiv",
        "mod",
        "matmul",
        "np.subtract",
        "le",
        "ge",
    ):
        return None
    left, right = node.inputs[:2]
    return None if left is right else replace(node, inputs=(right, left, *node.inputs[2:]))


def other_branch(node: Node, rng: random.Random) -> Node | None:
    """The branches the other way round."""
    return replace(node, regions=node.regions[::-1]) if node.op == "cond" else None


def one_branch(node: Node, rng: random.Random) -> Node | None:
    """The same branch whatever the test says."""
    if node.op != "cond":
        return None
    kept = rng.choice(node.regions)
    return replace(node, regions=(kept, kept))


def lost_effect(node: Node, rng: random.Random) -> list[Node] | None:
    """A write or a call that is not done."""
    effect = not node.outputs or (node.op in CALLS and is_ordered(node))
    return [] if effect and not node.regions and (written(node) or is_ordered(node)) else None


def doubled_effect(node: Node, rng: random.Random) -> list[Node] | None:
    """A write or a call that is done twice."""
    if node.regions or not (written(node) or is_ordered(node)):
        return None
    if (node.outputs and node.op not in CALLS) or node.op not in (
        *CALLS,
        "append",
        "extend",
        "insert",
        "iadd",
    ):
        return None
    return [replace(node, outputs=tuple(Value(one.spec) for one in node.outputs)), node]


def lost_update(node: Node, rng: random.Random) -> Node | None:
    """A value that a loop carries and does not change."""
    if node.op not in ("for_loop", "while_loop"):
        return None
    loop = ForLoop(node) if node.op == "for_loop" else WhileLoop(node)
    if not loop.count:
        return None
    body = loop.body
    first = len(loop.elements) if isinstance(loop, ForLoop) else 0
    place = rng.randrange(loop.count)
    outputs = [*body.outputs]
    outputs[loop.breaks + place] = body.inputs[first + place]
    changed = Block(body.inputs, body.nodes, tuple(outputs))
    return replace(node, regions=(*node.regions[:-1], changed))


def other_start(node: Node, rng: random.Random) -> Node | None:
    """A loop that starts one later."""
    if node.op != "for_loop" or not isinstance(node.inputs[0], Constant) or node.inputs[0].value != 0:
        return None
    return replace(node, inputs=(Constant(1), *node.inputs[1:]))


def lost_alias(node: Node, rng: random.Random) -> list[Node] | None:
    """A view that is a copy."""
    if node.op != "get_item" or not isinstance(node.output.spec, ArraySpec):
        return None
    view = Value(node.output.spec)
    return [replace(node, outputs=(view,)), Node("np.copy", (view,), node.outputs, location=node.location)]


def other_dtype(node: Node, rng: random.Random) -> list[Node] | None:
    """A result in single precision."""
    spec = node.output.spec if len(node.outputs) == 1 else None
    if not isinstance(spec, ArraySpec) or spec.dtype != np.float64 or node.regions:
        return None
    wide = Value(spec)
    cast = Node("ndarray.astype", (wide, Constant("float32")), node.outputs, location=node.location)
    return [replace(node, outputs=(wide,)), cast]


MUTATIONS: dict[str, Mutation] = {
    one.__name__: one
    for one in (
        other_op, other_constant, swapped_operands, other_branch, one_branch, lost_effect, doubled_effect,
        lost_update, other_start, lost_alias, other_dtype,
    )
}  # fmt: skip


def mutant(graph: Graph, kind: str, rng: random.Random) -> Mutant | None:
    """A graph with one mistake of a kind; nothing where it has no node for it."""
    change = MUTATIONS[kind]
    places = [node for node in nodes(graph.block) if change(node, random.Random(0)) is not None]
    if not places:
        return None
    chosen = rng.choice(places)
    block = rebuild(graph.block, _changing(chosen, change, rng))
    line = chosen.location.line if chosen.location is not None else 0
    return Mutant(kind, line, replace(graph, block=block))


def _changing(chosen: Node, change: Mutation, rng: random.Random) -> Callable[[Node, Builder], None]:
    def step(node: Node, builder: Builder) -> None:
        if node is not chosen:
            builder.keep(node)
            return
        made = change(builder.updated(node), rng)
        builder.nodes += made if isinstance(made, list) else [made] if made is not None else []

    return step


def baked(graph: Graph, arguments: dict[str, Any], rng: random.Random) -> Mutant | None:
    """A graph in which what a node made on one call is a constant."""
    from astrace.ir.interpret_observed import interpret_observed
    from astrace.ops import OPS

    tape: list[tuple[Node, Any]] = []

    class Watcher:
        def before(self, node, given):
            pass

        def entered(self, node, region):
            pass

        def after(self, node, results):
            if len(results) == 1 and isinstance(results[0], int | float | np.number) and not node.regions:
                tape.append((node, results[0]))

    given = [path.follow(arguments) for path in graph.inputs]
    with contextlib.suppress(Exception):  # a program may raise; what was made until then will do
        interpret_observed(graph.block, given, OPS.implementation, Watcher())
    if not tape:
        return None
    chosen, value = rng.choice(tape)

    def step(node: Node, builder: Builder) -> None:
        if node is chosen:
            builder.replace(node.outputs, [Constant(value, Origin("literal", location=node.location))])
        else:
            builder.keep(node)

    assert spec_of(value)
    block = rebuild(graph.block, step)
    return Mutant("baked", chosen.location.line if chosen.location else 0, replace(graph, block=block))


def mutants(graph: Graph, arguments: dict[str, Any], rng: random.Random) -> Iterator[Mutant]:
    """Mutants of all kinds, in a random order."""
    kinds = [*MUTATIONS, "baked"]
    rng.shuffle(kinds)
    for kind in kinds:
        found = baked(graph, arguments, rng) if kind == "baked" else mutant(graph, kind, rng)
        if found is not None:
            yield found


# -- the campaign --------------------------------------------------------------------------------------------


def differs(name: str, one: Mutant, rng: np.random.Generator) -> bool:
    """Return whether a mutant differs on the program's own calls, or on random ones of their kinds."""
    module = harness.load_program(name)
    harness.prepare(module, 0)
    calls = [*module.CALLS, *(harness.noisy_arguments(module, rng) for _ in range(30))]
    for given in calls:
        plain, wrong = harness.fresh_arguments(given), harness.fresh_arguments(given)
        try:
            with time_limit(2.0):
                expected = harness.observe(module.f, plain)
            with time_limit(2.0):
                found = harness.observe(one.graph, wrong)
        except TimeUp:
            return True
        if harness.differences(expected, found):
            return True
    return False


def one_program(
    name: str, each: int, level: str, rng: random.Random
) -> Iterator[tuple[Mutant, list[Finding], bool]]:
    """Yield the findings of a check for some mutants of a program, and whether these differ at all."""
    module = harness.load_program(name)
    harness.prepare(module, 0)
    example = module.CALLS[0]
    graph = astrace.trace(module.f, *harness.fresh_arguments(example))
    known = {(one.code, one.location) for one in _errors(graph, module, level)}
    found = mutants(graph, graph.bind(harness.fresh_arguments(example), {}), rng)
    for one in itertools.islice(found, each):
        errors = [
            item for item in _errors(one.graph, module, level) if (item.code, item.location) not in known
        ]
        yield one, errors, bool(errors) or differs(name, one, np.random.default_rng(0))


def _errors(graph: Graph, module: Any, level: str) -> tuple[Finding, ...]:
    report = astrace.check(graph, *harness.fresh_arguments(module.CALLS[0]), original=module.f, level=level)
    return report.errors


def main() -> int:
    """Mutants of the programs that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=3, help="mutants of each program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--level", default="default")
    parser.add_argument("--programs", nargs="*", default=None)
    parser.add_argument("--show", action="store_true", help="name the mutants that were missed")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    started = time.monotonic()
    for name in progress(options.programs or harness.program_names(), "programs"):
        try:
            for one, errors, differ in one_program(name, options.each, options.level, rng):
                hit = any(item.location is not None and item.location.line == one.line for item in errors)
                verdict = "found" if errors else "missed" if differ else "same"
                counts[one.kind, verdict] += 1
                counts[one.kind, "line"] += hit
                if verdict == "missed" and options.show:
                    say(f"{name}: {one.kind} at line {one.line} is missed")
        except astrace.NotCaptured:
            counts["", "not captured"] += 1
    report(counts, time.monotonic() - started)
    return 0


def report(counts: collections.Counter[tuple[str, str]], seconds: float) -> None:
    """The table."""
    kinds = sorted({kind for kind, _ in counts if kind})
    print(f"{'mistake':18}{'found':>7}{'missed':>7}{'same':>7}{'line':>7}")
    for kind in [*kinds, "all"]:
        row = [
            sum(n for (k, v), n in counts.items() if v == verdict and (kind in (k, "all") and k))
            for verdict in ("found", "missed", "same", "line")
        ]
        print(f"{kind:18}" + "".join(f"{n:7}" for n in row))
    print(f"{counts['', 'not captured']} programs not captured; {seconds:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
