"""What earlier processes have found out about loops: which were hot, and whether a kernel or NumPy was faster.

Hints decide what is tried first.  No result depends on them: what they say is measured again before long.
"""

from __future__ import annotations

import functools
import importlib.metadata
import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from astrace.backends.base import EXACT, Mode
from astrace.util.disk_cache.entries import key_of
from astrace.util.disk_cache.store import current
from astrace.version import __version__

KIND: Final = "hints"


class Hints:
    """What is known about one loop, or one program, of a text and types.

    Args:
        what: a loop or a program.
        text: of it.
        specs: the types of its inputs.
        mode: what its kernels may do to be faster.
    """

    def __init__(self, what: str, text: str, specs: Sequence[Any], mode: Mode = EXACT) -> None:
        types = [str(spec) for spec in specs]
        self._key = key_of(KIND, what, text, types, asdict(mode), _surroundings())

    def read(self) -> Any:
        """Return what was written last, as JSON has it; ``None`` where nothing was."""
        cache = current()
        found = None if cache is None else cache.get(KIND, self._key)
        try:
            return None if found is None else json.loads(found)
        except ValueError:
            return None

    def write(self, known: Any) -> None:
        """Keep what is known now.

        Args:
            known: data as JSON has it.
        """
        cache = current()
        if cache is not None:
            cache.put(KIND, self._key, json.dumps(known).encode())


@functools.cache
def _surroundings() -> tuple[str, ...]:
    """Return what speed depends on beside the loop; nothing large is imported for it."""
    try:
        numba = importlib.metadata.version("numba")
    except importlib.metadata.PackageNotFoundError:
        numba = ""
    return (
        __version__,
        platform.python_version(),
        np.__version__,
        numba,
        platform.machine(),
        platform.node(),
    )
