"""State of a graph: which attributes it reads and writes, of the objects that are named as stateful.

Reads of attributes are live and writes are effects in every capture.  Naming an object makes that visible:
the graph lists what goes in and comes out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from astrace.errors import InvalidArgument
from astrace.guards import AreApart, IsAt, paths_of
from astrace.ir.block import Block, Constant, Operand
from astrace.ir.walk import captured, nodes
from astrace.paths import LOOKUP_ERRORS, Argument, Attribute, Item, Path, steps
from astrace.stages import Stages
from astrace.targets import Target

Index: TypeAlias = Sequence[int | str]
"""Where an object is among the arguments: a position or a name, then keys and names of attributes."""
WRITES = ("set_attr", "set_field", "delete_attr")


@dataclass(frozen=True, slots=True)
class Stateful:
    """The objects that are named as stateful.

    Args:
        instances: the objects themselves.
        arguments: where others are among the positional arguments.
        keywords: where others are among the keyword arguments.
    """

    instances: tuple[Any, ...] = ()
    arguments: tuple[Index, ...] = ()
    keywords: tuple[Index, ...] = ()

    def paths(self, target: Target, given: Mapping[str, Any]) -> tuple[Path, ...]:
        """The paths of the objects among one call's arguments.

        Raises:
            InvalidArgument: nothing is there, or nothing that has attributes.
        """
        names = list(target.signature.parameters)[len(target.first) :]
        found = [_path("arg_stateful_idxs", index, names, given) for index in self.arguments]
        found += [_path("kwarg_stateful_idxs", index, [*given], given) for index in self.keywords]
        return tuple(found)


def _path(option: str, index: Index, names: Sequence[str], given: Mapping[str, Any]) -> Path:
    """The path that one index leads along."""
    accepted = f"accepted are a position or name among {', '.join(names)}, then keys or attributes"
    wrong = InvalidArgument(f"trace_graph: {option}={[list(index)]!r} leads to no object; {accepted}")
    if not index:
        raise wrong
    first, *rest = index
    name = names[first] if isinstance(first, int) and -len(names) <= first < len(names) else first
    path: Path = Argument(str(name))
    try:
        for key in rest:
            holder = path.follow(given)
            is_name = isinstance(key, str) and not isinstance(holder, Mapping)
            path = Attribute(path, str(key)) if is_name else Item(path, key)
        found = path.follow(given)
    except LOOKUP_ERRORS:
        raise wrong from None
    if not hasattr(found, "__dict__") and not hasattr(type(found), "__slots__"):
        raise InvalidArgument(
            f"trace_graph: {option}: `{path}` is a {type(found).__name__}, which has no attributes"
        )
    return path


@dataclass(frozen=True, slots=True)
class State:
    """The attributes of stateful objects that go into a graph and come out of it, as they are written in Python.

    Args:
        reads: those that are read, afresh at each call or under a guard.
        writes: those that are set or deleted.
    """

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()

    def shown(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Labels and names."""
        return ("state in", self.reads), ("state out", self.writes)


def state_of(stages: Stages, paths: Sequence[Path], instances: Sequence[Any]) -> State:
    """What a capture reads and writes of some objects.

    Args:
        stages: the capture.
        paths: where some of the objects are among the arguments.
        instances: the others.
    """
    graph = stages.graph
    if graph is None:
        return State()

    def is_stateful(path: Path) -> bool:
        return path in paths or any(_found(path) is instance for instance in instances)

    asked = [
        guard for guard in graph.guards if not isinstance(guard, IsAt | AreApart)
    ]  # these ask where, not what
    read = [*graph.inputs, *(path for guard in asked for path in paths_of(guard))]
    reads = [path for path in read if isinstance(path, Attribute) and any(map(is_stateful, steps(path)[1:]))]
    owners: dict[Operand, str] = {
        value: str(path)
        for value, path in zip(graph.block.inputs, graph.inputs, strict=True)
        if is_stateful(path)
    }
    writes = _writes(graph.block, owners, instances)
    return State(tuple(dict.fromkeys(map(str, reads))), tuple(dict.fromkeys(writes)))


def _found(path: Path) -> Any:
    """What a path outside the arguments leads to."""
    if isinstance(steps(path)[-1], Argument):
        return None
    try:
        return path.follow({})
    except LOOKUP_ERRORS:
        return None


def _writes(block: Block, owners: Mapping[Operand, str], instances: Sequence[Any]) -> Iterator[str]:
    outside = captured(block)
    for node in nodes(block):
        if node.op not in WRITES:
            continue
        owner = outside.get(node.inputs[0], node.inputs[0])
        name = node.inputs[1]
        assert isinstance(name, Constant)
        held = isinstance(owner, Constant) and any(owner.value is instance for instance in instances)
        if owner in owners or held:
            yield f"{owners.get(owner) or type(owner).__name__}.{name.value}"
