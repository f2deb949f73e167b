"""Operators made again from their records and compared with those that were recorded, before they are saved.

An operator is its constructor and its arguments.  That is a custom and no promise: an argument may be no longer what was given,
a dataclass may change its fields each time it is made, and a model may have been changed since.  What is made again has to
hold, attribute by attribute, what the operator held when it was made or when the pipeline was traced: so state that calls
change begins anew, and numbers that would come back as others are noticed.  What differs each time is not compared.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from astrace.pipelines.constructors import Construction, construction_of
from astrace.pipelines.fingerprints import difference, fingerprint
from astrace.pipelines.records import PipelineRecord, recreated
from astrace.pipelines.torch_modules import is_module
from astrace.pipelines.traced_state import TracedState, argument_prints


def changed_operator(pipeline: PipelineRecord) -> tuple[str, str] | None:
    """The first operator that would come back as another one.

    Args:
        pipeline: operators that were recorded.  None is looked at that comes from a bundle: it is what was made again.

    Returns:
        Its name, and what differs; ``None`` where there is none.
    """
    if not pipeline.traced:
        return None
    made: dict[str, Any] = {}
    try:
        _remake(pipeline, made)
    except Exception as error:  # the constructor's, of any kind
        return _changed_model(pipeline) or (_unmade(pipeline, made), RAISED.format(shown_error(error)))
    if _first(pipeline, made, {}) is None:
        return None
    again: dict[str, Any] = {}
    _remake(pipeline, again)
    return _first(pipeline, made, again)


RAISED: Final = "made again from what was recorded, it raises {}"
CHANGED: Final = "made again from what was recorded, it has another {}: what was changed after it was made, or is changed each time it is made, is not saved"


def shown_error(error: BaseException) -> str:
    """An error on one line."""
    return f"{type(error).__name__}: {str(error)[:200]}"


def _remake(pipeline: PipelineRecord, made: dict[str, Any]) -> None:
    """Make the operators again, with the files where they were captured."""
    live = dict(pipeline.names.values())
    targets = {one.target: live[one.name] for one in pipeline.operators}
    classes = {
        target: one if isinstance(one, types.FunctionType) else type(one) for target, one in targets.items()
    }
    paths = {one.key: one.path for one in pipeline.assets.uses if one.key}

    def asset(place: str) -> str:
        return paths[pipeline.assets[place].key]

    recreated(pipeline.operators, {**pipeline.bulk.classes, **classes}, asset, pipeline.bulk, into=made)


def _unmade(pipeline: PipelineRecord, made: Mapping[str, Any]) -> str:
    return next((one.name for one in pipeline.operators if one.name not in made), "")


def _changed_model(pipeline: PipelineRecord) -> tuple[str, str] | None:
    """The first model that is another one than its constructor makes, whatever its weights are."""
    records = tuple(replace(one, state=None) for one in pipeline.operators)
    made: dict[str, Any] = {}
    try:
        _remake(replace(pipeline, operators=records), made)
    except Exception:
        return None
    return _first(pipeline, {name: one for name, one in made.items() if is_module(one)}, {})


def _first(
    pipeline: PipelineRecord, made: Mapping[str, Any], again: Mapping[str, Any]
) -> tuple[str, str] | None:
    """The first operator that was made as another one, and the attribute or argument that tells it."""
    live = dict(pipeline.names.values())
    for name, traced in pipeline.traced.items():
        found = construction_of(made.get(name))
        if found is None:
            continue
        repeated = construction_of(again.get(name))
        place = _argument(traced, found, repeated) or _attribute(live[name], traced, found, repeated)
        if place:
            return name, CHANGED.format(place)
    return None


def _argument(traced: TracedState, found: Construction, repeated: Construction | None) -> str:
    """The argument that was another one; empty if there is none."""
    others = argument_prints(repeated) if repeated is not None else [None] * len(traced.arguments)
    for given, one, before, other in zip(
        found.arguments, argument_prints(found), traced.arguments, others, strict=True
    ):
        place = difference(one, [before], other)
        if place is not None:
            return f"argument `{given.parameter}{place}`"
    return ""


def _attribute(live: Any, traced: TracedState, found: Construction, repeated: Construction | None) -> str:
    """The attribute that was another one; empty if there is none."""
    before = construction_of(live)
    if found.made is None or before is None or before.made is None:
        return ""
    if is_module(live):  # of its state, only the weights are saved
        place = difference(found.made, [traced.state], None)
    else:
        known = [before.made, traced.state, fingerprint(live, before.spelled)]
        place = difference(found.made, known, None if repeated is None else repeated.made)
    return "" if place is None else f"attribute `{place.removeprefix('.')}`"
