"""Dead nodes are dropped; effects and errors never are, and they keep their order in all passes together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import harness
import numpy as np
import pytest
from drafts import Draft, interpreted
from pass_cases import F8, ONES, B, Case, N, V, X, check, check_all, shown, untouched

import astrace
from astrace.ir.block import Block
from astrace.ir.specs import ANY, INT, ArraySpec, ListSpec, TupleSpec
from astrace.passes import PASSES
from astrace.passes.pipeline import run

XN: Final = {**X, **N}
LOG: Final = {"log": ListSpec(None)}
ARRAYS: Final = [(ONES,), (np.array([np.nan]),)]


# -- dead nodes ----------------------------------------------------------------------------------------------


def unused(op: str, *operands: Any) -> Callable[[Draft], Any]:
    """A node whose result nobody uses; strings are names of inputs."""

    def write(draft: Draft) -> Any:
        draft(
            op,
            *(
                draft[one] if isinstance(one, str) and one in ("x", "n", "v", "o", "t") else one
                for one in operands
            ),
        )
        return []

    return write


VW: Final = {**V, "w": ArraySpec(("m",), F8)}


def tried(first: str, second: str) -> Callable[[Draft], Any]:
    """Two operations on arrays whose shapes may not fit; the result of the first is used."""

    def write(draft: Draft) -> Any:
        both = (draft["v"], draft["w"])
        found = draft(first, *both[: 1 if first == "neg" else 2])
        draft(second, *both)
        return found

    return write


def partly_used(draft: Draft) -> Any:
    """A branch with two outputs, one of which is used."""
    found = draft.cond(
        draft["b"],
        [draft["x"]],
        lambda d, x: (d("mul", x, 2.0), d("neg", x)),
        lambda d, x: (d("add", x, 2.0), d("sub", 1.0, x)),
    )
    return found[1]


def carried_for_nothing(draft: Draft) -> Any:
    """A loop that carries what nobody asks for."""
    found = draft.for_range(
        draft["n"],
        [draft["x"], 1.0, 2.0],
        [],
        lambda d, i, x, y, z: (d("add", x, 1.0), d("add", y, z), d("mul", z, 2.0)),
    )
    return found[0]


def carried_for_the_test(draft: Draft) -> Any:
    """A loop whose test needs a value that nobody else asks for."""
    found = draft.while_loop(
        [draft["x"], draft["n"]],
        [],
        lambda d, x, n: d("gt", n, 0),
        lambda d, x, n: (d("add", x, 1.0), d("sub", n, 1)),
    )
    return found[0]


def carried_by_another(draft: Draft) -> Any:
    """A chain: the one that is used needs the next."""
    found = draft.for_range(draft["n"], [0.0, 1.0, 2.0], [], lambda d, i, x, y, z: (y, z, d("add", z, 1.0)))
    return found[0]


def unused_branch(inner: Callable[..., Any]) -> Callable[[Draft], Any]:
    """A branch whose results nobody uses."""

    def write(draft: Draft) -> Any:
        draft.cond(draft["b"], [draft["x"]], lambda d, x: d("neg", x), inner)
        return []

    return write


DEAD: Final = [
    Case("arithmetic", X, unused("mul", "x", 2.0), "", [(1.5,)]),
    Case("a chain", X, lambda d: (d("neg", d("neg", d["x"])), [])[1], "", [(1.5,)]),
    Case("a tuple", X, unused("make_tuple", "x"), "", [(1.5,)]),
    Case("a list", X, unused("make_list", "x"), "", [(1.5,)]),
    Case("a dimension", V, unused("dim", "v", 0), "", ARRAYS),
    Case("a sum", V, unused("np.sum", "v"), "", ARRAYS),
    Case("a sum along an axis", V, lambda d: (d("np.sum", d["v"], axis=0), [])[1], "", ARRAYS),
    Case("shapes that fit already", VW, tried("mul", "add"), "mul", [(ONES, ONES), (ONES, ONES[:1])]),
    untouched("an earlier operation on others", VW, tried("neg", "add"), (ONES, ONES)),
    Case("identity", {"o": ANY}, unused("is_", "o", None), "is_", [(1,)]),
    Case("a branch", {**X, **B}, unused_branch(lambda d, x: d("pos", x)), "", [(1.5, True)]),
    Case("half a branch", {**X, **B}, partly_used, "cond[neg][sub]", [(1.5, True), (1.5, False)]),
    Case("what is carried for nothing", XN, carried_for_nothing, "for_loop[add]", [(1.5, 0), (1.5, 3)]),
    untouched("what is carried for the test", XN, carried_for_the_test, (1.5, 0), (1.5, 3)),
    untouched("what is carried for another", N, carried_by_another, (0,), (5,)),
    *(
        untouched(
            f"{op} may raise",
            {**XN, **V, "t": TupleSpec((INT,))},
            unused(op, *operands),
            (1.5, 0, ONES, (1,)),
        )
        for op, *operands in [
            *(
                ("truediv", "x", "n"),
                ("floordiv", "n", "n"),
                ("mod", "x", "n"),
                ("pow", "n", -1),
                ("lshift", 1, "n"),
            ),
            *(
                ("get_item", "v", 7),
                ("get_item", "t", "n"),
                ("int", "x"),
                ("math.sqrt", "x"),
                ("get_attr", "n", "what"),
            ),
            *(
                ("np.min", "v"),
                ("np.reshape", "v", (2, 2)),
                ("matmul", "v", "v"),
                ("np.zeros", "n"),
                ("len", "x"),
            ),
            *(("check_defined", "x", "x", False), ("call", len, "x"), ("make_set", "v")),
        ]
    ),
    untouched("a write", V, lambda d: (d.do("set_item", d["v"], 0, 9.0), [])[1], *ARRAYS),
    untouched("an update in place", V, lambda d: (d("iadd", d["v"], 1.0), [])[1], *ARRAYS),
    untouched("a sort", V, lambda d: (d("ndarray.sort", d["v"]), [])[1], *ARRAYS),
    untouched("an append", LOG, lambda d: (d.do("append", d["log"], 1), [])[1], ([],)),
    untouched("a call", {}, lambda d: (d("call", print, "seen"), [])[1], ()),
    untouched("an operator of anything", {"o": ANY}, unused("add", "o", 1), (1,), ("a",)),
    untouched(
        "a write in a branch",
        {**X, **B, **LOG},
        lambda d: (d.cond(d["b"], [d["log"]], lambda d, log: d.do("append", log, 1), lambda d, log: ()), [])[
            1
        ],
        (1.5, True, []),
        (1.5, False, []),
    ),
    Case(
        "an error in a branch",
        {**X, **B},
        unused_branch(lambda d, x: d("int", x)),
        "cond[][int]",
        [(np.inf, False), (np.inf, True)],
    ),
    untouched(
        "a while that may go on for ever",
        {**B},
        lambda d: (d.while_loop([], [d["b"]], lambda d, b: b, lambda d, b: ()), [])[1],
        (False,),
    ),
]


@pytest.mark.parametrize("case", DEAD, ids=lambda case: case.name)
def test_dead_nodes(case: Case) -> None:
    check("dead_nodes", case)


# -- all passes: the order of effects ------------------------------------------------------------------------


def chatty(x: Any, n: int) -> Any:
    """Prints before, in and after branches and loops, some of it the same twice."""
    print("start", n)
    print("start", n)
    double = x * 2
    if n > 1:
        print("big", double.sum())
        x[0] = 7
    else:
        print("small")
    for i in range(n):
        print(i, x.sum())
        x += 1
        if x[0] > 9:
            print("enough")
            break
    y = x.sum()
    print("end", y, x.sum())
    return x.sum() - y


@pytest.mark.parametrize("one", [None, *range(len(PASSES))])
@pytest.mark.parametrize("turns", [0, 1, 4])
def test_prints_and_writes_happen_once_and_in_order(one: int | None, turns: int) -> None:
    stages = astrace.compile(chatty).stages(np.ones(3), turns)
    assert stages.recording is not None
    block = run(stages.recording.block, PASSES if one is None else PASSES[one : one + 1], check=True)
    assert count_of(block, "call") == count_of(stages.recording.block, "call")
    given = (np.arange(3.0), turns)
    plain = harness.observe(chatty, harness.fresh_arguments(given))
    found = harness.observe(lambda *args: interpreted(block, *args)[0], harness.fresh_arguments(given))
    assert harness.differences(plain, found) == []


def count_of(block: Block, op: str) -> int:
    """Return the number of nodes of an op."""
    return shown(block).replace("[", " ").replace("]", " ").split().count(op)


@pytest.mark.parametrize("case", DEAD, ids=lambda case: case.name)
def test_all_passes_together(case: Case) -> None:
    check_all(case)
