"""The verifier: each rule has a block that breaks it, refused with the maker's and the op's name."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest
from broken_blocks import BROKEN, C, control, gives, leaf, only
from drafts import Draft
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_blocks import Plan, block_of, plans

import astrace
from astrace.errors import AstraceError, BrokenBlock
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.constants import UNSET
from astrace.ir.iteration import Each, Enumerate
from astrace.ir.specs import ANY, BOOL, FLOAT, INT, ArraySpec, LiteralSpec, UnionSpec
from astrace.ir.verify import verify
from astrace.passes import PASSES, Pass, run
from astrace.passes.pipeline import inferred

VECTOR: Final = ArraySpec(("n",), np.dtype("float64"))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_block_is_refused(name: str) -> None:
    """The message names the maker, the rule, and the op with the user's line where there is one."""
    block, rule, op = BROKEN[name]
    with pytest.raises(BrokenBlock) as caught:
        verify(block, inferred, "the maker")
    assert isinstance(caught.value, AstraceError)
    where = f" at `{op}`, line 12: " if op else ": "
    message = str(caught.value)
    assert message.startswith(f"the maker made a block that breaks a rule{where}")
    assert rule in message


@pytest.mark.parametrize("name", BROKEN)
def test_the_pipeline_refuses_it_before_the_first_pass(name: str) -> None:
    with pytest.raises(BrokenBlock, match="^trace made a block"):
        run(BROKEN[name][0], check=True)


# -- good blocks ---------------------------------------------------------------------------------------------


def wide() -> Block:
    """Specs may be wider than what is inferred, and places that nobody reads may hold anything."""
    draft = Draft(x=FLOAT, c=BOOL)
    node = leaf("neg", [draft["x"]], Value(UnionSpec((FLOAT, INT))))
    draft.nodes.append(node)
    draft.nodes.append(
        control("cond", [draft["c"]], [gives(1.0), gives(UNSET)], Value(FLOAT)),
    )
    return draft.block(node.output)


def loops() -> Block:
    """All loops, carrying, with breaks."""
    draft = Draft(x=VECTOR, n=INT)
    x, n = draft["x"], draft["n"]
    left, total = draft.for_loop(
        Enumerate(Each(0), 1), [x, 0], [0.0], [n], lambda d, i, one, t, n: (d("eq", i, n), d("add", t, one))
    )
    again = draft.while_loop([total], [], lambda d, t: d("lt", t, 9.0), lambda d, t: d("add", t, 1.0))
    return draft.block(left, again)


def attempts() -> Block:
    """A ``try`` in a ``with``."""
    draft = Draft(m=ANY, x=VECTOR)

    def body(d: Draft, entered: Value, x: Value) -> Any:
        handler = ((IndexError,), lambda d, error, x: d("str", error))
        return d.try_([x], lambda d, x: d("get_item", x, 5), handler)

    return draft.block(draft.with_(draft["m"], [draft["x"]], body))


def empty_block() -> Block:
    """Nothing at all."""
    return Block((), (), (Constant(None), Constant([])))


@pytest.mark.parametrize("make", [wide, loops, attempts, empty_block])
def test_a_good_block_passes(make: Callable[[], Block]) -> None:
    verify(make(), inferred)
    verify(run(make(), check=True), inferred)


def test_what_a_trace_records_passes() -> None:
    stages = astrace.compile(program).stages(np.ones(3), 2)
    assert stages.recording is not None
    assert stages.graph is not None
    verify(stages.recording.block, inferred)
    verify(stages.graph.block, inferred)


def program(x: Any, n: int) -> Any:
    """Branches, loops and a ``try``."""
    total, last = 0, None
    for one in x:
        if one > n:
            break
        total += one
        last = one
    try:
        total = total / n
    except ZeroDivisionError:
        total = x[n]
    return total, last


# -- passes at fault -----------------------------------------------------------------------------------------


def drops_a_definition(block: Block) -> Block:
    """A pass that drops the first node."""
    return Block(block.inputs, block.nodes[1:], block.outputs)


def narrows(block: Block) -> Block:
    """A pass that puts an op in whose result is of another kind."""
    first, *rest = block.nodes
    return Block(
        block.inputs, (Node("str", first.inputs, first.outputs, {}, (), first.location), *rest), block.outputs
    )


