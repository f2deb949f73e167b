"""A graph with operators that are made anew from its bundle, as loading makes them: for calls that are recorded.

What a saved graph gives at its first call must not depend on what its operators did before it was saved.
"""

from __future__ import annotations

import contextlib
import tempfile
import types
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from astrace.bundle.codec.graph_decoder import DecodedGraph
from astrace.bundle.contents import decode
from astrace.bundle.files.asset_store import AssetStore
from astrace.bundle.operator_data import ASSETS_FOLDER, read_records
from astrace.bundle.operators import make_operators
from astrace.pipelines.records import PipelineRecord


@contextlib.contextmanager
def with_new_operators(
    pipeline: PipelineRecord, contents: Mapping[str, bytes]
) -> Generator[tuple[DecodedGraph, PipelineRecord]]:
    """The graph of a bundle's members, with operators of its own; their files are there until it ends.

    Args:
        pipeline: the operators of the graph that is saved.
        contents: the members.
    """
    records = read_records(contents.__getitem__, contents)
    with tempfile.TemporaryDirectory(prefix="astrace-examples-") as folder:
        for name, content in contents.items():
            if name.startswith(f"{ASSETS_FOLDER}/"):
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        store = AssetStore(Path(folder), records.assets, contents.__getitem__)
        made = make_operators(records, _known(pipeline), store)
        graph, _, _ = decode(contents.__getitem__, contents, dict(made.names.values()))
        yield graph, made


def _known(pipeline: PipelineRecord) -> dict[str, Any]:
    """The classes and functions that operators are made of, as `astrace.load` is passed them; some of these as they are."""
    live = dict(pipeline.names.values())
    targets = {one.name: one.target for one in pipeline.operators if one.kind != "builtin"}
    found = {
        target: live[name] if isinstance(live[name], types.FunctionType) else type(live[name])
        for name, target in targets.items()
    }
    return {**pipeline.bulk.classes, **found, **{name: live[name] for name in pipeline.given}}
