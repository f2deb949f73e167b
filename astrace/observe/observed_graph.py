"""`observe`: a compiled function or a graph that records what its nodes are given and give, with the user's lines.

It runs the graph through the interpreter, node by node, which means the same as any backend; only slower.  It takes what
`astrace.compile` and `astrace.trace` give, and knows nothing of how they are made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from astrace.compiler.bound_compiled import BoundCompiled
from astrace.compiler.compiled import Compiled
from astrace.compiler.frozen_graph import FrozenGraph, with_defaults
from astrace.compiler.graph import Graph
from astrace.compiler.signature_check import SignatureCheck
from astrace.compiler.stages import Stages
from astrace.errors import InvalidArgument
from astrace.ir.block import Node, Value
from astrace.ir.interpret_observed import interpret_observed
from astrace.ir.walk import nodes as every_node
from astrace.observe.active_trace import Tracing
from astrace.observe.limits import Limits
from astrace.observe.recording.definition import TraceDef
from astrace.observe.recording.recorder import ACTIVE, RunningCall, Unobserved, clock, current
from astrace.observe.recording.wrappers import CallPlan, recording_function
from astrace.observe.records.trace_call import TraceCall
from astrace.observe.trace_result import TraceResult
from astrace.ops import OPS
from astrace.util.trees import fill
from astrace.util.validation import shown

Chosen = Callable[[Node], bool]
Wanted = Chosen | frozenset[str | int] | None
"""A test of a node, the names and lines of some, or all of them."""


def observe(
    graph: Any,
    /,
    *,
    nodes: Iterable[str | int] | Chosen | None = None,
    stage: str = "",
    limits: Limits | None = None,
) -> ObservedGraph:
    """Record each step of a captured function: a call for each node, with its operands, its results and the user's line.

    Args:
        graph: a graph, or a compiled function, which is captured for the arguments that it is given.
        nodes: what is recorded: names of ops, names of variables, lines of the source, or a test of a node; all by default.
        stage: the stage of the calls; by default the name of the function.
        limits: how much of each value is kept, where a call begins a trace.

    Returns:
        A callable that takes the function's arguments.  Within a trace it returns the function's value, and its nodes become
        calls of that trace.  Where no trace is going on, a call is traced on its own: it returns the `TraceResult`, whose
        ``returned`` is the value.

    Raises:
        InvalidArgument: it is neither a graph nor a compiled function; or, at once or at a call, it has none of the nodes.

    Example:
        >>> import astrace
        >>> @astrace.compile
        ... def f(x):
        ...     y = x + 1.0
        ...     return y * 2.0
        >>> result = observe(f)(3.0)
        >>> result.returned, [call.function for call in result.f], result.f[0].y
        (8.0, ['add', 'mul'], 4.0)
    """
    if not isinstance(graph, Graph | Compiled | BoundCompiled):
        raise InvalidArgument(
            f"observe: {shown(graph)} is no graph and no compiled function; astrace.compile makes one of a function"
        )
    wanted = _wanted(nodes)
    if isinstance(graph, Graph):
        check_nodes(graph, wanted)
    return ObservedGraph(graph, wanted, stage, limits or Limits())


def _wanted(nodes: Iterable[str | int] | Chosen | None) -> Wanted:
    if nodes is None or callable(nodes):
        return nodes
    return frozenset({nodes} if isinstance(nodes, str | int) else nodes)


def chosen_nodes(wanted: Wanted) -> Chosen:
    """The test for the nodes that are recorded."""
    if wanted is None:
        return _all
    if callable(wanted):
        return wanted
    return lambda node: not wanted.isdisjoint(_names(node))


def check_nodes(graph: Graph, wanted: Wanted) -> None:
    """Make sure that names, or lines, are those of some nodes.

    Raises:
        InvalidArgument: the graph has no such node.
    """
    if wanted is None or callable(wanted):
        return
    known = [one for node in every_node(graph.block) for one in _names(node)]
    if wanted and wanted.isdisjoint(known):
        names = ", ".join(dict.fromkeys(one for one in known if isinstance(one, str)))
        lines = ", ".join(map(str, sorted({one for one in known if isinstance(one, int)})))
        asked = ", ".join(sorted(map(repr, wanted)))
        raise InvalidArgument(
            f"observe: no node of `{graph.name}` is called {asked}; its nodes are {names}, in the lines {lines}"
        )


def _names(node: Node) -> Iterator[str | int]:
    """What a node is chosen by: its op, its line, its variables."""
    yield node.op
    if node.location is not None:
        yield node.location.line
    yield from (value.name for value in node.outputs if value.name)


def _all(_: Node) -> bool:
    return True


class ObservedGraph:
    """A compiled function or graph whose nodes are recorded; made by `observe`."""

    def __init__(self, graph: Any, wanted: Wanted, stage: str, limits: Limits) -> None:
        self.graph: Any = graph
        self._wanted, self._limits = wanted, limits
        self._chosen = chosen_nodes(wanted)
        self._stage = stage or (graph.name if isinstance(graph, Graph) else graph.__astrace_target__.name)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run it and record its nodes."""
        running = current()
        if running is not None:
            return self._run(args, kwargs)
        with Tracing(TraceResult(self._stage), self._limits) as result:
            result.returned = self._run(args, kwargs)
        return result

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if isinstance(self.graph, FrozenGraph):
            return self._run_frozen(self.graph, args, kwargs)
        if isinstance(self.graph, Graph):
            return self._run_graph(self.graph, self.graph.bind(args, kwargs))
        stages: Stages = self.graph.stages(*args, **kwargs)
        if stages.graph is None or stages.fallback is not None:
            return self._run_plain(args, kwargs)
        check_nodes(stages.graph, self._wanted)
        return self._run_graph(stages.graph, with_defaults(self.graph.__astrace_target__, args, kwargs))

    def _run_graph(self, graph: Graph, given: Mapping[str, Any]) -> Any:
        return self._interpret(graph, [path.follow(given) for path in graph.inputs])

    def _run_frozen(self, graph: FrozenGraph, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        def run(*given: Any) -> Any:
            return self._interpret(graph, given)

        enter = SignatureCheck(graph.name, graph.signature, graph.asked, graph.inputs, graph.guarded_at, run)
        return enter((*graph.first, *args), {**graph.named, **kwargs})

    def _run_plain(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a function that can't be captured, as one recorded call."""
        definition = TraceDef(stage_name=self._stage)
        return recording_function(CallPlan(self.graph, definition, method=False))(*args, **kwargs)

    def _interpret(self, graph: Graph, given: Sequence[Any]) -> Any:
        around = current()
        assert around is not None
        watcher = _NodeRecorder(around, self._stage, self._chosen)
        token = ACTIVE.get()
        try:
            outputs = interpret_observed(graph.block, given, OPS.implementation, watcher)
        except BaseException as error:
            watcher.raised(error, 0)
            raise
        finally:
            ACTIVE.set(token)
        return fill(graph.result, outputs)


class _NodeRecorder:
    """Makes calls of the nodes that are run.

    The interpreter does not tell of nodes that raise: they are those that have begun and not ended when a handler is entered, or
    when the whole graph is left.
    """

    def __init__(self, around: RunningCall, stage: str, chosen: Chosen) -> None:
        self._stage, self._chosen = stage, chosen
        self._running: list[tuple[Node, RunningCall | None]] = []
        self._around = around

    def _innermost(self) -> RunningCall:
        return next((one for _, one in reversed(self._running) if one is not None), self._around)

    def before(self, node: Node, given: Sequence[Any]) -> None:
        """Begin a call."""
        running = None
        around = self._innermost()
        if self._chosen(node):
            begun = clock()
            call = TraceCall(self._stage, node.op, node.op)
            call.location = call.called_from = node.location
            with Unobserved():
                operands = dict(zip(_operand_names(node), given, strict=True))
                running = around.recorder.begin_call(call, operands, around, begun)
        self._running.append((node, running))
        ACTIVE.set(running or around)

    def entered(self, node: Node, region: int) -> None:
        """Note that a handler was entered: what was running in the body has raised."""
        if node.op == "try_" and region > 0:
            depth = next(index for index, (one, _) in enumerate(self._running) if one is node)
            self.raised(sys.exception(), depth + 1)
            ACTIVE.set(self._innermost())

    def after(self, node: Node, results: Sequence[Any]) -> None:
        """End a call."""
        _, running = self._running.pop()
        if running is not None:
            names = tuple(value.name or f"result{index or ''}" for index, value in enumerate(node.outputs))
            value = tuple(results) if len(names) > 1 else next(iter(results), None)
            running.returned(value, names if len(names) > 1 else next(iter(names), "result"))
        ACTIVE.set(self._innermost())

    def raised(self, error: BaseException | None, depth: int) -> None:
        """End all calls that are deeper, by an exception."""
        while len(self._running) > depth:
            _, running = self._running.pop()
            if running is not None and error is not None:
                running.raised(error)


def _operand_names(node: Node) -> list[str]:
    """Names for the operands of a node: those of the user's variables, where they are known and differ."""
    names: list[str] = []
    for index, operand in enumerate(node.inputs):
        name = operand.name if isinstance(operand, Value) and operand.name else f"operand{index}"
        names.append(name if name not in names else f"{name}_{index}")
    return names