@pytest.mark.parametrize(
    ("at_fault", "op", "rule"),
    [(drops_a_definition, "mul", "is used where it is not defined"), (narrows, "str", "does not cover str")],
)
@pytest.mark.parametrize("place", [0, 3, len(PASSES)])
def test_the_pass_at_fault_is_named(
    at_fault: Callable[[Block], Block], op: str, rule: str, place: int
) -> None:
    draft = Draft(x=FLOAT)
    y = draft("neg", draft["x"], line=3)
    block = draft.block(draft("mul", y, y, line=4))
    passes = [*PASSES[:place], Pass("careless", at_fault), *PASSES[place:]]
    with pytest.raises(BrokenBlock) as caught:
        run(block, passes, check=True)
    assert str(caught.value).startswith(f"the pass careless made a block that breaks a rule at `{op}`, line ")
    assert rule in str(caught.value)
    run(block, check=True)


def test_the_checks_are_off_by_default() -> None:
    draft = Draft(x=FLOAT)
    block = draft.block(draft("neg", draft["x"]))
    after = run(block, [Pass("careless", drops_a_definition)])
    assert after.nodes == ()


def test_unset_places_are_covered_by_all_specs() -> None:
    node = control("cond", [C], [gives(UNSET), gives(1)], Value(INT))
    verify(only(node), inferred)
    assert isinstance(Constant(UNSET).spec, LiteralSpec)


def test_an_op_that_can_only_raise_keeps_its_spec() -> None:
    """Nothing is inferred for ``1 / 0``, which a pass may have found to be one of floats."""
    verify(only(leaf("truediv", [1, 0], Value(FLOAT))), inferred)
    with pytest.raises(BrokenBlock, match="the spec int does not cover float"):
        verify(only(leaf("truediv", [1, 0], Value(INT))), inferred)


def test_a_loop_that_takes_a_turn_forgets_what_was_before() -> None:
    """``while True`` ends in an iteration; other loops may have none."""
    for test, kept in ((True, True), (False, False)):
        body = gives(True, 1.0, inputs=[Value(ANY)])
        node = control(
            "while_loop",
            [None],
            [gives(test, inputs=[Value(ANY)]), body],
            Value(BOOL),
            Value(FLOAT),
            breaks=True,
        )
        if kept:
            verify(only(node), inferred)
        else:
            with pytest.raises(BrokenBlock, match="the spec float does not cover None"):
                verify(only(node), inferred)


# -- blocks broken at random -----------------------------------------------------------------------------------


def damaged(block: Block, place: int, kind: str) -> Block:
    """A block whose node number ``place``, counted through all regions, has lost or got something."""
    count = itertools.count()

    def step(node: Node, builder: Builder) -> None:
        if next(count) == place:
            builder.nodes.append(DAMAGES[kind](builder.updated(node)))
        else:
            builder.keep(node)

    return rebuild(block, step)


DAMAGES: Final[dict[str, Callable[[Node], Node]]] = {
    "no inputs": lambda node: replace(node, inputs=()),
    "an input less": lambda node: replace(node, inputs=node.inputs[1:]),
    "an input more": lambda node: replace(node, inputs=(*node.inputs, Constant(None))),
    "a bare input": lambda node: replace(node, inputs=(7, *node.inputs[1:])),  # type: ignore[arg-type]
    "another input": lambda node: replace(node, inputs=(Constant("x"), *node.inputs[1:])),
    "no outputs": lambda node: replace(node, outputs=()),
    "an output more": lambda node: replace(node, outputs=(Value(FLOAT), *node.outputs)),
    "no attributes": lambda node: replace(node, attrs={}),
    "other attributes": lambda node: replace(
        node, attrs=dict.fromkeys(("breaks", "over", "catches", "axis"), 1)
    ),
    "no regions": lambda node: replace(node, regions=()),
    "a region less": lambda node: replace(node, regions=node.regions[1:]),
    "an empty region": lambda node: replace(node, regions=(Block((), ()), *node.regions[1:])),
    "a region that is none": lambda node: replace(node, regions=(None,)),  # type: ignore[arg-type]
    "another op": lambda node: replace(node, op="neg"),
    "a control op": lambda node: replace(node, op="for_loop"),
    "a branch": lambda node: replace(node, op="cond"),
    "an attempt": lambda node: replace(node, op="try_"),
    "no op": lambda node: replace(node, op="?"),
}


@settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
@given(plan=plans, place=st.integers(0, 12), kind=st.sampled_from(sorted(DAMAGES)))
def test_no_damage_ends_in_another_exception(plan: Plan, place: int, kind: str) -> None:
    """The verifier accepts a block or names the rule."""
    with contextlib.suppress(BrokenBlock):
        verify(damaged(block_of(plan), place, kind), inferred)
