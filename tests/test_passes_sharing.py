"""The passes that merge and move nodes: never past a write, never what may raise, never two new arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from drafts import Draft
from pass_cases import F8, ONES, VECTOR, B, Case, N, V, X, check, check_all, untouched

import astrace
from astrace.ir.block import Block, Value
from astrace.ir.iteration import Each
from astrace.ir.specs import ANY, INT, ArraySpec, ListSpec
from astrace.passes.analysis.aliasing import Sharing

XN: Final = {**X, **N}
VN: Final = {**V, **N}
ARRAYS: Final = [(ONES,), (np.array([np.nan]),)]


def total(draft: Draft, array: Value) -> Value:
    """A read of all of an array, which never warns."""
    return draft("np.max", array)


# -- common nodes --------------------------------------------------------------------------------------------


def twice(op: str, *left: Any, right: tuple[Any, ...] | None = None) -> Callable[[Draft], Any]:
    """Two nodes; names of inputs stand for the inputs."""

    def operands(draft: Draft, items: tuple[Any, ...]) -> list[Any]:
        names = [value.name for value in draft.inputs]
        return [draft[item] if isinstance(item, str) and item in names else item for item in items]

    def write(draft: Draft) -> Any:
        one = draft(op, *operands(draft, left))
        two = draft(op, *operands(draft, left if right is None else right))
        return one, two

    return write


def between(write_to: Callable[[Draft, Value], Any], view: bool = False) -> Callable[[Draft], Any]:
    """A read, a write, and the same read."""

    def write(draft: Draft) -> Any:
        first = total(draft, draft["v"])
        target = draft("get_item", draft["v"], slice(1, None)) if view else draft["v"]
        write_to(draft, target)
        return first, total(draft, draft["v"])

    return write


def through_a_loop(draft: Draft) -> Any:
    """A write through a loop's element."""
    first = total(draft, draft["m"])
    draft.for_loop(Each(0), [draft["m"]], [], [], lambda d, row: d.do("set_item", row, 0, 9.0))
    return first, total(draft, draft["m"])


def through_a_carried_value(draft: Draft) -> Any:
    """A write through what a loop carries."""
    first = total(draft, draft["v"])

    def body(inner: Draft, index: Value, kept: Value) -> Value:
        inner.do("set_item", kept, 0, 9.0)
        return kept

    draft.for_range(draft["n"], [draft["v"]], [], body)
    return first, total(draft, draft["v"])


def through_a_branch(draft: Draft) -> Any:
    """A write through what a branch gives."""
    first = total(draft, draft["v"])
    either = draft.cond(draft["b"], [draft["v"]], lambda d, v: v, lambda d, v: d("np.zeros", 3))
    draft.do("set_item", either, 0, 9.0)
    return first, total(draft, draft["v"])


def through_a_container(draft: Draft) -> Any:
    """A write through a tuple's item."""
    first = total(draft, draft["v"])
    draft.do("set_item", draft("get_item", draft("make_list", draft["v"]), 0), 0, 9.0)
    return first, total(draft, draft["v"])


def through_another_argument(draft: Draft) -> Any:
    """A write to an argument that may share memory."""
    first = total(draft, draft["v"])
    draft.do("set_item", draft["w"], 0, 9.0)
    return first, total(draft, draft["v"])


def opaque_write(draft: Draft) -> Any:
    """A write by code that is called."""
    first = total(draft, draft["v"])
    draft("call", np.ndarray.fill, draft["v"], 9.0)
    return first, total(draft, draft["v"])


def made_and_written(draft: Draft) -> Any:
    """Two new arrays, one of which is written."""
    one, two = draft("mul", draft["v"], 2.0), draft("mul", draft["v"], 2.0)
    draft.do("set_item", one, 0, 9.0)
    return total(draft, one), total(draft, two)


def made_and_read(draft: Draft) -> Any:
    """Two new arrays that are only read."""
    one, two = draft("neg", draft["v"]), draft("neg", draft["v"])
    return draft("add", total(draft, one), total(draft, two))


def new_in_both_branches(draft: Draft) -> Any:
    """The same of constants alone, in branch after branch."""
    found = []
    for _ in range(3):
        ones = [lambda d: total(d, d("np.ones", 3)), lambda d: d("neg", total(d, d("np.ones", 3)))]
        found.append(draft.cond(draft["b"], [], *ones))
    return found


def in_both_branches(draft: Draft) -> Any:
    """The same in two branches: none is there for the other."""
    return draft.cond(draft["b"], [draft["x"]], lambda d, x: d("neg", x), lambda d, x: d("neg", x))


