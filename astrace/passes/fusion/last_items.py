"""Items that the turns before have stored are numbers that a loop carries: ``y[i] = a * y[i - 1] + x[i]`` need not wait for memory.

LLVM finds this out by itself only for loops that have no branch and no call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final

from astrace.ir.block import NO_ATTRS, Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder
from astrace.ir.specs import ArraySpec, GenericSpec
from astrace.ir.walk import nodes
from astrace.passes.fusion.loop_front import INT, LoopFront, is_counted, zero_of
from astrace.passes.lowering.block import same_operand
from astrace.passes.lowering.memory import SharedMemory

MOST: Final = 4
"""Items of so many turns before are carried at most; of arrays from outside, items of which may be at one place, that of the last turn."""
WRITING: Final = frozenset({"store", "load", "dim"})
"""The ops on arrays of which is known which items they touch."""


def with_last_items(block: Block, memory: SharedMemory, own: AbstractSet[Value]) -> Block:
    """Return a block whose loops read less of what they have stored.

    Args:
        block: a lowered block, whose regions may use the values around them.
        memory: which arrays may share memory.
        own: the arrays that the program makes.
    """
    found: list[Node] = []
    for node in block.nodes:
        regions = tuple(with_last_items(region, memory, own) for region in node.regions)
        inside = replace(node, regions=regions) if regions else node
        found += _carrying(inside, memory, own) if is_counted(inside) else [inside]
    return Block(block.inputs, tuple(found), block.outputs)


@dataclass(frozen=True, slots=True)
class _Chain:
    """Items of an array that a loop stores one after the other, and reads in the turns behind.

    Args:
        store: stores one at each turn.
        loads: read the items of the turn before, of the turn before that, and so on.
    """

    store: Node
    loads: tuple[tuple[Node, ...], ...]


def _carrying(loop: Node, memory: SharedMemory, own: AbstractSet[Value]) -> Iterator[Node]:
    """Yield what stands in front of a loop, and the loop."""
    chains = list(_chains(loop, memory, own))
    if not chains:
        yield loop
        return
    front = LoopFront(loop)
    runs = front.is_run()
    given = [_first(front, loop, load[0]) for chain in chains for load in chain.loads]
    yield from front.numbers
    specs = [load[0].output for chain in chains for load in chain.loads]
    initial = tuple(Value(one.spec, one.name) for one in specs)
    read = Block((), tuple(given), tuple(node.output for node in given))
    zeros = Block((), (), tuple(zero_of(one) for one in initial))
    yield Node("cond", (runs,), initial, NO_ATTRS, (read, zeros), loop.location)
    yield _with_numbers(loop, chains, initial)


def _first(front: LoopFront, loop: Node, load: Node) -> Node:
    """What reads in front of a loop what a node of it reads at the first turn."""
    (body,) = loop.regions
    base, *indices = load.inputs
    offsets = _offsets(body)
    places: list[Operand] = []
    for one in indices:
        offset = offsets.get(one)
        same = front.before(one) if offset is None else _sum(front, loop.inputs[0], offset)
        assert same is not None
        places.append(same)
    return replace(load, inputs=(base, *places), outputs=(Value(load.output.spec),))


def _sum(front: LoopFront, start: Operand, offset: int) -> Operand:
    return front.emit("add", (start, Constant(offset)), INT) if offset else start


def _with_numbers(loop: Node, chains: list[_Chain], initial: tuple[Value, ...]) -> Node:
    """A loop that carries items."""
    (body,) = loop.regions
    carried = tuple(Value(one.spec, one.name) for one in initial)
    gone: set[Node] = set()
    builder = Builder(body.inputs, lambda node, inner: inner.keep(node))
    ends: list[Operand] = []
    place = 0
    for chain in chains:
        own = carried[place : place + len(chain.loads)]
        place += len(chain.loads)
        ends += (chain.store.inputs[1], *own[:-1])
        for number, loads in zip(own, chain.loads, strict=True):
            gone.update(loads)
            builder.replace([one.output for one in loads], [number] * len(loads))
    for node in body.nodes:
        if node not in gone:
            builder.keep(node)
    outputs = builder.operands((*body.outputs, *ends))
    region = Block((*body.inputs, *carried), tuple(builder.nodes), outputs)
    more = tuple(Value(one.spec, one.name) for one in initial)
    return replace(loop, inputs=(*loop.inputs, *initial), outputs=(*loop.outputs, *more), regions=(region,))


# -- which items ---------------------------------------------------------------------------------------


def _chains(loop: Node, memory: SharedMemory, own: AbstractSet[Value]) -> Iterator[_Chain]:
    """Yield what a loop may carry of each array that it stores into at each turn."""
    (body,) = loop.regions
    offsets, front = _offsets(body), LoopFront(loop)
    stores = [node for node in nodes(body) if node.op == "store"]
    others = {base for node in nodes(body) if node.op not in WRITING for base in _arrays(node)}
    handed = {one for one in body.inputs if isinstance(one.spec, ArraySpec)}
    for store in body.nodes:
        base = store.inputs[0] if store.op == "store" else None
        if base is None or not isinstance(base, Value) or not _is_alone(store, stores, memory, own):
            continue
        if memory.members(base) & (others | handed) or not _has_its_dtype(store):
            continue
        loads = _loads(loop, store, offsets, front)[: MOST if base in own else 1]
        if loads:
            yield _Chain(store, tuple(loads))


def _arrays(node: Node) -> Iterator[Value]:
    for one in (*node.inputs, *node.outputs):
        if isinstance(one, Value) and isinstance(one.spec, ArraySpec):
            yield one


def _has_its_dtype(store: Node) -> bool:
    array, number = (getattr(one, "spec", None) for one in store.inputs[:2])
    return isinstance(array, ArraySpec) and isinstance(number, GenericSpec) and array.dtype == number.dtype


def _is_alone(store: Node, stores: list[Node], memory: SharedMemory, own: AbstractSet[Value]) -> bool:
    """Return whether nothing else in a loop stores into an array's memory."""
    base = store.inputs[0]
    assert isinstance(base, Value)
    for other in stores:
        array = other.inputs[0]
        if other is store:
            continue
        apart = array is not base and (base in own or array in own)
        if not apart or array in memory.members(base):
            return False
    return True


