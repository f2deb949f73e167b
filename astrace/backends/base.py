"""The result of a backend: source and a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from astrace.errors import Reason
from astrace.guards.access_paths import Path
from astrace.guards.kinds import Guard


@dataclass(frozen=True, slots=True)
class Mode:
    """What a backend may do to be faster.

    Args:
        exact: results are those of the plain function to the bit; else they may differ by a tolerance.
        parallel: iterations that do not depend on each other are run by several threads.
    """

    exact: bool = True
    parallel: bool = False

    def __str__(self) -> str:
        marks = [] if self.exact else ["within a tolerance"]
        return ", ".join([*marks, *(["by several threads"] if self.parallel else [])])


EXACT: Final = Mode()
"""The default."""


def _never() -> None:
    """Nothing was given up."""


class MachineCode(Protocol):
    """A part of a program that is machine code; its text tells which, and how it does."""

    @property
    def is_used(self) -> bool:
        """True while calls may run it."""
        ...


class WarmUpTimer(Protocol):
    """The time before a program is compiled.

    ``seconds`` is the time that was spent in its loops so far.
    """

    replace: Callable[[Executable], None] | None
    seconds: float

    @property
    def is_over(self) -> bool:
        """True once it is known what runs the loops."""
        ...

    @property
    def has_begun(self) -> bool:
        """True once the loops are, or are to be, compiled."""
        ...


class DirectCallMaker(Protocol):
    """Makes calls that go from a compiled function to machine code with no Python in between."""

    @property
    def is_ready(self) -> bool:
        """True once there is machine code."""
        ...

    def when_ready(self, tell: Callable[[], None], /) -> None:
        """Have it told that there is."""
        ...

    def call(
        self,
        parameters: Sequence[str],
        guards: Iterable[Guard],
        inputs: Sequence[Path],
        otherwise: Callable[..., Any],
        calls: Any,
        /,
    ) -> Callable[..., Any] | None:
        """Return what is called for a specialisation, and calls ``otherwise`` where the call is not one of that; ``None`` for none."""
        ...


@dataclass(frozen=True, slots=True)
class Executable:
    """A compiled block.

    Args:
        source: the generated text.
        function: the compiled function; it takes the inputs that are used and returns the result.
        used: the positions of the block's inputs that it takes.
        backend: the name of the backend that made it.
        namespace: the objects that the text refers to by name.
        inline: as ``function``, for values that stand for arrays while JAX traces.
        given_up: why calls are run by the exact backend from now on; ``None`` while they are not.
        kernels: what the function calls that is machine code.
        warm_up: times the function's loops, and gives another executable when they are hot.
        direct: for a function that is nothing but machine code, what makes calls of that.
    """

    source: str
    function: Callable[..., Any]
    used: tuple[int, ...]
    backend: str
    namespace: Mapping[str, Any]
    inline: Callable[..., Any] | None = None
    given_up: Callable[[], Reason | None] = _never
    kernels: tuple[MachineCode, ...] = ()
    warm_up: WarmUpTimer | None = None
    direct: DirectCallMaker | None = None

    def __str__(self) -> str:
        return self.source