def before_a_branch(draft: Draft) -> Any:
    """A sum, and the same with more of it in a branch."""
    first = total(draft, draft["v"])
    more = draft.cond(draft["b"], [draft["v"]], lambda d, v: d("neg", total(d, v)), lambda d, v: total(d, v))
    return first, more


def before_a_loop(draft: Draft) -> Any:
    """A sum that may raise, and the same of what a loop captures; of what it carries it is another one."""
    first = draft("truediv", draft["x"], draft["n"])

    def body(inner: Draft, index: Value, kept: Value, x: Value, n: Value) -> Value:
        return inner("add", inner("truediv", x, n), inner("truediv", kept, n))

    return first, draft.for_range(draft["n"], [draft["x"]], [draft["x"], draft["n"]], body)


def before_a_try(draft: Draft) -> Any:
    """A computation in a ``try`` may be meant to raise there."""
    first = draft("truediv", draft["x"], draft["n"])
    body = [lambda d, x, n: d("truediv", x, n), ((ArithmeticError,), lambda d, error, x, n: x)]
    return first, draft.try_([draft["x"], draft["n"]], *body)


def before_opaque_code(draft: Draft) -> Any:
    """Code may have NumPy raise from here on."""
    first = total(draft, draft["v"])
    draft("call", np.geterr)
    return first, total(draft, draft["v"])


SHARED: Final = np.arange(3.0)
COMMON: Final = [
    Case(
        "before a branch",
        {**V, **B},
        before_a_branch,
        "np.max cond[neg][]",
        [(ONES, True), (ONES, False)],
    ),
    Case(
        "before a loop",
        XN,
        before_a_loop,
        "truediv for_loop[truediv add]",
        [(1.5, 0), (1.5, 3)],
    ),
    untouched("before a try", XN, before_a_try, (1.5, 0), (1.5, 3)),
    untouched("before opaque code", V, before_opaque_code, *ARRAYS),
    Case("numbers", X, twice("mul", "x", 2.0), "mul", [(1.5,), (-0.0,)]),
    Case("what may raise", XN, twice("truediv", "x", "n"), "truediv", [(1.5, 0), (1.5, 2)]),
    Case("reads", V, twice("np.max", "v"), "np.max", ARRAYS),
    untouched("what may warn", V, twice("np.sum", "v"), *ARRAYS),
    Case("lengths", V, twice("len", "v"), "len", ARRAYS),
    Case("arrays that are only read", V, made_and_read, "neg np.max add", ARRAYS),
    Case("NaN", X, twice("add", "x", np.nan), "add", [(1.5,)]),
    untouched("the other way round", X, twice("sub", "x", 2.0, right=(2.0, "x")), (1.5,)),
    *(
        untouched(f"{one!r} and {other!r}", X, twice("mul", "x", one, right=("x", other)), (-1.5,), (0.0,))
        for one, other in [
            *((1, 1.0), (1, True), (0.0, -0.0), (0, False), (0, 0.0), (1.0, np.float64(1)), (0.0, np.nan)),
            *((np.float32(1), np.float64(1)), (np.float64(0.0), np.float64(-0.0)), (1, 1 + 0j)),
            *((complex(0, 0.0), complex(0, -0.0)), (np.int64(1), np.int32(1))),
        ]
    ),
    *(
        untouched(
            f"{one!r} and {other!r} in tuples",
            X,
            twice("make_tuple", "x", (one,), right=("x", (other,))),
            (1.5,),
        )
        for one, other in ((1, 1.0), (1, True), (0.0, -0.0), ("1", b"1"))
    ),
    untouched(
        "other keywords", V, lambda d: (d("np.sum", d["v"], axis=0), d("np.sum", d["v"], axis=0.0)), *ARRAYS
    ),
    untouched(
        "keywords True and 1",
        V,
        lambda d: (d("np.sum", d["v"], keepdims=True), d("np.sum", d["v"], keepdims=1)),
        *ARRAYS,
    ),
    untouched("results that are handed out", V, twice("mul", "v", 2.0), *ARRAYS),
    untouched("results that are written", V, made_and_written, *ARRAYS),
    untouched("lists", N, twice("make_list", "n"), (1,)),
    untouched("copies", V, twice("ndarray.copy", "v"), *ARRAYS),
    untouched("branches", {**X, **B}, in_both_branches, (1.5, True), (1.5, False)),
    untouched("branches of constants", B, new_in_both_branches, (True,), (False,)),
    untouched("a write in between", V, between(lambda d, v: d.do("set_item", v, 0, 9.0)), *ARRAYS),
    untouched(
        "a write through a view",
        V,
        between(lambda d, v: d.do("set_item", v, 0, 9.0), view=True),
        (ONES.copy(),),
    ),
    untouched("an update in place", V, between(lambda d, v: d("iadd", v, 1.0)), *ARRAYS),
    untouched("an update of a view in place", V, between(lambda d, v: d("imul", v, 3.0), view=True), *ARRAYS),
    untouched(
        "a sort in between",
        V,
        lambda d: (d("get_item", d["v"], 0), d("ndarray.sort", d["v"]), d("get_item", d["v"], 0)),
        (np.array([3.0, 1]),),
    ),
    untouched("a ufunc's third argument", V, between(lambda d, v: d("np.add", v, 1.0, v)), *ARRAYS),
    untouched("copyto", V, between(lambda d, v: d("np.copyto", v, 7.0)), *ARRAYS),
    untouched("a ufunc's at", V, between(lambda d, v: d("np.add.at", v, 0, 7.0)), *ARRAYS),
    untouched("a write in a loop", {"m": ArraySpec(("n", "k"), F8)}, through_a_loop, (np.ones((2, 2)),)),
    untouched("a write to what is carried", VN, through_a_carried_value, (ONES, 2), (ONES, 0)),
    untouched("a write to what a branch gives", {**V, **B}, through_a_branch, (ONES, True), (ONES, False)),
    untouched("a write to what a list holds", V, through_a_container, *ARRAYS),
    untouched(
        "a write to another argument",
        {**V, "w": VECTOR},
        through_another_argument,
        (SHARED, SHARED),
    ),
    untouched("an opaque write", V, opaque_write, *ARRAYS),
    untouched("calls", {"f": ANY}, twice("call", "f"), (iter([1, 2]).__next__,)),
    untouched("random numbers", {}, twice("call", np.random.default_rng(0).random)),
    untouched("dates of the moment", {}, twice("np.datetime64", "today")),
    untouched("operators of any objects", {"o": ANY}, twice("add", "o", 1), (1,)),
]


