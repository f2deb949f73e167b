"""One call's arguments to one specialisation: the four stages in a row, or the plain function with a reason.

Takes what is compiled and the arguments of a call, gives an entry of the compiler's cache.  It keeps
nothing, and knows nothing of other specialisations.
"""

from __future__ import annotations

import functools
import os
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NoReturn, cast

import numpy as np

from astrace import passes
from astrace.backends.base import Executable
from astrace.backends.select import Choice, compile_block
from astrace.compiler.callee_entrances import entrances_of, told_apart
from astrace.compiler.dispatcher import Specialisation
from astrace.compiler.graph import Graph
from astrace.compiler.option_passes import baked, chosen_passes, noted
from astrace.compiler.stages import Entry, Options, Stages
from astrace.compiler.target import Target
from astrace.errors import ForkedAfterJax, NotCaptured, Reason
from astrace.guards.access_paths import Argument, Derived, Path, Root
from astrace.guards.failures import Failure
from astrace.guards.kinds import Fits, Guard, HasType, paths_of, unedited
from astrace.ir.block import Block, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, spec_of
from astrace.ir.walk import nodes
from astrace.locations import Location
from astrace.passes.drop_effects import only_tells
from astrace.passes.pipeline import Pass
from astrace.rewrite.pipeline import Rewritten, is_rewritten, rewrite
from astrace.tracing.endings import LOG
from astrace.tracing.external.freezer import Freezer
from astrace.tracing.signals import Uncapturable
from astrace.tracing.trace import Recording, trace
from astrace.tracing.values.special_methods import HEAP_TYPE
from astrace.util import events
from astrace.util.capture_budget import Budget, Exhausted, to_rewrite, used_up
from astrace.util.code_stubs import code_of
from astrace.util.entrances import Entrances
from astrace.util.own_work import OwnWork
from astrace.util.uncollected import uncollected

NUMBERS: Final = (bool, int, float, complex)


@OwnWork()
@uncollected()
def specialise(
    target: Target,
    given: Mapping[str, Any],
    options: Options,
    on_fallback: Callable[[], object],
    failed: tuple[Failure, ...] = (),
    changing: frozenset[Path] = frozenset(),
    freezer: Freezer | None = None,
    budget: Budget | None = None,
    operators: Mapping[int, Any] | None = None,
) -> Entry:
    """Capture a function for calls like this one.

    Args:
        target: what is compiled.
        given: the call's arguments by parameter name.
        options: how to compile.
        on_fallback: told of each call that runs as plain Python.
        failed: what did not fit the specialisations there are.
        changing: what was found to change from call to call; it is not fixed if that can be avoided.
        freezer: says which reads are fixed on request.
        budget: what the capture may cost.
        operators: those that are known to be nodes of their own, by ``id``; by default nothing is an operator.

    Raises:
        InvalidArgument: what is to be frozen is read nowhere.
    """
    if not target.is_python:
        return fallback(target, given, options, _not_python(target), (), on_fallback)
    function = cast(types.FunctionType, target.function)
    budget = budget or Budget()
    rewriter = _rewriter(budget)
    rewritten: Rewritten | None = None
    asked = {"freezer": freezer, "budget": budget, "operators": operators}
    try:
        rewritten = rewriter(function)
        recording = _recording(function, given, options, rewriter, changing, **asked)
        if not options.include_generators:
            recording = baked(recording, given)
        chosen = chosen_passes(recording, given, options)
        entrances = entrances_of(function, recording, given)
        recording = told_apart(recording, entrances)
        graph, choice = _compiled(target, recording, chosen, options, budget, entrances)
    except (Uncapturable, Exhausted) as stop:
        guards = dict.fromkeys((*argument_guards(given), *stop.guards))
        entry = fallback(target, given, options, stop.reason, tuple(guards), on_fallback, rewritten, failed)
        put_off = isinstance(stop, Exhausted) and budget.is_short
        unfinished = put_off or (isinstance(stop, Exhausted) and stop.unfinished)
        return replace(entry, unfinished=unfinished, put_off=put_off)
    if freezer is not None:
        freezer.check(_reads(recording), Location.of(function.__code__))
    if options.fullgraph and (left := [*recording.plain_calls, *_of_others(recording, function)]):
        reason = left[0]
        return fallback(target, given, options, reason, recording.guards, on_fallback, rewritten)
    if options.native and choice.refused is not None:
        return fallback(target, given, options, choice.refused, recording.guards, on_fallback, rewritten)
    found = Stages(rewritten, recording, graph, choice.executable, failed=failed, declined=choice.refused)
    return _captured(target, given, found)


