"""A graph on its way to other processes: the bytes of its bundle, which are loaded once in each of them."""

from __future__ import annotations

import functools
import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from astrace.bundle.load import load
from astrace.bundle.portable_graph import PortableGraph

KEPT: Final = 8
"""The number of graphs that a process keeps loaded."""


@dataclass(frozen=True, slots=True)
class SentGraph:
    """A graph as what can be sent; called with the arguments of one call as a tuple.

    Args:
        digest: the SHA-256 of the bundle, by which a process knows the graph again.
        bundle: the bundle, as one file.
        operators: the classes and functions that it needs.
    """

    digest: str
    bundle: bytes = field(compare=False, repr=False)
    operators: tuple[Any, ...] = field(default=(), repr=False)

    @staticmethod
    def of(graph: PortableGraph, operators: Sequence[Any] = ()) -> SentGraph:
        """A graph as what can be sent.

        Args:
            graph: the graph.
            operators: the classes and functions that it needs, as for `astrace.load`.

        Raises:
            BundleError: it can't be saved, or needs other operators.
        """
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "graph.zip")
            graph.save(path)
            bundle = path.read_bytes()
        sent = SentGraph(hashlib.sha256(bundle).hexdigest(), bundle, tuple(operators))
        _loaded(sent)  # so that what is missing is told here
        return sent

    def __call__(self, args: tuple[Any, ...]) -> Any:
        """Call the graph."""
        return _loaded(self)(*args)


@functools.lru_cache(maxsize=KEPT)
def _loaded(sent: SentGraph) -> PortableGraph:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.zip")
        path.write_bytes(sent.bundle)
        return load(path, operators=sent.operators)
