"""Cases for passes: a block, the ops that are left of it, and arguments to run both blocks on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import harness
import numpy as np
from drafts import Draft, called, interpreted, outcome

from astrace.ir.block import Block
from astrace.ir.specs import BOOL, FLOAT, INT, ArraySpec, Spec
from astrace.passes import PASSES
from astrace.passes.pipeline import run

F8: Final = np.dtype("float64")
VECTOR: Final = ArraySpec(("n",), F8)
BY_NAME: Final = {one.name: one for one in PASSES}
ONES: Final = np.array([1.0, -0.0, 3.0])
X: Final = {"x": FLOAT}
N: Final = {"n": INT}
B: Final = {"b": BOOL}
V: Final = {"v": VECTOR}


class Case(NamedTuple):
    """A block before, and the ops after a pass; those of regions stand in brackets."""

    name: str
    specs: dict[str, Spec]
    write: Callable[[Draft], Any]
    after: str
    given: Sequence[Sequence[Any]]


def shown(block: Block) -> str:
    """The ops of a block in order, those of each region in brackets."""
    parts = [node.op + "".join(f"[{shown(region)}]" for region in node.regions) for node in block.nodes]
    return " ".join(parts)


def written(case: Case) -> Block:
    """The block of a case."""
    draft = Draft(**case.specs)
    outputs = case.write(draft)
    return draft.block(*(outputs if isinstance(outputs, tuple | list) else [outputs]))


def check(name: str, case: Case) -> Block:
    """Run one pass, compare the ops that are left, and run both blocks."""
    before = written(case)
    after = run(before, [BY_NAME[name]], check=True)
    assert shown(after) == case.after
    for given in case.given:
        plain = outcome(interpreted, before, given)
        assert harness.differences(plain, outcome(interpreted, after, given)) == []
        assert harness.differences(plain, outcome(called, after, given)) == []
    return after


def untouched(
    name: str, specs: dict[str, Spec], write: Callable[[Draft], Any], *given: Sequence[Any]
) -> Case:
    """A case in which nothing changes."""
    draft = Draft(**specs)
    write(draft)
    return Case(name, specs, write, shown(draft.block()), given)


def check_all(case: Case) -> None:
    """Run the whole pipeline, and both blocks."""
    before = written(case)
    after = run(before, check=True)
    for given in case.given:
        plain = outcome(interpreted, before, given)
        assert harness.differences(plain, outcome(interpreted, after, given)) == []
        assert harness.differences(plain, outcome(called, after, given)) == []
