"""A capture as users hold it: a block with its signature, guards and constants.

A graph is callable on its own (through the interpreter, the oracle of all backends) and prints itself.
Calling it checks nothing: the compiler calls it only where its guards hold.  A *frozen* graph (`trace`) has
the outside world of one moment in it: its guards say what was taken for granted then, its constants what was
read.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from astrace.backends.select import compile_block
from astrace.errors import InvalidArgument, NotCaptured
from astrace.guards.access_paths import Path, Pinned
from astrace.guards.kinds import Guard
from astrace.ir.block import Block, Constant, block_text
from astrace.ir.constants import show
from astrace.ir.interpret import interpret
from astrace.ir.walk import constants
from astrace.locations import Location
from astrace.ops import OPS
from astrace.tracing.external.freezer import constant_text
from astrace.util.html_tables import text_part
from astrace.util.trees import Tree, fill

NOWHERE: Final[Mapping[Guard, Location]] = MappingProxyType({})
NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
SOURCES: Final = ("numpy", "jax")
"""The backends that write a block as source."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True, repr=False)
class Graph:
    """A captured function.

    Args:
        name: the function's name.
        signature: the function's signature.
        block: the program.
        result: how the block's outputs make up the result.
        inputs: where each input of the block is found at a call.
        guards: what must hold for a call to be like the captured one.
        guarded_at: the user's lines at which guards arose.
        frozen: of a graph that nobody checks the guards of, what was read from outside and is in it now.
        on_request: the constants that reads were frozen as on request.
        first: the arguments that every call begins with, of a method or a partial.
        named: the keyword arguments that every call has, unless it gives others.
    """

    name: str
    signature: inspect.Signature
    block: Block
    result: Tree
    inputs: tuple[Path, ...]
    guards: tuple[Guard, ...]
    guarded_at: Mapping[Guard, Location] = field(default_factory=lambda: NOWHERE)
    frozen: tuple[Constant, ...] | None = None
    on_request: tuple[Constant, ...] = ()
    first: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=lambda: NOTHING)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run the graph on the arguments of a call, as the original function would be called."""
        return Graph.run(self, self.bind(args, kwargs))

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by parameter name, defaults included.

        Raises:
            TypeError: the call does not fit the signature.
        """
        bound = self.signature.bind(*self.first, *args, **{**self.named, **kwargs})
        bound.apply_defaults()
        return dict(bound.arguments)

    def run(self, arguments: Mapping[str, Any]) -> Any:
        """Run the graph on arguments by parameter name."""
        given = [path.follow(arguments) for path in self.inputs]
        return fill(self.result, interpret(self.block, given, OPS.implementation))

    def source(self, backend: str = "numpy") -> str:
        """The graph as source text for a backend.

        Raises:
            InvalidArgument: there is no such backend, or it is not installed.
            NotCaptured: the backend can't run it; the reason says why.
        """
        if backend not in SOURCES:
            raise InvalidArgument(f"source: backend {backend!r}; accepted are {', '.join(SOURCES)}")
        if backend == "jax" and importlib.util.find_spec("jax") is None:
            raise InvalidArgument("source: backend 'jax' needs JAX; install astrace[jax]")
        choice = compile_block(self.block, self.result, self.name, "", backend)
        if choice.refused is not None:
            raise NotCaptured(choice.refused)
        return choice.executable.source

    @property
    def constants(self) -> tuple[Constant, ...]:
        """All constants that the graph holds, with their origins; those that were frozen on request come first."""
        frozen = {constant.origin: constant for constant in self.on_request}
        others = (constant for constant in constants(self.block) if constant.origin not in frozen)
        return (*self.on_request, *others)

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        return self

    def __reduce__(self) -> Any:
        raise TypeError(f"{self!r} can't be pickled: pickle the function, and trace it where it is loaded")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.name}{self.signature}>"

    def _repr_html_(self) -> str:
        return text_part(f"{type(self).__name__} of {self.name}{self.signature}", [("", str(self))])

    def __str__(self) -> str:
        lines = [block_text(self.block, self.name)]
        known = None if self.block.outputs else fill(self.result, ())
        if known is not None:
            lines.append(f"  -> {show(known)}")
        live = [
            f"{value.name or '?'} = {path}"
            for value, path in zip(self.block.inputs, self.inputs, strict=True)
            if str(path) != value.name and not isinstance(path, Pinned)
        ]
        if live:
            lines.append(f"  live reads: {', '.join(live)}")
        lines += [f"  frozen: {_shown(constant)}" for constant in self.frozen or ()]
        lines += [f"  frozen: {_shown(constant)}" for constant in self.on_request]
        if self.guards:
            says = "guards" if self.frozen is None else "taken for granted"
            lines.append(f"  {says}: {', '.join(map(str, self.guards))}")
        return "\n".join(lines)


def _shown(constant: Constant) -> str:
    """Write a frozen constant: its origin, its value, and the line that read it."""
    origin = constant.origin
    line = f"  #@{origin.location.line}" if origin.location else ""
    return f"{origin.path} = {constant_text(constant)}{line}"
