"""The subject of a check: an original function and the captured one that should do what it does.

A `Subject` hides whether that is a frozen graph, a compiled function with its guards, or any other callable: it
calls both, tells which graph a call runs through, and captures the function anew where someone wants to know
what would be captured now.
"""

from __future__ import annotations

import dis
import functools
import inspect
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from astrace.backends.base import Executable
from astrace.backends.numpy.backend import compile_block
from astrace.check.compare.observe import Call
from astrace.check.compilers.other_side import OtherSide
from astrace.check.compilers.table import OtherCompiler, compiler_named, compiler_of, has_threads, original_of
from astrace.check.compilers.tolerances import COMPILED, NONE, Tolerances
from astrace.check.report.findings import Finding
from astrace.check.reproduce.places import can_change, held
from astrace.check.sandbox.reachable import LIBRARIES
from astrace.check.settings import Settings
from astrace.compiler.compiled import Compiled
from astrace.compiler.frozen_graph import bound_parameters, captured, freeze, with_defaults
from astrace.compiler.graph import Graph
from astrace.compiler.stages import Options, Stages
from astrace.compiler.target import Target
from astrace.errors import InvalidArgument, NotCaptured, Reason
from astrace.guards.access_paths import Argument, steps
from astrace.guards.kinds import Guard, holds, paths_of
from astrace.locations import Location

