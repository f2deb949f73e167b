"""The state of a lowering: the part being written, the arrays' versions, the flag ``ok``."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from astrace.ir.block import NO_ATTRS, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, spec_of
from astrace.ir.trees import laid_out, node_of
from astrace.locations import Location
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.changed_lists import ChangedLists
from astrace.passes.analysis.products import SumsOfProducts
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.floats.watch import FloatWatch
from astrace.passes.functional.forms import (
    FULL,
    PLAIN,
    UNDO,
    Array,
    ArrayRoot,
    Device,
    Form,
    Items,
    Number,
    Place,
    Static,
    View,
    Which,
)
from astrace.passes.functional.program import (
    Atom,
    Lit,
    UnfinishedBlock,
    atom_rank,
    identity,
    is_host,
    known_logic,
    scalar_type,
    variable,
)
from astrace.passes.functional.refusal import NeedsNumber, Refused, no_form
from astrace.util.trees import Tree

TRUE: Final = Lit(True)


@dataclass(slots=True)
class Branch:
    """A part in the making, with its versions of arrays and of ``ok``."""

    scope: UnfinishedBlock
    versions: dict[ArrayRoot, Atom]
    ok: Atom
    stale: set[ArrayRoot]


@dataclass(slots=True)
class Growth:
    """The capacity and the items of a list that changes.

    Args:
        home: the part of the program that makes it.
        columns: the parts of its items.
        capacity: the number of items that its variables have room for.
        held: arrays that it keeps, or has kept.
        shared: an array that it keeps may be known elsewhere.
        filled: Python fills it at compile time: see ``lists``.
    """

    home: UnfinishedBlock
    columns: tuple[ArrayRoot, ...]
    capacity: Atom
    held: set[ArrayRoot] = field(default_factory=set[ArrayRoot])
    shared: bool = False
    filled: bool = False


@dataclass(slots=True)
class Lowering:
    """The state of one lowering.

    Args:
        sharing: tells which values of the block nothing writes.
        env: the forms of the block's values.
        scope: the part that is being written.
        versions: the variable that holds each array object now.
        ok: the condition that all checks so far hold; else the exact backend has to run the call.
        guard: the condition under which checks count; ``None`` for always.
        stale: arrays that may have been written under another name.
        location: the user's line.
        unsettled: arrays that are written somewhere.
        dims: the variables of the sizes that specs name.
        seen: arrays that have been read or written.
        device: it is a program of device arrays: the promotion of the array library holds.
        tags: the identities of arrays that come out of branches and loops.
        sums: the sums and products of integers.
        changed: the lists that are changed.
        growth: the growth of lists that change, by the roots of their lengths.
        growing: the variables of lists that change in the branch or loop that is being written.
        places: the dtypes and ranks of variables that lists are held in.
        inherited: arrays that existed when the iteration of the innermost loop began.
        written: arrays that have been written.
        lists: lists that nothing keeps, so that they may be appended to.
        made: those of them that are made by a node, not captured.
        filled: lists that Python fills at compile time.
        known: the variables of such lists.
        grown: the rows that the iteration which is being written appends to lists.
        loops: the loops around what is being written, outermost first.
        unrolled: the loops that Python runs at compile time.
        computed: the integers carried by these that are not known then.
        watch: the floats that are checked; ``None`` if none are.
    """

    sharing: Sharing
    env: dict[Value, Form] = field(default_factory=dict[Value, Form])
    scope: UnfinishedBlock = field(default_factory=UnfinishedBlock)
    versions: dict[ArrayRoot, Atom] = field(default_factory=dict[ArrayRoot, Atom])
    ok: Atom = TRUE
    guard: Atom | None = None
    stale: set[ArrayRoot] = field(default_factory=set[ArrayRoot])
    location: Location | None = None
    unsettled: set[ArrayRoot] = field(default_factory=set[ArrayRoot])
    dims: dict[str, Atom] = field(default_factory=dict[str, Atom])
    seen: set[ArrayRoot] = field(default_factory=set[ArrayRoot])
    device: bool = False
    tags: dict[ArrayRoot, Which] = field(default_factory=dict[ArrayRoot, Which])
    sums: SumsOfProducts = field(default_factory=SumsOfProducts)
    changed: ChangedLists = field(default_factory=ChangedLists)
    growth: dict[ArrayRoot, Growth] = field(default_factory=dict[ArrayRoot, Growth])
    growing: set[ArrayRoot] = field(default_factory=set[ArrayRoot])
    places: dict[ArrayRoot, Place] = field(default_factory=dict[ArrayRoot, Place])
    inherited: frozenset[ArrayRoot] = frozenset()
    written: set[ArrayRoot] = field(default_factory=set[ArrayRoot])
    lists: frozenset[Value] = frozenset()
    made: frozenset[Value] = frozenset()
    filled: frozenset[Value] = frozenset()
    known: set[ArrayRoot] = field(default_factory=set[ArrayRoot])
    grown: dict[Value, list[Device]] = field(default_factory=dict[Value, list[Device]])
    loops: list[Node] = field(default_factory=list[Node])
    unrolled: frozenset[Node] = frozenset()
    computed: frozenset[tuple[Node, int]] = frozenset()
    watch: FloatWatch | None = None

    # -- steps -------------------------------------------------------------------------------------

    def refusal(self, code: str, message: str) -> Refused:
        """Return the exception that refuses the block."""
        return Refused(code, message, self.location)

    def unknown_size(self) -> Refused:
        """Return the exception that refuses a part of an array whose size is not known at compile time."""
        return self.refusal("AT303", "the size of a slice depends on data")

    def expr(
        self,
        op: str,
        args: Sequence[Tree],
        dtype: np.dtype[Any] | None,
        rank: int = 0,
        named: Mapping[str, Tree] = NO_ATTRS,
    ) -> Value:
        """Write a step that makes one variable, out of atoms and containers of them."""
        out = variable(dtype, rank)
        self.add(node_of(op, args, out, self.location, named))
        return out

    def arithmetic(self, op: str, atoms: Sequence[Atom], dtype: np.dtype[Any]) -> Value:
        """Write an operator on numbers; Python computes it if all of them are known at compile time."""
        return self.expr(op, atoms, None if all(map(is_host, atoms)) else dtype)

    def once(self, op: str, args: Sequence[Tree], dtype: np.dtype[Any]) -> Value:
        """Write a step that computes a number from others, unless this part has computed it before."""
        atoms, attrs = laid_out(args)
        key = (op, repr(attrs), *map(identity, atoms))
        return self.scope.known.get(key) or self.scope.known.setdefault(key, self.expr(op, args, dtype))

    def add(self, step: Node) -> None:
        """Write a step."""
        self.scope.nodes.append(step)

    @contextmanager
    def inside(self, branch: Branch) -> Generator[Branch]:
        """Write into a part, with changes that stay in the branch."""
        outer = self.scope, self.versions, self.ok, self.stale, self.guard
        self.scope, self.versions = branch.scope, branch.versions
        self.ok, self.stale, self.guard = branch.ok, branch.stale, None
        yield branch
        branch.ok, branch.stale = self.ok, self.stale
        self.scope, self.versions, self.ok, self.stale, self.guard = outer

    def branch(self) -> Branch:
        """Return a part to be written, which starts from the present state."""
        return Branch(UnfinishedBlock(), dict(self.versions), self.ok, set(self.stale))

    # -- what may go wrong ---------------------------------------------------------------------------

    def check(self, condition: Atom) -> None:
        """Check a condition; where it fails, the exact backend runs the call."""
        if condition == TRUE:
            return
        if self.guard is not None:
            condition = self.logical("either", self.invert(self.guard), condition)
        self.ok = self.logical("both", self.ok, condition)

    def fail(self) -> None:
        """Leave the call to the exact backend."""
        self.check(Lit(False))

    @contextmanager
    def guarded(self, condition: Atom) -> Generator[None]:
        """Make the checks inside count only where a condition holds."""
        outer = self.guard
        self.guard = condition if outer is None else self.logical("both", outer, condition)
        yield
        self.guard = outer

    def logical(self, op: str, left: Atom, right: Atom) -> Atom:
        """Write ``both`` or ``either`` of two truth values."""
        known = known_logic(op, left, right)
        return self.arithmetic(op, (left, right), BOOL) if known is None else known

    def invert(self, condition: Atom) -> Atom:
        """Write ``not condition``."""
        if isinstance(condition, Constant):
            return Lit(not condition.value)
        if is_host(condition):
            return self.expr("not_known", (condition,), None)
        return self.expr("not", (condition,), BOOL)

    # -- forms -------------------------------------------------------------------------------------

    def form(self, operand: Operand) -> Form:
        """Return the form of an operand of a node."""
        if isinstance(operand, Constant):
            return self.constant(operand.value)
        found = self.env.get(operand)
        if found is None:
            raise self.refusal("AT301", no_form(operand.spec))
        return found

    def constant(self, value: Any) -> Form:
        """Return the form of a constant."""
        spec = spec_of(value)
        if isinstance(spec, ScalarSpec):
            bounds = (int(value), int(value)) if isinstance(value, int) else (0, 0)
            return Number(Lit(value), spec, bounds, frozenset())
        if isinstance(spec, GenericSpec) and spec.dtype.kind in "biufc":
            atom: Atom = Lit(value.item())
            if spec.dtype not in PLAIN:
                atom = self.expr(scalar_type(spec.dtype), (atom,), spec.dtype)
            bounds = (int(value), int(value)) if spec.dtype.kind in "iu" else FULL
            return Number(atom, spec, bounds)
        if isinstance(value, np.ndarray):
            return self.array(self.literal(value), ArraySpec(value.shape, value.dtype))
        return Static(value)

    def given(self, value: Any) -> Form:
        """Return an argument of a rule as a form: constants that are no numbers are given as themselves."""
        if isinstance(value, Form):
            return value
        return Items(tuple(map(self.given, value))) if type(value) is tuple else self.constant(value)

    def literal(self, value: Any) -> Atom:
        """Write a NumPy array as a variable."""
        if value.dtype.kind not in "biufc" or not value.dtype.isnative:
            raise self.refusal("AT301", f"a constant of dtype {value.dtype}")
        return self.expr("xp.asarray", (Lit(value),), value.dtype, value.ndim)

    def array(self, atom: Atom, spec: ArraySpec, root: ArrayRoot | None = None) -> Array:
        """Return a new array object."""
        root = ArrayRoot() if root is None else root
        self.versions[root] = atom
        return Array(root, (), spec, atom, atom)

    def host(self, form: Form, what: str) -> Atom:
        """Return the variable of an integer that has to be known at compile time.

        Raises:
            NeedsNumber: it would be known if some inputs were.
        """
        if isinstance(form, Static):
            return Lit(form.value)
        if isinstance(form, Number) and is_host(form.atom):
            return form.atom
        if isinstance(form, Number) and form.inputs:
            raise NeedsNumber(form.inputs)
        raise self.refusal("AT303", f"{what} depends on data")

    # -- arrays ------------------------------------------------------------------------------------

    def read(self, array: Array) -> Atom:
        """Return the present contents of an array.

        Raises:
            Refused: how much of it counts depends on data.
        """
        for extent in array.extents:
            if extent is not None and extent.capacity != 1:
                raise self.unknown_size()
            if extent is not None:  # the slice of one item is empty only where its index is outside
                self.check(self.expr("eq", (extent.length, Lit(1)), BOOL))
        return self.padded(array)

    def padded(self, array: Array) -> Atom:
        """Return the present contents of an array, with anything behind the items that count."""
        version = self.versions[array.root]
        self.seen.add(array.root)
        if array.root in self.stale:
            raise self.refusal("AT302", "an array that is read may have been written under another name")
        if version is array.version:
            return array.atom
        return self._along(version, array.path, array.dtype)

    def view(self, atom: Atom, view: View, dtype: np.dtype[Any]) -> Atom:
        """Write a view of an array."""
        if view.options:
            parts = [self._along(atom, path, dtype) for path in view.options]
            return self.expr("support.one_of", (*view.args, *parts), dtype, view.rank)
        out = variable(dtype, view.rank)
        self.add(Node(view.op, (atom, *view.args), (out,), view.attrs, location=self.location))
        return out

    def _along(self, atom: Atom, path: Sequence[View], dtype: np.dtype[Any]) -> Atom:
        for view in path:
            atom = self.view(atom, view, dtype)
        return atom

    def write(self, array: Array, change: Callable[[Atom], Atom]) -> None:
        """Replace the contents of an array's memory.

        Args:
            array: the array.
            change: returns the new contents of an array of this shape, given the present ones.

        Raises:
            Refused: how much of it counts depends on data.
        """
        if array.extents:
            raise self.unknown_size()
        self.write_padded(array, change)

    def write_padded(self, array: Array, change: Callable[[Atom], Atom]) -> None:
        """Replace contents as `write` does, of an array with anything behind the items that count."""
        self._mark_stale(array.root)
        self.seen.add(array.root)
        current = self.versions[array.root]
        self.versions[array.root] = self._changed(current, array.path, array.dtype, change)

    def _changed(
        self, atom: Atom, path: Sequence[View], dtype: np.dtype[Any], change: Callable[[Atom], Atom]
    ) -> Atom:
        if not path:
            return change(atom)
        first, *rest = path
        inner = self.view(atom, first, dtype)
        return self.put_back(atom, first, self._changed(inner, rest, dtype, change), dtype)

    def put_back(self, atom: Atom, view: View, part: Atom, dtype: np.dtype[Any]) -> Atom:
        """Write an array with one part replaced."""
        rank = atom_rank(atom)
        if view.options:
            wholes = [self._changed(atom, path, dtype, lambda _: part) for path in view.options]
            return self.expr("support.one_of", (*view.args, *wholes), dtype, rank)
        if view.kind == "item":
            key = view.attrs["pattern"].fill((atom, *view.args))[0][1]
            return self.expr("update", (atom, part, key), dtype, rank)
        if view.kind not in UNDO:
            raise self.refusal("AT302", "an array is written through a view")
        return self.expr(UNDO[view.kind], (part, atom, *view.args), dtype, rank)

    def _mark_stale(self, root: ArrayRoot) -> None:
        """Mark the arrays that may be the same object as one that is written."""
        if root in self.stale:
            raise self.refusal("AT302", "which array is written is decided when the program runs")
        self.stale.update(other for other in self.versions if other is not root and other.may_share(root))
        self.written.add(root)
        for growth in self.growth.values():
            if any(one.may_share(root) for one in growth.held):
                self.stale.update(growth.columns)

    def keeps(self, roots: Iterable[ArrayRoot]) -> None:
        """Note that arrays are known under one more name: lists that keep them are not the only ones."""
        for root in roots:
            for growth in self.growth.values():
                growth.shared |= root in growth.held
