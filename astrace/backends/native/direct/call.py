"""The function that Python calls for a specialisation whose program is one kernel; made where there is machine code for that.

Takes guards, paths and a `DirectProgram`; gives a callable in front of the dispatcher.  Knows nothing of compiled functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.native.direct.guard_instructions import NoInstruction
from astrace.backends.native.direct.instructions import Instructions, instructions_for
from astrace.backends.native.direct.program import DirectProgram
from astrace.backends.native.machine_code import Uncompiled, imported, surroundings
from astrace.backends.native.signature import NAME
from astrace.guards.access_paths import LOOKUP_ERRORS, Path
from astrace.guards.kinds import Guard
from astrace.passes.bake.rng_state import put_back
from astrace.util.disk_cache.entries import key_of
from astrace.util.disk_cache.store import current
from astrace.util.own_work import OwnWork

KIND: Final = "direct-calls"
FASTCALL_KEYWORDS: Final = 0x82
"""``METH_FASTCALL | METH_KEYWORDS``."""


class DirectCalls:
    """The direct calls of a program that is one kernel.

    Args:
        program: what it does.
    """

    def __init__(self, program: DirectProgram) -> None:
        self._program = program

    @property
    def is_ready(self) -> bool:
        """True once there is machine code for the kernel that tests its arguments by itself."""
        return self._program.kernel.has_machine_code

    def when_ready(self, tell: Callable[[], None]) -> None:
        """Have it told that there is machine code.

        Args:
            tell: is called once there is.
        """
        self._program.kernel.on_machine_code = tell

    def call(
        self,
        parameters: Sequence[str],
        guards: Iterable[Guard],
        inputs: Sequence[Path],
        otherwise: Callable[..., Any],
        calls: Any,
    ) -> Callable[..., Any] | None:
        """Return what is called; ``None`` where something has no instruction, or there is no machine code here.

        Args:
            parameters: the names of those that a call gives, in order.
            guards: of the specialisation.
            inputs: the paths to the inputs of its block.
            otherwise: is called, in the same way, where a call is not as expected.
            calls: an array of one int64, which counts.
        """
        try:
            found = instructions_for(parameters, guards, inputs, self._program)
            return _function(found, len(parameters), self._program.kernel.words, otherwise, calls)
        except (NoInstruction, Uncompiled):
            return None


NO_KERNEL: Final = np.zeros(2, np.int64)


def call_of_function(
    parameters: Sequence[str],
    guards: Iterable[Guard],
    inputs: Sequence[Path],
    function: Callable[..., Any],
    otherwise: Callable[..., Any],
    calls: Any,
) -> Callable[..., Any] | None:
    """Return what tests guards as machine code, and calls a function of Python's; ``None`` as for `DirectCalls.call`.

    Args:
        parameters: the names of those that a call gives, in order.
        guards: of a specialisation.
        inputs: the paths to the function's arguments.
        function: runs the specialisation.
        otherwise: is called, in the same way, where a call is not as expected.
        calls: an array of one int64, which counts.
    """
    try:
        found = instructions_for(parameters, guards, inputs, function)
        return _function(found, len(parameters), NO_KERNEL, otherwise, calls)
    except (NoInstruction, Uncompiled):
        return None


def _function(
    instructions: Instructions, arguments: int, machine: Any, otherwise: Callable[..., Any], calls: Any
) -> Callable[..., Any]:
    """Return a function of Python that follows instructions.

    Raises:
        Uncompiled: there is no machine code here.
    """
    words = np.array([arguments, instructions.slots, *instructions.words], np.int64)
    held = (words, machine, otherwise, calls, LOOKUP_ERRORS, instructions.objects)
    object_code = imported("object_code")
    return object_code.python_function("call", _address(), FASTCALL_KEYWORDS, held)


@functools.cache
def _address() -> int:
    """Return the address of the interpreter, out of the cache on disk or compiled.

    Raises:
        Uncompiled: it can't be made, or run.
    """
    with OwnWork(), put_back(()):  # modules are imported
        return _loaded()


def _loaded() -> int:
    """Load the interpreter, or compile it; return its address."""
    object_code, key, cache = imported("object_code"), key_of(KIND, surroundings()), current()
    name = f"{NAME}direct_{key.hex()[:24]}"
    kept = None if cache is None else cache.get(KIND, key)
    if cache is not None and kept is not None:
        try:
            return object_code.load(kept, name, made_here=False)
        except object_code.Unloadable as error:
            cache.ignore(KIND, key, str(error))
    try:
        object_code.initialise()
        made = imported("direct.interpreter").object_file(name)
        found = object_code.load(made, name, made_here=True)
    except (object_code.Unloadable, RuntimeError) as error:
        raise Uncompiled(str(error)) from None
    if cache is not None and object_code.can_be_kept(made):
        cache.put(KIND, key, made)
    return found
