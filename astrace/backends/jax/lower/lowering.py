"""From a block to a program: its inputs, its outputs, and the recipe of the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from astrace.backends.jax.lower.body import lower_nodes
from astrace.backends.jax.lower.control.branches import fails
from astrace.backends.jax.lower.floats import warnings, watch
from astrace.backends.jax.lower.functions.patched import called_functions
from astrace.backends.jax.lower.jnp_programs.nodes import is_device_program
from astrace.backends.jax.lower.layout import lists
from astrace.backends.jax.lower.layout.flatten import is_device
from astrace.backends.jax.lower.layout.result_recipe import (
    Give,
    GiveArgument,
    GiveArray,
    GiveDevice,
    GiveEither,
    GiveItems,
    GiveList,
    GiveMade,
    GiveNumber,
    GiveRows,
    GiveStatic,
    GiveView,
)
from astrace.backends.jax.lower.layout.scan_lists import growing_lists
from astrace.backends.jax.lower.layout.trace_time_lists import filled_lists
from astrace.backends.jax.lower.retry import Attempts, reshaping_loops
from astrace.backends.jax.lower.state import TRUE, Lowering
from astrace.backends.jax.lower.value_forms import (
    FULL,
    Array,
    ArrayRoot,
    ChosenForm,
    Device,
    Either,
    Form,
    Given,
    GivenText,
    Items,
    MadeForm,
    Number,
    Rows,
    Stack,
    Static,
    View,
    roots_of,
)
from astrace.backends.jax.program_ir import DEVICE, Atom, Lit, variable
from astrace.backends.jax.refusal import Computed, NeedsNumber, Refused
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.specs import ArraySpec, DeviceSpec, GenericSpec, LiteralSpec, ScalarSpec, TupleSpec
from astrace.ir.walk import uses
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.int_ranges import limits_of

SMALL: int = 2**48
"""Larger Python integers are left to the exact backend, so that sums of a few need no check."""


@dataclass(frozen=True, slots=True)
class Program:
    """A block as a program.

    Args:
        part: takes the inputs that are used; puts out the variables that `outputs`, `writes` and ``ok`` number.
        used: the positions of the block's inputs that it takes.
        static: those of them that are known when JAX traces.
        ok: the number of the last variable, which tells whether all went well; ``None`` if nothing can go wrong.
        writes: arguments that are changed, by position, with the variables that hold their new contents.
        outputs: the recipes of the block's outputs.
        device: it is a program of JAX's own functions, from arrays of JAX to arrays of JAX.
        kept: variables that tell whether results have the types that Python would give them.
        watched: it checks for NumPy's warnings, and for numbers that XLA counts as zero.
        called: the functions of NumPy that it calls, by the text that leads to them.
    """

    part: Block
    used: tuple[int, ...]
    static: frozenset[int]
    ok: int | None
    writes: tuple[tuple[int, int], ...]
    outputs: tuple[Give, ...]
    device: bool = False
    kept: tuple[int, ...] = ()
    watched: bool = False
    called: Mapping[str, Any] = field(default_factory=dict[str, Any])


def lower(block: Block, *, reshaping: bool = False, watched: bool = False, finite: bool = False) -> Program:
    """Make a program of a block.

    Args:
        block: any block.
        watched: the program, if it is of NumPy's functions, checks for NumPy's warnings.
        finite: its checks fail for all NaN and infinity, also if they come from the arguments.
        reshaping: loops that may carry arrays of other shapes in each iteration are run by Python when JAX traces.

    Raises:
        Refused: the block has no counterpart in JAX.
    """
    attempts = Attempts(reshaping_loops(block) if reshaping else frozenset())
    while True:
        lowering = _Lowering(block, attempts, watched, finite)
        try:
            return lowering.program()
        except NeedsNumber as needed:
            attempts.inputs(needed)
        except Computed as computed:
            attempts.integer(computed)
        except Refused as refused:
            attempts.loops(refused, lowering.loops)


class _Lowering:
    """One attempt to make a program of a block.

    Args:
        block: the block.
        known: what is assumed to be known when JAX traces.
        watched: the program checks for NumPy's warnings.
        finite: it checks that all floats are finite.
    """

    def __init__(self, block: Block, known: Attempts, watched: bool, finite: bool) -> None:
        self._block = block
        self._static = known.static
        device = is_device_program(block)
        changed = frozenset[Value]() if device else lists.changed_lists(block)
        self._state = Lowering(Sharing(block), device=device, changed=changed)
        self._state.unrolled, self._state.computed = known.unrolled, known.computed
        self._state.filled = filled_lists(block, known.unrolled)
        if watched and not device:
            self._state.watch = watch.FloatWatch.of(block, self._state.sharing, self._state.scope, finite)
        if device:
            self._state.lists, self._state.made = growing_lists(block)
        self._atoms: list[Atom] = []
        self._slots: dict[Atom, int] = {}
        self._keys: dict[ArrayRoot, int] = {}
        self._once: list[Items | MadeForm | Rows | Stack] = []
        self._given: set[ArrayRoot] = set()
        self._contested: set[ArrayRoot] = set()
        self._kept: list[int] = []
        self._inputs: dict[Atom, int] = {}

    def program(self) -> Program:
        state, block = self._state, self._block
        counts = uses(block)
        used = tuple(index for index, value in enumerate(block.inputs) if value in counts)
        inputs = [self._input(index, block.inputs[index]) for index in used]
        if state.watch is not None:
            warnings.check_inputs(state, [one for one in inputs if one is not None])
        if fails(block):
            raise state.refusal("AT304", "it always raises")
        forms = lower_nodes(state, block)
        warnings.check_together(state)
        writes = tuple(self._writes())
        shared = self._shared(forms)
        self._given = {root for form in forms for root in roots_of(form)}
        self._contested = self._known_twice()
        outputs = tuple(self._give(form, shared) for form in forms)
        ok = None if state.ok == TRUE else len(self._atoms)
        self._atoms += [] if ok is None else [state.ok]
        part = Block(
            tuple(one for one in inputs if one is not None), tuple(state.scope.nodes), tuple(self._atoms)
        )
        taken = tuple(index for index, one in zip(used, inputs, strict=True) if one is not None)
        kept = tuple(dict.fromkeys(self._kept))
        called = {} if state.device else called_functions(block)
        told = kept, state.watch is not None, called
        return Program(part, taken, self._static, ok, writes, outputs, state.device, *told)

    @property
    def loops(self) -> Sequence[Node]:
        """The loops around what is being written, outermost first."""
        return [] if self._state.device else self._state.loops

    # -- inputs ------------------------------------------------------------------------------------

    def _input(self, index: int, value: Value) -> Value | None:
        """Return a variable for an input; ``None`` if it has no form in JAX, and is refused where it is used."""
        state, spec = self._state, value.spec
        match spec:
            case ScalarSpec() | GenericSpec() if index in self._static:
                var = variable(None, 0, value.name)
                state.env[value] = Number(var, spec, (-SMALL, SMALL), frozenset())
            case ScalarSpec():
                var = variable(Number(Lit(0), spec).dtype, 0, value.name)
                small = spec.kind == "int"
                inputs = frozenset({index}) if small else None
                state.env[value] = Number(var, spec, (-SMALL, SMALL) if small else FULL, inputs)
            case _ if state.device and is_device(spec):
                var = variable(DEVICE, spec.ndim if isinstance(spec, DeviceSpec) else 0, value.name)
                state.env[value] = Device(var, spec)
                self._inputs[var] = index
            case GenericSpec() if spec.dtype.kind in "biufc":
                var = variable(spec.dtype, 0, value.name)
                state.env[value] = Number(var, spec, *limits_of(spec.dtype, index))
            case ArraySpec() if spec.dtype.kind in "biufc" and spec.dtype.isnative:
                var = variable(spec.dtype, len(spec.shape), value.name)
                self._array_input(index, value, spec, var)
            case LiteralSpec():
                state.env[value] = GivenText(spec.value, index)
                return None
            case TupleSpec():
                state.env[value] = Given(index, spec)
                return None
            case _:
                return None
        if isinstance(spec, ScalarSpec | GenericSpec):
            self._inputs[var] = index
        return var

    def _array_input(self, index: int, value: Value, spec: ArraySpec, var: Value) -> None:
        state = self._state
        root = ArrayRoot(index)
        state.versions[root] = var
        state.env[value] = Array(root, (), spec, var, var)
        if not state.sharing.is_settled(value):
            state.unsettled.add(root)
        for axis, dim in enumerate(spec.shape):
            if isinstance(dim, str) and dim not in state.dims:
                size = state.expr("dim", (var, Lit(axis)), None)
                size.rename(dim)
                state.dims[dim] = size

    # -- outputs -----------------------------------------------------------------------------------

    def _slot(self, atom: Atom) -> int:
        """Return the number of an output."""
        if isinstance(atom, Constant):
            self._atoms.append(atom)
            return len(self._atoms) - 1
        if atom not in self._slots:
            self._slots[atom] = len(self._atoms)
            self._atoms.append(atom)
        return self._slots[atom]

    def _writes(self) -> Any:
        state = self._state
        for root, version in state.versions.items():
            if root.argument is None:
                continue
            if root in state.stale:
                raise state.refusal("AT302", "which argument is written is decided when the program runs")
            original = state.env[self._block.inputs[root.argument]]
            if isinstance(original, Array) and version is not original.atom:
                yield root.argument, self._slot(version)

    def _shared(self, forms: Sequence[Form]) -> set[ArrayRoot]:
        """Return the arrays that come out under several names."""
        found = [root for form in forms for root in roots_of(form)]
        return {root for root in found if found.count(root) > 1}

    def _give(self, form: Form, shared: set[ArrayRoot]) -> Give:
        match form:
            case Number():
                return self._give_number(form)
            case Device():
                self._kept += [] if form.kept in (None, TRUE) else [self._slot(form.kept)]
                if form.atom in self._inputs:
                    return GiveArgument(self._inputs[form.atom])
                return GiveDevice(self._slot(form.atom))
            case Static(slice() as part) if isinstance(part.start, Number) or isinstance(part.stop, Number):
                raise self._state.refusal("AT301", "a slice as a result")
            case Static() | Given():
                given = isinstance(form, GivenText | Given)
                return GiveArgument(form.index) if given else GiveStatic(form.value)
            case Either():
                return GiveEither(
                    self._slot(form.tag), tuple(self._give(one, shared) for one in form.options)
                )
            case ChosenForm():
                options = tuple(self._give(one, shared) for one in (form.made, *form.given))
                return GiveEither(self._slot(form.number), options, alike=True)
            case Array():
                return self._give_array(form, shared)
            case Items() | Rows() | MadeForm() | Stack():
                return self._give_container(form, shared)

    def _give_number(self, form: Number) -> Give:
        index = self._inputs.get(form.atom) if isinstance(form.atom, Value) else None
        if index is not None and self._block.inputs[index].spec == form.spec:
            return GiveArgument(index)
        return GiveNumber(self._slot(form.atom), form.spec)

    def _give_container(self, form: Items | Rows | MadeForm | Stack, shared: set[ArrayRoot]) -> Give:
        match form:
            case Items():
                self._check_list(form)
                return GiveItems(tuple(self._give(one, shared) for one in form.items), form.cls)
            case Rows():
                self._check_once(form)
                before = tuple(self._give(one, shared) for one in form.before)
                return GiveRows(self._slot(form.atom), before)
            case MadeForm():
                self._check_once(form)
                return GiveMade(form.cls, form.names, tuple(self._give(one, shared) for one in form.items))
            case Stack():
                return self._give_list(form)

    def _give_list(self, stack: Stack) -> Give:
        self._check_list(stack)
        state, growth = self._state, self._state.growth[stack.length]
        if growth.shared or any(one.may_share(root) for one in self._given for root in growth.held):
            raise state.refusal("AT302", "an array in a list that comes out is known elsewhere, too")
        if state.versions[stack.length] == Lit(0):
            return GiveItems((), list)
        if growth.filled:
            held = [state.versions[root] for root in stack.columns]
        else:
            held = [state.read(lists.whole_column(state, root)) for root in stack.columns]
        length, slots = self._slot(state.versions[stack.length]), tuple(map(self._slot, held))
        return GiveList(length, slots, stack.element, growth.filled)

    def _check_list(self, form: Items | Stack) -> None:
        """Refuse a list that comes out twice: it is made anew wherever it stands."""
        if isinstance(form, Stack) or form.cls is list:
            self._check_once(form)

    def _check_once(self, form: Items | MadeForm | Rows | Stack) -> None:
        """Refuse a mutable object that comes out twice: it is made anew wherever it stands."""
        if any(form is one for one in self._once):
            name = "list" if isinstance(form, Rows | Stack) else form.cls.__name__
            raise self._state.refusal("AT302", f"one {name} comes out under two names")
        self._once.append(form)

    def _give_array(self, array: Array, shared: set[ArrayRoot]) -> Give:
        state, root = self._state, array.root
        current = state.read(array)
        self._check_kept(root)
        if any(one.argument is not None or one in self._contested for one in self._possible(root)):
            return self._give_one_of(array)
        key = self._keys.setdefault(root, len(self._keys))
        if root.argument is None and any(view.kind == "broadcast" for view in array.path):
            raise state.refusal("AT302", "an array that can't be written comes out")
        if root.argument is None and (root not in shared or not array.path):
            return GiveArray(self._slot(current), key)
        base = (
            GiveArray(self._slot(state.versions[root]), key)
            if root.argument is None
            else GiveArgument(root.argument)
        )
        if any(view.options for view in array.path):
            raise state.refusal("AT302", "which part of an array comes out is decided when the program runs")
        return self._part_of(base, array.path)

    def _check_kept(self, root: ArrayRoot) -> None:
        """Refuse an array that was taken from a list and is known elsewhere, too."""
        for growth in self._state.growth.values():
            if not root.may_be.isdisjoint(growth.columns):
                if growth.shared:
                    raise self._state.refusal("AT302", "an array from a list is known elsewhere, too")
                growth.shared = True

    def _give_one_of(self, array: Array) -> Give:
        """Return the recipe of an array that is one of several, which may be arguments or come out themselves."""
        state, root = self._state, array.root
        which = state.tags.get(root)
        if which is None or any(view.options for view in array.path) or state.stale & {root, *which.objects}:
            raise state.refusal("AT302", "whether a result is an argument is decided when the program runs")
        new = self._give_object(root)
        known = {one for one in which.possible if one.argument is not None or one in self._contested}
        found = [self._give_object(one) if one in known else new for one in which.objects]
        base = GiveEither(self._slot(which.number), tuple(found if which.is_one else [*found, new]))
        return self._part_of(base, array.path)

    def _part_of(self, base: GiveArray | GiveArgument | GiveEither, path: Sequence[View]) -> Give:
        """Return the recipe of a view of an array, or of the array itself."""
        slots = tuple(tuple(self._path_slot(atom) for atom in view.args) for view in path)
        return GiveView(base, tuple(path), slots) if path else base

    def _known_twice(self) -> set[ArrayRoot]:
        """Return the objects that several of the arrays that come out may be."""
        found = Counter(one for root in self._given for one in {root, *self._possible(root)})
        return {root for root, times in found.items() if times > 1}

    def _possible(self, root: ArrayRoot) -> frozenset[ArrayRoot]:
        """Return the objects that an array may be, beside one of its own."""
        return self._state.tags[root].possible if root in self._state.tags else root.may_be

    def _give_object(self, root: ArrayRoot) -> Give:
        if root.argument is not None:
            return GiveArgument(root.argument)
        key = self._keys.setdefault(root, len(self._keys))
        return GiveArray(self._slot(self._state.versions[root]), key)

    def _path_slot(self, atom: Atom) -> int | Constant:
        return atom if isinstance(atom, Constant) else self._slot(atom)
