"""The functions of one hook, most of which are never called.

What watches a function (`Watched`) is made at its first call, or when somebody asks about the function; until then the hook
has its place in a table of stubs and nothing more, which Python's garbage collector would have to look at.
"""

from __future__ import annotations

import types
from collections.abc import Iterator

from astrace.library.function_watcher import Watched
from astrace.library.hook_state import HookState
from astrace.util.code_stubs import Stub, StubTable, stub_of


class WatchedFunctions:
    """The functions that a hook watches, alone or with other hooks.

    Args:
        state: what they share.
    """

    def __init__(self, state: HookState) -> None:
        self._state = state
        self._alone = (state,)  # one for all functions
        self._stubs = StubTable(self._made)
        self._places: dict[int, int] = {}
        self._shared: dict[int, Watched] = {}
        self._is_over = False

    def __contains__(self, function: types.FunctionType) -> bool:
        return id(function) in self._places or id(function) in self._shared

    def add(self, function: types.FunctionType) -> None:
        """Watch a function, together with other hooks that do."""
        stub = stub_of(function)
        if stub is None:
            self._places[id(function)] = self._stubs.add(function)
        elif isinstance(stub.owner, Watched):
            stub.owner.join(self._state)
            self._shared[id(function)] = stub.owner

    def discard(self, function: types.FunctionType) -> None:
        """Watch a function no more."""
        place = self._places.pop(id(function), None)
        watched = self._shared.pop(id(function), None) if place is None else self._watched(place)
        if watched is not None:
            watched.part(self._state.waiting)

    def end(self) -> None:
        """Watch none of them any more; what was found out stays."""
        self._is_over = True
        self._stubs.remove_waiting()
        for watched in self.seen():
            watched.part(self._state.waiting)

    def seen(self) -> list[Watched]:
        """Return what watches those that were called, or asked about."""
        made = [
            stub.owner for place in self._places.values() if (stub := self._stubs.made(place)) is not None
        ]
        return [*made, *self._shared.values()]

    def all(self) -> list[Watched]:
        """Return what watches each of them."""
        return [*map(self._watched, self._places.values()), *self._shared.values()]

    def unseen(self) -> Iterator[tuple[types.FunctionType, types.CodeType]]:
        """Yield the others, each with the code that it was written as."""
        for place in self._places.values():
            if self._stubs.made(place) is None:
                yield self._stubs.entry(place)

    def _watched(self, place: int) -> Watched:
        watched: Watched = self._stubs.stub(place).owner
        return watched

    def _made(self, function: types.FunctionType, code: types.CodeType) -> Stub:
        watched = Watched(function, self._alone, code)
        if self._is_over:  # by another thread, while the function was being called
            watched.release()
        return watched.stub
