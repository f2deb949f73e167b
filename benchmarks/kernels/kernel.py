"""`Kernel`: a plain function over arrays, and arguments for it of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


def no_others() -> tuple[tuple[Any, ...], ...]:
    """No arguments but those that `Kernel.make` gives."""
    return ()


@dataclass(frozen=True)
class Kernel:
    """A numerical program and what it is run on.

    Args:
        function: the program; it knows nothing of astrace.
        make: fresh arguments for a problem size, always the same for the same size.
        small: a size for tests; `make` takes the next one as well.
        large: a size for benchmarks.
        others: further arguments, which take other branches and other numbers of turns.
    """

    function: Callable[..., Any]
    make: Callable[[int], tuple[Any, ...]]
    small: int
    large: int
    others: Callable[[], tuple[tuple[Any, ...], ...]] = no_others

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.__name__
