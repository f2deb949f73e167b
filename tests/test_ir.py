"""The graph itself: rebuilding blocks, walking over them, their text, and their meaning."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from drafts import Draft

from astrace.ir.block import Block, Constant, Node, Value, region_inputs
from astrace.ir.builder import Builder, rebuild
from astrace.ir.iteration import Each, Enumerate, Range, Reversed, Zip
from astrace.ir.specs import ANY, BOOL, FLOAT, INT, ArraySpec
from astrace.ir.walk import blocks, constants, last_uses, nodes, uses

F8 = np.dtype("float64")
VECTOR, MATRIX = ArraySpec(("n",), F8), ArraySpec(("n", "m"), F8)


def all_controls() -> Block:
    """A block with each of the control flow nodes."""
    draft = Draft(x=VECTOR, n=INT, manager=ANY)
    x, n = draft["x"], draft["n"]
    total = draft("np.sum", x, name="total", line=2)
    test = draft("gt", total, 1, line=3)
    total = draft.cond(test, [total], lambda d, t: d("mul", t, 2.0), lambda d, t: d("neg", t))
    total = draft.for_range(n, [total], [x], lambda d, i, t, x: d("add", t, d("get_item", x, i)))
    total = draft.while_loop(
        [total, n], [], lambda d, t, k: d("gt", k, 0), lambda d, t, k: (d("add", t, 1.0), d("sub", k, 1))
    )[0]
    total = draft.try_(
        [total, x],
        lambda d, t, x: d("add", t, d("get_item", x, 99)),
        ((IndexError, KeyError), lambda d, error, t, x: d("str", error)),
    )
    total = draft.with_(draft["manager"], [total], lambda d, entered, t: d("make_tuple", entered, t))
    return draft.block(total, n)


# -- builder -------------------------------------------------------------------------------------------------


def keep(node: Node, builder: Builder) -> None:
    """The step that changes nothing."""
    builder.keep(node)


def test_rebuild_without_a_change_gives_the_same_block() -> None:
    block = all_controls()
    assert rebuild(block, keep) is block


def test_rebuild_replaces_in_regions_and_outputs_through_chains() -> None:
    draft = Draft(x=FLOAT)
    one = draft("neg", draft["x"])
    two = draft("pos", one)
    three = draft.cond(draft("gt", two, 0.0), [two], lambda d, t: d("add", t, 1.0), lambda d, t: t)
    block = draft.block(two, three)

    def without_signs(node: Node, builder: Builder) -> None:
        if node.op in ("neg", "pos"):
            builder.replace(node.outputs, builder.operands(node.inputs))
        else:
            builder.keep(node)

    after = rebuild(block, without_signs)
    assert [node.op for node in nodes(after)] == ["gt", "cond", "add"]
    assert after.outputs == (draft["x"], three)
    assert after.nodes[1].inputs[1] is draft["x"]
    assert [node.op for node in nodes(block)] == ["neg", "pos", "gt", "cond", "add"]


def test_rebuild_keeps_the_regions_and_nodes_that_do_not_change() -> None:
    draft = Draft(x=FLOAT, c=BOOL)
    first = draft("neg", draft["x"])
    draft.cond(draft["c"], [first], lambda d, t: d("add", t, 1.0), lambda d, t: d("neg", t))
    block = draft.block(first)

    def more(node: Node, builder: Builder) -> None:
        builder.keep(node)
        if node.op == "add":
            builder.nodes.append(Node("neg", node.outputs, (Value(FLOAT),)))

    after = rebuild(block, more)
    assert after.nodes[0] is block.nodes[0]
    assert after.nodes[1].regions[1] is block.nodes[1].regions[1]
    assert [node.op for node in after.nodes[1].regions[0].nodes] == ["add", "neg"]


def test_splice_puts_a_region_in_place() -> None:
    draft = Draft(x=FLOAT)
    result = draft.cond(True, [draft["x"]], lambda d, t: d("add", d("neg", t), t), lambda d, t: t)
    block = draft.block(result)

    def decide(node: Node, builder: Builder) -> None:
        if node.op == "cond":
            builder.replace(node.outputs, builder.splice(node.regions[0], builder.operands(node.inputs[1:])))
        else:
            builder.keep(node)

    after = rebuild(block, decide)
    assert str(after) == "block(x: float):\n  v1: float = neg(x)\n  v2: float = add(v1, x)\n  -> v2"


# -- walk ----------------------------------------------------------------------------------------------------


def test_nodes_come_each_before_those_of_its_regions() -> None:
    found = [node.op for node in nodes(all_controls())]
    assert found == [
        *("np.sum", "gt", "cond", "mul", "neg"),
        *("for_loop", "get_item", "add"),
        *("while_loop", "gt", "add", "sub"),
        *("try_", "get_item", "add", "str", "with_", "make_tuple"),
    ]


def test_walking_does_not_recurse() -> None:
    block = Block((), (Node("make_tuple", (), (Value(ANY),)),))
    for _ in range(5000):
        block = Block((), (Node("cond", (Constant(value=True),), (), {}, (block, Block((), ()))),))
    assert sum(node.op == "cond" for node in nodes(block)) == 5000
    assert [node.op for node in nodes(block)][-1] == "make_tuple"
    assert sum(1 for _ in blocks(block)) == 10_001


def test_uses_count_a_block_s_own_nodes_and_outputs() -> None:
    block = all_controls()
    x, n, manager = block.inputs
    total = block.nodes[0].output
    assert uses(block) == Counter(
        {x: 3, n: 3, manager: 1, total: 2}
        | {node.output: 1 for node in block.nodes[1:] if len(node.outputs) == 1}
        | {block.nodes[4].outputs[0]: 1}
    )


def test_last_uses_number_the_nodes() -> None:
    block = all_controls()
    x, n, manager = block.inputs
    last = last_uses(block)
    assert last[x] == 5
    assert last[n] == len(block.nodes)
    assert last[manager] == 6
    assert last[block.nodes[0].output] == 2
    assert block.nodes[4].outputs[1] not in last


def test_constants_are_found_in_regions_and_outputs() -> None:
    draft = Draft(c=BOOL)
    draft.cond(draft["c"], [7], lambda d, t: d("add", t, 1), lambda d, t: Constant(2.5))
    found = [constant.value for constant in constants(draft.block(None, draft["c"]))]
    assert sorted(map(str, found)) == ["1", "2.5", "7", "None"]


def test_region_inputs_give_captures() -> None:
    for node in nodes(all_controls()):
        for region, inner, outer in region_inputs(node) if node.regions else ():
            assert len(inner) == len(outer)
            assert list(region.inputs[len(region.inputs) - len(inner) :]) == list(inner)


# -- text ----------------------------------------------------------------------------------------------------

TEXT = """\
block(x: float64[n], n: int, manager: any):
  total: float64 = np.sum(x)                                  #@2
  v1: np.bool = gt(total, 1)                                  #@3
  v2: float64 = cond(v1):
    then:
      v3: float64 = mul(total, 2.0)
      -> v3
    else:
      v4: float64 = neg(total)
      -> v4
  v5: float64 = for_loop(range(0, n, 1), v2):
    body(v6: int, v7: float64):
      v8: float64 = get_item(x, v6)
      v9: float64 = add(v7, v8)
      -> v9
  v10: float64, v11: int = while_loop(v5, n):
    test(v12: float64, v13: int):
      v14: bool = gt(v13, 0)
      -> v14
    body(v15: float64, v16: int):
      v17: float64 = add(v15, 1.0)
      v18: int = sub(v16, 1)
      -> v17, v18
  v19: float64 | str = try_:
    body:
      v20: float64 = get_item(x, 99)
      v21: float64 = add(v10, v20)
      -> v21
    except IndexError/KeyError(v22: any):
      v23: str = str(v22)
      -> v23
  v24: (any, float64 | str) = with_(manager):
    body(v25: any):
      v26: (any, float64 | str) = make_tuple(v25, v19)
      -> v26
  -> v24, n"""


def test_text_shows_all_that_a_block_holds() -> None:
    assert str(all_controls()) == TEXT


def test_text_is_stable() -> None:
    first, second = all_controls(), all_controls()
    assert first is not second
    assert str(first) == str(second) == str(first)


def test_a_change_in_one_node_changes_one_line() -> None:
    draft = Draft(x=FLOAT)
    draft("mul", draft["x"], 2.0, name="y")
    draft("mul", draft["x"], -0.0, name="y")
    other = Draft(x=FLOAT)
    other("mul", other["x"], 2.0, name="y")
    other("mul", other["x"], 0.0, name="y")
    pairs = zip(str(draft.block()).splitlines(), str(other.block()).splitlines(), strict=True)
    assert [pair for pair in pairs if pair[0] != pair[1]] == [
        ("  y_1: float = mul(x, -0.0)", "  y_1: float = mul(x, 0.0)")
    ]


@pytest.mark.parametrize(
    ("constant", "shown"),
    [
        (-0.0, "-0.0"),
        (float("nan"), "nan"),
        (True, "True"),
        ("it's", '"it\'s"'),
        (np.float32(1), "np.float32(1.0)"),
        (F8, "dtype('float64')"),
        (len, "len"),
        (np.add, "np.add"),
        (slice(1, None), "slice(1, None, None)"),
        ((1, (2.0,)), "(1, (2.0,))"),
        (np, "numpy"),
        ([1], "<list>"),
    ],
)
def test_constants_are_shown_by_what_they_are(constant: Any, shown: str) -> None:
    draft = Draft()
    draft("make_tuple", constant)
    assert str(draft.block()).endswith(f"make_tuple({shown})")


def test_iterables_are_shown_as_python_writes_them() -> None:
    draft = Draft(x=MATRIX, y=VECTOR, n=INT)
    over = Enumerate(Zip((Reversed(Each(0)), Range(1, 2, 3), Each(4)), strict=True), 5)
    draft.for_loop(over, [draft["x"], 0, draft["n"], 2, draft["y"], 7], [], [], lambda d, *given: ())
    line = str(draft.block()).splitlines()[1]
    assert line == "  for_loop(enumerate(zip(reversed(each(x)), range(0, n, 2), each(y)), 7)):"
