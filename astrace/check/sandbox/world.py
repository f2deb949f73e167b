"""The world around a function: kept before a run, looked at after it, put back whatever happened.

`World` knows the objects that the function can reach and what lies around all functions: the environment, the
working directory, the random generators, NumPy's error state, the files that runs write.  Runs of the function and of its graph start from
the same state, and the user's state is never left changed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.check.compare.snapshots import Camera, Picture
from astrace.check.sandbox.files import Files
from astrace.check.sandbox.process_state import AROUND, Around
from astrace.check.sandbox.reachable import Place, Reach
from astrace.check.sandbox.savers import NAMES, Keeper, can_have_names, keeper_of
from astrace.passes.bake.rng_state import GLOBAL_GENERATORS


@dataclass(frozen=True, slots=True)
class KeptObject:
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
        generators = zip(DRAWN, GLOBAL_GENERATORS, strict=True)
        self._owners = _with_keepers([*self._reach.owners, *more, *generators])
        self._rows = [row for row in AROUND if row.is_asked(self._reach.names)]

    @property
    def places(self) -> list[Place]:
        """The places whose change may be tried."""
        return self._reach.places

    @property
    def owners(self) -> list[tuple[str, Any]]:
        """The objects that can be reached and can change, with how the user writes them."""
        drawn = zip(DRAWN, GLOBAL_GENERATORS, strict=True) if "random" in self.names else ()
        return [*self._reach.owners, *drawn]

    @property
    def unkept(self) -> list[tuple[str, str]]:
        """The objects that can't be put back, with how the user writes them, and what of them is lost."""
        return self._reach.unkept

    @property
    def names(self) -> set[str]:
        """The names that the code of the functions looks up."""
        return self._reach.names

    def keep(self, system: bool = False, more: Sequence[tuple[str, Any]] = ()) -> Snapshot:
        """Remember the present state.

        Args:
            system: all that lies around functions, not only what the names in their code say.
            more: objects that were put into the world since, with how the user writes them.
        """
        owners = [*self._owners, *_with_keepers(more)]
        kept = [KeptObject(path, owner, keeper, keeper.save(owner)) for path, owner, keeper in owners]
        return Snapshot(kept, Around(AROUND if system else self._rows))

    @contextlib.contextmanager
    def sandbox(self, system: bool = False, more: Sequence[tuple[str, Any]] = ()) -> Generator[Snapshot]:
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


DRAWN: Final = ("np.random", "random")


def _with_keepers(owners: Iterable[tuple[str, Any]]) -> list[tuple[str, Any, Keeper]]:
    """The objects with what keeps them; one that has contents and names of its own is kept twice."""
    found: list[tuple[str, Any, Keeper]] = []
    for path, owner in owners:
        keeper = keeper_of(owner)
        if keeper is not None:
            found.append((path, owner, keeper))
        if keeper is None or can_have_names(owner):
            found.append((path, owner, NAMES))
    return found


class Snapshot:
    """The state of a world at one moment.

    Args:
        kept: the objects and what they held.
        around: what lies around all functions.
    """

    def __init__(self, kept: Sequence[KeptObject], around: Around) -> None:
        self._kept = kept
        self._around = around
        self.files = Files()

    def restore(self) -> None:
        """Put everything back, what can't be put back aside; an interruption waits until it is done."""
        interrupted: BaseException | None = None
        failed: list[Exception] = []
        steps = (self._around.restore, self.files.restore)
        for step in (*steps, *(lambda one=one: _restore(one) for one in self._kept)):
            for _ in range(2):  # an interruption in the middle of a step: do it again
                try:
                    step()
                    break
                except KeyboardInterrupt as error:
                    interrupted = error
                except Exception as error:  # the others are put back all the same
                    failed.append(error)
                    break
        if interrupted is not None or failed:
            raise interrupted or failed[0]

    def changes(self) -> tuple[tuple[str, Picture], ...]:
        """Return the differences from what was kept, in the order in which they were found."""
        camera = Camera()
        found: list[tuple[str, Picture]] = []
        for one in self._kept:
            for label, now in one.keeper.changes(one.owner, one.saved):
                found.append((_joined(one.path, label), camera.picture(now)))
        found += [(name, camera.picture(now)) for name, now in self._around.changes()]
        found += [(name, camera.picture(now)) for name, now in self.files.changes()]
        return tuple(found)


def _restore(one: KeptObject) -> None:
    # An attribute that can't be set was not changed.
    with contextlib.suppress(AttributeError, TypeError, ValueError):
        one.keeper.restore(one.owner, one.saved)


MODULE_ITEM: Final = "['"


def _joined(path: str, label: str) -> str:
    """Write a place: a global by its name, an attribute of a module by a dot."""
    if not path and label.startswith(MODULE_ITEM):
        return label[2:-2]
    return f"{path}{label}"
