"""`load`: a graph from a bundle.

One way to load, with every check: the container, the hash of each member, the data, the tables of what bundles may
have, the rules of the IR.  Nothing of a bundle is executed but the operations of the tables, nothing is imported by
name, nothing is unpickled.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from astrace.bundle.codes import broken
from astrace.bundle.contents import ReadBundle, decode, signature_text
from astrace.bundle.files.asset_store import AssetStore
from astrace.bundle.files.manifest import Manifest
from astrace.bundle.files.members import SOURCE
from astrace.bundle.files.reader import read_whole
from astrace.bundle.operator_data import manifest_rows, read_records
from astrace.bundle.operators import make_operators, require, unmade_operators
from astrace.bundle.portable_graph import PortableGraph
from astrace.errors import InvalidArgument
from astrace.pipelines.records import PipelineRecord, wanted
from astrace.util.validation import shown


def load(path: str | os.PathLike[str], *, operators: Mapping[str, Any] | Sequence[Any] = ()) -> PortableGraph:
    """Load a graph that was saved.

    Args:
        path: a bundle: a folder or a zip file.
        operators: the classes and functions that the bundle needs: a list of them, or a dict by name.  Operators are made
            again from the classes, with the files of the bundle.  Under the name that one has in the graph an instance
            may be passed instead.

    Returns:
        A graph as `astrace.trace` gives it: called as the function was, with arguments of the kinds it was traced for.

    Raises:
        BundleError: there is no bundle, it is damaged or not as astrace writes them, it is of a newer version, or it
            needs operators that were not passed.

    Example:
        >>> import tempfile, astrace
        >>> import numpy as np
        >>> def scaled(x, rate=2.0):
        ...     return x * rate
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     astrace.trace(scaled, np.ones(2)).save(f"{folder}/scaled")
        ...     graph = load(f"{folder}/scaled")
        >>> graph(np.arange(3.0)), graph.input_names
        (array([0., 2., 4.]), ('x', 'rate'))
    """
    found = read(path, operators)
    granted = tuple(map(str, found.manifest.taken_for_granted))
    told = {"metadata": found.metadata, "examples": found.examples, "granted": granted}
    return PortableGraph.decoded(found.graph, found.pipeline, **told)


def read(path: Any, operators: Any = (), unmade: bool = False) -> ReadBundle:
    """Read and check everything that is in a bundle.

    Args:
        path: the bundle.
        operators: what the loading program passes for its operators.
        unmade: no operator is made; the graph is to be looked at alone.

    Raises:
        BundleError: it is not as astrace writes them, or needs other operators.
        InvalidArgument: the path or the operators are none.
    """
    if not isinstance(path, str | os.PathLike):
        raise InvalidArgument(f"load: a path is a text or a Path, not {shown(path)}")
    if not isinstance(operators, Mapping | list | tuple) or not all(map(_is_operator, _passed(operators))):
        raise InvalidArgument(
            f"load: operators are a list of them, or a dict by name, not {shown(operators)}"
        )
    bundle, contents = read_whole(path)
    manifest = bundle.manifest

    used: set[str] = set()

    def member(name: str) -> bytes:
        if name not in contents:
            raise broken("AB107", f"there is no `{name}`")
        used.add(name)
        return contents[name]

    if not unmade:
        require([row["name"] for row in manifest.required_operators], operators)
    records = read_records(member, contents)
    _compare(manifest, records)
    store = AssetStore(bundle.path if bundle.path.is_dir() else None, records.assets, member)
    pipeline = unmade_operators(records) if unmade else make_operators(records, operators, store)
    graph, metadata, examples = decode(member, contents, dict(pipeline.names.values()))
    if manifest.standalone == SOURCE:
        member(SOURCE)
    unread = contents.keys() - used
    if unread:
        raise broken("AB107", f"nothing in the bundle has a use for `{min(unread)}`")
    if (manifest.name, manifest.signature) != (graph.name, signature_text(graph.signature)):
        raise broken("AB107", "the manifest tells another name or signature than the graph has")
    return ReadBundle(graph, metadata, examples, manifest, pipeline)


def _passed(operators: Any) -> list[Any]:
    return list(operators.items()) if isinstance(operators, Mapping) else [("", one) for one in operators]


def _is_operator(pair: tuple[Any, Any]) -> bool:
    name, value = pair
    return isinstance(name, str) and callable(value)


def _compare(manifest: Manifest, records: PipelineRecord) -> None:
    """Refuse a manifest that tells other operators, or files of them, than there are.

    Raises:
        BundleError: it does.
    """
    if manifest.required_operators != [{"name": name} for name in wanted(records.operators)]:
        raise broken("AB107", "the manifest tells other operators than the bundle has")
    if manifest.assets != manifest_rows(records):
        raise broken("AB107", "the manifest tells other files of operators than the bundle has")
