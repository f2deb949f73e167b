"""The results of a graph one by one, for formats without containers: a dict, list or tuple that is returned is taken apart.

Takes a block and the tree of its results; gives a block that puts out what the containers hold, with the name of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.util.trees import Tree, fill

MADE: Final = frozenset({"make_dict", "make_list", "make_tuple"})


def flat_results(block: Block, result: Tree) -> tuple[Block, list[str]]:
    """Return a block whose outputs are no containers that it makes itself, and their names.

    Args:
        block: the block of a graph.
        result: what the graph returns, with holes for the block's outputs.

    Example:
        >>> from astrace.ir.specs import ANY, INT
        >>> from astrace.util.trees import Hole
        >>> x, made = Value(INT, "x"), Value(ANY)
        >>> block = Block((x,), (Node("make_dict", (Constant("best"), x), (made,)),), (made,))
        >>> flat, names = flat_results(block, Hole(0))
        >>> names, flat.outputs == (x,)
        (['output_best'], True)
    """
    makers = {node.output: node for node in block.nodes if node.op in MADE and "pattern" not in node.attrs}
    found = list(_parts(fill(result, block.outputs), "output", makers))
    outputs = tuple(one if isinstance(one, Value) else Constant(one) for _, one in found)
    gone = (
        set(makers)
        - set(outputs)
        - {one for node in block.nodes for one in node.inputs if node.op not in MADE}
    )
    nodes = tuple(node for node in block.nodes if node.op not in MADE or node.output not in gone)
    return replace(block, nodes=nodes, outputs=outputs), _distinct([name for name, _ in found])


def _distinct(names: Sequence[str]) -> list[str]:
    """Names, with a number behind those that are met again: keys may differ in characters that names have not."""
    met: list[str] = []
    for name in names:
        tries = (name, *(f"{name}_{number}" for number in range(1, len(names) + 1)))
        met.append(next(one for one in tries if one not in met))
    return met


def part_name(name: str, key: Any) -> str:
    """Return the name of what a container holds at a key or a place.

    Args:
        name: of the container.
        key: it.

    Example:
        >>> part_name("output", "best score")
        'output_best_score'
    """
    return f"{name}_{re.sub(r'[^A-Za-z0-9_]', '_', str(key))}"


def _parts(tree: Any, name: str, makers: dict[Value, Node]) -> Iterator[tuple[str, Any]]:
    """Yield what a result holds, with its name."""
    match tree:
        case Constant():
            yield from _parts(tree.value, name, makers)
        case Value() if tree in makers:
            yield from _parts(_container(makers[tree]), name, makers)
        case dict():
            for key, item in tree.items():
                yield from _parts(item, part_name(name, key), makers)
        case tuple() | list():
            for place, item in enumerate(tree):
                yield from _parts(item, part_name(name, place), makers)
        case _:
            yield name, tree


def _container(node: Node) -> dict[Any, Operand] | list[Operand]:
    """Return what a node makes, with operands in it."""
    if node.op != "make_dict":
        return list(node.inputs)
    keys = [key.value if isinstance(key, Constant) else key for key in node.inputs[::2]]
    return dict(zip(keys, node.inputs[1::2], strict=True))
