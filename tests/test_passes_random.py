"""Random blocks keep their meaning to the bit: under each pass, under all, and through the NumPy backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import harness
from drafts import called, interpreted
from hypothesis import HealthCheck, given, settings
from random_blocks import Plan, arguments, block_of, plans
from random_blocks import given as given_to

from astrace.ir.block import Block
from astrace.ir.builder import rebuild
from astrace.ir.verify import verify
from astrace.passes import PASSES, run
from astrace.passes.pipeline import inferred

MANY: Final = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
CHOSEN: Final = (*((one,) for one in PASSES), PASSES, PASSES + PASSES, PASSES[::-1])


@MANY
@given(plan=plans, drawn=arguments)
def test_passes_and_backend_keep_the_meaning(plan: Plan, drawn: Any) -> None:
    """Values, exceptions, writes, the order of effects and what shares memory are the same."""
    block = block_of(plan)
    for passes in CHOSEN:
        assert_same(block, run(block, passes, check=True), interpreted, drawn)
    assert_same(block, block, called, drawn)
    assert_same(block, run(block), called, drawn)


def assert_same(before: Block, after: Block, way: Callable[..., Any], drawn: Any) -> None:
    """A block does what another one does by the interpreter."""
    plain = harness.observe(lambda *args: interpreted(before, *args), given_to(drawn))
    found = harness.observe(lambda *args: way(after, *args), given_to(drawn))
    assert harness.differences(plain, found) == []


@MANY
@given(plan=plans)
def test_plans_are_good_blocks_and_stable(plan: Plan) -> None:
    block = block_of(plan)
    verify(block, inferred)
    assert str(block) == str(block_of(plan))
    assert rebuild(block, lambda node, builder: builder.keep(node)) is block
