"""No search for garbage while a call is captured or a kernel is compiled.

Both make many objects in a short time, most of which they free themselves.  They make Python search all that the program
holds for garbage again and again, which takes up to a sixth of the time.
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