MANY: Final = 100_000
"""As many specialisations as a check needs: it calls with arguments that no program would."""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A function and what was captured of it.

    Args:
        name: what reports call it.
        target: the original function, seen through methods and partials.
        original: what is called to know what is right.
        captured: what is called to know whether that is the same.
        graph: the graph, where there is only one.
        compiled: the compiled function, where it is one.
        other: what another compiler made of it, where that is what is checked.
        tolerances: how far apart floats may be.
        recent: the last capture that `anew` made.
    """

    name: str
    target: Target
    original: Callable[..., Any]
    captured: Callable[..., Any]
    graph: Graph | None = None
    compiled: Compiled[..., Any] | None = None
    other: OtherSide | None = None
    tolerances: Tolerances = NONE
    recent: list[Stages] = field(default_factory=list[Stages])

    @property
    def frozen(self) -> bool:
        """True if nothing is read from outside any more, and no guard is checked."""
        return self.compiled is None

    @property
    def has_threads(self) -> bool:
        """Return whether function or graph may run through a library whose threads, if it has some, a fork does not have."""
        if self.other is not None and self.other.compiler.has_threads():
            return True
        options = getattr(self.captured, "_options", None)
        if isinstance(options, Options) and options.backend == "jax":
            return True
        names: Mapping[str, Any] = getattr(self.target.function, "__globals__", {})
        return has_threads(names.values())

    @property
    def start(self) -> Location | None:
        """The line at which the function starts: its ``def``, whatever decorates it."""
        code = getattr(self.target.function, "__code__", None)
        return None if code is None else replace(Location.of(code), function=self.name)

    def reading(self, path: str) -> Location | None:
        """The first line of the function that looks up the name which a path outside begins with, else its start."""
        code = getattr(self.target.function, "__code__", None)
        name = path.partition(".")[0].partition("[")[0]
        line = None if code is None else _line_of(code, name) or _line_of_parameter(code, name)
        return self.start if code is None or line is None else Location(code.co_filename, line, self.name)

    def place_of(self, one: Finding) -> Location | None:
        """Return the line to show for a finding: for an argument of a partial, the line that looks it up."""
        if one.location is None and one.constant is not None:
            return self.reading(one.constant.what)
        return self.line_of(one.location)

    def line_of(self, where: Location | None) -> Location | None:
        """The line to show for one in a library that the function calls: the function's own that led there."""
        start = self.start
        inside = start is not None and start.file.startswith(LIBRARIES)
        if (
            where is None
            or start is None
            or inside
            or not (where.root_line and where.file.startswith(LIBRARIES))
        ):
            return where
        return Location(start.file, where.root_line, start.function)

    @property
    def signature(self) -> inspect.Signature | None:
        """The signature by which the original is called."""
        try:
            shown = inspect.signature(self.original)
            own = inspect.signature(self.original, follow_wrapped=False)
        except (TypeError, ValueError):
            return None
        return shown if _takes_anything(own) else own

    @property
    def bound_arguments(self) -> dict[str, Any]:
        """The arguments that every call of a method or a partial begins with, by parameter name."""
        return dict(zip(bound_parameters(self.target), self.target.first, strict=False))

    def is_on_arguments(self, guard: Guard) -> bool:
        """Return whether a guard looks at nothing but arguments that a call gives."""
        roots = [steps(path)[-1] for path in paths_of(guard)]
        return all(isinstance(root, Argument) and root.name not in self.bound_arguments for root in roots)

    def given(self, call: Call) -> dict[str, Any]:
        """The arguments of a call by parameter name, defaults included.

        Raises:
            TypeError: the call does not fit.
        """
        return with_defaults(self.target, call.args, call.kwargs)

    def place(self, what: str) -> str:
        """A place that the function can reach, as messages call it: of a method's object by its first parameter."""
        first = next(iter(self.target.signature.parameters), "self")
        return f"`{first}{what}`" if what.startswith((".", "[")) else f"`{what}`"

    def held(self, what: str) -> Any:
        """Return a copy of the present content of a place that the function can reach, as messages name it."""
        return held(self.target.function, self._put_in_front, what)

    @property
    def _put_in_front(self) -> dict[str, Any]:
        """The arguments that a method or a partial gives its function, by parameter name."""
        return {**self.bound_arguments, **self.target.named}

    def can_change(self, path: str) -> bool:
        """Return whether the object read through a path may become another without the program being edited."""
        return can_change(self.target.function, self._put_in_front, path)

    def accept(self, call: Call) -> None:
        """Make sure that the function can be called with an example.

        Raises:
            InvalidArgument: the example does not fit its signature.
        """
        try:
            self.given(call)
        except TypeError as error:
            given = f"`{self.name}{self.signature or '(...)'}`"
            raise InvalidArgument(f"check: the example does not fit {given}: {error}") from None

    def stages(self, call: Call) -> Stages | None:
        """Return the stages of a compiled function for a call; nothing for any other callable."""
        return None if self.compiled is None else self.compiled.stages(*call.args, **call.kwargs)

    def graph_of(self, call: Call) -> Graph | None:
        """The graph that a call runs through."""
        stages = self.stages(call)
        return self.graph if stages is None else stages.graph

    def anew(self, call: Call) -> Graph | None:
        """Return the graph that a capture for a call would give now; nothing where none can be made."""
        try:
            given = self.given(call)
            stages = self._captured_for(given)
            return freeze(stages, given, self.target) if self.frozen else stages.graph
        except (NotCaptured, InvalidArgument, TypeError):
            return None

    def _captured_for(self, given: Mapping[str, Any]) -> Stages:
        """A capture for some arguments: the last one where its guards hold."""
        for last in self.recent:
            if last.graph is not None and not failing(last.graph, given):
                return last
        self.recent[:] = [captured(self.target, given)]
        return self.recent[0]


def _takes_anything(signature: inspect.Signature) -> bool:
    """Return whether a signature takes anything, as that of a decorator often does."""
    kinds = {one.kind for one in signature.parameters.values()}
    return {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD} <= kinds


LOADS: Final = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "STORE_GLOBAL", "STORE_DEREF"})


def _line_of(code: types.CodeType, name: str) -> int | None:
    """The first line of code, or of the functions in it, that looks a name up."""
    for one in dis.get_instructions(code) if name in (*code.co_names, *code.co_freevars) else ():
        if one.opname in LOADS and one.argval == name and one.positions is not None:
            return one.positions.lineno
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    return next(filter(None, (_line_of(one, name) for one in inner)), None)


def _line_of_parameter(code: types.CodeType, name: str) -> int | None:
    """The first line of code that looks a parameter of it up."""
    uses = (one for one in dis.get_instructions(code) if one.opname == "LOAD_FAST" and one.argval == name)
    return next((one.positions.lineno for one in uses if one.positions is not None), None)


