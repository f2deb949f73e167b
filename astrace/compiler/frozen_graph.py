"""`trace` captures a function once and freezes it: a `Graph` that reads nothing from outside any more.

A compiled function reads the outside world at every call.  A frozen graph has it inside, as it was at one moment,
because it is to run elsewhere: numbers and arrays that were read are constants, what a clock, a random generator
or a file gave is a constant, and what guards would check of the world is taken for granted.  Every such constant
keeps its origin.  Objects that the function changes, and calls whose results are no plain data, stay what they are.
What guards ask of the arguments is checked at each call: a graph is called by others (``signature_check``).

`astrace.check` finds out whether anything was frozen that should not have been.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.compiler.graph import Graph
from astrace.compiler.operator_nodes import live_path, operator_state, operators_in
from astrace.compiler.signature_check import SignatureCheck, guards_on_arguments
from astrace.compiler.specialise import optimised, recorded_stages, specialise
from astrace.compiler.stages import Options, Stages
from astrace.compiler.target import Target
from astrace.errors import InvalidArgument, NotCaptured, Reason
from astrace.guards.access_paths import LOOKUP_ERRORS, Argument, Item, Path, Root, steps
from astrace.guards.kinds import Guard
from astrace.ir.block import Block, Constant, Node, Operand, Origin, Value
from astrace.ir.builder import Builder
from astrace.ir.interpret import interpret
from astrace.ir.specs import ArraySpec
from astrace.ir.walk import blocks, constants
from astrace.ops import OPS
from astrace.ops.callables.operators import declared_as, is_declared
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.bake.calls import copied, is_plain, without_calls
from astrace.passes.bake.method_calls import with_method_calls
from astrace.passes.bake.sizes import with_sizes
from astrace.pipelines.as_function import as_function
from astrace.pipelines.assets import Assets
from astrace.pipelines.choices import chosen
from astrace.pipelines.records import NOTHING_RECORDED, OperatorRecord, PipelineRecord, recorded
from astrace.tracing.external.inputs import Input
from astrace.util.array_memory import overlap
from astrace.util.capture_budget import Budget
from astrace.util.trees import fill


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class FrozenGraph(Graph):
    """A graph that is called by others: it checks that a call is one that it was made for.

    Args:
        asked: what must hold of a call's arguments.
        pipeline: its operators, with what they were made from.
    """

    asked: tuple[Guard, ...] = ()
    pipeline: PipelineRecord = NOTHING_RECORDED
    _ways: list[SignatureCheck] = field(default_factory=list[SignatureCheck], init=False)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call it as the function is called, with arguments of the kinds that it was made for.

        Raises:
            SignatureMismatch: they are of others, or do not fit the function's signature.
        """
        if not self._ways:  # made at the first call: not every graph is called
            self._ways.append(self._way_in())
        return self._ways[0]((*self.first, *args), {**self.named, **kwargs})

    @property
    def operators(self) -> tuple[OperatorRecord, ...]:
        """The operators that its nodes call, as plain data: what they are, and how they were made."""
        return self.pipeline.operators

    @property
    def assets(self) -> Assets:
        """The files and folders that its operators were made from, by hash; printed, a report of what was captured."""
        return self.pipeline.assets

    def _way_in(self) -> SignatureCheck:
        def run(*given: Any) -> Any:
            return fill(self.result, interpret(self.block, given, OPS.implementation))

        return SignatureCheck(self.name, self.signature, self.asked, self.inputs, self.guarded_at, run)


