"""Where Python's own files and those of installed packages lie: what there is no user's data and no user's class."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig


@functools.cache
def installed() -> tuple[str, ...]:
    """The folders of Python's own files and of installed packages, and those of the running system."""
    paths = {*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, "/proc", "/sys", "/dev", "/etc"}
    return tuple(path for path in paths if path and path not in (os.path.sep, "/usr"))


def is_inside(path: str, folder: str) -> bool:
    """Return whether a path is that of a folder, or of something in it.

    Example:
        >>> is_inside("/a/b", "/a"), is_inside("/ab", "/a")
        (True, False)
    """
    return path == folder or path.startswith(folder.rstrip(os.path.sep) + os.path.sep)


def is_own_class(cls: type) -> bool:
    """Return whether a class is the user's: defined in Python, and in no installed package.

    Example:
        >>> is_own_class(int)
        False
    """
    name = str(cls.__module__)
    file = getattr(sys.modules.get(name), "__file__", None)
    if name.partition(".")[0] == "astrace":
        return False
    return name == "__main__" if file is None else not any(is_inside(file, one) for one in installed())
