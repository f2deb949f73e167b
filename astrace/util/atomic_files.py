"""Files that commands write: whole, or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from astrace.errors import InvalidArgument


def check_writable(path: str | Path) -> None:
    """Make sure that a file can be written, before the work is done that is to stand in it.

    Raises:
        InvalidArgument: it can't.
    """
    path = Path(path)
    folder = path.parent
    if not folder.is_dir():
        raise InvalidArgument(f"{path}: there is no folder {folder}")
    if path.is_dir():
        raise InvalidArgument(f"{path} is a folder; name a file")
    # A device or a pipe is written to directly, a file by way of its folder.
    wanted = path if path.exists() and not path.is_file() else folder
    if not os.access(wanted, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise InvalidArgument(f"{path}: it can't be written (permission denied)")
    if wanted == folder:
        import tempfile  # with what it loads, it takes longer than most commands need without it

        try:  # who may write to a folder is told more than it may hold: /proc takes no files, a disk may be full
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            raise InvalidArgument(f"{path}: it can't be written ({error.strerror or error})") from None


def write_whole(path: str | Path, text: str) -> None:
    """Write a file so that a reader finds either all of it, or its earlier contents.

    Raises:
        InvalidArgument: it can't be written.
    """
    path = Path(path)
    check_writable(path)
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")
        else:
            _replace(path.resolve(), text)
    except OSError as error:
        raise InvalidArgument(f"{path}: it can't be written ({error.strerror or error})") from None


def _replace(path: Path, text: str) -> None:
    """Put a file in place of another one."""
    import tempfile

    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    """The permissions that new files are not given; there is no way to ask for them alone."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
