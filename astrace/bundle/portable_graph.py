"""What `astrace.trace` and `astrace.load` give: a frozen graph that can be saved, and is called as the function was.

It runs through a backend, as compiled functions do.  It knows how to write itself; reading is in ``load``.
"""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from astrace.backends.base import Executable
from astrace.backends.select import compile_block
from astrace.bundle.contents import Call, Extras, contents_of
from astrace.bundle.examples import ExampleCall
from astrace.bundle.files.writer import write_bundle
from astrace.bundle.profile import GraphProfile, NodeClock
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.compiler.signature_check import SignatureCheck
from astrace.errors import InvalidArgument
from astrace.ir.interpret_observed import interpret_observed
from astrace.ops import OPS
from astrace.util.trees import fill
from astrace.util.validation import shown


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class PortableGraph(FrozenGraph):
    """A frozen graph that can be saved and loaded.

    Args:
        metadata: what its maker says of it: numbers, texts, arrays, and lists, tuples and dicts of them by name.
        examples: recorded calls with their outcomes, where it was loaded with some.
    """

    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    examples: tuple[ExampleCall, ...] = ()
    _making: threading.Lock = field(default_factory=threading.Lock, init=False)

    @staticmethod
    def of(graph: FrozenGraph) -> PortableGraph:
        """A frozen graph as one that can be saved."""
        parts = {one.name: getattr(graph, one.name) for one in fields(FrozenGraph) if one.init}
        return PortableGraph(**parts)

    # -- calls -------------------------------------------------------------------------------------------

    def _way_in(self) -> SignatureCheck:
        with self._making:
            if self._ways:
                return self._ways[0]
            program = _Program(self)
            return SignatureCheck(
                self.name, self.signature, self.asked, self.inputs, self.guarded_at, program.run
            )

    def run(self, arguments: Mapping[str, Any]) -> Any:
        """Call the graph with arguments by the names of its parameters.

        Args:
            arguments: one for each parameter that has no default; those of ``*args`` as a tuple, those of ``**kwargs``
                as a dict.

        Raises:
            SignatureMismatch: they are not those that it was made for.

        Example:
            >>> import astrace
            >>> def add(x, y=1.0):
            ...     return x + y
            >>> astrace.trace(add, 2.0, 3.0).run({"x": 5.0, "y": 7.0})
            12.0
        """
        args, kwargs = self._spread(arguments)
        return self(*args, **kwargs)

    def _spread(self, arguments: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Arguments by name as those of a call; positional ones by position as far as there is no gap."""
        args: list[Any] = []
        kwargs = dict(arguments)
        for parameter in self._parameters():
            if parameter.name not in kwargs or parameter.kind is parameter.KEYWORD_ONLY:
                if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                    break
            elif parameter.kind is parameter.VAR_POSITIONAL:
                args += kwargs.pop(parameter.name)
            elif parameter.kind is parameter.VAR_KEYWORD:
                kwargs |= kwargs.pop(parameter.name)
            else:
                args.append(kwargs.pop(parameter.name))
        for parameter in self._parameters():
            if parameter.kind is parameter.VAR_KEYWORD and parameter.name in kwargs:
                kwargs |= kwargs.pop(parameter.name)
        return args, kwargs

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
                of arguments by name.  Without any, the examples of a loaded graph are kept.

        Raises:
            BundleError: something of the graph is no data, and the message names the line that uses it; or the
                bundle can't be written.

        Example:
            >>> import tempfile, astrace
            >>> graph = astrace.trace(lambda x: x + 1.0, 2.0)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     graph.save(f"{folder}/added.zip")
            ...     astrace.load(f"{folder}/added.zip")(41.0)
            42.0
        """
        calls = tuple(map(self._call, examples)) or tuple((one.args, one.kwargs) for one in self.examples)
        extras = Extras(self.metadata, calls)
        write_bundle(path, contents_of(self, extras, lambda args, kwargs: self(*args, **kwargs)))

    def _call(self, example: Any) -> Call:
        match example:
            case tuple():
                return example, {}
            case dict():
                args, kwargs = self._spread(example)
                return tuple(args), kwargs
            case _:
                words = "a tuple of arguments or a dict of arguments by name"
                raise InvalidArgument(f"save: an example is {words}, not {shown(example)}")


class _Program:
    """A graph's program as a backend made it; loops that turn out to be hot are replaced by machine code."""

    def __init__(self, graph: PortableGraph) -> None:
        choice = compile_block(graph.block, graph.result, graph.name, f"<astrace graph {graph.name}>", "auto")
        self._inputs = len(graph.inputs)
        self.run: Any = None
        self._use(choice.executable)

    def _use(self, executable: Executable) -> None:
        function, used = executable.function, executable.used
        if executable.warm_up is not None:
            executable.warm_up.replace = self._use
        current = function if used == tuple(range(self._inputs)) else _picking(function, used)
        if self.run is None and executable.warm_up is None:
            self.run = current
            return
        self._current = current
        self.run = self._latest

    def _latest(self, *given: Any) -> Any:
        return self._current(*given)


def _picking(function: Any, used: tuple[int, ...]) -> Any:
    """A function that takes all inputs of a graph and passes on those that are used."""

    def run(*given: Any) -> Any:
        return function(*[given[index] for index in used])

    return run
