"""The converted text of functions, out of the cache on disk, or made now and kept for the next process.

The conversion, and libcst with it, are imported where nothing is kept: the import takes longer than most captures.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from astrace.rewrite.converted import Converted
from astrace.rewrite.source import FunctionSource
from astrace.util import parsing
from astrace.util.disk_cache.entries import key_of
from astrace.util.disk_cache.store import current
from astrace.util.own_work import loading_modules
from astrace.version import __version__

KIND: Final = "rewritten"


def converted(source: FunctionSource) -> Converted:
    """Return the converted form of a function, from the cache on disk if it is there.

    Args:
        source: where the function came from.

    Raises:
        Unconverted: it has none.
    """
    cache = current()
    if cache is None:
        return _made(source)
    key = _key(source)
    found = _unpacked(cache.get(KIND, key))
    if found is None:
        found = _made(source)
        cache.put(KIND, key, _packed(found))
    return found


def _made(source: FunctionSource) -> Converted:
    with loading_modules():
        from astrace.rewrite.conversion import conversion

    return conversion(source)


def _key(source: FunctionSource) -> bytes:
    """The key of an entry: all that the steps of the conversion look at."""
    return key_of(KIND, source.text, source.line, isinstance(source.node, ast.Lambda), _rewriter())


@functools.cache
def _rewriter() -> tuple[str, ...]:
    """Return what converts: versions, and the texts of the modules that take part."""
    files = [*sorted(Path(__file__).parent.glob("*.py")), Path(parsing.__file__)]
    digest = hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
    return (__version__, digest, sys.version, importlib.metadata.version("libcst"))


def _packed(made: Converted) -> bytes:
    data = {one.name: getattr(made, one.name) for one in fields(made)}
    return json.dumps({name: one if name == "text" else sorted(one) for name, one in data.items()}).encode()


def _unpacked(payload: bytes | None) -> Converted | None:
    """Return what was kept; ``None`` where there is none, or it is nothing that was packed here."""
    if payload is None:
        return None
    try:
        data: dict[str, Any] = json.loads(payload)
        names = {one.name: {str(name) for name in data[one.name]} for one in fields(Converted)[1:]}
        return Converted(str(data["text"]), **names)
    except (KeyError, TypeError, ValueError):
        return None
