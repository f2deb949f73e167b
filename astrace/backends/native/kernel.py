"""A compiled loop: it is called by the NumPy program around it, and undoes what it has written when it gives up."""

from __future__ import annotations

import builtins
import functools
import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.native import host
from astrace.backends.native.judge import Judge, ResultsDiffer, are_same, magnitude_of
from astrace.backends.native.source import KernelSource, write
from astrace.backends.python_source.loading import load
from astrace.errors import Reason
from astrace.ir.specs import PYTHON_TYPES, ArraySpec, GenericSpec, LiteralSpec, ScalarSpec, Spec, UnionSpec
from astrace.locations import Location
from astrace.ops import OPS
from astrace.ops.lowered import FUNCTIONS
from astrace.passes.bake.rng_state import put_back
from astrace.passes.lowering.lower import RULES, SMALL_INPUT, LoweredBlock, LoweredResult

MOST_FAILURES: Final = 3
"""A kernel that has given up so often in a row is not called any more."""


class Kernel:
    """A compiled loop.

    ``runs`` counts the calls that came to their end, ``failures`` those in a row that did not.

    Args:
        lowered: the block.
        source: its text.
        file: the user's file.
        compiled: through Numba; else Python runs the text.
        judge: chooses between the kernel and NumPy's program; without one, the kernel always runs.
        location: the user's line.
    """

    def __init__(
        self,
        lowered: LoweredBlock,
        source: KernelSource,
        file: str,
        compiled: bool = True,
        judge: Judge | None = None,
        location: Location | None = None,
    ) -> None:
        self.__name__ = source.name
        self.source = source
        self.runs = 0
        self.failures = 0
        self.refused: Reason | None = None
        self._lowered = lowered
        self._file = file
        self._compiled = compiled
        self._judge = judge
        self._location = location
        self._results = lowered.results
        numbers = [result for result in lowered.results if result.number is not None]
        self._convert = tuple(map(_converter, numbers))
        self._nothing: Any = (False, *(None for _ in numbers)) if numbers else False
        specs = [value.spec for value in lowered.block.inputs]
        self._integers = tuple(index for index, spec in enumerate(specs) if spec == INTEGER)
        self._functions = tuple(_place_of(op) for op in sorted(lowered.ops) if op in REPLACEABLE)
        self._arrays = tuple(index for index, spec in enumerate(specs) if isinstance(spec, ArraySpec))

    def __call__(self, *args: Any) -> Any:
        """Run it.

        Returns:
            Whether it has come to its end, and what the loop puts out; the truth value alone of one that puts out
            nothing.
        """
        if self.failures >= MOST_FAILURES or not self._takes(args):
            return self._nothing
        if self._judge is not None:
            magnitude = magnitude_of(args)
            preferred = self._judge.prefers_kernel(magnitude)
            if preferred is None:
                return self._compared(self._judge, args, magnitude)
            if not preferred:
                return self._nothing
        found = self._kept(args)
        if found is None:
            return self._nothing
        return (True, *(convert(found, args) for convert in self._convert)) if self._convert else True

    def _compared(self, judge: Judge, args: Sequence[Any], magnitude: int) -> Any:
        """Run the kernel on copies and NumPy's program on the arguments; return as a call does."""
        try:
            outputs = judge.compare(self._outputs, args, magnitude)
        except ResultsDiffer as found:
            self.failures = MOST_FAILURES
            self.refused = Reason("AT307", "its results were not NumPy's", None)
            outputs = found.expected
        if outputs is None:
            return self._nothing
        numbers = [
            output for output, result in zip(outputs, self._results, strict=True) if result.number is not None
        ]
        return (True, *numbers) if numbers else True

    def _outputs(self, args: Sequence[Any]) -> list[Any] | None:
        """Run on copies of arguments; return all outputs of the loop, or ``None`` where the kernel gives up."""
        found = self._kept(args)
        if found is None:
            return None
        numbers = iter(self._convert)
        return [
            next(numbers)(found, args) if result.number is not None else args[result.argument or 0]
            for result in self._results
        ]

    @property
    def is_used(self) -> bool:
        """True while calls may run the kernel."""
        return self.failures < MOST_FAILURES and (self._judge is None or self._judge.best_speedup > 1)

    def __str__(self) -> str:
        """The loop, and what runs it."""
        place = "a loop" if self._location is None else f"the loop in line {self._location.line}"
        if self.refused is not None:
            return f"{place}: NumPy; {self.refused.message}"
        if self.failures >= MOST_FAILURES:
            return f"{place}: NumPy; machine code gives up"
        if self._judge is None:
            return f"{place}: machine code"
        return f"{place}: {self._judge}"

    def _takes(self, args: Sequence[Any]) -> bool:
        """Tell whether all is as the kernel supposes: integers small, arrays apart and aligned, functions NumPy's own."""
        lowered = self._lowered
        arrays = [args[index] for index in self._arrays]
        return (
            all(getattr(owner, name, None) is function for owner, name, function in self._functions)
            and all(-SMALL_INPUT <= args[index] <= SMALL_INPUT for index in self._integers)
            and all(array.flags.aligned for array in arrays)
            and all(is_writeable(args[index]) for index in lowered.written)
            and not (lowered.needs_forward and any(map(runs_backwards, arrays)))
            and not (lowered.needs_c_order and not all(map(runs_as_in_c, arrays)))
            and not any(np.may_share_memory(args[one], args[other]) for one, other in lowered.apart)
            and not (
                lowered.uses_floats and np.geterr()["under"] != "ignore"
            )  # the flag of underflows is not read
        )

    def _kept(self, args: Sequence[Any]) -> Any:
        """Run the kernel; return its outputs, or ``None`` if it has given up and put back what it has written."""
        found = self._run(*args)
        if found is not None and (found[0] if self._convert else found):
            self.failures = 0
            self.runs += 1
            return found
        self.failures += 1
        return None

    @functools.cached_property
    def _run(self) -> Callable[..., Any]:
        """The kernel as a function, which puts back what it has written where it gives up."""
        if not self._compiled:
            return self._through_python()
        try:
            with put_back(()):  # Numba is imported when it is needed first: it is large
                machine = importlib.import_module("astrace.backends.native.machine")
        except Exception as error:  # whatever is wrong with Numba or the C library, NumPy runs the loop
            return self._refuse(f"machine code can't be made here: {error}")
        if not machine.FLAGS:
            return self._refuse("the processor's status flags are not known")
        return self._through_numba(machine)

    def _refuse(self, message: str) -> Callable[..., Any]:
        """Refuse the kernel for good; return what runs it: it always gives up."""
        self.failures = MOST_FAILURES
        self.refused = Reason("AT307", message, None)
        return lambda *_: None

    def _through_numba(self, machine: Any) -> Callable[..., Any]:
        """The compiled function; it gives up where Numba can't compile it for the arguments."""
        source = write(self._lowered, self.source.name, for_numba=True)
        namespace = host.bound(source.namespace, machine.COMPILED, machine.LOOPS)
        function = load(source.text, source.lines, source.name, self._file, namespace)
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        kernel = machine.undoing(function, names, self._lowered.written, bool(self._convert))

        def run(*args: Any) -> Any:
            try:
                return kernel(*args)
            except machine.REFUSALS as error:
                return self._refuse(f"Numba does not compile it: {str(error).splitlines()[0]}")()

        return run

    def _through_python(self) -> Callable[..., Any]:
        """The text as Python runs it; it gives up where NumPy would warn, as compiled code does."""
        source, written = self.source, self._lowered.written
        namespace = host.bound(source.namespace, {**FUNCTIONS, **host.HOST}, host.LOOPS)
        function = load(source.text, source.lines, source.name, self._file, namespace)

        def run(*args: Any) -> Any:
            before = [args[index].copy() for index in written]
            try:
                with np.errstate(all="raise", under="ignore"):
                    found = function(*args)
            except FloatingPointError:
                found = None
            if found is None or not (found[0] if self._convert else found):
                for index, old in zip(written, before, strict=True):
                    args[index][...] = old
            return found

        return run


