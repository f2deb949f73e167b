"""The members of a bundle from a graph, and a graph from the members of a bundle.

What is written is read again before it is put anywhere: a bundle that was saved can be loaded.
"""

from __future__ import annotations

import inspect
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from astrace.bundle.codec.graph_decoder import DecodedGraph, decode_graph
from astrace.bundle.codec.graph_encoder import GraphEncoder, file_label, own_signature
from astrace.bundle.codec.json_text import dumps, loads
from astrace.bundle.codec.npy import array_of
from astrace.bundle.codes import broken, refused
from astrace.bundle.examples import ExampleCall, data_of, decode_calls, encode_calls
from astrace.bundle.files.manifest import Manifest, manifest_of
from astrace.bundle.files.members import EXAMPLES, GRAPH, MANIFEST, SOURCE, Member
from astrace.bundle.limits import LARGEST_JSON
from astrace.bundle.operator_data import OPERATORS_MEMBER, read_records
from astrace.bundle.operators import operator_members
from astrace.bundle.standalone import Untold, standalone_source
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.errors import BundleError, SignatureMismatch
from astrace.ir.constants import show
from astrace.ir.values import Constant
from astrace.pipelines.records import PipelineRecord, wanted
from astrace.version import __version__

Call = tuple[tuple[Any, ...], Mapping[str, Any]]
Run = Callable[[tuple[Any, ...], Mapping[str, Any]], Any]


@dataclass(frozen=True, slots=True)
class Extras:
    """What a bundle holds beside a graph.

    Args:
        metadata: what the user says of the graph.
        calls: calls to record.
        granted: what the capture of a graph that was loaded took for granted, as texts.
    """

    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    calls: tuple[Call, ...] = ()
    granted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadBundle:
    """What was read from a bundle.

    Args:
        graph: the graph.
        metadata: what its maker says of it.
        examples: recorded calls.
        manifest: the manifest.
        pipeline: the operators, with what they were made from.
    """

    graph: DecodedGraph
    metadata: dict[str, Any]
    examples: tuple[ExampleCall, ...]
    manifest: Manifest
    pipeline: PipelineRecord


# -- writing -----------------------------------------------------------------------------------------------


def contents_of(graph: FrozenGraph, extras: Extras, run: Run) -> dict[str, bytes]:
    """The members of a graph's bundle.

    Args:
        graph: the graph.
        extras: what goes with it.
        run: calls the graph.

    Raises:
        BundleError: something of it can't be saved.
    """
    pipeline = graph.pipeline
    names = {key: name for key, (name, _) in pipeline.names.items()}
    encoder = GraphEncoder(graph, names)
    data = encoder.data()
    encoder.values.owner = "`metadata`"
    data["metadata"] = encoder.values.encode(dict(extras.metadata))
    contents = {GRAPH: dumps(data), **encoder.values.files}
    told = _add_source(contents, graph, encoder)
    members, assets = operator_members(pipeline)
    contents |= members
    manifest = Manifest(
        name=graph.name,
        signature=signature_text(own_signature(graph)),
        members={name: Member.of(name, content) for name, content in contents.items()},
        versions={"astrace": __version__, "numpy": np.__version__, "python": platform.python_version()},
        required_operators=[{"name": name} for name in wanted(pipeline.operators)],
        assets=assets,
        fixed_reads=[_origin(one) for one in graph.frozen or () if encoder.is_written(one)],
        taken_for_granted=[
            *extras.granted,
            *(str(guard) for guard in graph.guards if guard not in graph.asked),
        ],
        standalone=told,
    )
    contents[MANIFEST] = manifest.content()
    operators = dict(pipeline.names.values())
    _check(contents, operators)
    return with_calls(contents, extras.calls, run, operators) if extras.calls else contents


def with_calls(
    contents: Mapping[str, bytes], calls: tuple[Call, ...], run: Run, operators: Mapping[str, Any]
) -> dict[str, bytes]:
    """The members of a bundle with recorded calls.

    Args:
        contents: the members, without any.
        calls: the calls.
        run: makes them.
        operators: the operators of the graph.

    Raises:
        BundleError: an argument or a result can't be saved.
    """
    made = {**contents, **_recorded(calls, run)}
    members = {name: Member.of(name, content) for name, content in made.items() if name != MANIFEST}
    made[MANIFEST] = replace(manifest_of(contents[MANIFEST]), members=members).content()
    _check(made, operators)
    return made


def signature_text(signature: inspect.Signature) -> str:
    """A signature as Python writes it, with short defaults.

    Example:
        >>> signature_text(inspect.signature(lambda x, *, scale=2.0: x))
        '(x, *, scale=2.0)'
    """
    shown = [
        one if one.default is one.empty else one.replace(default=ShownDefault(one.default))
        for one in signature.parameters.values()
    ]
    return str(signature.replace(parameters=shown))


