"""Reading the members of a bundle from a folder or a zip file, each checked against the manifest.

Gives bytes.  A file is opened once, without following links; what was read is what is checked and what is parsed.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from astrace.bundle.codes import broken
from astrace.bundle.files.archive import MAGIC, ZipEntry, entries_of
from astrace.bundle.files.manifest import Manifest, manifest_of
from astrace.bundle.files.members import MANIFEST, check_names
from astrace.bundle.limits import DEEPEST_FOLDER, LARGEST_MANIFEST, MOST_MEMBERS
from astrace.errors import BundleError

FLAGS: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoredBundle:
    """A bundle on disk: its manifest, and its members one by one.

    Args:
        path: where it is.
        manifest: what it says.
        content: reads a member, which is not checked.
    """

    path: Path
    manifest: Manifest
    content: Callable[[str], bytes]

    def read(self, name: str) -> bytes:
        """The content of a member, as the manifest has it.

        Raises:
            BundleError: there is none, or it is another one.
        """
        member = self.manifest.members.get(name)
        if member is None:
            raise broken("AB107", f"there is no `{name}`")
        content = self.content(name)
        member.check(content)
        return content

    def check(self) -> None:
        """Read all members.

        Raises:
            BundleError: one of them is not what the manifest says.
        """
        for name in self.manifest.members:
            self.read(name)


def open_bundle(path: str | os.PathLike[str]) -> StoredBundle:
    """Open a bundle: its list of files and its manifest are checked.

    Args:
        path: a folder or a zip file.

    Raises:
        BundleError: it is none, or not as astrace writes them.
    """
    found = Path(path)
    if not os.fspath(path):
        raise broken("AB101", "an empty text is no path", "give the path of a bundle")
    try:
        mode = found.stat().st_mode
    except (OSError, ValueError) as error:
        raise _unreadable(found, error) from None
    if stat.S_ISDIR(mode):
        return _folder(found)
    if not stat.S_ISREG(mode):
        raise broken("AB101", f"{found} is neither a folder nor a file", "give the path of a bundle")
    return _zip(found)


def read_whole(path: str | os.PathLike[str]) -> tuple[StoredBundle, dict[str, bytes]]:
    """Open a bundle and read all its members; once more, if it was replaced by another one meanwhile.

    Args:
        path: a folder or a zip file.

    Raises:
        BundleError: it is none, or not as astrace writes them.
    """
    for _ in range(MOST_TRIES):
        mark = _mark(path)
        try:
            bundle = open_bundle(path)
            return bundle, {name: bundle.read(name) for name in bundle.manifest.members}
        except BundleError:
            if mark == _mark(path):
                raise
    hint = "save under another name, and rename when it is there"
    raise broken("AB101", f"{path}: it is replaced again and again while it is read", hint)


def _mark(path: str | os.PathLike[str]) -> tuple[int, ...]:
    """What tells that the same file or folder is still at a path."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return ()
    return (found.st_dev, found.st_ino, found.st_ctime_ns, found.st_mtime_ns, found.st_size)


MOST_TRIES: Final = 20
"""How often a bundle is read that others replace meanwhile."""


def _unreadable(path: Path, error: Exception) -> BundleError:
    reason = getattr(error, "strerror", None) or str(error)
    return broken(
        "AB101", f"{path}: there is no bundle that can be read ({reason})", "give the path of a bundle"
    )


# -- folders -----------------------------------------------------------------------------------------------


def _folder(path: Path) -> StoredBundle:
    sizes = dict(_files(path))
    if MANIFEST not in sizes:
        raise broken("AB101", f"{path} is no bundle: there is no `{MANIFEST}`", "give the path of a bundle")
    check_names(sizes)
    manifest = manifest_of(_content(path, MANIFEST, LARGEST_MANIFEST))
    _compare(manifest, {name: size for name, size in sizes.items() if name != MANIFEST})

    def content(name: str) -> bytes:
        return _content(path, name, manifest.members[name].size)

    return StoredBundle(path, manifest, content)