INTEGER: Final = GenericSpec(np.dtype(np.int64))


MODULES: Final = {"np": np, "math": math}


def _is_found(op: str) -> bool:
    """Return whether the function of an op is found by its name: in NumPy, in ``math``, among the builtins."""
    module, _, name = op.rpartition(".")
    owner = MODULES.get(module) if module else builtins
    return owner is not None and getattr(owner, name, None) is OPS[op].function


REPLACEABLE: Final = frozenset(op for op in RULES if _is_found(op))
"""The ops in the place of whose functions a program may put others."""


def _place_of(op: str) -> tuple[Any, str, Any]:
    """Return where the function of an op is found, and the function that is there by default."""
    module, _, name = op.rpartition(".")
    owner: Any = MODULES[module] if module else builtins
    return owner, name, OPS[op].function


def runs_backwards(array: Any) -> bool:
    """Return whether a stride of an array is negative."""
    return min(array.strides, default=0) < 0


def runs_as_in_c(array: Any) -> bool:
    """Return whether the last axis of an array is the one that runs fastest, and so on."""
    if array.flags.c_contiguous:
        return True
    strides = [abs(stride) for stride, size in zip(array.strides, array.shape, strict=True) if size > 1]
    return strides == sorted(strides, reverse=True)


def is_writeable(array: Any) -> bool:
    """Return whether an array can be written, and no two of its elements share memory."""
    if not array.flags.writeable:
        return False
    if array.flags.forc:
        return True
    extent = array.itemsize
    for stride, size in sorted(
        (abs(stride), size) for stride, size in zip(array.strides, array.shape, strict=True)
    ):
        if size > 1 and stride < extent:
            return False
        extent += stride * (size - 1)
    return True


def _converter(result: LoweredResult) -> Callable[[Any, Sequence[Any]], Any]:
    """Return what makes Python's object of what a kernel returns, given that and the arguments.

    A number that has the bits of what it was before the loop is that object: most probably nothing has changed it.
    """
    made, before = _maker(result), result.before
    if before is None:
        return lambda found, _args: made(found)

    def convert(found: Any, args: Sequence[Any]) -> Any:
        new = made(found)
        return args[before] if are_same(new, args[before]) else new

    return convert


def _maker(result: LoweredResult) -> Callable[[Any], Any]:
    """Return what makes an object of a type out of what a kernel returns."""
    assert result.number is not None
    number = 1 + result.number
    if isinstance(result.spec, UnionSpec):
        first, second = map(_type_of, result.spec.options)
        assert result.tag is not None
        tag = 1 + result.tag
        return lambda found: (first if found[tag] else second)(found[number])
    if isinstance(result.spec, ArraySpec):
        return lambda found: found[number]
    kind = _type_of(result.spec)
    return lambda found: kind(found[number])


def _type_of(spec: Spec) -> Callable[[Any], Any]:
    if isinstance(spec, LiteralSpec):
        literal = spec.value
        return lambda _: literal
    if isinstance(spec, ScalarSpec):
        return PYTHON_TYPES[spec.kind]
    assert isinstance(spec, GenericSpec)
    return spec.dtype.type