def subject_of(
    obj: Any,
    original: Callable[..., Any] | None = None,
    against: str | None = None,
    example: Call | None = None,
    settings: Settings | None = None,
) -> Subject:
    """Return the subject to check.

    Args:
        obj: a function, a compiled one, a graph, or any other callable together with its original.
        original: the function that a graph was made of.
        against: the name of another compiler, which is to compile it.
        example: a call of it, as that compiler may have to see one.
        settings: how far apart floats may be.

    Raises:
        InvalidArgument: it can't be called, a graph comes without its original, or something is to be compiled that is
            no function.
        MissingExtra: the other compiler is not installed.
    """
    live = getattr(obj, "compiled", None)
    if isinstance(obj, Graph) and isinstance(live, Compiled):  # it checks its guards at each call
        return subject_of(live, None, against, example, settings)
    if against is not None and (original is not None or isinstance(obj, Graph)):
        raise InvalidArgument(
            "check: `against` compiles the function itself; leave out `original`, or `against`"
        )
    if against is not None:
        compiler, function = compiler_named(against), plain(original_of(obj))
        made = compiler.make(function, example or Call(()))
        return _beside(compiler, made, function, settings, made_here=True)
    known = compiler_of(obj)
    if known is not None:
        return _beside(known, obj, plain(original or original_of(obj)), settings)
    if original is not None:
        target = Target.of(original)
        graph = obj if isinstance(obj, Graph) else None
        if not callable(obj):
            raise InvalidArgument(f"check: {obj!r} is not callable")
        allowed = _allowed(NONE, settings)
        return Subject(target.name, target, plain(original), obj, graph, tolerances=allowed)
    if isinstance(obj, Graph):
        raise InvalidArgument(
            "check: a Graph does not know the function it was made of; pass it as `original=`"
        )
    target = Target.of(obj)
    options = getattr(getattr(obj, "__func__", obj), "_options", None)
    kept = options if isinstance(options, Options) else Options()
    options = replace(kept, recompile_limit=MANY, fullgraph=False)
    compiled: Compiled[..., Any] = Compiled(plain(obj), options)
    allowed = _allowed(NONE, settings)
    return Subject(target.name, target, plain(obj), compiled, None, compiled, tolerances=allowed)


def _beside(
    compiler: OtherCompiler,
    made: Any,
    original: Callable[..., Any],
    settings: Settings | None,
    *,
    made_here: bool = False,
) -> Subject:
    """The subject of what another compiler made of a function."""
    target = Target.of(original)
    allowed = _allowed(COMPILED, settings)
    code, names = (getattr(target.function, name, None) for name in ("__code__", "__globals__"))
    other = OtherSide(compiler, made, code, allowed, {} if names is None else names, made_here)
    return Subject(target.name, target, original, other, other=other, tolerances=allowed)


def _allowed(usual: Tolerances, settings: Settings | None) -> Tolerances:
    return usual if settings is None else usual.with_given(settings.rtol, settings.atol)


def plain(function: Any) -> Callable[..., Any]:
    """The function that a compiled one was made of; any other callable itself."""
    if isinstance(function, Compiled):
        return plain(function.__astrace_function__)
    bound, owner = getattr(function, "__func__", None), getattr(function, "__self__", None)
    if isinstance(bound, Compiled):
        return plain(bound).__get__(owner)
    return function


def generated(graph: Graph) -> Callable[..., Any]:
    """A graph as generated code, which is made at the first call."""

    @functools.cache
    def executable() -> Executable:
        return compile_block(graph.block, graph.result, graph.name, "<graph>")

    def run(*args: Any, **kwargs: Any) -> Any:
        given = graph.bind(args, kwargs)
        made = executable()
        return made.function(*(graph.inputs[index].follow(given) for index in made.used))

    return run


def failing(graph: Graph, given: Mapping[str, Any]) -> list[Guard]:
    """The guards of a graph that do not hold for a call."""
    return [guard for guard in graph.guards if not holds(guard, given)]


def fallback_of(subject: Subject, call: Call) -> Reason | None:
    """Return the reason why a call runs as plain Python, if it does."""
    stages = subject.stages(call)
    return None if stages is None else stages.fallback
