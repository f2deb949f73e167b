"""A graph as lines of text with their origins, and as boxes that a page draws: nodes, and regions in them.

Takes a `Graph`; gives plain data.  The names in both are those of the graph's text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from astrace.compiler.graph import Graph
from astrace.ir.block import Block, BlockWriter, Node, Operand, Value, region_names
from astrace.ir.walk import nodes
from astrace.locations import Location
from astrace.report.records import StageText

MOST_DRAWN: Final = 600
"""The number of nodes of a graph that is drawn; a larger one is shown as text alone."""
MOST_SHOWN: Final = 160
"""The length of a node's text in a drawing."""


def line_of(location: Location | None) -> int:
    """Return the line of the compiled function's file that a location leads to."""
    return 0 if location is None else location.root_line or location.line


def drawn(graph: Graph) -> tuple[StageText, dict[str, Any] | None]:
    """Return a graph as text and as boxes.

    A block is ``{"in": names, "out": names, "nodes": nodes}``; a node has ``op``, ``text``, ``out`` and ``use`` (names),
    ``line``, and in ``regions`` pairs of a name and a block.
    """
    writer = BlockWriter()
    told = list(writer.whole(graph.block, graph.name))
    lines = tuple(text.partition("  #@")[0].rstrip() for text, _ in told)
    origins = tuple(0 if node is None else line_of(node.location) for _, node in told)
    texts = {id(node): line.strip() for line, (_, node) in zip(lines, told, strict=True) if node is not None}
    few = sum(1 for _ in nodes(graph.block)) <= MOST_DRAWN
    return StageText(lines, origins), _block(graph.block, writer, texts) if few else None


def _block(block: Block, writer: BlockWriter, texts: Mapping[int, str]) -> dict[str, Any]:
    return {
        "in": [writer.name(value) for value in block.inputs],
        "out": list(map(writer.operand, block.outputs)),
        "nodes": [_node(node, writer, texts) for node in block.nodes],
    }


def _node(node: Node, writer: BlockWriter, texts: Mapping[int, str]) -> dict[str, Any]:
    text = texts.get(id(node), "")
    found: dict[str, Any] = {
        "op": node.op,
        "text": text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…",
        "out": [writer.name(value) for value in node.outputs],
        "use": list(dict.fromkeys(filter(None, (_used(operand, writer) for operand in node.inputs)))),
        "line": line_of(node.location),
    }
    if node.regions:
        named = zip(region_names(node), node.regions, strict=True)
        found["regions"] = [{"name": name, "block": _block(region, writer, texts)} for name, region in named]
    return found


def _used(operand: Operand, writer: BlockWriter) -> str:
    return writer.operand(operand) if isinstance(operand, Value) else ""
