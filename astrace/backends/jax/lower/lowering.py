"""From a block to a program: its inputs, its outputs, and the recipe of the results.

Each attempt to write a program assumes more to be known when JAX traces, as the one before has required.  The functions
of NumPy that it calls are those that NumPy had when it was loaded, which each call checks.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from astrace.backends.jax.lower.leaf_nodes import lower_nodes
from astrace.backends.jax.lower.results import Give, Results
from astrace.ir.block import Block, Node, Value
from astrace.ir.control import always_raises
from astrace.ir.specs import ArraySpec, DeviceSpec, GenericSpec, LiteralSpec, ScalarSpec, TupleSpec
from astrace.ir.walk import uses
from astrace.ops.numpy.own_functions import called_functions, replaced
from astrace.passes.analysis.aliasing import Sharing
from astrace.passes.analysis.changed_lists import changed_lists, filled_lists, growing_lists
from astrace.passes.analysis.device_arrays import is_device_program
from astrace.passes.analysis.int_ranges import limits_of
from astrace.passes.analysis.reshaping import reshaping_loops
from astrace.passes.functional.floats import warnings
from astrace.passes.functional.floats.watch import FloatWatch
from astrace.passes.functional.forms import FULL, Array, ArrayRoot, Device, Given, GivenText, Number
from astrace.passes.functional.layout.flatten import is_device
from astrace.passes.functional.program import DEVICE, Atom, Lit, variable
from astrace.passes.functional.refusal import Computed, NeedsNumber, Refused, Unknown
from astrace.passes.functional.state import TRUE, Lowering

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
        outputs: what writes the block's outputs.
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
            assert not needed.inputs <= attempts.static
            attempts.static |= needed.inputs
        except Computed as computed:
            attempts.computed |= {computed.place}
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
        self._state = Lowering(Sharing(block), device=device, changed=changed_lists(block))
        self._state.unrolled, self._state.computed = known.unrolled, known.computed
        self._state.filled = filled_lists(block, known.unrolled)
        if watched and not device:
            self._state.watch = FloatWatch.of(block, self._state.sharing, self._state.scope, finite)
        if device:
            self._state.lists, self._state.made = growing_lists(block)
        self._inputs: dict[Atom, int] = {}

    def program(self) -> Program:
        state, block = self._state, self._block
        counts = uses(block)
        used = tuple(index for index, value in enumerate(block.inputs) if value in counts)
        inputs = [self._input(index, block.inputs[index]) for index in used]
        if state.watch is not None:
            warnings.check_inputs(state, [one for one in inputs if one is not None])
        if always_raises(block):
            raise state.refusal("AT304", "it always raises")
        forms = lower_nodes(state, block)
        warnings.check_together(state)
        results = Results(state, block, self._inputs, forms)
        writes = tuple(self._writes(results))
        outputs = tuple(map(results.give, forms))
        ok = None if state.ok == TRUE else len(results.atoms)
        results.atoms += [] if ok is None else [state.ok]
        part = Block(
            tuple(one for one in inputs if one is not None), tuple(state.scope.nodes), tuple(results.atoms)
        )
        taken = tuple(index for index, one in zip(used, inputs, strict=True) if one is not None)
        kept = tuple(dict.fromkeys(results.kept))
        called = {} if state.device else called_functions(block)
        for name in replaced(called):
            raise Refused("AT304", f"`{name}` is not NumPy's own now")
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

    def _writes(self, results: Results) -> Iterator[tuple[int, int]]:
        state = self._state
        for root, version in state.versions.items():
            if root.argument is None:
                continue
            if root in state.stale:
                raise state.refusal("AT302", "which argument is written is decided when the program runs")
            original = state.env[self._block.inputs[root.argument]]
            if isinstance(original, Array) and version is not original.atom:
                yield root.argument, results.slot(version)


MOST_AROUND = 3
"""The number of innermost loops around a refusal that are considered."""


class Attempts:
    """The assumptions of the next attempt to write a program.

    Args:
        static: the inputs that are known when JAX traces.
        unrolled: the loops that Python runs then.
        computed: the integers carried by these loops that are not known.
    """

    def __init__(self, unrolled: frozenset[Node] = frozenset()) -> None:
        self.static: frozenset[int] = frozenset()
        self.unrolled = unrolled
        self.computed: frozenset[tuple[Node, int]] = frozenset()
        self._furthest: Refused | None = None
        self._target: object = None
        self._choices: Iterator[frozenset[Node]] = iter(())

    def loops(self, refused: Refused, around: Sequence[Node]) -> None:
        """Choose more loops for Python to run, of those around what is refused.

        Args:
            refused: the refusal.
            around: the loops around it, outermost first.

        Raises:
            Refused: nothing is left to try.
        """
        place = refused.reason.location, refused.reason.message
        if self._furthest is None or not (isinstance(refused, Unknown) or place == self._target):
            self._furthest = refused
            self._target = place
            self._choices = _choices(self.unrolled, around)
        for choice in self._choices if refused.reason.code == "AT303" else ():
            self.unrolled = choice
            return
        raise self._furthest


def _choices(known: frozenset[Node], around: Sequence[Node]) -> Iterator[frozenset[Node]]:
    """Yield the loops that Python runs already with some more: few rather than many, inner ones first."""
    left = [one for one in reversed(around) if one not in known][:MOST_AROUND]
    for count in range(1, len(left) + 1):
        for some in itertools.combinations(left, count):
            yield known | frozenset(some)