class ShownDefault:
    """Prints as the short text of a default."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __repr__(self) -> str:
        return show(self._value)


def _origin(constant: Constant) -> list[Any]:
    where = constant.origin.location
    return [constant.origin.path, None if where is None else f"{file_label(where.file)}:{where.line}"]


def _recorded(calls: tuple[Call, ...], run: Run) -> dict[str, bytes]:
    """The member with recorded calls, and its arrays."""
    if not calls:
        return {}
    rows, values = encode_calls(calls)
    kept = data_of(rows, [ExampleCall((), {}) for _ in calls], values)
    copies = decode_calls(kept, _arrays(kept["arrays"], values.files.__getitem__, "examples"))
    outcomes = [_as_now(outcome(one, run)) for one in copies]
    data = data_of(rows, outcomes, values)
    return {EXAMPLES: dumps(data), **values.files}


def _as_now(call: ExampleCall) -> ExampleCall:
    """An outcome as it is now: a later call may change what this one returned.

    Raises:
        BundleError: the result can't be saved.
    """
    rows, values = encode_calls((((), {}),))
    data = data_of(rows, [call], values)
    (made,) = decode_calls(data, _arrays(data["arrays"], values.files.__getitem__, "examples"))
    return made


def outcome(call: ExampleCall, run: Run) -> ExampleCall:
    """A call with what comes out of it.

    Raises:
        SignatureMismatch: it is no call that the graph was made for.
    """
    try:
        return ExampleCall(call.args, call.kwargs, run(call.args, call.kwargs))
    except SignatureMismatch:
        raise
    except Exception as error:  # what a graph raises is its result
        return ExampleCall(call.args, call.kwargs, None, (type(error).__name__, str(error)))


def _add_source(contents: dict[str, bytes], graph: FrozenGraph, encoder: GraphEncoder) -> str:
    """Add the standalone program; return its name, or why there is none."""
    try:
        source = standalone_source(graph, own_signature(graph), encoder.values, __version__)
    except Untold as error:
        return f"none: {error}"
    contents[SOURCE] = source.encode()
    return SOURCE


def _check(contents: Mapping[str, bytes], operators: Mapping[str, Any]) -> None:
    """Read what is to be written.

    Raises:
        BundleError: it could not be loaded.
    """
    for name in (GRAPH, EXAMPLES, OPERATORS_MEMBER):
        size = len(contents.get(name, b""))
        if size > LARGEST_JSON:
            hint = "keep numbers in arrays, and texts in few long ones, or in files"
            raise refused("AB205", f"`{name}` has {size} bytes; the limit is {LARGEST_JSON}", hint)
    try:
        read_records(contents.__getitem__, contents)
        decode(contents.__getitem__, contents, operators)
    except BundleError as error:
        if error.code == "AB106":
            raise refused(
                "AB205",
                f"the graph is too large for a bundle: {error.message}",
                "split it, and keep what is large in arrays and files",
            ) from None
        raise refused(
            "AB203", f"the graph could not be read again: {error.message}", "please report this"
        ) from error


# -- reading -----------------------------------------------------------------------------------------------


def decode(
    read: Callable[[str], bytes], names: Mapping[str, Any], operators: Mapping[str, Any]
) -> tuple[DecodedGraph, dict[str, Any], tuple[ExampleCall, ...]]:
    """The graph, the metadata and the recorded calls of a bundle's members.

    Args:
        read: gives a member, checked.
        names: the members that there are.
        operators: the operators that the loading program passes.

    Raises:
        BundleError: they are not as astrace writes them.
    """
    data = loads(read(GRAPH), GRAPH, LARGEST_JSON)
    if type(data) is not dict or "metadata" not in data or type(data.get("arrays")) is not list:
        raise broken("AB111", f"`{GRAPH}` has not the parts that graphs have")
    metadata = data.pop("metadata")
    graph, values = decode_graph(data, _arrays(data["arrays"], read, "arrays"), operators)
    told = values.decode(metadata)
    if type(told) is not dict:
        raise broken("AB111", "the metadata are no dict")
    if EXAMPLES not in names:
        return graph, told, ()
    held = loads(read(EXAMPLES), EXAMPLES, LARGEST_JSON)
    if type(held) is not dict or type(held.get("arrays")) is not list:
        raise broken("AB111", f"`{EXAMPLES}` has not the parts that examples have")
    return graph, told, decode_calls(held, _arrays(held["arrays"], read, "examples"))


def _arrays(descriptions: Sequence[Any], read: Callable[[str], bytes], folder: str) -> list[Any]:
    names = (f"{folder}/{number}.npy" for number in range(len(descriptions)))
    return [array_of(one, read(name), name) for one, name in zip(descriptions, names, strict=False)]
