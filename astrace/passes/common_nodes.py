"""The same computation twice is done once, where nobody can tell the results apart."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value, region_inputs
from astrace.ir.builder import Builder, rebuild
from astrace.ir.constants import is_nan
from astrace.ir.control import loop_of
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.effects import follows_settings, is_ordered, warns_each_time, written
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.object_identity import ComparedObjects
from astrace.passes.regions import capturing
from astrace.util.trees import Hole, Pattern, map_tree


def merge_common_nodes(block: Block, counts_warnings: bool = True) -> Block:
    """Merge nodes that compute the same from the same inputs.

    Inputs must be settled (nothing writes them in between) and results private (nothing writes them, and
    they are not handed out, where two arrays would show as one).  Nor are numbers shared whose identity counts: a
    NaN is found in a container that holds this very object, and in no other.  What was computed before a branch or
    a loop is not computed again in it.

    Args:
        block: any.
        counts_warnings: what may warn is done as often as it is written; else NumPy's program warns in the place of this one.
    """
    sharing = Sharing(block)
    told = ComparedObjects(block, sharing)
    begun = _begun_with(block)
    known: dict[Builder, Found] = {}

    def key_of(node: Node, outside: Mapping[Value, Operand]) -> Hashable | None:
        if node.regions or told.any_of(node.outputs) or (counts_warnings and warns_each_time(node)):
            return None
        if OPS[node.op].creates and not begun.isdisjoint(node.outputs):
            return (
                None  # what the loop puts in the place of one array would seem to share memory with the other
            )
        return _key(node, sharing, outside)

    def step(node: Node, builder: Builder) -> None:
        node = builder.updated(node)
        found = known.setdefault(builder, {})
        if node.op in REUSING:
            node = _reusing(node, found, key_of)
        key = key_of(node, NOTHING_OUTSIDE)
        earlier = None if key is None else found.setdefault(key, node)
        if earlier is not None and earlier is not node:
            builder.replace(node.outputs, earlier.outputs)
            return
        if key is None and is_ordered(node):
            for one in [one for one, earlier in found.items() if follows_settings(earlier)]:
                del found[one]
        builder.nodes.append(node)

    return rebuild(block, step)


def _begun_with(block: Block) -> set[Operand]:
    """Return the values that loops begin with, and change from turn to turn."""
    loops = (loop_of(node) for node in nodes(block))
    return {one for loop in loops if loop is not None for one in loop.carried}


NOTHING_OUTSIDE: Final[Mapping[Value, Operand]] = MappingProxyType({})
Found: TypeAlias = dict[Hashable, Node]
"""The results computed in a block, by op and inputs."""
REUSING: Final = frozenset({"cond", "for_loop", "while_loop"})
"""The nodes whose regions run where the node stands, under the settings that hold there."""


def merge_repeats(block: Block, key_of: Callable[[Node], Hashable | None]) -> Block:
    """Merge nodes of blocks whose regions see the values around them, and whose nodes do not write.

    A node that raises stays; others may be merged with it.

    Args:
        block: the outermost block.
        key_of: a key that nodes which compute the same have in common; ``None`` for a node that has to stay.
    """
    known: dict[Builder | None, ChainMap[Hashable, Node]] = {None: ChainMap()}

    def step(node: Node, builder: Builder) -> None:
        if builder not in known:
            known[builder] = known[builder.parent].new_child()
        found = known[builder]
        node = builder.updated(node)
        key = key_of(node)
        if key is not None and key in found and not node.raises:
            builder.replace(node.outputs, found[key].outputs)
            return
        if key is not None:
            found[key] = node
        builder.nodes.append(node)

    return rebuild(block, step)


def _reusing(
    node: Node, found: Found, key_of: Callable[[Node, Mapping[Value, Operand]], Hashable | None]
) -> Node:
    """Return a branch or a loop that captures what has been computed before, rather than computing it again."""
    if not found or is_ordered(node):
        return node
    given: list[Value] = []
    taken: list[dict[Value, int]] = []
    for region, inner, outer in region_inputs(node):
        outside: dict[Value, Operand] = dict(zip(inner, outer, strict=True))
        places: dict[Value, int] = {}
        for one in region.nodes:
            earlier = found.get(key_of(one, outside))
            if earlier is not None:
                outside.update(zip(one.outputs, earlier.outputs, strict=True))
                places.update(zip(one.outputs, range(len(given), len(given) + len(one.outputs)), strict=True))
                given += earlier.outputs
        taken.append(places)
    return capturing(node, given, taken) if given else node


def _key(node: Node, sharing: Sharing, outside: Mapping[Value, Operand]) -> Hashable | None:
    """Return a key that is equal for nodes that compute the same, or ``None`` for a node that has to stay.

    Args:
        node: any node.
        sharing: of the whole block.
        outside: for a node of a region, what stands around it for values of the region.
    """
    if not node.outputs or node.raises or is_ordered(node) or written(node):
        return None  # NumPy may be set to raise for one of them only
    values = [operand for operand in node.inputs if isinstance(operand, Value)]
    if not all(map(sharing.is_settled, values)) or not all(map(sharing.is_private, node.outputs)):
        return None
    try:
        inputs = [_operand_key(one, outside) for one in node.inputs]
        key = (node.op, tuple(inputs), attrs_key(node.attrs) if node.attrs else ())
        hash(key)
    except TypeError:
        return None
    return key


def _operand_key(operand: Operand, outside: Mapping[Value, Operand]) -> Hashable:
    found = outside.get(operand, operand) if isinstance(operand, Value) else operand
    return constant_key(found.value) if isinstance(found, Constant) else found


def constant_key(value: Any) -> Hashable:
    """Return a key that is equal for constants that are the same: types and signs of zero count."""
    if isinstance(value, float | complex | np.generic):
        return (type(value), id(value) if is_nan(value) else repr(value))
    if isinstance(value, tuple):
        return (type(value), tuple(map(constant_key, value)))
    if isinstance(value, range | slice):
        return (type(value), constant_key((value.start, value.stop, value.step)))
    return (type(value), value if type(value) in COMPARED else id(value))


COMPARED: Final = (bool, int, str, bytes, type(None))
"""Types whose equal instances are the same to every observer; others are known by identity."""


def attrs_key(attrs: Mapping[str, Any]) -> Hashable:
    """Equal for attributes that are the same."""
    return tuple((name, _tree_key(value)) for name, value in attrs.items())


def _tree_key(value: Any) -> Hashable:
    if isinstance(value, Pattern):
        return (_tree_key(value.args), _tree_key(tuple(value.kwargs.items())))
    if isinstance(value, list | tuple | slice | dict):
        return repr(map_tree(lambda leaf: leaf if isinstance(leaf, Hole) else constant_key(leaf), value))
    return constant_key(value)
