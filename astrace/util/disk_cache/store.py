"""Reading, writing and evicting entries, by many processes at a time and without locks.

An entry is written to a file of another name, which is then given its own: a reader finds all of it or nothing.  Two
that write the same entry write the same thing.  What can't be read or written is no entry, and an event tells of it.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import stat
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from astrace.util.audit_hooks import WATCHING, watched
from astrace.util.disk_cache import folder as folders
from astrace.util.disk_cache.entries import HEADER, Corrupt, pack, unpack
from astrace.util.events import emit

LIMIT: Final = 256 << 20
"""Bytes on disk, above which the entries go that were used least recently."""
KEPT_PART: Final = 0.75
"""The part of the limit that eviction leaves, so that it is not needed at once again."""
BETWEEN_LOOKS: Final = 1 / 32
"""The part of the limit that a process may write before it looks at the size of all entries."""
BLOCK: Final = 4096
"""Bytes: the least that a file takes on a disk."""
TOUCHED: Final = 600.0
"""Seconds after which a use of an entry is noted anew."""
ABANDONED: Final = 3600.0
"""Seconds after which a file that is still being written belongs to a process that is no more."""
ENTRY: Final = re.compile(r"[0-9a-f]{64}")
UNFINISHED: Final = re.compile(r"[0-9a-f]{64}\.[0-9a-f]{16}\.part")
READING: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
READING_NOW: Final = READING | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
WRITING: Final = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
)


class EntryFile(NamedTuple):
    """A file of the cache.

    Args:
        path: of the file.
        kind: of the entry.
        size: bytes on disk.
        used: when it was used last, in seconds since the epoch.
    """

    path: Path
    kind: str
    size: int
    used: float


class DiskCache:
    """A folder with entries.

    Args:
        folder: one that `folder.prepare` takes.
        limit: bytes that all entries may take.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder
        self.limit = limit
        self._written = float("inf")  # the first entry that a process writes is a reason to look
        self.counts: Counter[str] = Counter()
        """What was done in this process: ``found``, ``missing``, ``written`` and ``ignored``, each with a kind behind it."""

    def get(self, kind: str, key: bytes) -> bytes | None:
        """Return an entry, if there is one that is as it was written.

        Args:
            kind: what it is for, the name of a folder.
            key: the hash of all that it depends on.
        """
        path = self._path(kind, key)
        with _quietly(f"{path} can't be read"):
            payload = self._read(path, key, kind)
            self.counts[f"{'missing' if payload is None else 'found'} {kind}"] += 1
            return payload
        return None

    def put(self, kind: str, key: bytes, payload: bytes) -> None:
        """Write an entry; where that is not possible, there is none.

        Args:
            kind: what it is for, the name of a folder.
            key: the hash of all that it depends on.
            payload: what is kept.
        """
        path = self._path(kind, key)
        with _quietly(f"{path} can't be written"):
            folders.prepare(path.parent)
            _write(path, pack(key, payload))
            self.counts[f"written {kind}"] += 1
            self._written += _on_disk(HEADER.size + len(payload))
            if self._written > self.limit * BETWEEN_LOOKS:
                self._written = 0
                self.evict()

    def files(self) -> Iterator[EntryFile]:
        """Yield the entries, in no order; files that are none of the cache's are left out."""
        return (file for file in self._all() if ENTRY.fullmatch(file.path.name))

    def evict(self) -> None:
        """Remove the entries that were used least recently, if all take too much; and what was never finished."""
        found = list(self._all())
        now = time.time()
        unfinished = [file for file in found if not ENTRY.fullmatch(file.path.name)]
        _remove(file.path for file in unfinished if now - file.used > ABANDONED)
        total = sum(file.size for file in found)
        if total <= self.limit:
            return
        entries = [file for file in found if ENTRY.fullmatch(file.path.name)]
        for file in sorted(entries, key=lambda one: one.used):
            total -= file.size
            _remove([file.path])
            if total <= self.limit * KEPT_PART:
                break
        emit("cache", f"{self.folder}: the entries used least recently are removed")

    def clear(self) -> int:
        """Remove all entries, and nothing else; return how many there were."""
        return _remove([file.path for file in self._all()])

    def ignore(self, kind: str, key: bytes, why: str) -> None:
        """Remove an entry that can't be used.

        Args:
            kind: what it is for.
            key: the hash of all that it depends on.
            why: for the event.
        """
        path = self._path(kind, key)
        with _quietly(f"{path} can't be removed"):
            self.counts[f"ignored {kind}"] += 1
            emit("cache", f"{path} is ignored: {why}")
            _remove([path])

    def _path(self, kind: str, key: bytes) -> Path:
        return self.folder / kind / key.hex()

    def _read(self, path: Path, key: bytes, kind: str) -> bytes | None:
        try:
            number = os.open(path, READING_NOW)
        except FileNotFoundError:
            return None
        try:
            found = os.fstat(number)
            payload = unpack(key, _content(number, found))
        except Corrupt as error:
            self.ignore(kind, key, str(error))
            return None
        finally:
            os.close(number)
        _touch(path, found)
        return payload

    def _all(self) -> Iterator[EntryFile]:
        """Yield the files that are the cache's by their names."""
        for kind in _scan(self.folder):
            if kind.is_dir(follow_symlinks=False):
                yield from _files(kind)