@pytest.mark.parametrize("case", COMMON, ids=lambda case: case.name)
def test_common_nodes(case: Case) -> None:
    check("common_nodes", case)


# -- hoisting ------------------------------------------------------------------------------------------------


def repeated(inner: Callable[[Draft, Value, Value], Any], *names: str) -> Callable[[Draft], Any]:
    """A loop that runs ``n`` times and captures one input; ``inner`` writes the body."""

    def write(draft: Draft) -> Any:
        captured = [draft[name] for name in names]
        return draft.for_range(draft["n"], [0], captured, lambda d, i, t, *given: inner(d, t, *given))

    return write


def in_a_while(draft: Draft) -> Any:
    """A loop of the other kind."""
    return draft.while_loop(
        [0],
        [draft["n"]],
        lambda d, i, n: d("lt", i, d("mul", n, 2)),
        lambda d, i, n: d("add", i, d("add", d("mul", n, n), 1)),
    )


def nested(draft: Draft) -> Any:
    """Out of two loops."""

    def inner(d: Draft, j: Value, t: Value, n: Value) -> Value:
        return d("add", t, d("mul", n, 3))

    return draft.for_range(draft["n"], [0], [draft["n"]], lambda d, i, t, n: d.for_range(n, [t], [n], inner))


def in_a_branch(draft: Draft) -> Any:
    """In a branch of the body."""

    def body(d: Draft, t: Value, n: Value) -> Value:
        test = d("gt", t, 3)
        return d.cond(
            test, [t, n], lambda d, t, n: d("add", t, d("mul", n, 3)), lambda d, t, n: d("add", t, 1)
        )

    return repeated(body, "n")(draft)


def after_a_write(draft: Draft) -> Any:
    """A read of what the body writes."""

    def body(d: Draft, index: Value, last: Value, v: Value) -> Value:
        read = d("get_item", v, 0)
        d.do("set_item", v, 0, d("add", d("float", index), 7.0))
        return read

    return draft.for_range(draft["n"], [np.float64(0)], [draft["v"]], body)


