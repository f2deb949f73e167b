"""Blocks that break a rule, each with what the verifier says of it and the op it names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.iteration import Each, Enumerate, Range, Zip
from astrace.ir.specs import ANY, BOOL, FLOAT, INT, STR, ArraySpec
from astrace.locations import Location
from astrace.util.trees import Hole, Pattern

LINE: Final = Location("program.py", 12, "f")


def leaf(op: str, inputs: Sequence[Any], *outputs: Value, regions: Sequence[Block] = ()) -> Node:
    """A node of the user's line 12."""
    operands = tuple(one if isinstance(one, Value) else Constant(one) for one in inputs)
    return Node(op, operands, outputs, {}, tuple(regions), LINE)


def control(op: str, inputs: Sequence[Any], regions: Sequence[Block], *outputs: Value, **attrs: Any) -> Node:
    """A control flow node of the user's line 12."""
    operands = tuple(one if isinstance(one, Value) else Constant(one) for one in inputs)
    return Node(op, operands, outputs, attrs, tuple(regions), LINE)


def ranging(carried: Sequence[Any], body: Block, *outputs: Value, breaks: bool = False) -> Node:
    """A loop over ``range(0, 3, 1)``."""
    return control("for_loop", [0, 3, 1, *carried], [body], *outputs, over=Range(0, 1, 2), breaks=breaks)


def empty(*inputs: Value) -> Block:
    """A region that does nothing."""
    return Block(inputs, ())


def gives(*outputs: Any, inputs: Sequence[Value] = ()) -> Block:
    """A region that gives constants or its inputs."""
    return Block(
        tuple(inputs), (), tuple(one if isinstance(one, Value) else Constant(one) for one in outputs)
    )


