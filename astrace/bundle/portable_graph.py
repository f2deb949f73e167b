"""What `astrace.trace` and `astrace.load` give: a frozen graph that can be saved, and is called as the function was.

It runs through a backend, as compiled functions do.  It knows how to write itself; reading is in ``load``.
"""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from astrace.backends.base import Executable
from astrace.backends.select import compile_block
from astrace.bundle.codec.graph_decoder import DecodedGraph
from astrace.bundle.contents import Call, Extras, contents_of, with_calls
from astrace.bundle.examples import ExampleCall
from astrace.bundle.files.writer import write_bundle
from astrace.bundle.named_arguments import spread
from astrace.bundle.new_operators import with_new_operators
from astrace.bundle.profile import GraphProfile, NodeClock
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.compiler.signature_check import SignatureCheck
from astrace.errors import InvalidArgument, MissingExtra
from astrace.ir.block import Block
from astrace.ir.interpret import interpret
from astrace.ir.interpret_observed import interpret_observed
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.pipelines.records import PipelineRecord
from astrace.util.trees import fill
from astrace.util.validation import shown

LONG: Final = 50
"""The number of nodes from which the first call is interpreted."""
LOOPS: Final = ("for_loop", "while_loop")
EXPORTS: Final = {"stablehlo": ("JAX", "jax"), "onnx": ("the package onnx", "onnx")}
"""The formats of others, each with what it needs and the extra that has it."""
EXAMPLE: Final = "a tuple of arguments or a dict of arguments by name"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class PortableGraph(FrozenGraph):
    """A frozen graph that can be saved and loaded.

    Args:
        metadata: what its maker says of it: numbers, texts, arrays, and lists, tuples and dicts of them by name.
        examples: recorded calls with their outcomes, where it was loaded with some.
        granted: what its capture took for granted of the world outside, as texts, where it was loaded.
    """

    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    examples: tuple[ExampleCall, ...] = ()
    granted: tuple[str, ...] = ()
    _programs: list[_Program] = field(default_factory=list["_Program"], init=False)
    _making: threading.Lock = field(default_factory=threading.Lock, init=False)

    @staticmethod
    def of(graph: FrozenGraph) -> PortableGraph:
        """A frozen graph as one that can be saved."""
        parts = {one.name: getattr(graph, one.name) for one in fields(FrozenGraph) if one.init}
        return PortableGraph(**parts)

    @staticmethod
    def decoded(graph: DecodedGraph, pipeline: PipelineRecord, **others: Any) -> PortableGraph:
        """A graph from what was read of it.

        Args:
            graph: the graph.
            pipeline: its operators.
            **others: what else it is to hold.
        """
        parts: dict[str, Any] = {one.name: getattr(graph, one.name) for one in fields(graph)}
        return PortableGraph(**parts, asked=graph.guards, pipeline=pipeline, **others)

    # -- calls -------------------------------------------------------------------------------------------

    def _way_in(self) -> SignatureCheck:
        run = self._program().run
        return SignatureCheck(self.name, self.signature, self.asked, self.inputs, self.guarded_at, run)

    def _program(self) -> _Program:
        with self._making:
            if not self._programs:
                self._programs.append(_Program(self))
            return self._programs[0]

    def run(self, arguments: Mapping[str, Any]) -> Any:
        """Call the graph with arguments by the names of its parameters.

        Args:
            arguments: one for each parameter that has no default; those of ``*args`` as a tuple, those of ``**kwargs``
                as a dict.

        Raises:
            InvalidArgument: they are no dict.
            SignatureMismatch: they are not those that it was made for.

        Example:
            >>> import astrace
            >>> def add(x, y=1.0):
            ...     return x + y
            >>> astrace.trace(add, 2.0, 3.0).run({"x": 5.0, "y": 7.0})
            12.0
        """
        args, kwargs = spread(self._parameters(), arguments)
        return self(*args, **kwargs)

    def _parameters(self) -> list[inspect.Parameter]:
        """The parameters that a call gives something to."""
        return list(self.signature.parameters.values())[len(self.first) :]

    @property
    def input_names(self) -> tuple[str, ...]:
        """The names of the parameters, in order.

        Example:
            >>> import astrace
            >>> astrace.trace(lambda x, y: x + y, 2.0, 3.0).input_names
            ('x', 'y')
        """
        return tuple(parameter.name for parameter in self._parameters())

    def warmup(self, *args: Any, **kwargs: Any) -> None:
        """Do now what the first call would do: compile, and run once.

        Args:
            *args: the arguments of a call; without any, those of the recorded examples are taken.
            **kwargs: its keyword arguments.

        Raises:
            SignatureMismatch: the graph was not made for such arguments.

        Example:
            >>> import astrace
            >>> astrace.trace(lambda x: x + 1.0, 2.0).warmup(3.0)
        """
        self._program().compile()
        if args or kwargs or not self.examples:
            self(*args, **kwargs)
            return
        for call in self.examples:
            if call.raised is None:
                self(*call.args, **call.kwargs)

    def profile(self, *args: Any, **kwargs: Any) -> GraphProfile:
        """Run once, node by node, and tell how long each took.

        Args:
            *args: the arguments of a call.
            **kwargs: its keyword arguments.

        Returns:
            The times: ``table()`` is for people, ``chrome_trace()`` for chrome://tracing and ui.perfetto.dev.

        Raises:
            SignatureMismatch: the graph was not made for such arguments.

        Example:
            >>> import astrace
            >>> profile = astrace.trace(lambda x: x * 2.0 + 1.0, 3.0).profile(4.0)
            >>> [row.node.op for row in profile.rows], profile.returned
            (['mul', 'add'], 9.0)
        """
        clock = NodeClock()

        def run(*given: Any) -> Any:
            outputs = interpret_observed(self.block, given, OPS.implementation, clock)
            return fill(self.result, outputs)

        enter = SignatureCheck(self.name, self.signature, self.asked, self.inputs, self.guarded_at, run)
        returned = enter((*self.first, *args), {**self.named, **kwargs})
        return clock.profile(self.name, returned)

    # -- saving ------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str], *, examples: Iterable[Any] = ()) -> None:
        """Save the graph as a bundle, which `astrace.load` loads anywhere.

        A bundle that is there is replaced in one step: whatever happens, the old or the new one is there, whole.

        Args:
            path: where to: one that ends with ``.zip`` or ``.astrace`` becomes one file, any other a folder.
            examples: calls that are made and recorded, for ``astrace verify``: each a tuple of arguments, or a dict
                of arguments by name.  Without any, the examples of a loaded graph are kept.  They are made one after
                another, by a copy with operators that are constructed for them, as those of a loaded graph are.

        Raises:
            BundleError: something of the graph is no data, and the message names the line that uses it; or the
                bundle can't be written.
            SignatureMismatch: an example is no call that the graph was made for.
            InvalidArgument: the path or an example is none.

        Example:
            >>> import tempfile, astrace
            >>> graph = astrace.trace(lambda x: x + 1.0, 2.0)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     graph.save(f"{folder}/added.zip")
            ...     astrace.load(f"{folder}/added.zip")(41.0)
            42.0
        """
        if not isinstance(path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(f"save: a path is a text or a Path, not {shown(path)}")
        if not isinstance(examples, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(f"save: examples are several calls, each {EXAMPLE}, not {shown(examples)}")
        calls = tuple(map(self._call, examples)) or tuple((one.args, one.kwargs) for one in self.examples)
        contents = contents_of(self, Extras(self.metadata, (), self.granted), self._call_with)
        if calls:
            with with_new_operators(self.pipeline, contents) as (graph, pipeline):
                other = PortableGraph.decoded(graph, pipeline)
                contents = with_calls(contents, calls, other._call_with, dict(pipeline.names.values()))
        write_bundle(path, contents)

    def _call_with(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        return self(*args, **kwargs)

    def export(self, kind: str, path: str | os.PathLike[str], *args: Any, **kwargs: Any) -> None:
        """Write the graph in the format of others, with a stamp beside it (``check_export``).

        An export with its stamp that is there is replaced, anything else is not.

        Args:
            kind: ``stablehlo``: a portable module of StableHLO, through `jax.export`; ``onnx``: an ONNX model, whose
                sizes are those that the graph holds, fixed or named.
            path: the file; the stamp is ``path.stamp.json``.
            *args: the arguments of a call, whose dtypes and sizes the module is for.
            **kwargs: its keyword arguments.

        Raises:
            BundleError: the format has no counterpart for a node; the message names it and its line.  Or what is at the
                path is no export (AB206), or it can't be written there.
            SignatureMismatch: the graph was not made for such arguments.
            MissingExtra: JAX, or the package onnx, is not installed.
            InvalidArgument: there is no such format, or the path is none.
        """
        if kind not in EXPORTS:
            raise InvalidArgument(f"export: format {kind!r}; accepted are {', '.join(EXPORTS)}")
        from astrace.bundle.exports import stamp

        target = stamp.target(path)
        SignatureCheck(self.name, self.signature, self.asked, (), self.guarded_at, _nothing)(
            (*self.first, *args), {**self.named, **kwargs}
        )
        content, told = self._exported(kind, self.bind(args, kwargs))
        stamp.write(target, content, {**told, "graph": stamp.graph_hash(self)})

    def _exported(self, kind: str, given: Mapping[str, Any]) -> tuple[bytes, dict[str, Any]]:
        """The content of an export, and what its stamp says of it."""
        try:
            if kind == "onnx":
                from astrace.bundle.exports.onnx_model import onnx_model

                return onnx_model(self)[:2]
            from astrace.bundle.exports.stablehlo import stablehlo
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("astrace"):
                raise
            needed, extra = EXPORTS[kind]
            raise MissingExtra.of(f"export: {kind!r} needs {needed}", extra) from None
        return stablehlo(self, given)[:2]

    def check_export(self, path: str | os.PathLike[str]) -> None:
        """Make sure that a file is what was exported from this graph: return nothing, or raise.

        A graph of the same function, traced anew from a file of another name, is another graph: it holds the lines that its
        nodes come from.

        Args:
            path: the file.

        Raises:
            BundleError: it was changed, was exported from another graph, or has no stamp.
        """
        from astrace.bundle.exports import stamp

        stamp.check(path, self)

    def _call(self, example: Any) -> Call:
        match example:
            case tuple():
                return example, {}
            case dict():
                args, kwargs = spread(self._parameters(), example)
                return tuple(args), kwargs
            case _:
                raise InvalidArgument(f"save: an example is {EXAMPLE}, not {shown(example)}")


def _nothing() -> None:
    """Run nothing: the arguments were checked."""


class _Program:
    """A graph's program as a backend made it; loops that turn out to be hot are replaced by machine code.

    A long program without loops is interpreted when it is called first: to compile it takes longer than many calls.
    """

    def __init__(self, graph: PortableGraph) -> None:
        self._graph = graph
        self._is_compiled = False
        self._current: Any = self._interpreted
        self.run: Any = self._latest
        if not _is_long_and_straight(graph.block):
            self.compile()
            self.run = self._latest if self._is_watched else self._current

    def _interpreted(self, *given: Any) -> Any:
        self._current = self._at_last
        return fill(self._graph.result, interpret(self._graph.block, given, OPS.implementation))

    def _at_last(self, *given: Any) -> Any:
        self.compile()
        return self._current(*given)

    def compile(self) -> None:
        """Make the program, unless it is made."""
        if self._is_compiled:
            return
        graph = self._graph
        file = f"<astrace graph {graph.name}>"
        executable = compile_block(graph.block, graph.result, graph.name, file, "auto").executable
        self._is_watched = executable.warm_up is not None
        self._use(executable)
        self._is_compiled = True

    def _use(self, executable: Executable) -> None:
        function, used = executable.function, executable.used
        if executable.warm_up is not None:
            executable.warm_up.replace = self._use
        self._current = (
            function if used == tuple(range(len(self._graph.inputs))) else _picking(function, used)
        )

    def _latest(self, *given: Any) -> Any:
        return self._current(*given)


def _is_long_and_straight(block: Block) -> bool:
    """Return whether a block has many nodes, each of which is run once at most."""
    return len(block.nodes) >= LONG and not any(node.op in LOOPS for node in nodes(block))


def _picking(function: Any, used: tuple[int, ...]) -> Any:
    """A function that takes all inputs of a graph and passes on those that are used."""

    def run(*given: Any) -> Any:
        return function(*[given[index] for index in used])

    return run