def recorded_stages(
    target: Target, given: Mapping[str, Any], changing: frozenset[Path], operators: Mapping[int, Any]
) -> Stages:
    """The stages of a capture that is not run itself: its graph is as it was recorded, and there is no program.

    Args:
        target: what is captured.
        given: the arguments by parameter name.
        changing: as for `specialise`.
        operators: as for `specialise`.
    """
    if not target.is_python:
        return Stages(fallback=_not_python(target))
    function, options, budget = cast(types.FunctionType, target.function), Options(), Budget.on_request()
    rewriter = _rewriter(budget)
    rewritten: Rewritten | None = None
    try:
        rewritten = rewriter(function)
        asked = {"budget": budget, "operators": operators}
        recording = _recording(function, given, options, rewriter, changing, **asked)
        _afford(budget, recording, function)
    except (Uncapturable, Exhausted) as stop:
        return Stages(rewritten, fallback=stop.reason)
    return Stages(rewritten, recording, _graph(target, recording, recording.block))


def _not_python(target: Target) -> Reason:
    return Reason("AT101", f"`{target.name}` is no function of Python code: there is nothing to capture")


def _rewriter(budget: Budget) -> Callable[[types.FunctionType], Rewritten]:
    """What rewrites functions within a budget; each attempt of a trace asks for the same ones."""
    return functools.cache(functools.partial(_rewrite_within, budget))


def _recording(
    function: types.FunctionType,
    given: Mapping[str, Any],
    options: Options,
    rewriter: Callable[[types.FunctionType], Rewritten],
    changing: frozenset[Path],
    **asked: Any,
) -> Recording:
    """Trace a function, in the way that fixes least; ``asked`` as `trace` takes it.

    Raises:
        Uncapturable: it can't be captured.
        Exhausted: the budget is used up.
    """
    left_out = only_tells if options.effects == "drop" else None
    names, known = options.static_argnames, options.lessons
    capture = functools.partial(
        trace, function, given, rewriter, names, left_out=left_out, lessons=known, **asked
    )
    return _general(capture, changing) or capture()


def _of_others(recording: Recording, function: types.FunctionType) -> Iterator[Reason]:
    """The calls of other compiled functions, which may be left to plain Python by their own options."""
    return (
        reason for reason in recording.graph_calls if reason.callee is None or reason.callee() is not function
    )


def _captured(target: Target, given: Mapping[str, Any], stages: Stages) -> Entry:
    """The entry for a function that was captured."""
    recording, graph, executable = stages.recording, stages.graph, stages.executable
    assert recording is not None and graph is not None and executable is not None
    events.emit("graph", f"graph of {graph.name}", graph)
    function = cast(types.FunctionType, target.function)
    guards = (unedited(function, Root(function, target.name)), *recording.guards)
    run = Specialisation(guards, target.omitted(given), (), executable.function)
    return with_executable(Entry(run, replace(stages, recording=noted(recording, graph, target))), executable)


def with_executable(entry: Entry, executable: Executable) -> Entry:
    """Return the entry of a function that was captured, with another program for its graph."""
    graph = entry.stages.graph
    assert graph is not None
    events.emit("source", f"source of {graph.name}", executable)
    inputs = tuple(graph.inputs[index] for index in executable.used)
    run = replace(entry.specialisation, inputs=inputs, run=executable.function)
    return Entry(run, replace(entry.stages, executable=executable))


def _reads(recording: Recording) -> Iterator[Path]:
    """The paths from outside that a capture reads or guards."""
    paths = [item.path for item in recording.inputs]
    paths += [path for guard in recording.guards for path in paths_of(guard)]
    return (path for path in paths if not isinstance(path, Argument | Root | Derived))


def _general(capture: Callable[..., Recording], changing: frozenset[Path]) -> Recording | None:
    """Return a capture that fixes nothing of what has changed; ``None`` where that captures less."""
    if not changing:
        return None
    try:
        found = capture(changing=changing)
    except Uncapturable:
        return None
    if not found.promoted or found.plain_calls:
        return None
    if found.operators:
        return found  # methods of what they return are known when they run
    unknown = _unknown_calls(found.block)
    return found if not unknown or unknown <= _unknown_calls(capture().block) else None


def _unknown_calls(block: Block) -> int:
    """Count the calls of functions that only the running program knows."""
    return sum(node.op == "call" and isinstance(node.inputs[0], Value) for node in nodes(block))


def _rewrite_within(budget: Budget, function: types.FunctionType) -> Rewritten:
    """Rewrite a function as part of a capture.

    Raises:
        Exhausted: the budget is used up.
    """
    work = 0 if is_rewritten(function) else to_rewrite(code_of(function))
    budget.rewriting += work
    if budget.spend(work):
        raise used_up(function.__name__, Location.of(function.__code__))
    return rewrite_or_refuse(function)


def rewrite_or_refuse(function: types.FunctionType) -> Rewritten:
    """Rewrite a function; if that fails, return it unchanged with the reason."""
    try:
        return rewrite(function)
    except Exception as error:
        return Rewritten("", (_refusal(error, function, "rewriting"),))