def _files(kind: os.DirEntry[str]) -> Iterator[EntryFile]:
    for one in _scan(Path(kind.path)):
        if not (ENTRY.fullmatch(one.name) or UNFINISHED.fullmatch(one.name)):
            continue
        with contextlib.suppress(FileNotFoundError):  # another process has removed it
            found = one.stat(follow_symlinks=False)
            yield EntryFile(Path(one.path), kind.name, _on_disk(found.st_size), found.st_mtime)


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except FileNotFoundError:
        return []


def _content(number: int, found: os.stat_result) -> bytes:
    """Return the bytes of a file that is open.

    Raises:
        Corrupt: it is no file, or none of the user's alone.
    """
    fault = folders.fault_of(found) or ("" if stat.S_ISREG(found.st_mode) else "is no file")
    if fault:
        raise Corrupt(f"it {fault}")
    parts: list[bytes] = []
    while part := os.read(number, 1 << 24):
        parts.append(part)
    return b"".join(parts)


def _on_disk(size: int) -> int:
    """Return the bytes that a file of a size takes."""
    return -(-size // BLOCK) * BLOCK


def _write(path: Path, data: bytes) -> None:
    """Write a file as a whole, or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.urandom(8).hex()}.part")
    try:
        handle = os.open(unfinished, WRITING, 0o600)  # for the user alone from the start
        with os.fdopen(handle, "wb") as file:  # not by ``open``, which a program may have replaced
            file.write(data)
        unfinished.replace(path)
    except BaseException:
        _remove([unfinished])
        raise


def _touch(path: Path, found: os.stat_result) -> None:
    """Note that an entry was used."""
    now = time.time()
    if not 0 <= now - found.st_mtime <= TOUCHED:
        with contextlib.suppress(OSError):  # one that can only be read goes early
            os.utime(path, (now, now))


def _remove(paths: Iterable[Path]) -> int:
    """Remove files; return how many were there, and could be."""
    count = 0
    for path in paths:
        with contextlib.suppress(OSError):
            path.unlink()
            count += 1
    return count


@contextlib.contextmanager
def _quietly(what: str) -> Generator[None]:
    """Run a stretch that uses the disk: the program never hears of it, and neither does who watches its files."""
    try:
        with _unwatched():
            yield
    except (OSError, folders.Unusable) as error:
        emit("cache", what, error)


def _unwatched() -> contextlib.AbstractContextManager[None]:
    """Hide what is done to files from a watcher, if there is one."""
    return contextlib.nullcontext() if WATCHING.get() is None else watched(None)


def current() -> DiskCache | None:
    """Return the cache of this process, if it has one."""
    variables = (folders.VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME", "USERPROFILE")
    return _opened(tuple(os.environ.get(name) for name in variables))


@functools.lru_cache(maxsize=8)
def _opened(_variables: tuple[str | None, ...]) -> DiskCache | None:
    """Return the cache that the environment asks for; asked once for each environment."""
    try:
        folder = folders.wanted()
        with _unwatched():
            folders.prepare(folder)
    except folders.Unusable as error:
        emit("cache", f"there is no cache on disk: {error}")
        return None
    return DiskCache(folder)
