"""`load`: a graph from a bundle.

One way to load, with every check: the container, the hash of each member, the data, the tables of what bundles may
have, the rules of the IR.  Nothing of a bundle is executed but the operations of the tables, nothing is imported by
name, nothing is unpickled.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from astrace.bundle.codes import broken
from astrace.bundle.contents import ReadBundle, decode, signature_text
from astrace.bundle.files.manifest import Manifest
from astrace.bundle.files.reader import open_bundle
from astrace.bundle.portable_graph import PortableGraph
from astrace.errors import InvalidArgument
from astrace.util.validation import shown

NONE: Final[Mapping[str, Any]] = MappingProxyType({})


def load(path: str | os.PathLike[str], *, operators: Mapping[str, Any] = NONE) -> PortableGraph:
    """Load a graph that was saved.

    Args:
        path: a bundle: a folder or a zip file.
        operators: what the bundle is to have under the names of the operators that it needs.

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
    graph = found.graph
    return PortableGraph(
        name=graph.name,
        signature=graph.signature,
        block=graph.block,
        result=graph.result,
        inputs=graph.inputs,
        guards=graph.guards,
        guarded_at=graph.guarded_at,
        frozen=graph.frozen,
        on_request=graph.on_request,
        asked=graph.guards,
        metadata=found.metadata,
        examples=found.examples,
    )


def read(path: Any, operators: Any = NONE) -> ReadBundle:
    """Read and check everything that is in a bundle.

    Args:
        path: the bundle.
        operators: those that the loading program passes, by name.

    Raises:
        BundleError: it is not as astrace writes them, or needs other operators.
        InvalidArgument: the path or the operators are none.
    """
    if not isinstance(path, str | os.PathLike):
        raise InvalidArgument(f"load: a path is a text or a Path, not {shown(path)}")
    if not isinstance(operators, Mapping) or not all(isinstance(name, str) for name in operators):
        raise InvalidArgument(f"load: operators are a dict of operators by name, not {shown(operators)}")
    bundle = open_bundle(path)
    manifest = bundle.manifest
    _require(manifest, operators)
    contents = {name: bundle.read(name) for name in manifest.members}

    def member(name: str) -> bytes:
        if name not in contents:
            raise broken("AB107", f"there is no `{name}`")
        return contents[name]

    graph, metadata, examples = decode(member, contents, operators)
    if (manifest.name, manifest.signature) != (graph.name, signature_text(graph.signature)):
        raise broken("AB107", "the manifest tells another name or signature than the graph has")
    return ReadBundle(graph, metadata, examples, manifest)


def _require(manifest: Manifest, operators: Mapping[str, Any]) -> None:
    """Refuse a bundle that needs operators which were not passed.

    Raises:
        BundleError: it does; all that are missing are listed.
    """
    missing = [row["name"] for row in manifest.required_operators if row["name"] not in operators]
    if missing:
        listed = ", ".join(f"{name!r:.80}" for name in missing[:20])
        hint = "pass them: astrace.load(path, operators={" + f"{missing[0]!r:.80}: ..." + "})"
        raise broken("AB115", f"the bundle needs the operators {listed}", hint)
