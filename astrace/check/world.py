"""The world around a function: kept before a run, looked at after it, put back whatever happened.

`World` knows the objects that the function can reach and what lies around all functions: the environment, the
working directory, the random generators, NumPy's error state, the files that runs write.  Runs of the function and of its graph start from
the same state, and the user's state is never left changed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from astrace.check.files import Files
from astrace.check.keepers import NAMES, Keeper, keeper_of
from astrace.check.pictures import Camera, Picture
from astrace.check.reach import GLOBAL_GENERATORS, Place, Reach


@dataclass(frozen=True, slots=True)
class Around:
    """What lies around all functions.

    Args:
        errors: NumPy's error state.
        limit: Python's recursion limit.
        environment: the environment variables, where someone may change them.
        directory: the working directory, likewise.
    """

    errors: Any
    limit: int
    environment: dict[str, str] | None = None
    directory: str = ""

    @staticmethod
    def now(system: bool) -> Around:
        """As it is.

        Args:
            system: look at the environment and the working directory, too.
        """
        errors, limit = np.geterr(), sys.getrecursionlimit()
        return Around(errors, limit, dict(os.environ), _directory()) if system else Around(errors, limit)

    def restore(self) -> None:
        """Make it so again."""
        if np.geterr() != self.errors:
            np.seterr(**self.errors)
        if sys.getrecursionlimit() != self.limit:
            sys.setrecursionlimit(self.limit)
        if self.environment is None:
            return
        if dict(os.environ) != self.environment:
            os.environ.clear()
            os.environ.update(self.environment)
        if self.directory != _directory():
            os.chdir(self.directory)

    def changes(self) -> Iterator[tuple[str, Any]]:
        """What is not so any more."""
        now = Around.now(self.environment is not None)
        if now.errors != self.errors:
            yield "np.geterr()", now.errors
        if now.directory != self.directory:
            yield "os.getcwd()", now.directory
        if (
            now.environment is not None
            and self.environment is not None
            and now.environment != self.environment
        ):
            keys = sorted({*now.environment, *self.environment})
            changed = [key for key in keys if now.environment.get(key) != self.environment.get(key)]
            yield "os.environ", {key: now.environment.get(key) for key in changed}


def _directory() -> str:
    """The working directory; nothing where it does not exist any more."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Kept:
    """One object and what it held."""

    path: str
    owner: Any
    keeper: Keeper
    saved: Any


class World:
    """The state that some functions can reach.

    Args:
        functions: the functions.
        more: other objects that can change, with how the user writes them.
    """

    def __init__(self, functions: Sequence[Callable[..., Any]], more: Sequence[tuple[str, Any]] = ()) -> None:
        self._reach = Reach(*functions)
        names = ("np.random", "random")
        generators = zip(names, GLOBAL_GENERATORS, strict=True)
        self._owners = _with_keepers([*self._reach.owners, *more, *generators])

    @property
    def places(self) -> list[Place]:
        """The places whose change may be tried."""
        return self._reach.places

    @property
    def names(self) -> set[str]:
        """The names that the code of the functions looks up."""
        return self._reach.names

    def keep(self, system: bool | None = None, more: Sequence[tuple[str, Any]] = ()) -> Snapshot:
        """Remember the state as it is.

        Args:
            system: the environment and the working directory, too; by default if the functions name them.
            more: objects that were put into the world since, with how the user writes them.
        """
        owners = [*self._owners, *_with_keepers(more)]
        kept = [Kept(path, owner, keeper, keeper.save(owner)) for path, owner, keeper in owners]
        asked = not SYSTEM.isdisjoint(self.names)
        return Snapshot(kept, Around.now(asked if system is None else system))

    @contextlib.contextmanager
    def sandbox(
        self, system: bool | None = None, more: Sequence[tuple[str, Any]] = ()
    ) -> Generator[Snapshot]:
        """A stretch of code after which the state is as it was before, whatever happened in it.

        Args:
            system: as for `keep`.
            more: other objects that it may change.
        """
        snapshot = self.keep(system, more)
        try:
            yield snapshot
        finally:
            snapshot.restore()


SYSTEM: Final = frozenset({"environ", "getenv", "putenv", "unsetenv", "chdir", "getcwd", "cwd"})
"""Names in a function's code that say that it may look at the environment or the working directory."""


def _with_keepers(owners: Iterable[tuple[str, Any]]) -> list[tuple[str, Any, Keeper]]:
    return [(path, owner, keeper_of(owner) or NAMES) for path, owner in owners]


class Snapshot:
    """The state of a world at one moment.

    Args:
        kept: the objects and what they held.
        around: what lies around all functions.
    """

    def __init__(self, kept: Sequence[Kept], around: Around) -> None:
        self._kept = kept
        self._around = around
        self.files = Files()

    def restore(self) -> None:
        """Put everything back, what can't be put back aside; an interruption waits until it is done."""
        interrupted: BaseException | None = None
        steps = (self._around.restore, self.files.restore)
        for step in (*steps, *(lambda one=one: _restore(one) for one in self._kept)):
            for _ in range(2):  # an interruption in the middle of a step: do it again
                try:
                    step()
                    break
                except KeyboardInterrupt as error:
                    interrupted = error
        if interrupted is not None:
            raise interrupted

    def changes(self) -> tuple[tuple[str, Picture], ...]:
        """What is different from what was kept, in the order in which it was found."""
        camera = Camera()
        found: list[tuple[str, Picture]] = []
        for one in self._kept:
            for label, now in one.keeper.changes(one.owner, one.saved):
                found.append((_joined(one.path, label), camera.picture(now)))
        found += [(name, camera.picture(now)) for name, now in self._around.changes()]
        found += [(name, camera.picture(now)) for name, now in self.files.changes()]
        return tuple(found)


def _restore(one: Kept) -> None:
    with contextlib.suppress(
        AttributeError, TypeError, ValueError
    ):  # what refuses to be set was not set either
        one.keeper.restore(one.owner, one.saved)


MODULE_ITEM: Final = "['"


def _joined(path: str, label: str) -> str:
    """How a place is written: a global by its name, an attribute of a module by a dot."""
    if not path and label.startswith(MODULE_ITEM):
        return label[2:-2]
    return f"{path}{label}"