def _loads(
    loop: Node, store: Node, offsets: Mapping[Operand, int], front: LoopFront
) -> list[tuple[Node, ...]]:
    """Return what reads the item of the turn before, of the turn before that, and so on; each reads at the first turn, too."""
    (body,) = loop.regions
    step = loop.inputs[2]
    assert isinstance(step, Constant)
    found: list[tuple[Node, ...]] = []
    loads = list(_certain_loads(body, store.inputs[0]))
    for turns in range(1, MOST + 1):
        own = tuple(one for one in loads if _is_behind(store, one, offsets, front, turns * step.value))
        if not own:
            break
        found.append(own)
    return found


def _certain_loads(body: Block, base: Operand) -> Iterator[Node]:
    """Yield what reads an array at each turn, whatever is tested there."""
    for node in body.nodes:
        if node.op == "deopt" or any(one.op == "deopt" for region in node.regions for one in nodes(region)):
            return
        if node.op == "load" and node.inputs[0] is base:
            yield node


def _is_behind(store: Node, load: Node, offsets: Mapping[Operand, int], front: LoopFront, by: int) -> bool:
    """Return whether an item is read that lies some places behind the one that is stored, along one axis."""
    moved = 0
    for stored, read in zip(store.inputs[2:], load.inputs[1:], strict=True):
        if stored in offsets and read in offsets:
            moved += 1
            if offsets[stored] - offsets[read] != by:
                return False
        elif not same_operand(stored, read) or front.before(stored) is None:
            return False
    return moved == 1


def _offsets(body: Block) -> dict[Operand, int]:
    """The number of a loop, and what is a known number more."""
    found: dict[Operand, int] = {body.inputs[0]: 0}
    for node in body.nodes:
        if node.op not in ("add", "sub") or getattr(node.output.spec, "dtype", None) != INT.dtype:
            continue
        one, other = node.inputs
        if one in found and isinstance(other, Constant):
            found[node.output] = found[one] + (other.value if node.op == "add" else -other.value)
        elif node.op == "add" and other in found and isinstance(one, Constant):
            found[node.output] = found[other] + one.value
    return found
