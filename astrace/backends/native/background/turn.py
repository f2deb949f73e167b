"""The kernels of one function, which ask for machine code one after the other.

While the kernel of a loop is compiled, NumPy's program of that loop runs, in which inner loops have kernels of their own: these are
needed only where the outer one can't be compiled.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

from astrace.backends.native.background.compiler import CompileRequest, CompilerProcess, compiler
from astrace.backends.native.background.messages import Compilation

SETTINGS: Final = ("NUMBA_", "NPY_")
"""The beginnings of variables of the environment that change what is compiled, or what NumPy computes."""


class Awaited(Exception):
    """Another process is compiling the kernel, or another kernel of the same function."""


class Turn:
    """The requests of a function's kernels.

    Args:
        looks_on_disk: machine code is expected to be in the cache, and looked for there first.
    """

    def __init__(self, looks_on_disk: bool = False) -> None:
        self.looks_on_disk = looks_on_disk
        self._compiler: CompilerProcess | None = None
        self._requests: dict[Any, CompileRequest] = {}

    @property
    def is_taken(self) -> bool:
        """True while a kernel waits for an answer."""
        current = compiler()
        if self._compiler is not current:  # another process has asked
            self._requests.clear()
            self._compiler = current
        current.look()
        return any(one.answer is None for one in self._requests.values())

    def answer(self, key: Any, place: str, message: Any) -> Compilation:
        """Return the answer to a request, which is made where it was not.

        Args:
            key: of the request.
            place: the user's file and the kernel, for events.
            message: what is asked, as JSON has it.

        Raises:
            Awaited: it has not come yet.
        """
        if not self.is_taken:
            found = self._requests.get(key)
            if found is None:
                found = compiler().ask(
                    place, json.dumps({**message, "settings": settings()}).encode() + b"\n"
                )
                self._requests[key] = found
            if found.answer is not None:
                return self._requests.pop(key).answer or found.answer
        raise Awaited


def settings() -> dict[str, str]:
    """Return the variables of the environment that change what is compiled."""
    return {name: value for name, value in os.environ.items() if name.startswith(SETTINGS)}
