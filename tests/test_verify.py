"""The verifier: each rule has a block that breaks it, refused with the maker's and the op's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pytest
from drafts import Draft

import astrace
from astrace.errors import AstraceError, BrokenBlock
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.control import Each, Enumerate, Range, Zip
from astrace.ir.specs import ANY, BOOL, FLOAT, INT, ArraySpec, LiteralSpec, UnionSpec
from astrace.ir.statics import UNSET
from astrace.ir.verify import verify
from astrace.locations import Location
from astrace.passes import PASSES, Pass, run
from astrace.passes.base import inferred

VECTOR: Final = ArraySpec(("n",), np.dtype("float64"))
LINE: Final = Location("program.py", 12, "f")


def leaf(op: str, inputs: Sequence[Any], *outputs: Value, regions: Sequence[Block] = ()) -> Node:
    """A node of the user's line 12."""
    operands = tuple(one if isinstance(one, Value) else Constant(one) for one in inputs)
    return Node(op, operands, outputs, {}, tuple(regions), LINE)


def control(op: str, inputs: Sequence[Any], regions: Sequence[Block], *outputs: Value, **attrs: Any) -> Node:
    """A control flow node of the user's line 12."""
    operands = tuple(one if isinstance(one, Value) else Constant(one) for one in inputs)
    return Node(op, operands, outputs, attrs, tuple(regions), LINE)


def empty(*inputs: Value) -> Block:
    """A region that does nothing."""
    return Block(inputs, ())


def gives(*outputs: Any, inputs: Sequence[Value] = ()) -> Block:
    """A region that gives constants or its inputs."""
    return Block(
        tuple(inputs), (), tuple(one if isinstance(one, Value) else Constant(one) for one in outputs)
    )


X, Y, N, C = Value(FLOAT, "x"), Value(FLOAT, "y"), Value(INT, "n"), Value(BOOL, "c")
E, I = Value(ANY), Value(INT, "i")


def only(*nodes: Node, inputs: Sequence[Value] = (X, N, C), outputs: Sequence[Any] = ()) -> Block:
    """A block of some nodes."""
    return Block(tuple(inputs), nodes, tuple(outputs))


def nested(node: Node) -> Block:
    """A block with a node inside a region."""
    return only(control("cond", [C], [Block((), (node,)), empty()]))