def _files(folder: Path, prefix: str = "", depth: int = 1) -> Iterator[tuple[str, int]]:
    """The files in a folder with their sizes; anything else than files and folders is refused."""
    try:
        with os.scandir(folder) as entries:
            for entry in itertools.islice(entries, MOST_MEMBERS + 1):
                yield from _file(entry, prefix, depth)
    except OSError as error:
        raise _unreadable(folder, error) from None


def _file(entry: os.DirEntry[str], prefix: str, depth: int) -> Iterator[tuple[str, int]]:
    found = entry.stat(follow_symlinks=False)
    name = f"{prefix}{entry.name}"
    if stat.S_ISDIR(found.st_mode):
        if depth >= DEEPEST_FOLDER:
            raise broken("AB104", f"the folder {name[:60]!r} is nested too deep")
        inner = list(_files(Path(entry.path), f"{name}/", depth + 1))
        if not inner:
            raise broken("AB107", f"the folder {name[:60]!r} is empty")
        yield from inner
    elif stat.S_ISREG(found.st_mode) and not found.st_mode & 0o7000:
        yield name, found.st_size
    else:
        raise broken("AB105", f"{name[:60]!r} is no regular file with plain permissions")


def _content(folder: Path, name: str, most: int) -> bytes:
    """Read a file that is no link, up to a size and a byte more."""
    try:
        handle = os.open(folder / name, FLAGS)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise broken("AB105", f"{name!r} is no regular file")
            if os.fstat(handle).st_size > most:
                raise broken("AB108", f"`{name}` has more than {most} bytes")
            return file.read(most + 1)
    except OSError as error:
        raise broken("AB101", f"`{name}` can't be read ({error.strerror or error})") from None


def _compare(manifest: Manifest, sizes: Mapping[str, int]) -> None:
    """Compare what is there with what the manifest says."""
    listed = manifest.members
    for name in sizes.keys() - listed.keys():
        raise broken("AB107", f"the manifest does not list `{name}`")
    for name in listed.keys() - sizes.keys():
        raise broken("AB107", f"the manifest lists `{name}`, which is not there")
    for name, size in sizes.items():
        if size != listed[name].size:
            raise broken("AB108", f"`{name}` has {size} bytes; the manifest says {listed[name].size}")


# -- zip files ---------------------------------------------------------------------------------------------


def _zip(path: Path) -> StoredBundle:
    with _opened(path) as file:
        total = os.fstat(file.fileno()).st_size
        if file.read(len(MAGIC)) != MAGIC:
            raise broken("AB101", f"{path} is no bundle: it is no zip file", "give the path of a bundle")
        entries = entries_of(lambda start, size: _at(file, start, size), total)
        first = entries.get(MANIFEST)
        if first is None or first is not next(iter(entries.values())):
            hint = "give the path of a bundle"
            raise broken("AB101", f"{path} is no bundle: its first member is not `{MANIFEST}`", hint)
        if first.size > LARGEST_MANIFEST:
            raise broken("AB106", f"`{MANIFEST}` has {first.size} bytes")
        manifest = manifest_of(_piece(file, first))
    _compare(manifest, {name: one.size for name, one in entries.items() if name != MANIFEST})

    def content(name: str) -> bytes:
        with _opened(path) as file:
            return _piece(file, entries[name])

    return StoredBundle(path, manifest, content)


@contextlib.contextmanager
def _opened(path: Path) -> Generator[BinaryIO]:
    """A regular file, open for reading."""
    try:
        handle = os.open(path, FLAGS & ~getattr(os, "O_NOFOLLOW", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise broken("AB105", f"{path} is no regular file")
            yield file
    except OSError as error:
        raise _unreadable(path, error) from None


def _at(file: BinaryIO, start: int, size: int) -> bytes:
    file.seek(start)
    return file.read(size)


def _piece(file: BinaryIO, entry: ZipEntry) -> bytes:
    content = _at(file, entry.start, entry.size)
    if zlib.crc32(content) != entry.crc:
        raise broken("AB108", f"`{entry.name}` has another checksum than the zip file says")
    return content
