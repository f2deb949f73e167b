"""The few calls of the operating system by which a bundle is written.

One object has all of them, so that a test can let each of them fail, or stop there.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

AT_CWD: Final = -100
EXCHANGE: Final = 2


class Disk:
    """What is asked of the operating system."""

    def make_file(self, folder: Path, prefix: str) -> Path:
        """Make an empty file under a new name."""
        handle, name = tempfile.mkstemp(prefix=prefix, suffix=".tmp", dir=folder)
        os.close(handle)
        return Path(name)

    def make_folder(self, folder: Path, prefix: str) -> Path:
        """Make a folder under a new name."""
        return Path(tempfile.mkdtemp(prefix=prefix, suffix=".tmp", dir=folder))

    def make_inner(self, folder: Path) -> None:
        """Make a folder, and those around it."""
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, file: Path, pieces: list[bytes]) -> None:
        """Write a file and have it on the disk."""
        with file.open("wb") as opened:
            for piece in pieces:
                opened.write(piece)
            opened.flush()
            os.fsync(opened.fileno())

    def set_mode(self, path: Path, mode: int) -> None:
        """Set the permissions of a file or folder."""
        path.chmod(mode)

    def sync(self, folder: Path) -> None:
        """Have the names in a folder on the disk."""
        if sys.platform == "win32":  # there is no such call
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, old: Path, new: Path) -> None:
        """Give a file or folder another name, in place of a file that has it."""
        old.replace(new)

    def exchange(self, one: Path, other: Path) -> bool:
        """Let two names change places in one step; false where the system can't."""
        call = _exchange_call()
        if call is None:
            return False
        failed = call(os.fsencode(one), os.fsencode(other))
        return not failed

    def remove(self, path: Path) -> None:
        """Remove a file, or a folder with what is in it."""
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _exchange_call() -> Any:
    """The function of the C library that exchanges two names; None where it has none."""
    import ctypes  # only where a folder is replaced

    library = ctypes.CDLL(None, use_errno=True) if sys.platform != "win32" else None
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        return lambda one, other: library.renamex_np(one, other, EXCHANGE)  # type: ignore[union-attr]
    if hasattr(library, "renameat2"):
        return lambda one, other: library.renameat2(AT_CWD, one, AT_CWD, other, EXCHANGE)  # type: ignore[union-attr]
    return None


def hint_for(error: OSError) -> str:
    """Say what to do where something can't be written."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "make the folder first, or give another path"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "give a path that may be written to"
        case errno.ENOSPC | errno.EDQUOT:
            return "make room, or give another path"
        case _:
            return "give another path"


def new_mode(base: int) -> int:
    """The permissions of something new: all of a base that the process does not keep back."""
    mask = os.umask(0o077)
    os.umask(mask)
    return base & ~mask