BROKEN: Final[dict[str, tuple[Block, str, str]]] = {
    # the block itself
    "an input stands twice": (only(inputs=(X, X)), "a value is defined twice", ""),
    "a node makes an input": (only(leaf("neg", [X], X)), "a value is defined twice", "neg"),
    "two nodes make one value": (
        only(leaf("neg", [X], Y), leaf("pos", [X], Y)),
        "a value is defined twice",
        "pos",
    ),
    "a region has the input of the block": (
        only(control("cond", [C, X], [empty(X), empty(Value(FLOAT))])),
        "a value is defined twice",
        "",
    ),
    "two regions share an input": (
        only(control("cond", [C, X], [empty(Y), empty(Y)])),
        "a value is defined twice",
        "",
    ),
    "a value is used before it is made": (
        only(leaf("neg", [Y], Value(FLOAT)), leaf("pos", [X], Y)),
        "`y` is used where it is not defined",
        "neg",
    ),
    "an output that nobody makes": (only(outputs=[Y]), "`y` is used where it is not defined", ""),
    "a region uses a value of the block": (
        only(control("cond", [C], [Block((), (leaf("neg", [X], Y),)), empty()])),
        "`x` is used where it is not defined",
        "neg",
    ),
    "a block uses a value of a region": (
        only(control("cond", [C], [Block((), (leaf("neg", [1.0], Y),)), empty()]), outputs=[Y]),
        "`y` is used where it is not defined",
        "",
    ),
    "a branch uses a value of the other": (
        only(control("cond", [C], [Block((), (leaf("neg", [1.0], Y),)), gives(Y)])),
        "`y` is used where it is not defined",
        "",
    ),
    # leaf nodes
    "an op of no table": (only(leaf("nothing", [X], Y)), "the op is not in the table", "nothing"),
    "a leaf with a region": (
        only(leaf("neg", [X], Y, regions=[empty()])),
        "only control flow nodes have regions",
        "neg",
    ),
    "a spec that is too narrow": (
        only(leaf("truediv", [N, 2], Value(INT))),
        "the spec int does not cover float",
        "truediv",
    ),
    "a shape that is too narrow": (
        only(leaf("np.zeros", [N], Value(ArraySpec((3,), np.dtype("float64"))))),
        "the spec float64[3] does not cover float64[?]",
        "np.zeros",
    ),
    "a leaf deep inside": (nested(leaf("add", [1, 2.5], Value(INT))), "does not cover", "add"),
    # cond
    "a branch that is given too little": (
        only(control("cond", [C, X], [empty(Value(FLOAT)), empty()])),
        "inputs of a region: 0 instead of 1",
        "cond",
    ),
    "a branch that gives too little": (
        only(control("cond", [C], [gives(1.0), empty()], Y)),
        "outputs of a region: 0 instead of 1",
        "cond",
    ),
    "a branch that gives another kind": (
        only(control("cond", [C], [gives(1.0), gives(1)], Y)),
        "the spec float does not cover int",
        "cond",
    ),
    # try and with
    "a handler without the exception": (
        only(control("try_", [X], [empty(Y), empty(Value(FLOAT))], catches=((KeyError,),))),
        "inputs of a region: 1 instead of 2",
        "try_",
    ),
    "a body that is given an exception": (
        only(control("try_", [], [empty(E)], catches=())),
        "inputs of a region: 1 instead of 0",
        "try_",
    ),
    "a handler that gives another kind": (
        only(control("try_", [], [gives(1.0), gives(None, inputs=[E])], Y, catches=((KeyError,),))),
        "the spec float does not cover None",
        "try_",
    ),
    "a with without what is entered": (
        only(control("with_", [None, X], [empty(Y)])),
        "inputs of a region: 1 instead of 2",
        "with_",
    ),
    # loops
    "a test that is given too little": (
        only(control("while_loop", [1.0], [gives(True), gives(1.0, inputs=[Y])], Value(FLOAT), breaks=False)),
        "inputs of a region: 0 instead of 1",
        "while_loop",
    ),
    "a test without an answer": (
        only(control("while_loop", [], [empty(), empty()], breaks=False)),
        "outputs of the test: 0 instead of 1",
        "while_loop",
    ),
    "a body that carries too little": (
        only(
            control(
                "while_loop",
                [1.0],
                [gives(True, inputs=[Value(FLOAT)]), empty(Y)],
                Value(FLOAT),
                breaks=False,
            )
        ),
        "outputs of the body: 0 instead of 1",
        "while_loop",
    ),
    "a body without the flag": (
        only(control("while_loop", [], [gives(True), empty()], Value(BOOL), breaks=True)),
        "outputs of the body: 0 instead of 1",
        "while_loop",
    ),
    "a first value of another kind": (
        only(
            control(
                "while_loop",
                [1],
                [gives(True, inputs=[Value(FLOAT)]), gives(1.0, inputs=[Y])],
                Value(FLOAT),
                breaks=False,
            )
        ),
        "the spec float does not cover int",
        "while_loop",
    ),
    "a next value of another kind": (
        only(
            control(
                "for_loop", [0, 3, 1, 1.0], [gives(None, inputs=[I, Y])], E, over=Range(0, 1, 2), breaks=False
            )
        ),
        "the spec float does not cover None",
        "for_loop",
    ),
    "an outcome of another kind": (
        only(
            control(
                "for_loop",
                [0, 3, 1, 1.0],
                [gives(2.0, inputs=[I, Y])],
                Value(INT),
                over=Range(0, 1, 2),
                breaks=False,
            )
        ),
        "the spec int does not cover float",
        "for_loop",
    ),
    "a body without the element": (
        only(control("for_loop", [0, 3, 1], [empty()], over=Range(0, 1, 2), breaks=False)),
        "inputs of the body: 0 instead of 1",
        "for_loop",
    ),
    "a body with too few elements": (
        only(control("for_loop", [[1], 0], [empty(E)], over=Enumerate(Each(0), 1), breaks=False)),
        "inputs of the body: 1 instead of 2",
        "for_loop",
    ),
    "a body with too many elements": (
        only(control("for_loop", [[1]], [empty(E, I)], over=Zip((Each(0),)), breaks=False)),
        "inputs of the body: 2 instead of 1",
        "for_loop",
    ),
}


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
