"""The passes that look at one node or branch: what they simplify, decide and compute, and what they leave."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from drafts import Draft, interpreted
from pass_cases import (
    BY_NAME,
    F8,
    ONES,
    VECTOR,
    B,
    Case,
    N,
    V,
    X,
    check,
    check_all,
    shown,
    untouched,
    written,
)

from astrace.ir.block import Constant, Value
from astrace.ir.constants import UNDEFINED
from astrace.ir.iteration import Each, Range
from astrace.ir.specs import ANY, BOOL, FLOAT, INT, ArraySpec, GenericSpec, LiteralSpec, TupleSpec, UnionSpec
from astrace.passes.pipeline import run

# -- simplify ------------------------------------------------------------------------------------------------

MAYBE: Final = UnionSpec((FLOAT, LiteralSpec(UNDEFINED)))
NUMBERS: Final = [(1.5,), (-0.0,), (0.0,), (math.nan,), (math.inf,)]
ARRAYS: Final = [(ONES,), (np.array([math.nan, math.inf]),)]


def on_both(op: str, *others: Any, swapped: bool = False) -> list[Case]:
    """An operator with a neutral element, which must stay: dtypes, copies and signs of zero depend on it."""

    def write(draft: Draft) -> Value:
        operands = (draft.inputs[0], *others)
        return draft(op, *(operands[::-1] if swapped else operands))

    return [
        untouched(f"{op} {others} of a {spec}", {"x": spec}, write, *given)
        for spec, given in ((FLOAT, NUMBERS), (INT, [(3,), (0,)]), (VECTOR, ARRAYS))
    ]


SIMPLIFY: Final = [
    Case("a name that is bound", X, lambda d: d("check_defined", d["x"], "x", False), "", NUMBERS),
    untouched(
        "a name that may be unbound",
        {"x": MAYBE},
        lambda d: d("check_defined", d["x"], "x", False),
        (1.5,),
        (UNDEFINED,),
    ),
    Case(
        "an item of a new tuple",
        X,
        lambda d: d("get_item", d("make_tuple", d["x"], 2), 0),
        "make_tuple",
        NUMBERS,
    ),
    Case("its last item", X, lambda d: d("get_item", d("make_tuple", d["x"], 2), -1), "make_tuple", NUMBERS),
    untouched("an item that is not there", X, lambda d: d("get_item", d("make_tuple", d["x"]), 1), (1.5,)),
    untouched("an item by a bool", X, lambda d: d("get_item", d("make_tuple", d["x"], 2), True), (1.5,)),
    untouched(
        "an item by a NumPy integer",
        X,
        lambda d: d("get_item", d("make_tuple", d["x"], 2), np.int64(0)),
        (1.5,),
    ),
    untouched(
        "an item by a value",
        {**X, **N},
        lambda d: d("get_item", d("make_tuple", d["x"], 2), d["n"]),
        (1.5, 1),
    ),
    untouched(
        "a slice of a new tuple", X, lambda d: d("get_item", d("make_tuple", d["x"], 2), slice(1)), (1.5,)
    ),
    untouched("an item of a new list", X, lambda d: d("get_item", d("make_list", d["x"]), 0), (1.5,)),
    Case("a known dimension", {"v": ArraySpec((3,), F8)}, lambda d: d("dim", d["v"], 0), "", [(ONES,)]),
    untouched("an unknown dimension", V, lambda d: d("dim", d["v"], 0), (ONES,), (ONES[:1],)),
    Case("not not of a bool", B, lambda d: d("not_", d("not_", d["b"])), "not_", [(True,), (False,)]),
    untouched("not not of an int", N, lambda d: d("not_", d("not_", d["n"])), (2,), (0,)),
    untouched("not of a bool", B, lambda d: d("not_", d["b"]), (True,)),
    Case("bool of a bool", B, lambda d: d("bool", d["b"]), "", [(True,)]),
    untouched("bool of an int", N, lambda d: d("bool", d["n"]), (2,)),
    Case("int of an int", N, lambda d: d("int", d["n"]), "", [(2,), (10**30,)]),
    untouched("int of a bool", B, lambda d: d("int", d["b"]), (True,)),
    untouched("int of a float", X, lambda d: d("int", d["x"]), (2.5,), (math.nan,)),
    Case("float of a float", X, lambda d: d("float", d["x"]), "", NUMBERS),
    untouched("float of an int", N, lambda d: d("float", d["n"]), (2,)),
    untouched(
        "float of a NumPy float",
        {"x": GenericSpec(F8)},
        lambda d: d("float", d["x"]),
        (np.float64(2),),
    ),
    Case("a value is itself", V, lambda d: d("is_", d["v"], d["v"]), "", ARRAYS),
    Case("a value is not itself", V, lambda d: d("is_not", d["v"], d["v"]), "", ARRAYS),
    Case("a number is not None", X, lambda d: d("is_", d["x"], None), "", NUMBERS),
    Case("True is not 1", {**B, **N}, lambda d: d("is_", d["b"], d["n"]), "", [(True, 1)]),
    untouched(
        "what may be None is None",
        {"x": UnionSpec((FLOAT, LiteralSpec(None)))},
        lambda d: d("is_", d["x"], None),
        (None,),
        (1.5,),
    ),
    untouched("anything is None", {"x": ANY}, lambda d: d("is_", d["x"], None), (None,), (1.5,)),
    untouched(
        "two of one class",
        {"v": VECTOR, "w": VECTOR},
        lambda d: d("is_", d["v"], d["w"]),
        (ONES, ONES.copy()),
    ),
    Case(
        "the length of a tuple", {"t": TupleSpec((INT, FLOAT))}, lambda d: d("len", d["t"]), "", [((1, 2.0),)]
    ),
    *on_both("mul", 1),
    *on_both("mul", 1.0),
    *on_both("mul", 0),
    *on_both("mul", -1),
    *on_both("add", 0),
    *on_both("add", 0, swapped=True),
    *on_both("add", -0.0),
    *on_both("sub", 0),
    *on_both("sub", 0, swapped=True),
    *on_both("truediv", 1),
    *on_both("floordiv", 1),
    *on_both("pow", 1),
    *on_both("pow", 2),
    *on_both("pos"),
    *on_both("np.positive"),
    untouched("minus minus", X, lambda d: d("neg", d("neg", d["x"])), *NUMBERS),
    untouched("minus itself", X, lambda d: d("sub", d["x"], d["x"]), *NUMBERS),
    untouched("equal to itself", X, lambda d: d("eq", d["x"], d["x"]), *NUMBERS),
    untouched("or False", B, lambda d: d("or_", d["b"], False), (True,)),
    untouched("a copy", V, lambda d: (d["v"], d("ndarray.copy", d["v"])), *ARRAYS),
    untouched("a transposed transpose", V, lambda d: d("np.transpose", d("np.transpose", d["v"])), *ARRAYS),
]


@pytest.mark.parametrize("case", SIMPLIFY, ids=lambda case: case.name)
def test_simplify(case: Case) -> None:
    check("simplify", case)


# -- branches ------------------------------------------------------------------------------------------------


def decided(test: Any) -> Callable[[Draft], Any]:
    """A branch with a constant test."""
    return lambda d: d.cond(test, [d["x"]], lambda d, x: d("neg", x), lambda d, x: d("add", x, 1.0))


def agreeing(left: Any, right: Any) -> Callable[[Draft], Any]:
    """A branch whose outputs are constants."""
    return lambda d: d.cond(d["b"], [], lambda d: Constant(left), lambda d: Constant(right))


def turns(*bounds: Any, breaks: bool = False) -> Callable[[Draft], Any]:
    """A loop over a range."""

    def body(draft: Draft, index: Value, total: Value) -> Any:
        after = draft("add", total, index)
        return (draft("gt", after, 9.0), after) if breaks else after

    def write(draft: Draft) -> Any:
        bounds_ = [draft["n"] if bound == "n" else bound for bound in bounds]
        return draft.for_loop(Range(0, 1, 2), bounds_, [draft["x"]], [], body)

    return write


def unchanged_carried(draft: Draft) -> Any:
    """A loop that hands one of its values on."""
    return draft.for_range(draft["n"], [draft["x"], 2.0], [], lambda d, i, x, y: (d("add", x, y), y))


def swapped_carried(draft: Draft) -> Any:
    """A loop that swaps its values: neither stays."""
    return draft.for_range(draft["n"], [draft["x"], 2.0], [], lambda d, i, x, y: (y, x))


XN: Final = {**X, **N}
XB: Final = {**X, **B}
BRANCHES: Final = [
    *(
        Case(f"if {test!r}", X, decided(test), "neg", NUMBERS)
        for test in (True, 1, -1.5, "a", (0,), math.nan)
    ),
    *(Case(f"if {test!r}", X, decided(test), "add", NUMBERS) for test in (False, 0, -0.0, "", (), None)),
    untouched("if an array", X, decided(np.array(1)), (1.5,)),
    untouched("if two numbers", X, decided(np.array([1, 2])), (1.5,)),
    untouched(
        "if a value",
        XB,
        lambda d: d.cond(d["b"], [d["x"]], lambda d, x: d("neg", x), lambda d, x: x),
        (1.5, True),
    ),
    Case(
        "both give a capture",
        XB,
        lambda d: d.cond(d["b"], [d["x"]], lambda d, x: x, lambda d, x: x),
        "cond[][]",
        [(1.5, True)],
    ),
    *(
        Case(f"both give {left!r}", B, agreeing(left, right), "cond[][]", [(True,), (False,)])
        for left, right in (
            (1.5, 1.5),
            (math.nan, math.nan),
            (None, None),
            ("ab", "ab"),
            ((1, 2.0), (1, 2.0)),
        )
    ),
    *(
        untouched(f"{left!r} or {right!r}", B, agreeing(left, right), (True,), (False,))
        for left, right in (
            (1, True),
            (1, 1.0),
            (0.0, -0.0),
            (None, 0),
            ((1,), (1.0,)),
            (complex(0, 0.0), complex(0, -0.0)),
        )
    ),
    *(
        Case(f"range{bounds}", XN, turns(*bounds), "", [(1.5, 0)])
        for bounds in ((0, 0, 1), (3, 0, 1), (0, 3, -1), (5, -2, 1))
    ),
    untouched("range that runs", XN, turns(0, 3, 1), (1.5, 0)),
    untouched("range of a value", XN, turns(0, "n", 1), (1.5, 0), (1.5, 4)),
    untouched("range with no step", XN, turns(0, 0, 0), (1.5, 0)),
    untouched("range of floats", XN, turns(0, 0.0, 1), (1.5, 0)),
    untouched("range of bools", XN, turns(0, False, 1), (1.5, 0)),
    untouched("a break in a range", XN, turns(0, 5, 1, breaks=True), (1.5, 0)),
    untouched(
        "each of nothing",
        X,
        lambda d: d.for_loop(Each(0), [[]], [d["x"]], [], lambda d, one, x: d("add", x, 1.0)),
        (1.5,),
    ),
    Case(
        "while False",
        X,
        lambda d: d.while_loop([d["x"]], [], lambda d, x: False, lambda d, x: d("neg", x)),
        "",
        NUMBERS,
    ),
    untouched(
        "while 0", X, lambda d: d.while_loop([d["x"]], [], lambda d, x: 0, lambda d, x: d("neg", x)), (1.5,)
    ),
    Case("a value that is only handed on", XN, unchanged_carried, "for_loop[add]", [(1.5, 0), (1.5, 3)]),
    untouched("values that change places", XN, swapped_carried, (1.5, 0), (1.5, 3)),
]


@pytest.mark.parametrize("case", BRANCHES, ids=lambda case: case.name)
def test_branches(case: Case) -> None:
    check("branches", case)


def test_captures_are_taken_once_and_only_if_used() -> None:
    draft = Draft(x=FLOAT, y=FLOAT, b=BOOL)
    x, y = draft["x"], draft["y"]
    found = draft.cond(
        draft["b"], [x, y, x, 2.0], lambda d, a, b, c, e: d("add", a, c), lambda d, a, b, c, e: e
    )
    after = run(draft.block(found), [BY_NAME["branches"]], check=True)
    assert after.nodes[0].inputs == (draft["b"], x)
    assert interpreted(after, 1.5, 0.0, True) == (3.0,)
    assert interpreted(after, 1.5, 0.0, False) == (2.0,)


def test_a_value_that_is_handed_on_becomes_a_capture() -> None:
    draft = Draft(**XN)
    total, kept = unchanged_carried(draft)
    after = run(draft.block(total, kept), [BY_NAME["branches"]], check=True)
    assert len(after.nodes[0].outputs) == 1
    assert after.outputs[1].value == 2.0


# -- constants -----------------------------------------------------------------------------------------------


def plain(op: str, *constants: Any) -> Callable[[Draft], Any]:
    """One node of constants."""
    return lambda d: d(op, *constants)


FOLDED: Final = [
    ("add", 1, 2),
    ("mul", -0.0, 1.0),
    ("sub", 0.0, 0.0),
    ("truediv", 1, 3),
    ("pow", 2, 100),
    ("np.add", np.float32(0.1), np.float32(0.2)),
    ("np.sqrt", 2.0),
    ("math.sin", 1.0),
    ("lt", 1, 2.0),
    ("add", "a", "b"),
    ("make_tuple", 1, "a", None),
    ("is_", None, None),
    ("str", 1.5),
    ("in_", 1, (1, 2)),
    ("get_item", (1, 2.0), 1),
]
NOT_FOLDED: Final = [
    ("mul", 0.0, math.nan),  # a NaN is told from others by identity
    ("sub", math.inf, math.inf),
    ("truediv", 1, 0),
    ("get_item", (1,), 5),
    ("add", 1, "a"),
    ("np.log", 0.0),
    ("add", np.int8(100), np.int8(100)),
    ("truediv", np.float64(1), 0),
    ("np.sqrt", -1.0),
    ("math.sqrt", -1.0),
    ("np.zeros", 3),
    ("make_list", 1),
    ("make_dict", 1, 2),
    ("sorted", (2, 1)),
    ("np.array", (1, 2)),
    ("call", max, 1, 2),
    ("call", np.random.rand),
    ("call_method", "a", "upper"),
    ("hash", 1),
    ("id", None),
    ("get_attr", [1], "append"),
    ("make_tuple", [1]),
]


def name_of_call(call: tuple[Any, ...]) -> str:
    """An id that is the same in every process."""
    return " ".join(str(getattr(one, "__name__", one)) for one in call)


@pytest.mark.parametrize("call", FOLDED, ids=name_of_call)
def test_constants_are_computed(call: tuple[Any, ...]) -> None:
    case = Case("", {}, plain(*call), "", [()])
    (output,) = check("constants", case).outputs
    assert isinstance(output, Constant)
    assert output.origin.kind == "folded"


@pytest.mark.parametrize("call", NOT_FOLDED, ids=name_of_call)
def test_what_raises_warns_or_makes_objects_is_left_for_the_run(call: tuple[Any, ...]) -> None:
    given = [] if call[0] in ("call", "id", "hash", "get_attr") else [()]
    check("constants", Case("", {}, plain(*call), call[0], given))


def test_what_follows_from_computed_constants_is_computed_in_regions_too() -> None:
    def write(draft: Draft) -> Any:
        two = draft("add", 1, 1)
        return draft.cond(
            draft["b"], [two], lambda d, t: d("mul", t, d("add", 2, 3)), lambda d, t: d("neg", t)
        )

    check("constants", Case("", B, write, "cond[mul][neg]", [(True,), (False,)]))
    both = run(run(written(Case("", B, write, "", [])), check=True), check=True)
    assert shown(both) == "cond[][]"
    assert interpreted(both, True) == (10,)
    assert interpreted(both, False) == (-2,)


@pytest.mark.parametrize("case", [*SIMPLIFY, *BRANCHES], ids=lambda case: case.name)
def test_all_passes_together(case: Case) -> None:
    check_all(case)
