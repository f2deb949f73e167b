"""One call's arguments to one specialisation: the four stages in a row, or the plain function with a reason.

Takes what is compiled and the arguments of a call, gives an entry of the compiler's cache.  It keeps
nothing, and knows nothing of other specialisations.
"""

from __future__ import annotations

import os
import types
from collections.abc import Callable, Mapping
from typing import Any, cast

from astrace import events, passes
from astrace.backends import numpy as numpy_backend
from astrace.dispatch import Specialisation
from astrace.errors import NotCaptured, Reason
from astrace.graph import Graph
from astrace.guards import Fits, Guard, HasType
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, spec_of
from astrace.paths import Argument
from astrace.rewrite.pipeline import Rewritten, rewrite
from astrace.stages import Entry, Options, Stages
from astrace.targets import Target
from astrace.tracing.stops import Uncapturable
from astrace.tracing.trace import Recording, trace


def specialise(
    target: Target, given: Mapping[str, Any], options: Options, on_fallback: Callable[[], object]
) -> Entry:
    """Capture a function for calls like this one.

    Args:
        target: what is compiled.
        given: the call's arguments by parameter name.
        options: how to compile.
        on_fallback: told of each call that runs as plain Python.

    Raises:
        NotCaptured: something would run as plain Python, and ``fullgraph`` forbids it.
    """
    if not target.is_python:
        reason = Reason("AT101", f"`{target.name}` is not written in Python: there is nothing to capture")
        return fallback(target, given, options, reason, (), on_fallback)
    function = cast(types.FunctionType, target.function)
    rewritten = rewrite(function)
    try:
        recording = trace(function, given, rewrite, static=options.static_argnames)
    except Uncapturable as stop:
        guards = argument_guards(given)
        return fallback(target, given, options, stop.reason, guards, on_fallback, rewritten)
    if options.fullgraph and recording.plain_calls:
        raise NotCaptured(recording.plain_calls[0])
    return _captured(target, given, rewritten, recording)


def _captured(target: Target, given: Mapping[str, Any], rewritten: Rewritten, recording: Recording) -> Entry:
    """From the recording on: passes, backend, and what the dispatcher needs to know."""
    name = target.function.__name__
    block = passes.run(recording.block, check=bool(os.environ.get("ASTRACE_DEBUG")))
    paths = tuple(item.path for item in recording.inputs)
    graph = Graph(name, target.signature, block, recording.result, paths, recording.guards)
    file = target.function.__code__.co_filename
    executable = numpy_backend.compile_block(block, recording.result, name, file)
    events.emit("graph", f"graph of {name}", graph)
    events.emit("source", f"source of {name}", executable)
    inputs = tuple(paths[index] for index in executable.used)
    run = Specialisation(recording.guards, target.omitted(given), inputs, executable.function)
    return Entry(run, Stages(rewritten, recording, graph, executable))


def fallback(
    target: Target,
    given: Mapping[str, Any],
    options: Options,
    reason: Reason,
    guards: tuple[Guard, ...],
    on_fallback: Callable[[], object],
    rewritten: Rewritten | None = None,
) -> Entry:
    """A specialisation that runs the plain function.

    Raises:
        NotCaptured: ``fullgraph`` forbids it.
    """
    if options.fullgraph:
        raise NotCaptured(reason)
    events.emit("fallback", f"{target.name} runs as plain Python", reason)
    plain = Specialisation(guards, target.omitted(given), (), target.function, on_fallback)
    return Entry(plain, Stages(rewritten, fallback=reason))


def argument_guards(given: Mapping[str, Any]) -> tuple[Guard, ...]:
    """What the arguments of a call that can't be captured have in common with later ones: their types."""
    guards: list[Guard] = []
    for name, value in given.items():
        spec = spec_of(value)
        if isinstance(spec, ArraySpec):
            spec = ArraySpec((None,) * len(spec.shape), spec.dtype)
        numeric = isinstance(spec, ArraySpec | GenericSpec | ScalarSpec)
        guards.append(Fits(Argument(name), spec) if numeric else HasType(Argument(name), type(value)))
    return tuple(guards)
