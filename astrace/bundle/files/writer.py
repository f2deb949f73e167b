"""Writing the members of a bundle: the old one or the new one is there at any time, whole.

A zip file is written under another name beside the place, and renamed.  A folder is written so, too, and renamed, or
exchanged in one step with the bundle that is there.  Bytes depend on the members alone.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Final

from astrace.bundle.codes import refused
from astrace.bundle.files.archive import pack
from astrace.bundle.files.disk import Disk, hint_for, new_mode
from astrace.bundle.files.members import MANIFEST, check_names
from astrace.bundle.files.reader import open_bundle
from astrace.bundle.limits import MOST_MEMBERS
from astrace.errors import BundleError

ZIPPED: Final = (".zip", ".astrace")
"""Endings of paths at which a bundle is one file."""
DISK: Final = Disk()


def write_bundle(path: str | os.PathLike[str], contents: Mapping[str, bytes], disk: Disk = DISK) -> None:
    """Write a bundle.

    Args:
        path: where to; one that ends with ``.zip`` or ``.astrace`` becomes a file, any other a folder.
        contents: the members by name.
        disk: does it.

    Raises:
        BundleError: it can't be written there; what was there still is.
    """
    target = _target(path)
    if len(contents) > MOST_MEMBERS:
        hint = "keep what belongs together in one array, or in one file"
        raise refused("AB205", f"the bundle has {len(contents)} files; the limit is {MOST_MEMBERS}", hint)
    check_names(contents)
    ordered = {name: contents[name] for name in sorted(contents, key=lambda name: (name != MANIFEST, name))}
    zipped = target.suffix.lower() in ZIPPED
    _check_replaced(target, zipped)
    try:
        (_write_file if zipped else _write_folder)(target, ordered, disk)
    except OSError as error:
        raise _unwritable(target, error) from None


def _target(path: str | os.PathLike[str]) -> Path:
    """The whole path; links in it are not followed, since one at its end would be replaced.

    Raises:
        BundleError: it names nothing that could be written.
    """
    text = os.fspath(path)
    try:
        if not text:
            raise refused(
                "AB207", "an empty text is no path: the bundle can't be written", "give another path"
            )
        if "\0" in text:
            raise OSError(errno.EINVAL, "the path has a character that paths have not")
        return Path(os.path.abspath(text))  # noqa: PTH100
    except OSError as error:  # the current folder may be gone
        raise _unwritable(Path(text), error) from None


def _is_around_us(folder: Path) -> bool:
    """Return whether a folder is the current one, or holds it: what is replaced could not be used any more."""
    try:
        return Path.cwd().is_relative_to(folder.resolve())
    except OSError:
        return False


def _check_replaced(target: Path, zipped: bool) -> None:
    """Refuse to replace anything but a bundle of the same form.

    Raises:
        BundleError: something else is there.
    """
    if not os.path.lexists(target):
        return
    hint = "remove it first, or give another path"
    if target.is_symlink() or target.is_dir() == zipped or not (target.is_dir() or target.is_file()):
        raise refused(
            "AB206", f"{target} is there, and is no {'file' if zipped else 'folder'} of a bundle", hint
        )
    if target.is_dir() and _is_around_us(target):
        raise refused("AB206", f"{target} is the current folder, or holds it", "give another path")
    if target.is_dir() and not any(target.iterdir()):
        return
    try:
        open_bundle(target)
    except BundleError as error:
        raise refused(
            "AB206", f"{target} is there, and is no bundle that can be read: {error.message}", hint
        ) from None


def _unwritable(target: Path, error: OSError) -> BundleError:
    reasons = {errno.ENOSPC: "there is no space left", errno.EDQUOT: "the quota is used up"}
    reason = reasons.get(error.errno or 0) or error.strerror or str(error)
    hint = f"{hint_for(error)}; no half-written bundle is at this one"
    return refused("AB207", f"{target}: the bundle can't be written ({reason})", hint)


@contextlib.contextmanager
def _removed_on_failure(made: Path, disk: Disk) -> Generator[None]:
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            disk.remove(made)
        raise


def _write_file(target: Path, contents: Mapping[str, bytes], disk: Disk) -> None:
    pieces = list(pack(contents))
    made = disk.make_file(target.parent, f".{target.name}.")
    with _removed_on_failure(made, disk):
        disk.write(made, pieces)
        disk.set_mode(made, new_mode(0o666))
        disk.rename(made, target)
    disk.sync(target.parent)


def _write_folder(target: Path, contents: Mapping[str, bytes], disk: Disk) -> None:
    made = disk.make_folder(target.parent, f".{target.name}.")
    with _removed_on_failure(made, disk):
        _fill(made, contents, disk)
        disk.set_mode(made, new_mode(0o777))
        old = _put(made, target, disk)
    try:
        disk.sync(target.parent)
    finally:
        if old is not None:
            disk.remove(old)


def _fill(folder: Path, contents: Mapping[str, bytes], disk: Disk) -> None:
    """Write the members; the manifest last, without which a folder is no bundle."""
    folders = sorted({(folder / name).parent for name in contents} | {folder})
    for inner in folders[1:]:
        disk.make_inner(inner)
    for name in sorted(contents, key=lambda name: (name == MANIFEST, name)):
        file = folder / name
        disk.write(file, [contents[name]])
        disk.set_mode(file, new_mode(0o666))
    for inner in folders:
        disk.sync(inner)


def _put(made: Path, target: Path, disk: Disk) -> Path | None:
    """Put a folder in its place; return where the one that was there is now."""
    if not target.exists() or not any(target.iterdir()):
        disk.rename(made, target)  # an empty folder is replaced by it
        return None
    if disk.exchange(made, target):
        return made
    message = f"{target}: this system can't replace a folder in one step"
    raise refused("AB207", message, "remove the old bundle first, or save as a file: .zip")
