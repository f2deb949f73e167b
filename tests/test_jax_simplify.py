"""Programs for XLA made smaller, by the passes that recorded blocks go through, too."""

import numpy as np

from astrace.backends.jax.emit import ProgramEmitter
from astrace.ir.block import Block, Node
from astrace.ir.trees import node_of
from astrace.passes.functional.program import Lit, variable
from astrace.passes.functional.simplify import tidy

FLOAT, BOOL = np.dtype(np.float64), np.dtype(bool)


def leaf(op, *args, raises=False, dtype=FLOAT):
    out = variable(dtype)
    made = node_of(op, args, out, None)
    return Node(made.op, made.inputs, made.outputs, made.attrs, raises=raises)


def program(inputs, nodes, outputs):
    return Block(tuple(inputs), tuple(nodes), tuple(outputs))


def ops(block):
    return [(node.op, [ops(region) for region in node.regions]) for node in block.nodes]


def loop(op, carried, ends, nodes, values, bounds=(Lit(0), Lit(3))):
    body = Block((variable(np.dtype(np.int64)), *values), tuple(nodes), tuple(ends))
    outs = tuple(variable(FLOAT) for _ in ends)
    return Node(op, (*bounds, *carried), outs, regions=(body,))


def test_unused_nodes_go_and_refused_ones_stay():
    x = variable(FLOAT, 0, "x")
    unused, checked, used = leaf("neg", x), leaf("sub", x, x, raises=True), leaf("add", x, x)
    found = tidy(program([x], [unused, checked, used], used.outputs))
    assert ops(found) == [("sub", []), ("add", [])]


def test_what_is_refused_inside_keeps_a_branch_without_its_outputs():
    x, test = variable(FLOAT, 1, "x"), variable(BOOL, 0, "test")
    refused, other = leaf("matmul", x, x, raises=True), leaf("mul", x, x)
    then, orelse = Block((), (refused, other), other.outputs), Block((), (), (x,))
    cond = Node("cond", (test,), (variable(FLOAT),), regions=(then, orelse))
    found = tidy(program([x, test], [cond], [x]))
    assert ops(found) == [("cond", [[("matmul", [])], []])]
    assert found.nodes[0].outputs == ()


def test_a_repeated_expression_is_computed_once_in_regions_too():
    x, test = variable(FLOAT, 1, "x"), variable(BOOL, 0, "test")
    first = leaf("mul", x, x, raises=True)
    again, other = leaf("mul", x, x), leaf("neg", x)
    regions = Block((), (again,), again.outputs), Block((), (other,), other.outputs)
    cond = Node("cond", (test,), (variable(FLOAT, 1),), regions=regions)
    found = tidy(program([x, test], [first, cond], [*first.outputs, *cond.outputs]))
    assert ops(found) == [("mul", []), ("cond", [[], [("neg", [])]])]
    assert found.nodes[1].regions[0].outputs == first.outputs


def test_loops_carry_neither_what_is_unused_nor_what_never_changes():
    x, y, z = (variable(FLOAT, 0, name) for name in "xyz")
    a, b, c = (variable(FLOAT, 0, name) for name in "abc")
    step, lost = leaf("add", a, b), leaf("mul", c, c)
    node = loop("for_loop", (x, y, z), (*step.outputs, b, *lost.outputs), (step, lost), (a, b, c))
    found = tidy(program([x, y, z], [node], node.outputs[:2]))
    (kept,) = found.nodes
    assert kept.inputs[2:] == (x,)
    assert kept.regions[0].nodes[0].inputs == (a, y)
    assert found.outputs == (*kept.outputs, y)


def test_rows_of_a_scan_stay_behind_what_it_carries():
    x, y = variable(FLOAT, 0, "x"), variable(FLOAT, 0, "y")
    a, b = variable(FLOAT, 0, "a"), variable(FLOAT, 0, "b")
    step, row, lost = leaf("add", a, Lit(1.0)), leaf("mul", a, a), leaf("neg", a)
    ends = (*step.outputs, b, *row.outputs, *lost.outputs)
    node = loop("scan", (x, y), ends, (step, row, lost), (a, b))
    found = tidy(program([x, y], [node], [node.outputs[0], node.outputs[2]]))
    (kept,) = found.nodes
    assert kept.inputs[2:] == (x,)
    assert kept.outputs == (node.outputs[0], node.outputs[2])
    assert ops(found) == [("scan", [[("add", []), ("mul", [])]])]


def test_a_value_needed_by_the_test_of_a_loop_is_carried():
    x, y = variable(FLOAT, 0, "x"), variable(FLOAT, 0, "y")
    p, q, a, b = (variable(FLOAT, 0, name) for name in "pqab")
    goes_on = leaf("lt", q, Lit(1.0), dtype=BOOL)
    first, second = leaf("add", a, Lit(1.0)), leaf("mul", b, b)
    test = Block((p, q), (goes_on,), goes_on.outputs)
    body = Block((a, b), (first, second), (*first.outputs, *second.outputs))
    node = Node("while_loop", (x, y), (variable(FLOAT), variable(FLOAT)), regions=(test, body))
    found = tidy(program([x, y], [node, leaf("neg", y)], node.outputs[1:]))
    (kept,) = found.nodes
    assert kept.inputs == (y,)
    assert ops(found) == [("while_loop", [[("lt", [])], [("mul", [])]])]
    assert tidy(program([x, y], [node], [x])).nodes == ()
    assert "while_loop" in ProgramEmitter(found, "f").text()


def test_a_branch_with_known_outputs_hands_them_on():
    x, test = variable(FLOAT, 1, "x"), variable(BOOL, 0, "test")
    ok = leaf("all_finite", x, dtype=BOOL)
    regions = Block((), (), (x, Lit(True))), Block((), (), (x, Lit(True)))
    cond = Node("cond", (test,), (variable(FLOAT, 1), variable(BOOL)), regions=regions)
    both = leaf("both", *ok.outputs, cond.outputs[1], dtype=BOOL)
    found = tidy(program([x, test], [ok, cond, both], [cond.outputs[0], *both.outputs]))
    assert ops(found) == [("all_finite", [])]
    assert found.outputs == (x, *ok.outputs)
