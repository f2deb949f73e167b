"""No search for garbage while a call is captured.

A capture makes many objects in a short time, most of which it frees itself.  They make Python search all that the program
holds for garbage again and again, which takes up to a sixth of a capture in a large program.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Generator[None]:
    """Leave garbage alone for a moment, unless another thread may switch that on or off meanwhile."""
    if not gc.isenabled() or threading.active_count() > 1:
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
