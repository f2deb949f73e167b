"""Changes of the files that a function reads: other numbers, a line more, nothing, no file at all.

The files are those that runs under check opened for reading.  They are changed where they are, inside a stretch of
code after which `astrace.check.sandbox.files` has put them back.  Until then a copy lies in the folder for temporary files, for
the case that the process is killed.
"""

from __future__ import annotations

import functools
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import numpy as np

from astrace.check.mutate.perturb import Shift
from astrace.check.report.findings import Suspect

MOST_FILES: Final = 3
MOST_BYTES: Final = 1 << 20
"""Larger files are not changed."""
CODE: Final = frozenset({".py", ".pyc", ".pyi", ".so", ".pth", ".dll", ".pyd"})
APART: Final = ("/dev/", "/proc/", "/sys/", "/etc/")
NUMBER: Final = re.compile(r"(?<![\w.])\d+")
FILE: Final = "file"
"""The origin of a suspect that is a file."""


def changes_of(paths: Iterable[str]) -> Iterator[Shift]:
    """Changes of files, one at a time.

    Args:
        paths: the files that were read.
    """
    for path in [one for one in paths if is_data(one)][:MOST_FILES]:
        content = Path(path).read_bytes()
        for what, other in variants(content):
            suspect = Suspect(shown(path), FILE, "as it was", what)
            yield Shift(suspect, functools.partial(_put, Path(path), other))


def is_data(path: str) -> bool:
    """Return whether a file is the user's data, rather than code or a part of the system."""
    file = Path(path)
    installed = any(file.is_relative_to(root) for root in {sys.prefix, sys.base_prefix})
    if installed or file.suffix in CODE or path.startswith(APART):
        return False
    return file.is_file() and file.stat().st_size <= MOST_BYTES


def variants(content: bytes) -> list[tuple[str, bytes | None]]:
    """Return other contents of a file, each with the change that was made; nothing for no file.

    Example:
        >>> [what for what, _ in variants(b"rate = 2")]
        ['given other numbers', 'given a line more', 'emptied', 'removed']
        >>> variants(b"rate = 2")[0][1]
        b'rate = 3'
    """
    return [*_of_array(content), *_of_text(content), ("emptied", b""), ("removed", None)]


def _of_text(content: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return
    if (
        not text.isprintable()
        and not text.replace("\n", "").replace("\r", "").replace("\t", "").isprintable()
    ):
        return
    other = NUMBER.sub(lambda found: str(int(found[0]) + 1), text)
    if other != text:
        yield "given other numbers", other.encode()
    *_, last = [line for line in text.splitlines() if line.strip()] or [""]
    if last:
        more = text if text.endswith("\n") else text + "\n"
        yield "given a line more", (more + NUMBER.sub("7", last) + "\n").encode()


def _of_array(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield variants of an array that NumPy has saved."""
    if not content.startswith(b"\x93NUMPY"):
        return
    try:
        array = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError):
        return
    if array.dtype.kind not in "iufc":
        return
    saved = io.BytesIO()
    np.save(saved, array + array.dtype.type(1))
    yield "given other numbers", saved.getvalue()


def _put(path: Path, content: bytes | None) -> None:
    shutil.copy2(path, tempfile.mkdtemp(prefix="astrace-check-"))
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)


def shown(path: str) -> str:
    """A path as the user knows it: from the working directory, if it lies there."""
    file = Path(path)
    return str(file.relative_to(Path.cwd())) if file.is_relative_to(Path.cwd()) else path
