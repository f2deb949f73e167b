"""Passes that options ask for beyond the usual ones: no effects, cached arrays, baked generators."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astrace import passes
from astrace.compiler.graph import Graph
from astrace.compiler.stages import Options
from astrace.compiler.target import Target
from astrace.guards.access_paths import LOOKUP_ERRORS, Argument, Path, steps
from astrace.guards.kinds import Fits
from astrace.locations import Location
from astrace.passes.analysis.dependence import depends_on
from astrace.passes.bake.random_draws import bake_generators
from astrace.passes.cache_arrays import cache_arrays
from astrace.passes.dead_nodes import drop_dead_nodes
from astrace.passes.drop_effects import drop_effects
from astrace.passes.pipeline import Pass
from astrace.tracing.notes import Note
from astrace.tracing.trace import Recording
from astrace.util.code_stubs import code_of


def chosen_passes(recording: Recording, given: Mapping[str, Any], options: Options) -> list[Pass]:
    """The usual passes, with those that options ask for.

    Args:
        recording: what they are to run on.
        given: the arguments it was made for, by parameter name.
        options: how to compile.
    """
    found = list(passes.PASSES)
    if options.effects == "drop":
        streams = [item.value for item in recording.inputs if _is_stream(_at(item.path, given))]
        drop = Pass("effects", functools.partial(drop_effects, streams=streams))
        sweep = Pass("dead_nodes", functools.partial(drop_dead_nodes, keep_errors=False))
        found = [drop, sweep, drop, *found, sweep]  # again: the conditions of dropped effects are unused now
    if options.array_caching:
        found += [Pass("arrays", cache_arrays), Pass("dead_nodes", drop_dead_nodes)]
    return found


def baked(recording: Recording, given: Mapping[str, Any]) -> Recording:
    """The recording with its generators baked in, and a note for each.

    Raises:
        InvalidArgument: a random draw depends on the arguments.
    """
    outside = [item for item in recording.inputs if not isinstance(steps(item.path)[-1], Argument)]
    block, constants = bake_generators(
        recording.block, {item.value: _at(item.path, given) for item in outside}
    )
    told = "computed while capturing, the same at every call"
    notes = [Note("AT021", told, constant.origin.location) for constant in constants]
    frozen = (*recording.on_request, *constants)
    return replace(recording, block=block, notes=(*recording.notes, *notes), on_request=frozen)


def noted(recording: Recording, graph: Graph, target: Target) -> Recording:
    """The recording with a note if the result is the same whatever the arguments are."""
    if not graph.signature.parameters or len(graph.signature.parameters) <= len(target.first):
        return recording
    arguments = [
        value
        for value, path in zip(graph.block.inputs, graph.inputs, strict=True)
        if isinstance(steps(path)[-1], Argument)
    ]
    decided = any(
        isinstance(steps(guard.path)[-1], Argument) and not isinstance(guard, Fits) for guard in graph.guards
    )
    if decided or depends_on(graph.block, arguments):
        return recording
    where = Location.of(code_of(target.function)) if target.is_python else None
    note = Note("AT020", "the result is the same for all arguments of these types", where)
    return replace(recording, notes=(*recording.notes, note))


def _is_stream(value: Any) -> bool:
    return any(value is stream for stream in (sys.stdout, sys.stderr))


def _at(path: Path, given: Mapping[str, Any]) -> Any:
    """Return what a path leads to, or ``None`` where only the program itself fills that place."""
    try:
        return path.follow(given)
    except LOOKUP_ERRORS:
        return None