def _compiled(
    target: Target,
    recording: Recording,
    chosen: Sequence[Pass],
    options: Options,
    budget: Budget,
    entrances: Entrances,
) -> tuple[Graph, Choice]:
    """Run the passes on a recording and give it to a backend.

    Raises:
        Uncapturable: something went wrong in one of them.
        Exhausted: the recording is too long for what is left of the budget.
        ForkedAfterJax: JAX can't run in this process.
    """
    function = target.function
    _afford(budget, recording, function)
    try:
        block = passes.run(recording.block, chosen, check=_debugging())
        graph = _graph(target, recording, block)
        file = function.__code__.co_filename
        start = Location.of(function.__code__)
        choice = compile_block(
            block,
            recording.result,
            graph.name,
            file,
            options.backend,
            target.module,
            start,
            entrances,
            options.mode,
        )
        return graph, choice
    except ForkedAfterJax:
        raise
    except Exception as error:
        raise Uncapturable(_refusal(error, function, "compilation")) from None


def _afford(budget: Budget, recording: Recording, function: Callable[..., Any]) -> None:
    """Spend on the passes of a recording.

    Raises:
        Exhausted: it is too long for what is left of the budget.
    """
    if budget.spend(recording.work):
        raise used_up(function.__name__, Location.of(code_of(function)))


def _graph(target: Target, recording: Recording, block: Block) -> Graph:
    """A recording as a graph, with the block that the passes made of it."""
    return Graph(
        target.function.__name__,
        target.signature,
        block,
        recording.result,
        tuple(item.path for item in recording.inputs),
        recording.guards,
        guarded_at=recording.guarded_at,
        on_request=recording.on_request,
    )


def optimised(block: Block, function: Callable[..., Any]) -> Block:
    """Run the passes on the block of a function that is frozen.

    Raises:
        NotCaptured: it nests too deeply for them.
    """
    try:
        return passes.run(block)
    except Exception as error:
        raise NotCaptured(_refusal(error, function, "compilation")) from None


def _refusal(error: Exception, function: Callable[..., Any], stage: str) -> Reason:
    """Return the reason for a fallback after an exception in a stage: a limit of Python, or a fault of astrace."""
    name, where = function.__qualname__, Location.of(function.__code__)
    if _is_limit(error):
        what = error.msg if isinstance(error, SyntaxError) else type(error).__name__
        message = f"`{name}` nests too deeply: {what} in {stage}"
        return Reason("AT208", message, where, "split it into smaller functions")
    if _debugging():
        raise error
    LOG.warning("%s of %s failed inside astrace", stage, name, exc_info=error)
    message = f"{stage} failed inside astrace with {type(error).__name__}: {error}"
    return Reason("AT299", message, where, "please report it")


def _is_limit(error: Exception) -> bool:
    """Return whether an exception tells of a limit of Python: too deep calls, indentation, blocks or parentheses."""
    nested = isinstance(error, SyntaxError) and error.msg.startswith("too many ")
    return nested or isinstance(error, RecursionError | MemoryError)


def _debugging() -> bool:
    return bool(os.environ.get("ASTRACE_DEBUG"))


def fallback(
    target: Target,
    given: Mapping[str, Any],
    options: Options,
    reason: Reason,
    guards: tuple[Guard, ...],
    on_fallback: Callable[[], object],
    rewritten: Rewritten | None = None,
    failed: tuple[Failure, ...] = (),
) -> Entry:
    """A specialisation that runs the plain function, or raises `NotCaptured` where ``fullgraph`` forbids that."""
    if options.fullgraph:
        on_fallback = functools.partial(_refuse, reason)
    else:
        events.emit("fallback", f"{target.name} runs as plain Python", reason)
    plain = Specialisation(guards, target.omitted(given), (), target.function, on_fallback)
    return Entry(plain, Stages(rewritten, fallback=reason, failed=failed))


def _refuse(reason: Reason) -> NoReturn:
    raise NotCaptured(reason)


def argument_guards(given: Mapping[str, Any]) -> tuple[Guard, ...]:
    """Return guards on the types of the arguments of a call that can't be captured, to recognise later ones."""
    guards: list[Guard] = []
    for name, value in given.items():
        kind: type[Any] = type(value)
        scalar = kind in NUMBERS or (issubclass(kind, np.generic) and not kind.__flags__ & HEAP_TYPE)
        if not scalar and kind is not np.ndarray:
            guards.append(HasType(Argument(name), kind))  # further checks might run its code
            continue
        spec = spec_of(value)
        if isinstance(spec, ArraySpec):
            spec = ArraySpec((None,) * len(spec.shape), spec.dtype)
        numeric = isinstance(spec, ArraySpec | GenericSpec | ScalarSpec)
        guards.append(Fits(Argument(name), spec) if numeric else HasType(Argument(name), kind))
    return tuple(guards)
