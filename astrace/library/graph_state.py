"""State of a graph: which attributes it reads and writes, of the objects that are named as stateful.

Reads of attributes are live and writes are effects in every capture.  Naming an object makes that visible:
the graph lists what goes in and comes out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any, Final, TypeAlias

from astrace.compiler.stages import Stages
from astrace.compiler.target import Target
from astrace.errors import InvalidArgument
from astrace.guards.access_paths import LOOKUP_ERRORS, Argument, Attribute, Item, Path, steps
from astrace.guards.kinds import AreApart, IsAt, paths_of
from astrace.ir.block import Block, Constant, Operand
from astrace.ir.walk import captured, nodes
from astrace.tracing.trace import default_path
from astrace.util import validation

NAME: Final = "trace_graph"
POSITIONAL: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
Index: TypeAlias = Sequence[int | str]
"""The path of an object among the arguments: a position or a name, then keys and names of attributes."""
READS: Final = ("get_attr",)
WRITES: Final = ("set_attr", "set_field", "delete_attr")


@dataclass(frozen=True, slots=True)
class Stateful:
    """The objects that are named as stateful.

    Args:
        instances: the objects themselves.
        arguments: where others are among the positional arguments.
        keywords: where others are among the keyword arguments.
        skipped: how many parameters the function has before those that a call is given.
    """

    instances: tuple[Any, ...] = ()
    arguments: tuple[Index, ...] = ()
    keywords: tuple[Index, ...] = ()
    skipped: int = 0

    @staticmethod
    def given(instances: Any, arguments: Any, keywords: Any) -> Stateful:
        """The objects that options of `trace_graph` name.

        Raises:
            InvalidArgument: an option is no list, or has something in it that can't be stateful.
        """
        held = _listed("stateful", instances, "objects that have attributes")
        for one in held:
            if not _has_attributes(one):
                words = f"{validation.shown(one)} has no attributes; accepted are objects that have some"
                raise validation.refused(NAME, "stateful", instances, words)
        return Stateful(
            held, _indices("arg_stateful_idxs", arguments), _indices("kwarg_stateful_idxs", keywords)
        )

    def check(self, target: Target) -> None:
        """Make sure that a function has the parameters that are named.

        Raises:
            InvalidArgument: it has not.
        """
        for option, indices in (
            ("arg_stateful_idxs", self.arguments),
            ("kwarg_stateful_idxs", self.keywords),
        ):
            for index in indices:
                self._start(option, index, target)

    def require(self, target: Target, given: Mapping[str, Any]) -> None:
        """Make sure that a call has the items of ``*args`` and ``**kwargs`` that are named.

        Raises:
            InvalidArgument: it has not.
        """
        for option, indices in (
            ("arg_stateful_idxs", self.arguments),
            ("kwarg_stateful_idxs", self.keywords),
        ):
            for index in indices:
                start = self._start(option, index, target)
                if isinstance(start, Item) and _follow(start, given) is None:
                    raise _nowhere(option, index, start)

    def paths(self, target: Target, given: Mapping[str, Any]) -> tuple[Path, ...]:
        """Return the paths of the objects among a call's arguments; those left out, or ``None``, have none.

        Raises:
            InvalidArgument: nothing is there, or nothing that has attributes.
        """
        options = (("arg_stateful_idxs", self.arguments), ("kwarg_stateful_idxs", self.keywords))
        found = [
            _followed(option, index, _here(self._start(option, index, target), target, given), given)
            for option, indices in options
            for index in indices
        ]
        return tuple(path for path in found if path is not None)

    def _start(self, option: str, index: Index, target: Target) -> Path:
        """The path of the argument at which an index begins."""
        parameters = [*target.signature.parameters.values()][len(target.first) + self.skipped :]
        by_kind = {parameter.kind: parameter.name for parameter in parameters}
        rest, more = by_kind.get(Parameter.VAR_POSITIONAL), by_kind.get(Parameter.VAR_KEYWORD)
        positional = [one.name for one in parameters if one.kind in POSITIONAL]
        first = index[0]
        if isinstance(first, str):
            if first in target.signature.parameters:
                return Argument(first)
            if more is not None:
                return Item(Argument(more), first)
        elif -len(positional) <= first < len(positional):
            return Argument(positional[first])
        elif rest is not None and first >= 0:
            return Item(Argument(rest), first - len(positional))
        names = ", ".join(parameter.name for parameter in parameters)
        known = f"a position or name among {names}" if names else "nothing: there are no parameters"
        words = f"leads to no object; accepted are {known}, then keys or attributes"
        raise InvalidArgument(f"{NAME}: {option}={[list(index)]!r} {words}")


def _has_attributes(value: Any) -> bool:
    return hasattr(value, "__dict__") or hasattr(type(value), "__slots__")


def _listed(option: str, value: Any, what: str) -> tuple[Any, ...]:
    """Return the items of a list that an option gives."""
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise validation.refused(NAME, option, value, f"accepted is a list of {what}")
    return tuple(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _indices(option: str, value: Any) -> tuple[Index, ...]:
    """Return the indices of an option, each a list that begins with a position or a name."""
    what = "lists, each of a position or name and then keys or attributes, such as [[0], [1, 'cell']]"
    found = _listed(option, value, what)
    for index in found:
        begins = (
            isinstance(index, list | tuple)
            and index
            and (isinstance(index[0], str) or validation.is_whole(index[0]))
        )  # pyright: ignore[reportUnknownArgumentType]
        if not begins:
            raise validation.refused(NAME, option, value, f"accepted is a list of {what}")
    return found


def _here(start: Path, target: Target, given: Mapping[str, Any]) -> Path:
    """Return the path of an argument at one call: that of the default if it is left out."""
    if not isinstance(start, Argument) or start.name in given or not target.is_python:
        return start
    default = target.signature.parameters[start.name].default
    return start if default is Parameter.empty else default_path(target.function, start.name)  # type: ignore[arg-type]


def _follow(path: Path, given: Mapping[str, Any]) -> Any:
    """Return the object that a path leads to; nothing where it leads nowhere."""
    try:
        return path.follow(given)
    except LOOKUP_ERRORS:
        return None


def _nowhere(option: str, index: Index, path: Path) -> InvalidArgument:
    """The error for an index that leads along a path to nothing."""
    return InvalidArgument(
        f"{NAME}: {option}={[list(index)]!r} leads to no object: there is none at `{path}`"
    )


def _followed(option: str, index: Index, start: Path, given: Mapping[str, Any]) -> Path | None:
    """The path that one index leads along, from the argument at which it begins."""
    path, found = start, _follow(start, given)
    if found is None:  # the call leaves it out
        return None
    for key in index[1:]:
        is_name = isinstance(key, str) and not isinstance(found, Mapping)
        path = Attribute(path, str(key)) if is_name else Item(path, key)
        found = _follow(path, given)
        if found is None:
            raise _nowhere(option, index, path)
    if not _has_attributes(found):
        words = f"`{path}` is a {type(found).__name__}, which has no attributes"  # pyright: ignore[reportUnknownArgumentType]
        raise InvalidArgument(f"{NAME}: {option}={[list(index)]!r}: {words}")
    return path


@dataclass(frozen=True, slots=True)
class GraphState:
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


def state_of(stages: Stages, paths: Sequence[Path], instances: Sequence[Any]) -> GraphState:
    """Return the state of some objects that a capture reads and writes.

    Args:
        stages: the capture.
        paths: where some of the objects are among the arguments.
        instances: the others.
    """
    graph = stages.graph
    if graph is None:
        return GraphState()

    def is_stateful(path: Path) -> bool:
        outside = None if isinstance(steps(path)[-1], Argument) else _follow(path, {})
        return path in paths or any(outside is instance for instance in instances)

    # Those left out guard identity, not contents.
    asked = [guard for guard in graph.guards if not isinstance(guard, IsAt | AreApart)]
    read = [*graph.inputs, *(path for guard in asked for path in paths_of(guard))]
    reads = [path for path in read if isinstance(path, Attribute) and any(map(is_stateful, steps(path)[1:]))]
    owners: dict[Operand, str] = {
        value: str(path)
        for value, path in zip(graph.block.inputs, graph.inputs, strict=True)
        if is_stateful(path)
    }
    reads = [*map(str, reads), *_touched(graph.block, READS, owners, instances)]
    writes = _touched(graph.block, WRITES, owners, instances)
    return GraphState(tuple(dict.fromkeys(reads)), tuple(dict.fromkeys(writes)))


def _touched(
    block: Block, ops: Collection[str], owners: Mapping[Operand, str], instances: Sequence[Any]
) -> Iterator[str]:
    """The attributes of stateful objects that nodes of some ops name."""
    outside = captured(block)
    for node in nodes(block):
        if node.op not in ops:
            continue
        owner = outside.get(node.inputs[0], node.inputs[0])
        name = node.inputs[1]
        held = isinstance(owner, Constant) and any(owner.value is instance for instance in instances)
        if isinstance(name, Constant) and (owner in owners or held):
            shown = owners.get(owner) or type(owner.value if isinstance(owner, Constant) else owner).__name__
            yield f"{shown}.{name.value}"
