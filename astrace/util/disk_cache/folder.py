"""Where the cache is, and whether it can be trusted: it holds machine code, so that whoever writes to it runs code.

``ASTRACE_CACHE_DIR`` names the folder; empty or ``0`` means none.  By default it is the user's own cache folder.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

VARIABLE: Final = "ASTRACE_CACHE_DIR"
OFF: Final = ("", "0")
PRIVATE: Final = 0o700
OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
HAS_OWNERS: Final = os.name == "posix"


class Unusable(Exception):
    """A folder can't be used for the cache, or must not be."""


def wanted(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the folder that the environment asks for.

    Args:
        environment: the variables of the process.

    Raises:
        Unusable: the cache is switched off, or nothing says where the user's files are.

    Example:
        >>> wanted({"ASTRACE_CACHE_DIR": "/tmp/mine"}).as_posix()
        '/tmp/mine'
        >>> wanted({"ASTRACE_CACHE_DIR": "0"})
        Traceback (most recent call last):
        astrace.util.disk_cache.folder.Unusable: switched off by ASTRACE_CACHE_DIR
    """
    chosen = environment.get(VARIABLE)
    if chosen is not None:
        if chosen.strip() in OFF:
            raise Unusable(f"switched off by {VARIABLE}")
        return Path(os.path.abspath(os.path.expanduser(chosen)))  # noqa: PTH100, PTH111 - `Path` raises without a home
    return _of_user(environment)


def _of_user(environment: Mapping[str, str]) -> Path:
    """Return the folder for caches that the platform has for each user."""
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA", "")
        base = Path(local) if local else _home() / "AppData" / "Local"
        return base / "astrace" / "Cache"
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "astrace"
    base = environment.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else _home() / ".cache") / "astrace"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise Unusable("there is no home folder") from None


def prepare(folder: Path) -> None:
    """Make a folder if it is not there, for the user alone, and make sure that nobody else can write to it.

    Args:
        folder: as `wanted` gives it, or one in it.

    Raises:
        Unusable: it can't be made, it is no folder, or somebody else owns it or may write to it.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(PRIVATE, exist_ok=True)
        found = folder.stat()
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        raise Unusable(f"{folder}: {getattr(error, 'strerror', None) or error}") from None
    fault = fault_of(found)
    if fault:
        raise Unusable(f"{folder} {fault}")


def fault_of(found: os.stat_result) -> str:
    """Return why a file or folder is not to be trusted; nothing where it is the user's alone.

    Args:
        found: what the system says of it.
    """
    if not HAS_OWNERS:
        return ""
    if found.st_uid != os.geteuid():
        return "belongs to another user"
    return "can be written by other users" if found.st_mode & OTHERS_WRITE else ""