def trace(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> FrozenGraph:
    """Capture a function and freeze it: what `astrace.trace` does, which makes of it a graph that can be saved.

    Args:
        function: as for `astrace.trace`.
        *args: likewise.
        **kwargs: likewise.

    Raises:
        NotCaptured: the function can't be captured whole; the reason says where and why.
        InvalidArgument: it is a class, or no callable at all.
        AssetError: a file that an operator was made from is missing, was changed since, or is too large.
    """
    target = Target.of(as_function(function) if declared_as(function) is not None else function)
    asked = None if "assets" in target.signature.parameters else kwargs.pop("assets", None)
    choices = chosen("trace", asked)
    target.example("trace", args, kwargs)
    given = with_defaults(target, args, kwargs)
    graph = freeze(captured(target, given, recorded_stages), given, target)
    pinned = [path.pinned for path in graph.inputs if isinstance(path, Root)]
    operators = operators_in(graph.block, pinned)
    return replace(graph, pipeline=recorded(operators, choices)) if operators else graph


def with_defaults(target: Target, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return a call's arguments by parameter name, defaults included."""
    given = target.bind(args, kwargs)
    for name, parameter in target.signature.parameters.items():
        if name not in given and parameter.default is not parameter.empty:
            given[name] = parameter.default
    return given


Capture: TypeAlias = Callable[[Target, Mapping[str, Any], frozenset[Path], Mapping[int, Any]], Stages]


def compiled_stages(
    target: Target, given: Mapping[str, Any], changing: frozenset[Path], operators: Mapping[int, Any]
) -> Stages:
    """All stages of a capture, as a compiled function has them; the arguments are those of `specialise`."""
    budget = Budget.on_request()
    return specialise(
        target, given, Options(), _nobody, changing=changing, budget=budget, operators=operators
    ).stages


def captured(target: Target, given: Mapping[str, Any], capture: Capture = compiled_stages) -> Stages:
    """The stages of a capture of the whole function.

    Args:
        target: the function.
        given: its arguments by parameter name.
        capture: makes the stages; `recorded_stages` where nobody runs the graph before it is frozen.

    Raises:
        NotCaptured: it runs as plain Python.
    """
    importlib.import_module(PMAP)
    found = [held for name, value in given.items() for held in _sequences(value, Argument(name))]
    tuples = frozenset(path for path, kind in found if kind is tuple)
    stages = capture(target, given, tuples, {})
    operators = _called_operators(stages)
    if stages.fallback is None and not operators:
        return stages
    lists = tuples.union(path for path, kind in found if kind is list)
    if lists > tuples and is_declared():  # the lists that are given to a pipeline differ in length
        general = capture(target, given, lists, operators)
        stages = general if general.fallback is None and _called_operators(general) else stages
    if stages.fallback is not None:
        raise NotCaptured(stages.fallback)
    return stages


PMAP: Final = "astrace.pipelines.pmap"
"""Where astrace's own operator is declared: before a function is traced, which may be the first to name it."""


def _called_operators(stages: Stages) -> Mapping[int, Any]:
    return {} if stages.recording is None else stages.recording.operators


def _sequences(value: Any, path: Path) -> Iterator[tuple[Path, type]]:
    """The tuples and lists in an argument: their numbers are data like any others, unless something is decided by them."""
    match value:
        case tuple() | list():
            yield path, tuple if isinstance(value, tuple) else list
            held: Iterable[tuple[Any, Any]] = enumerate(value)
        case dict():
            held = value.items()
        case _:
            return
    for key, item in itertools.islice(held, MOST_ITEMS):
        yield from _sequences(item, Item(path, key))


MOST_ITEMS: Final = 256
"""The number of items of a container that are looked at."""


def _nobody() -> None:
    """Ignore calls that run as plain Python; there are none."""


def freeze(stages: Stages, given: Mapping[str, Any], target: Target) -> FrozenGraph:
    """Freeze a capture: outside state, and the object of a bound method, become parts of its graph.

    Args:
        stages: the capture.
        given: the arguments it was made for, by parameter name.
        target: what was captured.

    Raises:
        InvalidArgument: the stages hold no capture.
    """
    recording, graph = stages.recording, stages.graph
    if recording is None or graph is None:
        raise InvalidArgument(f"trace: nothing was captured: {stages.fallback}")
    bound = bound_parameters(target)
    block, kept = _without_reads(recording.block, recording.inputs, given, bound)
    block = without_calls(block, kept)
    frozen = [constant for constant in constants(block) if constant.origin.kind == "frozen"]
    block, inputs = _without_idle(optimised(block, target.function), kept)
    block = with_method_calls(block)
    held = tuple(dict.fromkeys(frozen))
    parts: dict[str, Any] = {one.name: getattr(graph, one.name) for one in fields(Graph)}
    parts |= {"block": block, "inputs": inputs, "frozen": held}
    parts |= {"first": target.first, "named": dict(target.named)}
    return FrozenGraph(**parts, asked=guards_on_arguments(graph.guards, given, bound))


def bound_parameters(target: Target) -> tuple[str, ...]:
    """The parameters that no call can give anything else to, in order."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, one in target.signature.parameters.items() if one.kind in positional]
    return tuple(names[: len(target.first)])


def _without_idle(block: Block, paths: Sequence[Path]) -> tuple[Block, tuple[Path, ...]]:
    """The block without pinned objects that nothing in it uses."""
    used = {operand for inner in blocks(block) for node in inner.nodes for operand in node.inputs}
    used |= {*block.outputs}
    pairs = zip(block.inputs, paths, strict=True)
    kept = [(value, path) for value, path in pairs if value in used or not isinstance(path, Root)]
    inputs = tuple(value for value, _ in kept)
    return Block(inputs, block.nodes, block.outputs), tuple(path for _, path in kept)


# -- reads -------------------------------------------------------------------------------------------------


def _without_reads(
    block: Block, inputs: Sequence[Input], given: Mapping[str, Any], bound: Sequence[str]
) -> tuple[Block, list[Path]]:
    """The block with what lies outside the arguments read now, and where its inputs are found.

    Numbers and the like become constants, and arrays that the block leaves alone copies of constants.  Other
    objects are inputs as before, but pinned: no path is followed to them any more.  What is read from the state of an
    operator that is a node is read at each call.
    """
    outside = [
        item
        for item in inputs
        if not isinstance(root := steps(item.path)[-1], Argument) or root.name in bound
    ]
    found = {item.value: _read_now(item, given) for item in outside}
    state = operator_state(block, [constant.value for constant in found.values()])
    live = {item.value: path for item in outside if (path := live_path(item.path, state, given)) is not None}
    found = {value: constant for value, constant in found.items() if value not in live}
    held = _held_by_others(found.values())
    arrays = [
        value
        for value, constant in found.items()
        if type(constant.value) is np.ndarray and id(constant.value) not in held
    ]
    settled = _left_alone(_settled(block, found, arrays), found, (*state.values(), *held.values()))
    read = _read(block, found, settled)
    kept = [
        Root(found[item.value].value, str(item.path))
        if item.value in found
        else live.get(item.value, item.path)
        for item in inputs
        if item.value in read.inputs
    ]
    return with_sizes(read, dict(_sizes(settled, found))), kept


def _settled(block: Block, found: Mapping[Value, Constant], arrays: Sequence[Value]) -> list[Value]:
    """Those of the arrays among a block's inputs that it leaves alone."""
    if not arrays:
        return []
    trial = _read(block, found, arrays)
    sharing = Sharing(trial)
    pairs = zip(arrays, trial.nodes, strict=False)  # the copies come first
    return [value for value, node in pairs if sharing.is_settled(node.output)]


def _left_alone(
    settled: Sequence[Value], found: Mapping[Value, Constant], held: Iterable[Any]
) -> list[Value]:
    """Those of some arrays that are not changed through others either: through the same memory under another name.

    Args:
        settled: the arrays, which the block leaves alone.
        found: what was read from outside.
        held: the objects that others lead to, and that can change with a call of these.
    """
    kept = set(settled)
    others = (constant.value for value, constant in found.items() if value not in kept)
    changed = [one for one in (*others, *held) if isinstance(one, np.ndarray)]
    return [value for value in settled if not any(overlap(found[value].value, one) for one in changed)]


def _sizes(settled: Iterable[Value], found: Mapping[Value, Constant]) -> Iterator[tuple[str, int]]:
    """The sizes that fixed arrays have, by the names that the block has for them."""
    for value in settled:
        if isinstance(value.spec, ArraySpec):
            pairs = zip(value.spec.shape, found[value].value.shape, strict=True)
            yield from ((name, size) for name, size in pairs if isinstance(name, str))


def _held_by_others(constants: Iterable[Constant]) -> dict[int, Any]:
    """Return the objects inside other ones, by ``id``: a change through those reaches the object, not a copy."""
    found: dict[int, Any] = {}
    for constant in constants:
        if type(constant.value) is np.ndarray or is_plain(constant.value):
            continue
        inner = gc.get_referents(constant.value)
        found |= {id(one): one for one in inner}
        found |= {id(one): one for part in inner if type(part) is dict for one in part.values()}
    return found


def _read(block: Block, found: Mapping[Value, Constant], arrays: Sequence[Value]) -> Block:
    """The block with constants for the plain ones of its inputs, and copies for some of its arrays."""
    made: list[Node] = []
    operands: list[Operand] = []
    for value in block.inputs:
        constant = found.get(value)
        if constant is None or not (value in arrays or is_plain(constant.value) or constant.value is None):
            operands.append(value)
        else:
            operands.append(copied(constant, made) if value in arrays else constant)
    inputs = [value for value, operand in zip(block.inputs, operands, strict=True) if value is operand]
    builder = Builder(inputs, lambda node, inner: inner.keep(node))
    builder.nodes += made
    outputs = builder.splice(block, operands)
    return Block(builder.inputs, tuple(builder.nodes), outputs)


def _read_now(item: Input, given: Mapping[str, Any]) -> Constant:
    """Read what an input holds now, as a constant.

    Raises:
        NotCaptured: the place is empty, since only the program itself fills it.
    """
    try:
        return Constant(item.path.follow(given), Origin("frozen", str(item.path), item.location))
    except LOOKUP_ERRORS as error:
        message = f"`{item.path}` can't be frozen: {type(error).__name__}: {error}"
        reason = Reason("AT201", message, item.location, "compile the function instead")
        raise NotCaptured(reason) from None
