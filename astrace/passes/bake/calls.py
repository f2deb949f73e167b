"""Calls that depend on no argument, made while a graph is frozen: what they gave is in the graph instead.

Takes a block whose outside reads are frozen already; gives one without the calls whose results are plain data
and are needed.  A clock is read once, a random number drawn once, a file read once.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from astrace.guards.access_paths import Path, Root
from astrace.ir.block import Block, Constant, Node, Operand, Origin, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.constants import is_static, show
from astrace.ir.interpret import call_arguments, step
from astrace.ir.specs import is_immutable, spec_of
from astrace.ir.walk import blocks
from astrace.ops import OPS
from astrace.ops.callables.mutators import sets, sets_by
from astrace.ops.callables.operators import declared_as
from astrace.ops.effects import is_ordered, written
from astrace.passes.bake.rng_state import put_back
from astrace.util.array_memory import ordered_copy
from astrace.util.audit_hooks import only_reading, watched
from astrace.util.call_text import called_as

CALLS: Final = ("call", "call_method", "next")
"""The ops that may ask the world: anything they give without an argument of the function is frozen."""


def copied(constant: Constant, made: list[Node]) -> Value:
    """A node that copies a frozen array: what changes the copy changes nothing else."""
    snapshot = Constant(ordered_copy(constant.value), constant.origin)
    name = constant.origin.path.rpartition(".")[2]
    output = Value(spec_of(snapshot.value), name if name.isidentifier() else "")
    made.append(Node("np.copy", (snapshot,), (output,), location=constant.origin.location))
    return output


def is_plain(value: Any) -> bool:
    """Return whether a value is data that can't change: a number, a string, a tuple of them."""
    return is_static(value) and is_immutable(spec_of(value)) and value is not None and not callable(value)


def without_calls(block: Block, paths: Sequence[Path]) -> Block:
    """Return the block with the calls that depend on no argument made now, where their results are plain data."""
    if not any(node.op in CALLS for node in block.nodes):
        return block
    pinned = {
        value: Constant(path.pinned, Origin("frozen", path.hint))
        for value, path in zip(block.inputs, paths, strict=True)
        if isinstance(path, Root)
    }
    world = _World(block, pinned)
    with put_back(constant.value for constant in pinned.values()):
        world.make()
    found = {value: world.data(value) for value in world.needed()}
    baked = {value: constant for value, constant in found.items() if constant is not None}
    return _without_made(rebuild(block, _baking(baked)), world)


def _without_made(block: Block, world: _World) -> Block:
    """Return the block without the calls that were made, unless something else needs their results."""
    kept: list[Node] = []
    needed = {*block.outputs}
    for node in reversed(block.nodes):
        if not (world.was_made(node) and needed.isdisjoint(node.outputs)):
            kept.append(node)
            needed.update(node.inputs)
    return Block(block.inputs, tuple(reversed(kept)), block.outputs)


def _baking(baked: Mapping[Value, Constant]) -> Callable[[Node, Builder], None]:
    def bake(node: Node, builder: Builder) -> None:
        found = [baked.get(output) for output in node.outputs]
        if not found or None in found:
            builder.keep(node)
            return
        made: list[Node] = []
        builder.replace(node.outputs, [operand(constant, made) for constant in found if constant])
        builder.nodes += made

    return bake


def operand(constant: Constant, made: list[Node]) -> Operand:
    """Return the operand that stands for a frozen constant in a block: itself, or a copy of an array."""
    return copied(constant, made) if type(constant.value) is np.ndarray else constant