KNOWN: Final = {"v": ArraySpec((3,), F8), "n": INT}
ITERATIONS: Final = [(0,), (1,), (4,)]
V_TURNS: Final = [(ONES, 0), (ONES, 3)]
HOIST: Final = [
    Case(
        "integers",
        N,
        repeated(lambda d, t, n: d("add", t, d("mul", n, 3)), "n"),
        "mul for_loop[add]",
        ITERATIONS,
    ),
    Case(
        "what follows",
        N,
        repeated(lambda d, t, n: d("add", t, d("neg", d("mul", n, 3))), "n"),
        "mul neg for_loop[add]",
        ITERATIONS,
    ),
    Case(
        "a test", N, repeated(lambda d, t, n: d("add", t, d("gt", n, 3)), "n"), "gt for_loop[add]", ITERATIONS
    ),
    Case(
        "a dimension",
        VN,
        repeated(lambda d, t, v: d("add", t, d("dim", v, 0)), "v"),
        "dim for_loop[add]",
        V_TURNS,
    ),
    Case(
        "a tuple",
        N,
        repeated(lambda d, t, n: d("add", t, d("get_item", d("make_tuple", n, 1), 0)), "n"),
        "make_tuple get_item for_loop[add]",
        ITERATIONS,
    ),
    Case(
        "a row that is certainly there",
        KNOWN,
        repeated(lambda d, t, v: d("get_item", v, 1), "v"),
        "get_item for_loop[]",
        V_TURNS,
    ),
    Case("in a while", N, in_a_while, "mul add while_loop[mul lt][add]", ITERATIONS),
    Case("out of two loops", N, nested, "mul for_loop[for_loop[add]]", ITERATIONS),
    untouched(
        "the iteration's number",
        N,
        lambda d: d.for_range(d["n"], [0], [], lambda d, i, t: d("add", t, d("mul", i, 3))),
        *ITERATIONS,
    ),
    untouched("what is carried", N, repeated(lambda d, t: d("add", t, d("mul", t, 3))), *ITERATIONS),
    untouched(
        "what may raise", N, repeated(lambda d, t, n: d("add", t, d("floordiv", 6, n)), "n"), *ITERATIONS
    ),
    untouched(
        "an item that may be missing",
        VN,
        repeated(lambda d, t, v: d("get_item", v, 1), "v"),
        (ONES[:1], 0),
        (ONES, 2),
    ),
    untouched(
        "an index of a list",
        {"v": ListSpec(INT), **N},
        repeated(lambda d, t, v: d("add", t, d("get_item", v, 0)), "v"),
        ([], 0),
        ([2], 2),
    ),
    untouched("what may warn", {"v": VECTOR, **N}, repeated(lambda d, t, v: d("mul", v, 2.0), "v"), *V_TURNS),
    untouched("a branch", N, in_a_branch, *ITERATIONS),
    untouched("a read of what is written", KNOWN, after_a_write, (ONES.copy(), 3), (ONES.copy(), 0)),
    untouched(
        "a new list that is kept",
        {**N, "log": ListSpec(None)},
        repeated(lambda d, t, n, log: (d.do("append", log, d("make_list", n)), t)[1], "n", "log"),
        (3, []),
    ),
    untouched(
        "a call", {**N, "f": ANY}, repeated(lambda d, t, f: d("call", f), "f"), (3, lambda: 5), (0, lambda: 5)
    ),
    untouched(
        "an attribute",
        {**N, "o": ANY},
        repeated(lambda d, t, o: d("get_attr", o, "real"), "o"),
        (3, 2.5),
        (0, None),
    ),
]


@pytest.mark.parametrize("case", HOIST, ids=lambda case: case.name)
def test_hoist(case: Case) -> None:
    check("hoist", case)


@pytest.mark.parametrize("case", [*COMMON, *HOIST], ids=lambda case: case.name)
def test_all_passes_together(case: Case) -> None:
    check_all(case)


# -- who knows an array ----------------------------------------------------------------------------------------

KEPT: Final[list[Any]] = []


def keeps_a_view(k: float) -> Any:
    made = np.arange(4.0) + k
    between = made[:]
    KEPT.append(between[1:])
    return made * 2.0, between * 3.0


def test_who_has_a_view_knows_the_array_with_the_memory() -> None:
    """By `base`, which is never an array between the two; and who has an array does not know its views."""
    nodes = astrace.compile(keeps_a_view).stages(1.0).recording.block.nodes
    made, between, view = (node.output for node in nodes if node.op in ("add", "get_item"))
    sharing = Sharing(Block((), nodes), views_apart=True)
    assert [sharing.is_known_outside(one) for one in (made, between, view)] == [True, False, True]
    assert made.spec == between.spec == view.spec
    everything = Sharing(Block((), nodes))
    assert all(everything.is_known_outside(one) for one in (made, between, view))
    alone = Sharing(Block((made,), nodes[2:3]), views_apart=True)
    assert [alone.is_known_outside(one) for one in (made, between)] == [True, False]