X, Y, N, C = Value(FLOAT, "x"), Value(FLOAT, "y"), Value(INT, "n"), Value(BOOL, "c")
E, I, S, N_1 = Value(ANY), Value(INT, "i"), Value(STR), Value(INT)


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
        only(ranging([1.0], gives(None, inputs=[I, Y]), E)),
        "the spec float does not cover None",
        "for_loop",
    ),
    "an outcome of another kind": (
        only(ranging([1.0], gives(2.0, inputs=[I, Y]), Value(INT))),
        "the spec int does not cover float",
        "for_loop",
    ),
    "a body without the element": (
        only(ranging([], empty())),
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
    "a first value that the outcome does not hold": (
        only(ranging([None], gives(2.0, inputs=[I, E]), Y)),
        "the spec float does not cover None",
        "for_loop",
    ),
    "a flag that can't say no": (
        only(ranging([], gives(2, inputs=[I]), N_1, breaks=True)),
        "the spec int does not cover bool",
        "for_loop",
    ),
    "a loop that carries more than it is given": (
        only(control("while_loop", [], [gives(True), gives(1.0)], Y, breaks=False)),
        "not all that is carried is an input",
        "while_loop",
    ),
    "a loop with a break without a flag": (
        only(control("while_loop", [], [gives(True), empty()], breaks=True)),
        "not all that is carried is an input",
        "while_loop",
    ),
    "a loop that does not say whether it breaks": (
        only(control("for_loop", [0, 3, 1], [empty(I)], over=Range(0, 1, 2))),
        "`breaks` is not a bool",
        "for_loop",
    ),
    "a loop over nothing": (
        only(control("for_loop", [], [empty(I)], breaks=False)),
        "the loop is over None",
        "for_loop",
    ),
    "a loop over something else": (
        only(control("for_loop", [], [empty(I)], over=Zip((Each(0), "x")), breaks=False)),  # type: ignore[arg-type]
        "the loop is over Zip",
        "for_loop",
    ),
    "a loop over an input that there is not": (
        only(control("for_loop", [0, 3, 1], [empty(I)], over=Range(0, 1, 7), breaks=False)),
        "the loop is over the inputs [0, 1, 7], not [0, 1, 2]",
        "for_loop",
    ),
    "a loop over an input twice": (
        only(control("for_loop", [[1], [2]], [empty(E, I)], over=Zip((Each(0), Each(0))), breaks=False)),
        "the loop is over the inputs [0, 0], not [0, 1]",
        "for_loop",
    ),
    "a loop over what it is not given": (
        only(control("for_loop", [0], [empty(I)], over=Range(0, 1, 2), breaks=False)),
        "not all that is carried is an input",
        "for_loop",
    ),
    # what regions are given
    "a number in a range that is a string": (
        only(ranging([], empty(S))),
        "the spec str does not cover int",
        "for_loop",
    ),
    "an item of a list that is a string": (
        only(control("for_loop", [[1.5], 0], [empty(I, S)], over=Enumerate(Each(0), 1), breaks=False)),
        "the spec str does not cover float",
        "for_loop",
    ),
    "a captured float as an int": (
        only(control("cond", [C, X], [empty(Value(INT)), empty(Value(FLOAT))])),
        "the spec int does not cover float",
        "cond",
    ),
    "a captured float as an int in a loop": (
        only(control("while_loop", [X], [gives(True, inputs=[Y]), empty(Value(INT))], breaks=False)),
        "the spec int does not cover float",
        "while_loop",
    ),
    "a captured float as an int in a handler": (
        only(control("try_", [X], [empty(Y), empty(E, Value(INT))], catches=((KeyError,),))),
        "the spec int does not cover float",
        "try_",
    ),
    "a test that is given another kind": (
        only(
            control(
                "while_loop",
                [1.0],
                [gives(True, inputs=[S]), gives(1.0, inputs=[Y])],
                Value(FLOAT),
                breaks=False,
            )
        ),
        "the spec str does not cover float",
        "while_loop",
    ),
    # regions
    "a branch without the other": (
        only(control("cond", [C], [empty()])),
        "regions: 1 instead of 2",
        "cond",
    ),
    "no branches": (only(control("cond", [C], [])), "regions: 0 instead of 2", "cond"),
    "a third branch": (
        only(control("cond", [C], [empty(), empty(), empty()])),
        "regions: 3 instead of 2",
        "cond",
    ),
    "a branch without a test": (only(control("cond", [], [empty(), empty()])), "inputs are missing", "cond"),
    "a with without a manager": (only(control("with_", [], [empty(E)])), "inputs are missing", "with_"),
    "a with without a body": (only(control("with_", [C], [])), "regions: 0 instead of 1", "with_"),
    "a test without a body": (
        only(control("while_loop", [], [gives(True)], breaks=False)),
        "regions: 1 instead of 2",
        "while_loop",
    ),
    "a second body": (
        only(control("for_loop", [0, 3, 1], [empty(I), empty()], over=Range(0, 1, 2), breaks=False)),
        "regions: 2 instead of 1",
        "for_loop",
    ),
    "a handler that catches nothing": (
        only(control("try_", [], [empty(), empty(E)], catches=())),
        "regions: 2 instead of 1",
        "try_",
    ),
    "a class without a handler": (
        only(control("try_", [], [empty()], catches=((KeyError,),))),
        "regions: 1 instead of 2",
        "try_",
    ),
    "a handler of no exceptions": (
        only(control("try_", [], [empty(), empty(E)], catches=((int,),))),
        "which are not exceptions",
        "try_",
    ),
    "handlers that say nothing of what they catch": (
        only(control("try_", [], [empty()])),
        "`catches` is not a tuple",
        "try_",
    ),
    "a region that is no block": (
        only(control("cond", [C], [empty(), None])),  # type: ignore[list-item]
        "a region is not a block",
        "cond",
    ),
    # operands
    "an operand that is a number": (
        only(Node("neg", (1.0,), (Y,), {}, (), LINE)),  # type: ignore[arg-type]
        "1.0 is neither a value nor a constant",
        "neg",
    ),
    "an output that is a constant": (
        only(Node("neg", (X,), (Constant(1.0),), {}, (), LINE)),  # type: ignore[arg-type]
        "which is not a value",
        "neg",
    ),
    "a hole without an input": (
        only(Node("neg", (X,), (Y,), {"pattern": Pattern((Hole(3),), {})}, (), LINE)),
        "the pattern has holes for the inputs [3], not [0]",
        "neg",
    ),
    "an input without a hole": (
        only(Node("make_tuple", (X, C), (E,), {"pattern": Pattern((Hole(0), 1), {})}, (), LINE)),
        "the pattern has holes for the inputs [0], not [0, 1]",
        "make_tuple",
    ),
    "a pattern that is none": (
        only(Node("neg", (X,), (Y,), {"pattern": (Hole(0),)}, (), LINE)),
        "the pattern is none",
        "neg",
    ),
    "an output of an op without one": (only(leaf("append", [X, 1], Y)), "does not cover any", "append"),
    "two outputs of an op with one": (only(leaf("neg", [X], Y, N_1)), "does not cover any", "neg"),
}