class _World:
    """The results of the calls of a block that depend on no argument.

    Only the block's own nodes count: those of regions may never be reached.  A call is left out if what it
    sees might be changed before it by something that only happens when the graph runs.

    Args:
        block: the block.
        pinned: those of its inputs that are objects from outside.
    """

    def __init__(self, block: Block, pinned: Mapping[Value, Constant]) -> None:
        self._block = block
        self._pinned = pinned
        self._arrays = any(type(constant.value) is np.ndarray for constant in pinned.values())
        self._results: dict[Node, tuple[Any, ...] | None] = {}
        left_out: set[Node] = set()
        while True:
            self._find(left_out)
            doubtful = self._doubtful()
            shared = {node for node in self._makers.values() if not doubtful.isdisjoint(node.inputs)}
            if not shared:
                break
            left_out |= shared

    def _find(self, left_out: set[Node]) -> None:
        """The nodes that depend on nothing, and which of them ask the world."""
        self._makers: dict[Value, Node] = {}
        self._asks: set[Value] = set()
        untouched, used = True, self._used()
        for node in self._block.nodes:
            asks = node.op in CALLS or any(operand in self._asks for operand in node.inputs)
            stays = node in left_out or (asks and used.isdisjoint(node.outputs)) or self._is_left(node)
            if stays or not self._depends_on_nothing(node) or (asks and not untouched):
                untouched = untouched and not self._changes(node)
                continue
            self._makers.update(dict.fromkeys(node.outputs, node))
            self._asks.update(node.outputs if asks else ())

    def _is_left(self, node: Node) -> bool:
        """Return whether a node is a call of an operator, or known to change earlier state: it is left to the graph."""
        if node.op not in ("call", "call_method"):
            return False
        if self._is_there(node.inputs[0]) and declared_as(self._constant(node.inputs[0]).value) is not None:
            return True
        args, _ = call_arguments(
            node, [self._constant(one).value if self._is_there(one) else _NOTHING for one in node.inputs]
        )
        return sets_by(args[0], args[1]) if node.op == "call_method" else sets(*args)

    def _is_there(self, operand: Operand) -> bool:
        return isinstance(operand, Constant) or operand in self._pinned

    def _used(self) -> set[Operand]:
        """Return the operands that nodes take or the block gives: calls without used results are made for effects."""
        inner = (operand for part in blocks(self._block) for node in part.nodes for operand in node.inputs)
        return {*self._block.outputs, *inner}

    def _doubtful(self) -> set[Operand]:
        """Return the objects that nodes which depend on arguments get hold of: what is done to them is not known."""
        held = {operand for operand in self._users() if operand in self._makers}
        return {operand for operand in held if not is_immutable(operand.spec)}

    def _depends_on_nothing(self, node: Node) -> bool:
        known = all(self._known(operand) for operand in node.inputs)
        return known and bool(node.outputs) and not node.regions and not written(node)

    def _known(self, operand: Operand) -> bool:
        """Return whether an operand depends on no argument; arrays that the block changes are left to it."""
        if isinstance(operand, Constant) or operand in self._makers:
            return True
        return operand in self._pinned and type(self._pinned[operand].value) is not np.ndarray

    def _changes(self, node: Node) -> bool:
        """Return whether a node may change what later calls see: by opaque code, or by a write to outside state."""
        if node.regions:
            return any(self._changes(inner) for region in node.regions for inner in region.nodes)
        first = node.inputs[0] if node.inputs else None
        prints = node.op == "call" and isinstance(first, Constant) and first.value is print
        changed = written(node)
        outside = bool(changed) and (self._arrays or any(value in self._block.inputs for value in changed))
        return outside or (is_ordered(node) and not prints)

    def _users(self) -> Iterator[Operand]:
        """Yield the operands that nodes which depend on arguments use, and the block's outputs."""
        yield from self._block.outputs
        for inner in blocks(self._block):
            for node in inner.nodes:
                if not any(output in self._makers for output in node.outputs):
                    yield from node.inputs

    def needed(self) -> list[Value]:
        """Return the results of calls that are used by nodes which depend on arguments, or are outputs."""
        used = dict.fromkeys(value for value in self._users() if isinstance(value, Value))
        return [value for value in used if value in self._asks]

    def make(self) -> None:
        """Make the calls, and run the nodes that follow from them, in the order of the program."""
        for node in self._block.nodes:
            if not self._asks.isdisjoint(node.outputs):
                self._made(node)

    def data(self, value: Value) -> Constant | None:
        """Return a value as a constant, or ``None`` where it is an object of its own."""
        node = self._makers[value]
        results = self._made(node)
        if results is None:
            return None
        found = results[node.outputs.index(value)]
        if not (is_plain(found) or type(found) is np.ndarray):
            return None
        return Constant(found, Origin("frozen", self._text(node), node.location))

    def was_made(self, node: Node) -> bool:
        """Return whether a node was run, or tried, for its results."""
        return self._results.get(node) is not None

    def _made(self, node: Node) -> tuple[Any, ...] | None:
        """Return the results that a node gives now, or ``None`` where it raises."""
        if node not in self._results:
            given = [self._given(operand) for operand in node.inputs]
            self._results[node] = None if any(item is _NOTHING for item in given) else _tried(node, given)
        return self._results[node]

    def _given(self, operand: Operand) -> Any:
        if isinstance(operand, Constant) or operand in self._pinned:
            return self._constant(operand).value
        maker = self._makers[operand]
        results = self._made(maker)
        return _NOTHING if results is None else results[maker.outputs.index(operand)]

    def _text(self, node: Node) -> str:
        """Write the calls that a value follows from, as the user wrote them."""
        pending, found = [node], dict[str, None]()
        while pending:
            one = pending.pop(0)
            asked = [operand for operand in one.inputs if operand in self._asks]
            pending += [self._makers[operand] for operand in asked]
            if not asked:
                found[call_text(one, [given for item in one.inputs if (given := self._named(item))])] = None
        return ", ".join(found)

    def _named(self, operand: Operand) -> Constant | None:
        """Return an operand of a call as a constant whose origin says how it is written."""
        maker = self._makers.get(operand) if isinstance(operand, Value) else None
        if maker is None:
            return self._constant(operand)
        owner = self._named(maker.inputs[0]) if maker.op == "get_attr" else None
        if owner is None:
            return None
        name = self._constant(maker.inputs[1]).value
        return Constant(None, Origin("frozen", f"{owner.origin.path or show(owner.value)}.{name}"))

    def _constant(self, operand: Operand) -> Constant:
        return operand if isinstance(operand, Constant) else self._pinned[operand]


