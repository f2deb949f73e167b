"""``astrace cache info|clear``: what the cache on disk holds, and removing it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

from astrace.util.disk_cache import folder as folders
from astrace.util.disk_cache.store import LIMIT, DiskCache


def add_command(commands: Any) -> None:
    """Add ``cache`` to the commands of a parser."""
    what = "show or clear the cache on disk"
    parser = commands.add_parser("cache", help=what, description=f"{what.capitalize()}.")
    actions = parser.add_subparsers(metavar="action", required=True)
    info = actions.add_parser("info", help="show where it is and what it holds")
    info.set_defaults(run=_info)
    clear = actions.add_parser("clear", help="remove all entries")
    clear.set_defaults(run=_clear)


def _info(_options: argparse.Namespace) -> int:
    """The command ``cache info``."""
    try:
        print("\n".join(described()))
    except folders.Unusable as error:
        print(f"there is no cache: {error}")
    return 0


def described() -> Iterator[str]:
    """Yield lines about the cache: where it is and what it holds.

    Raises:
        Unusable: there is none.
    """
    store = _opened()
    counts, sizes = Counter[str](), Counter[str]()
    for file in store.files():
        counts[file.kind] += 1
        sizes[file.kind] += file.size
    yield f"folder   {store.folder}"
    yield f"entries  {counts.total()}, {_megabytes(sizes.total())} of at most {_megabytes(LIMIT)}"
    for kind in sorted(counts):
        yield f"  {kind}: {counts[kind]}, {_megabytes(sizes[kind])}"


def _clear(_options: argparse.Namespace) -> int:
    """The command ``cache clear``."""
    try:
        store = _opened()
    except folders.Unusable as error:
        print(f"there is no cache: {error}")
        return 0
    print(f"{store.clear()} entries removed from {store.folder}")
    return 0


def _opened() -> DiskCache:
    """The cache that the environment asks for.

    Raises:
        Unusable: there is none.
    """
    folder = folders.wanted()
    if folder.exists():
        folders.prepare(folder)
    return DiskCache(folder)


def _megabytes(size: int) -> str:
    return f"{size / (1 << 20):.1f} MB"
