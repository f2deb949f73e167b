"""The files that runs under check write, kept before the first write and put back after each run.

While a run is watched (`astrace.util.audit_hooks`), what lies at a path that is about to be opened for writing, removed or
renamed is kept first.  What can't be put back is refused: other processes, files too large to keep, directories
renamed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from astrace.check.isolation.time_limits import keep_elsewhere
from astrace.util.audit_hooks import PROCESSES, changed_paths, watched

MOST_BYTES: Final = 64 << 20
"""Larger files are not written to under check."""
MOST_COMPARED: Final = 1 << 20
DATED: Final = (b"PK", b"\x1f\x8b", b"SQLite format 3")
"""The first bytes of files that depend on the time of writing: only their sizes are compared."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """The former contents of a path.

    Args:
        kind: ``file``, ``folder``, ``link``, or empty for nothing.
        content: the bytes of a file, the target of a link.
        mode: who may do what with it.
        modified: when a file was written, in nanoseconds.
    """

    kind: str = ""
    content: bytes = b""
    mode: int = 0
    modified: int = 0

    @property
    def seen(self) -> tuple[str, bytes | int]:
        """The part of the contents that is compared."""
        compared = len(self.content) <= MOST_COMPARED and not self.content.startswith(DATED)
        return self.kind, self.content if compared else len(self.content)


NOTHING: Final[Mapping[str, FileEntry]] = {}


class Files:
    """The former contents of the paths that watched code was about to change.

    Args:
        kept: what is known of that already.

    Attributes:
        read: the paths that it opened for reading, in order.
    """

    def __init__(self, kept: Mapping[str, FileEntry] = NOTHING) -> None:
        self._kept: dict[str, FileEntry] = dict(kept)
        self.read: dict[str, None] = {}

    @contextlib.contextmanager
    def watched(self) -> Generator[None]:
        """A stretch of code before whose changes of files they are kept."""
        with streams_kept(), watched(self.told):
            yield

    def told(self, event: str, args: tuple[Any, ...]) -> None:
        """Take note of an audit event: keep what it is about to change.

        Raises:
            PermissionError: it could not be put back.
        """
        if event in PROCESSES:
            raise PermissionError(f"astrace.check: {event} is refused, it can't be undone")
        if event == "os.rename" and Path(os.fsdecode(args[0])).is_dir():
            raise PermissionError("astrace.check: renaming a directory is refused, it can't be undone")
        changed = changed_paths(event, args)
        if event == "open" and not changed and isinstance(args[0], str | bytes | os.PathLike):
            self.read[_absolute(os.fsdecode(args[0]), -1)] = None
        for path, folder in changed:
            if isinstance(path, str | bytes | os.PathLike):
                named = _absolute(os.fsdecode(path), folder)
                self.keep(named)
                self.keep(os.path.realpath(named))  # what is written through a link lies there

    def keep(self, path: str) -> None:
        """Remember what lies at a path, if it is not known yet.

        Raises:
            PermissionError: it is too large.
        """
        if path not in self._kept:
            with watched(None):  # the function has not read it
                found = _entry(path)
            if found is not None:
                self._kept[path] = found
                keep_elsewhere(path, found)

    def changes(self) -> Iterator[tuple[str, Any]]:
        """Yield the paths whose contents differ now."""
        for path, before in sorted(self._kept.items()):
            now = _entry(path)
            if now is not None and now.seen != before.seen:
                yield f"the file {path}", now.seen

    def restore(self) -> None:
        """Restore everything: folders first, then paths that did not exist before."""
        changed = [(path, before) for path, before in sorted(self._kept.items()) if _entry(path) != before]
        for path, before in changed:
            if before.kind:
                _put(Path(path), before)
        for path, before in reversed(changed):
            if not before.kind:
                _remove(Path(path))


@contextlib.contextmanager
def streams_kept() -> Generator[None]:
    """A stretch of code after which the standard streams lead where they did, even if it closed them (``open(1)``)."""
    kept = {number: os.dup(number) for number in STREAMS if _leads_to(number) is not None}
    try:
        yield
    finally:
        for number, copy in kept.items():
            if _leads_to(number) != _leads_to(copy):
                os.dup2(copy, number)
            os.close(copy)


def _leads_to(number: int) -> tuple[int, int] | None:
    """Return the file that a descriptor stands for; nothing where it is closed."""
    try:
        found = os.fstat(number)
    except OSError:
        return None
    return found.st_dev, found.st_ino


STREAMS: Final = (0, 1, 2)
"""The descriptors of standard input, output and error."""


def _absolute(name: str, folder: int) -> str:
    """A path from the root; links in it stay links."""
    if folder != -1:
        name = str(Path(f"/proc/self/fd/{folder}").readlink() / name)
    return os.path.abspath(name)  # noqa: PTH100


def _entry(path: str) -> FileEntry | None:
    """Return the entry at a path; nothing for what is no file, folder or link.

    Raises:
        PermissionError: a file is too large to keep.
    """
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return FileEntry()
    mode = stat.S_IMODE(found.st_mode)
    if stat.S_ISLNK(found.st_mode):
        return FileEntry("link", os.fsencode(Path(path).readlink()))
    if stat.S_ISDIR(found.st_mode):
        return FileEntry("folder", b"", mode)
    if not stat.S_ISREG(found.st_mode):
        return None
    if found.st_size > MOST_BYTES:
        raise PermissionError(f"astrace.check: writing to {path} is refused, it is too large to be put back")
    return FileEntry("file", Path(path).read_bytes(), mode, found.st_mtime_ns)


def _put(path: Path, entry: FileEntry) -> None:
    """Put an entry back at a path."""
    now = _entry(str(path))
    if now is not None and now.kind not in ("", entry.kind):
        _remove(path)
    match entry.kind:
        case "folder":
            path.mkdir(exist_ok=True)
        case "link":
            path.unlink(missing_ok=True)
            path.symlink_to(os.fsdecode(entry.content))
            return
        case _:
            if now is None or now.content != entry.content or now.kind != "file":
                path.write_bytes(entry.content)
    path.chmod(entry.mode)
    if entry.kind == "file":
        os.utime(path, ns=(path.stat().st_atime_ns, entry.modified))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