class _Nothing:
    """A value that could not be made."""


_NOTHING: Final = _Nothing()


def _tried(node: Node, given: list[Any]) -> tuple[Any, ...] | None:
    """Run a node; return ``None`` where it raises or would write a file, since both are left to the graph."""
    try:
        with watched(only_reading):
            return step(node, given, OPS.implementation(node.op))
    except Exception:  # the program's own exception
        return None


def call_text(node: Node, given: Sequence[Constant]) -> str:
    """Write the function of a call node, without arguments: as the user wrote it, where the line shows it.

    Example:
        >>> import time
        >>> call_text(Node("call", (), ()), [Constant(time.time)])
        'time.time()'
    """
    name = given[0].origin.path or show(given[0].value) if given else ""
    written = called_as(given[0].value, node.location) if given and node.op == "call" else ""
    if written:
        return written
    match node.op, given[0].value if given else None:
        case "next", _:
            return f"next({name})"
        case "call_method", owner if "__self__" in name:  # the program has it from a bound method
            method = getattr(type(owner), method_name(node))
            return called_as(method, node.location) or f"{type(owner).__name__}.{method.__name__}()"
        case "call_method", _:
            return f"{name}.{method_name(node)}()"
        case "call", (types.MethodType() | types.BuiltinMethodType()) as method if is_bound(method):
            return f"{type(method.__self__).__name__}.{method.__name__}()"
        case "call", _:
            return f"{name}()"
        case op, _:
            return f"{op}()"


def method_name(node: Node) -> str:
    """The name of the method that a node calls."""
    args, _ = call_arguments(node, [getattr(one, "value", None) for one in node.inputs])
    return str(args[1])


def is_bound(method: types.MethodType | types.BuiltinMethodType) -> bool:
    """Return whether a method belongs to an object, not to a module or a class."""
    return not isinstance(method.__self__, types.ModuleType | type)
