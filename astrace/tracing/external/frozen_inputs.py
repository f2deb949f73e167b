"""Reads that are fixed on request: constants in place of live reads, and nothing in place of guards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from astrace.guards.access_paths import Argument, Path, Pinned, Root, steps
from astrace.guards.kinds import Equals, Guard, Is, paths_of
from astrace.ir.block import Constant
from astrace.ir.constants import is_static
from astrace.ir.specs import AnySpec, ArraySpec
from astrace.locations import Location
from astrace.ops import OPS
from astrace.tracing.changes.aliases import MUTATORS
from astrace.tracing.context import Trace
from astrace.tracing.external.freezer import CONTAINERS, Freezer, constant_text, is_freezable
from astrace.tracing.external.inputs import Inputs
from astrace.tracing.tracer import Tracer


class FixedReads(Inputs):
    """The inputs and guards of one trace, some of which are fixed on request.

    Args:
        trace: the trace they belong to.
        static_shapes: give the dimensions of arrays as numbers, not names.
        freezer: says which reads are fixed, and as what.
        arguments: those of the call, by parameter name.
    """

    def __init__(
        self, trace: Trace, static_shapes: bool, freezer: Freezer, arguments: Mapping[str, Any]
    ) -> None:
        super().__init__(trace, static_shapes)
        self.freezer = freezer
        self.on_request: dict[Path, Constant] = {}
        self._arguments = arguments
        self._snapshots: dict[int, tuple[Any, Path]] = {}

    def guard(self, guard: Guard) -> None:
        """Add a guard, unless all that it looks at is fixed."""
        if not all(map(self.freezer.covers, paths_of(guard))):
            super().guard(guard)

    def expect(self, guard: Guard) -> None:
        """Add a guard of what holds when the function is called, unless all that it looks at is fixed."""
        if not all(map(self.freezer.covers, paths_of(guard))):
            super().expect(guard)

    def guarded(self, value: Any, path: Path, guard: Guard) -> Any:
        """Return a value on which the trace depends: checked at each call, unless it is fixed."""
        if not self.freezer.covers(path):
            return super().guarded(value, path, guard)
        self._guard_root(path)
        return value

    def first(self, value: Any, path: Path) -> tuple[Any, bool]:
        """Return the value at a path, as it was when it was fixed; and whether nothing more is to be known of it."""
        if not self.freezer.covers(path):
            return value, False
        root = self._guard_root(path)
        where = self.trace.location() or Location.of(self.trace.function.__code__)
        constant = self.freezer.constant(path, root, value, where)
        found = constant.value
        if not is_freezable(found):
            return found, False
        self._report(path, constant)
        if type(found) in CONTAINERS:
            self._snapshots[id(found)] = found, path
            return found, False
        if isinstance(found, np.ndarray):
            return self._array(found, path, constant), True
        if not isinstance(found, bool | int | str | type(None)):
            self._origins[id(found)] = (found, constant.origin)
        return found, True

    def _report(self, path: Path, constant: Constant) -> None:
        if path not in self.on_request:
            self.on_request[path] = constant
            self.trace.note("AT012", f"`{path}` is frozen on request: {constant_text(constant)}")

    def _array(self, array: Any, path: Path, constant: Constant) -> Tracer:
        spec = ArraySpec(array.shape, array.dtype) if type(array) is np.ndarray else AnySpec(type(array))
        pinned = Pinned(array, str(path), location=constant.origin.location)
        return Tracer(self.trace, self.input_at(pinned, spec, array))

    def refuse_frozen(self, name: str, args: tuple[Any, ...]) -> None:
        """Stop where the program changes a container that is frozen."""
        if not args or id(args[0]) not in self._snapshots:
            return
        owner, path = self._snapshots[id(args[0])]
        changes = args[1] in MUTATORS[type(owner)] if name == "call_method" else bool(OPS[name].writes)
        if changes and owner is args[0]:
            self.trace.stop("AT204", f"`{path}` is frozen on request, and is changed here")

    def _guard_root(self, path: Path) -> Any:
        """The object that a path starts at; an argument has to be the one that it was fixed for."""
        root = steps(path)[-1]
        if not isinstance(root, Argument):
            assert isinstance(root, Root)
            return root.pinned
        found = self._arguments[root.name]
        super().guard(Equals(root, found) if is_static(found) else Is(root, found))
        return found
