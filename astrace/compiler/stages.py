"""Records that the compiler hands around: options, the stages of one capture, counts.

Frozen records, and what counts calls; ``specialise`` makes them, ``compiled`` keeps them and shows them.
"""

from __future__ import annotations

import importlib.util
import itertools
import operator
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Final

from astrace.backends.base import Executable, MachineCode, Mode
from astrace.backends.select import BACKENDS, preferred
from astrace.compiler.dispatcher import Specialisation
from astrace.compiler.graph import Graph
from astrace.errors import InvalidArgument, Reason
from astrace.guards.failures import Failure
from astrace.rewrite.pipeline import Rewritten
from astrace.tracing.lessons import KnownLessons
from astrace.tracing.trace import Recording
from astrace.util import validation
from astrace.util.html_tables import table_part, text_part

EFFECTS: Final = ("keep", "drop")
RECOMPILE_LIMIT: Final = 8


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a compiled function.

    Args:
        backend: ``auto``, ``numpy``, ``native`` or ``jax``.
        fullgraph: raise `NotCaptured` where plain Python would run.
        static_argnames: parameters whose values are fixed for each specialisation.
        recompile_limit: how many specialisations are made before the plain function runs.
        freeze: the access paths whose reads are fixed when they are captured first.
        effects: ``keep``, or ``drop`` for graphs without prints, logging and unused code that might raise.
        array_caching: arrays that follow from constants alone are computed once.
        include_generators: arrays made from constants and random draws are nodes; else they are baked in.
        quiet: reaching the limit gives no warning.
        native: what the backend can't run counts as not captured, instead of being run by the exact one.
        exact: results are those of the plain function to the bit; else machine code may differ by a tolerance.
        parallel: machine code runs iterations that do not depend on each other in several threads.
        to: the library whose arrays are taken and given; ``None`` for those that the function takes and gives.
        lessons: what the captures of all functions with these options have learned.

    Raises:
        InvalidArgument: one of them is not accepted.
    """

    backend: str = "auto"
    fullgraph: bool = False
    static_argnames: tuple[str, ...] = ()
    recompile_limit: int = RECOMPILE_LIMIT
    freeze: tuple[str, ...] = ()
    effects: str = "keep"
    array_caching: bool = False
    include_generators: bool = True
    quiet: bool = False
    native: bool = False
    to: str | None = None
    exact: bool = True
    parallel: bool = False
    lessons: KnownLessons = field(default_factory=KnownLessons, compare=False, repr=False)

    @property
    def mode(self) -> Mode:
        """What machine code may do to be faster."""
        return Mode(self.exact, self.parallel)

    @property
    def inlines(self) -> bool:
        """True if a call in another graph does only what the function does, so that it can be a part of that graph."""
        return self.effects == "keep" and self.include_generators and not self.freeze and self.to is None

    def __post_init__(self) -> None:
        validation.choice("compile", "effects", self.effects, EFFECTS)
        validation.choice("compile", "backend", self.backend, BACKENDS)
        validation.flag("compile", "fullgraph", self.fullgraph)
        validation.count("compile", "recompile_limit", self.recompile_limit, 1)
        validation.flag("compile", "exact", self.exact)
        validation.flag("compile", "parallel", self.parallel)
        self._check_mode()
        backend = preferred() if self.backend == "auto" else self.backend
        if backend == "jax" and importlib.util.find_spec("jax") is None:
            raise InvalidArgument("compile: backend='jax' needs JAX; install astrace[jax]")
        if backend == "native" and importlib.util.find_spec("numba") is None:
            raise InvalidArgument("compile: backend='native' needs Numba; install astrace[fast]")

    def _check_mode(self) -> None:
        """Make sure that the backend that was asked for can do what ``exact`` and ``parallel`` ask of it.

        Raises:
            InvalidArgument: it can't.
        """
        if self.backend == "numpy" and not self.exact:
            raise InvalidArgument(
                "compile: exact=False with backend='numpy', which is always exact; accepted are the backends "
                "'auto', 'native' and 'jax'"
            )
        if self.backend in ("numpy", "jax") and self.parallel:
            raise InvalidArgument(
                f"compile: parallel=True with backend={self.backend!r}, which decides about threads itself; "
                "accepted are the backends 'auto' and 'native'"
            )


class Counter:
    """Counts without a lock: a step is one atomic call, or one item taken of ``steps``.

    Args:
        most: the number of steps that there are; more than can ever be taken, by default.
    """

    def __init__(self, most: int = sys.maxsize) -> None:
        self._most = most
        self.steps: itertools.repeat[None] = itertools.repeat(None, most)
        self.step: Callable[[], None] = self.steps.__next__

    @property
    def value(self) -> int:
        """The number of steps so far."""
        return self._most - operator.length_hint(self.steps)


@dataclass(frozen=True, slots=True)
class Stats:
    """The counters of a compiled function.

    Args:
        calls: how often it was called.
        traces: how often it was captured.
        guard_failures: how often no specialisation fitted although there were some.
        fallbacks: how many calls ran as plain Python.
        kernels: how many loops of its captures run as machine code.
    """

    calls: int
    traces: int
    guard_failures: int
    fallbacks: int
    kernels: int = 0

    def _repr_html_(self) -> str:
        counts = asdict(self)
        heads = [name.replace("_", " ") for name in counts]
        return table_part("", heads, [tuple(map(str, counts.values()))])


@dataclass(frozen=True, slots=True, repr=False)
class Stages:
    """The stages of one capture; each prints itself.

    Args:
        rewritten: the function with its control flow as calls of operators; ``None`` for a callable that is
            not written in Python.
        recording: what the trace wrote down.
        graph: the block after the passes, with its signature and guards.
        executable: the generated source and its function.
        fallback: why the plain function runs instead; ``None`` where it does not.
        failed: the guards of the nearest capture before that the call failed, which is why this was made.
        declined: why another backend runs the graph than the one that was asked for.
    """

    rewritten: Rewritten | None = None
    recording: Recording | None = None
    graph: Graph | None = None
    executable: Executable | None = None
    fallback: Reason | None = None
    failed: tuple[Failure, ...] = ()
    declined: Reason | None = None

    @property
    def kernels(self) -> tuple[MachineCode, ...]:
        """The parts of the program that are machine code."""
        return () if self.executable is None else self.executable.kernels

    @property
    def refused(self) -> Reason | None:
        """The reason why another backend runs the graph than the one asked for, from the start or by now."""
        given_up = None if self.executable is None else self.executable.given_up()
        return self.declined or given_up

    def _repr_html_(self) -> str:
        if self.fallback is not None:
            return text_part("runs as plain Python", [("", str(self.fallback))])
        assert self.graph is not None and self.executable is not None
        failed = "\n".join(map(str, self.failed))
        texts = [
            ("graph", str(self.graph)),
            ("rewritten source", str(self.rewritten)),
            (f"generated source ({self.executable.backend})", str(self.executable)),
            *([("captured again, because", failed)] if failed else []),
        ]
        return text_part(f"stages of {self.graph.name}{self.graph.signature}", texts)

    def __repr__(self) -> str:
        if self.fallback is not None:
            return f"<stages of a capture that runs as plain Python: {self.fallback.code}; print them>"
        name = "a capture" if self.graph is None else f"{self.graph.name}{self.graph.signature}"
        return f"<stages of {name}: .rewritten, .recording, .graph, .executable; print them>"

    def __str__(self) -> str:
        if self.fallback is not None:
            return str(self.fallback)
        return "\n\n".join(map(str, (self.rewritten, self.graph, self.executable)))


@dataclass(frozen=True, slots=True)
class Entry:
    """One specialisation of a compiled function, with the stages that led to it.

    Args:
        specialisation: what runs.
        stages: what led to it.
        unfinished: it is for one call; the next one goes on with the capture.
        put_off: the same, since the capture was given less time than it may need.
    """

    specialisation: Specialisation
    stages: Stages
    unfinished: bool = False
    put_off: bool = False
