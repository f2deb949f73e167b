"""The stamp of an export: a JSON file beside it that tells what it was derived from, and its hash.

An export is derived and may be made again at any time; the graph is the truth.  So the stamp ties the two: `check` says
whether a file is the one that was exported, from this very graph.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from astrace.bundle.codec.graph_encoder import GraphEncoder
from astrace.bundle.codec.json_text import dumps, loads
from astrace.bundle.codes import refused
from astrace.bundle.files.disk import Disk, hint_for, new_mode
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.errors import InvalidArgument
from astrace.util.validation import shown

ENDING: Final = ".stamp.json"
FIELDS: Final = frozenset({"kind", "versions", "graph", "export", "interface"})
LARGEST: Final = 2**20
DISK: Final = Disk()
HINT: Final = "export the graph again"


def graph_hash(graph: FrozenGraph) -> str:
    """The hash of a graph: of all that decides what it computes, and of its arrays.

    Raises:
        BundleError: it can't be saved.
    """
    encoder = GraphEncoder(graph, {})
    told = hashlib.sha256(dumps(encoder.data()))
    for name, content in sorted(encoder.values.files.items()):
        told.update(name.encode() + hashlib.sha256(content).digest())
    return told.hexdigest()


def target(path: Any) -> Path:
    """The file that an export is written to.

    Raises:
        InvalidArgument: it is no path.
        BundleError: something is there that is no export.
    """
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise InvalidArgument(f"export: a path is a text or a Path, not {shown(path)}")
    found = Path(path)
    if not os.path.lexists(found) or (found.is_file() and not found.stat().st_size):
        return found
    if not found.is_file() or not Path(f"{os.fspath(path)}{ENDING}").is_file():
        hint = "remove it first, or give another path"
        raise refused("AB206", f"{found} is there, and is no export that has a stamp beside it", hint)
    return found


def write(path: str | os.PathLike[str], content: bytes, stamp: Mapping[str, Any], disk: Disk = DISK) -> None:
    """Write an export and its stamp, each of them whole.

    Args:
        path: where to.
        content: the export.
        stamp: what it was derived from; its own hash is added.
        disk: does it.

    Raises:
        BundleError: it can't be written.
    """
    told = dumps({**stamp, "export": hashlib.sha256(content).hexdigest()})
    for place, held in ((Path(path), content), (Path(f"{os.fspath(path)}{ENDING}"), told)):
        try:
            made = disk.make_file(place.parent, f".{place.name}.")
            disk.write(made, [held])
            disk.set_mode(made, new_mode(0o666))
            disk.rename(made, place)
        except OSError as error:
            message = f"{place}: the export can't be written ({error.strerror or error})"
            raise refused("AB207", message, hint_for(error)) from None


def check(path: str | os.PathLike[str], graph: FrozenGraph) -> dict[str, Any]:
    """Make sure that a file is what was exported from a graph; return its stamp.

    Args:
        path: the export.
        graph: the graph.

    Raises:
        BundleError: there is no stamp, or the file or the graph is another one.
    """
    if not isinstance(path, str | os.PathLike):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(f"check_export: a path is a text or a Path, not {shown(path)}")
    try:
        content = Path(path).read_bytes()
        held = Path(f"{os.fspath(path)}{ENDING}").read_bytes()
    except OSError as error:
        raise refused(
            "AB401", f"{path}: there is no export with its stamp ({error.strerror})", HINT
        ) from None
    stamp = loads(held, ENDING, LARGEST)
    if type(stamp) is not dict or stamp.keys() != FIELDS:
        raise refused("AB401", f"{path}: the stamp of the export is none", HINT)
    if stamp["export"] != hashlib.sha256(content).hexdigest():
        raise refused("AB401", f"{path}: the file is another one than was exported", HINT)
    if stamp["graph"] != graph_hash(graph):
        raise refused("AB401", f"{path}: it was exported from another graph", HINT)
    return stamp
