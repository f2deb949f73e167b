"""The test of a kernel's arguments as machine code: what does not pass is asked about in Python, and nothing has happened.

Takes the tests as data, and what writes the function of machine code; adds to it what leaves that function early:
``NotImplemented`` where a test fails, ``...`` where all pass and the ledger says nothing (or is not to be looked at), ``False`` where
it leaves the call to NumPy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from astrace.backends.native.arithmetic import error_settings
from astrace.backends.native.drawing import generators
from astrace.backends.native.entry.checks import (
    DIRECT,
    FUNCTIONS,
    KNOWN,
    LOCKING,
    SETTINGS,
    TEST,
    TEST_KNOWN,
    USUAL,
    WORDS,
    EntryChecks,
)
from astrace.backends.native.entry.ledger import ACCEPTED, FIRST
from astrace.backends.native.object_code import ARRAY_FIELDS, ITEMS, TYPE_FIELD
from astrace.backends.native.signature import ArrayArgument, GeneratorArgument, KernelArgument
from astrace.ops.numpy.reductions import BUFFER
from astrace.passes.lowering.lower import SMALL_INPUT

# pyright: basic
BYTE: Final = ir.IntType(8)
POINTER: Final = BYTE.as_pointer()
BIT: Final = ir.IntType(1)
INT: Final = ir.IntType(32)
WORD: Final = ir.IntType(64)
ALIGNED, WRITEABLE, EITHER_ORDER, C_ORDER = 0x100, 0x400, 3, 1
"""NumPy's flags of arrays."""


@dataclass(frozen=True, slots=True)
class Tested:
    """An array that is tested: its C structure's numbers.

    Args:
        argument: its type.
        data: the address of its first element.
        flags: NumPy's.
        sizes: of its axes.
        strides: the same.
    """

    argument: ArrayArgument
    data: Any
    flags: Any
    sizes: Sequence[Any]
    strides: Sequence[Any]


class CheckWriter:
    """Writes the tests.

    Args:
        builder: at the place where they stand.
        external: gives a function of C's, for its name and types.
        leave: ends the function with an object of Python's, for its name.
        arguments: the types of the kernel's arguments.
        checks: the tests.
    """

    def __init__(
        self,
        builder: Any,
        external: Callable[[str, Any, Sequence[Any]], Any],
        leave: Callable[[str], None],
        arguments: Sequence[KernelArgument],
        checks: EntryChecks,
    ) -> None:
        self._builder = builder
        self._external = external
        self._leave = leave
        self._arguments = arguments
        self._checks = checks

    def write(self, held: Any, given: Sequence[Any], extra: Any) -> None:
        """Write all of them.

        Args:
            held: the tuple of objects, as `objects_for` makes it.
            given: the arguments.
            extra: the number of those behind them, which says what is tested.
        """
        known, alone, alone_known, direct = (
            self._builder.icmp_unsigned("==", extra, WORD(one)) for one in (KNOWN, TEST, TEST_KNOWN, DIRECT)
        )
        arrays = {index: self._tested(index, given[index]) for index in self._checks.arrays}
        self._require([*self._of_arrays(arrays), *self._apart(arrays)])
        if self._checks.settings:
            known = self._builder.or_(known, alone_known)
            self._require([self._builder.or_(known, self._usual_settings(held))])
        for number in range(self._checks.functions):
            self._require_function(held, FUNCTIONS + 3 * number)
        for index in self._checks.generators:
            argument = self._arguments[index]
            assert isinstance(argument, GeneratorArgument)
            self._require_lock(held, given[index], argument.kind)
        numbers = [self._small_integer(given[index]) for index in self._checks.integers]
        magnitude, alone = self._magnitude(arrays, numbers), self._builder.or_(alone, alone_known)
        self._consult(held, magnitude, alone, direct)

    def _require(self, conditions: Sequence[Any]) -> None:
        """Leave where one of the conditions does not hold."""
        builder, passed = self._builder, BIT(1)
        for condition in conditions:
            passed = builder.and_(passed, condition)
        with builder.if_then(builder.not_(passed), likely=False):
            self._leave("_Py_NotImplementedStruct")

    # -- arrays ----------------------------------------------------------------------------------------

    def _tested(self, index: int, given: Any) -> Tested:
        argument = self._arguments[index]
        assert isinstance(argument, ArrayArgument)
        sizes, strides = (
            [self._loaded(self._field(given, name, POINTER), 8 * axis, WORD) for axis in range(argument.ndim)]
            for name in ("shape", "strides")
        )
        data = self._builder.ptrtoint(self._field(given, "data", POINTER), WORD)
        return Tested(argument, data, self._field(given, "flags", INT), sizes, strides)

    def _of_arrays(self, arrays: dict[int, Tested]) -> Iterator[Any]:
        """Yield the conditions on single arrays."""
        builder, checks = self._builder, self._checks
        for index, array in arrays.items():
            needed = ALIGNED | (WRITEABLE if index in checks.written else 0)
            yield builder.icmp_unsigned("==", builder.and_(array.flags, INT(needed)), INT(needed))
            if index in checks.written and array.argument.order not in ("C", "F"):
                backwards = replace(array, sizes=array.sizes[::-1], strides=array.strides[::-1])
                rises = builder.or_(self._rises(array, inner=False), self._rises(backwards, inner=False))
                yield builder.or_(self._has_flag(array, EITHER_ORDER), rises)
            if checks.forward:
                yield from (builder.icmp_signed(">=", stride, WORD(0)) for stride in array.strides)
            if checks.c_order and array.argument.order != "C":
                yield builder.or_(self._has_flag(array, C_ORDER), self._rises(array, inner=True))

    def _has_flag(self, array: Tested, flag: int) -> Any:
        return self._builder.icmp_unsigned("!=", self._builder.and_(array.flags, INT(flag)), INT(0))

    def _rises(self, array: Tested, inner: bool) -> Any:
        """Whether each axis goes further than those behind it reach.

        Args:
            array: the array.
            inner: what the axis behind it goes through counts; else all that those behind it reach, and an element.
        """
        builder, passed = self._builder, BIT(1)
        reach = WORD(0 if inner else np.dtype(array.argument.dtype).itemsize)
        for size, stride in zip(array.sizes[::-1], array.strides[::-1], strict=True):
            step, short = self._absolute(stride), builder.icmp_signed("<=", size, WORD(1))
            passed = builder.and_(passed, builder.or_(short, builder.icmp_signed(">=", step, reach)))
            if inner:
                reach = builder.select(short, reach, builder.mul(step, size))
            else:
                reach = builder.add(reach, builder.mul(step, builder.sub(size, WORD(1))))
        return passed

    def _absolute(self, value: Any) -> Any:
        builder = self._builder
        return builder.select(builder.icmp_signed("<", value, WORD(0)), builder.neg(value), value)

    def _apart(self, arrays: dict[int, Tested]) -> Iterator[Any]:
        """Yield the conditions on pairs: one ends where the other one begins, or before."""
        builder = self._builder
        pairs = self._checks.apart
        bounds = {
            index: self._bounds(arrays[index])
            for index in dict.fromkeys(one for pair in pairs for one in pair)
        }
        for one, other in pairs:
            (low, high), (start, stop) = bounds[one], bounds[other]
            before, behind = (builder.icmp_unsigned("<=", *pair) for pair in ((high, start), (stop, low)))
            yield builder.or_(before, behind)

    def _bounds(self, array: Tested) -> tuple[Any, Any]:
        """The addresses between which the elements of an array lie."""
        builder, low = self._builder, array.data
        high = builder.add(array.data, WORD(np.dtype(array.argument.dtype).itemsize))
        for size, stride in zip(array.sizes, array.strides, strict=True):
            reach = builder.mul(stride, builder.sub(size, WORD(1)))
            negative = builder.icmp_signed("<", reach, WORD(0))
            low = builder.add(low, builder.select(negative, reach, WORD(0)))
            high = builder.add(high, builder.select(negative, WORD(0), reach))
        return low, high

    # -- what is outside of the arguments --------------------------------------------------------------

    def _usual_settings(self, held: Any) -> Any:
        """Whether NumPy's settings are the usual ones, or others that were looked at and accepted."""
        builder = self._builder
        place = cgutils.alloca_once_value(builder, POINTER(None))
        read = self._external("PyContextVar_Get", INT, [POINTER, POINTER, POINTER.as_pointer()])
        builder.call(read, [self._item(held, SETTINGS), POINTER(None), place])
        found = builder.load(place)
        accepted = builder.load(builder.gep(self._words(held), [WORD(ACCEPTED)]))
        same = builder.icmp_unsigned("==", builder.ptrtoint(found, WORD), accepted)
        same = builder.or_(same, builder.icmp_unsigned("==", found, self._item(held, USUAL)))
        are_known = cgutils.alloca_once_value(builder, same)
        if self._checks.reads_settings:
            with builder.if_then(builder.not_(same), likely=False):
                builder.store(self._are_suitable(found), are_known)
        builder.call(self._external("Py_DecRef", ir.VoidType(), [POINTER]), [found])
        return builder.load(are_known)

    def _are_suitable(self, settings: Any) -> Any:
        """Whether NumPy ignores underflows by some settings, and copies as many items at a time as it does at first."""
        builder = self._builder
        text = bytearray(error_settings.CAPSULE.encode() + b"\0")
        name = cgutils.global_constant(builder, "settings", ir.Constant(ir.ArrayType(BYTE, len(text)), text))
        read = self._external("PyCapsule_GetPointer", POINTER, [POINTER, POINTER])
        words = builder.call(read, [settings, builder.bitcast(name, POINTER)])
        kinds = builder.load(builder.bitcast(words, INT.as_pointer()))
        size = builder.load(
            builder.bitcast(builder.gep(words, [WORD(error_settings.SIZE_PLACE)]), WORD.as_pointer())
        )
        told = builder.and_(kinds, INT(error_settings.BITS << error_settings.PLACES["under"]))
        return builder.and_(
            builder.icmp_unsigned("==", told, INT(0)), builder.icmp_signed("==", size, WORD(BUFFER))
        )

    def _words(self, held: Any) -> Any:
        """The ledger's words."""
        words = self._field(self._item(held, WORDS), "data", POINTER)
        return self._builder.bitcast(words, WORD.as_pointer())

    def _require_function(self, held: Any, place: int) -> None:
        """Leave where a module is no common one, or holds something else under the name of a function."""
        builder = self._builder
        module, name, function = (self._item(held, place + number) for number in range(3))
        kind = builder.load(builder.bitcast(builder.gep(module, [WORD(TYPE_FIELD)]), POINTER.as_pointer()))
        self._require([builder.icmp_unsigned("==", kind, self._external_type("PyModule_Type"))])
        read = self._external("PyModule_GetDict", POINTER, [POINTER])
        look_up = self._external("PyDict_GetItem", POINTER, [POINTER, POINTER])
        found = builder.call(look_up, [builder.call(read, [module]), name])
        self._require([builder.icmp_unsigned("==", found, function)])

    def _external_type(self, name: str) -> Any:
        module = self._builder.module
        return module.globals.get(name) or ir.GlobalVariable(module, BYTE, name)

    def _require_lock(self, held: Any, generator: Any, kind: str) -> None:
        """Leave where another thread draws from a generator; as long as the kernel runs, none can begin to."""
        builder = self._builder
        acquire, without_waiting, release = (
            self._item(held, FUNCTIONS + 3 * self._checks.functions + place) for place in range(len(LOCKING))
        )
        lock = self._loaded(generator, generators.layout_of(kind).lock, POINTER)
        taken = self._called(acquire, lock, without_waiting)
        free = builder.icmp_unsigned("==", taken, self._external_type("_Py_TrueStruct"))
        self._require([free])
        builder.call(self._external("Py_DecRef", ir.VoidType(), [POINTER]), [taken])
        builder.call(self._external("Py_DecRef", ir.VoidType(), [POINTER]), [self._called(release, lock)])

    def _called(self, method: Any, *args: Any) -> Any:
        """What a method of an object gives."""
        builder = self._builder
        given = cgutils.alloca_once(builder, POINTER, size=len(args))
        for place, one in enumerate(args):
            builder.store(one, builder.gep(given, [WORD(place)]))
        call = self._external(
            "PyObject_VectorcallMethod", POINTER, [POINTER, POINTER.as_pointer(), WORD, POINTER]
        )
        return builder.call(call, [method, given, WORD(len(args)), POINTER(None)])

    # -- sizes -----------------------------------------------------------------------------------------

    def _small_integer(self, given: Any) -> Any:
        """The absolute value of an integer; leave where that is not small."""
        builder = self._builder
        place = cgutils.alloca_once_value(builder, INT(0))
        index = self._external("PyNumber_Index", POINTER, [POINTER])
        number = builder.call(index, [given])
        with builder.if_then(builder.icmp_unsigned("==", number, POINTER(None)), likely=False):
            builder.call(self._external("PyErr_Clear", ir.VoidType(), []), [])
            self._leave("_Py_NotImplementedStruct")
        read = self._external("PyLong_AsLongLongAndOverflow", WORD, [POINTER, INT.as_pointer()])
        value = builder.call(read, [number, place])
        builder.call(self._external("Py_DecRef", ir.VoidType(), [POINTER]), [number])
        size = self._absolute(value)
        fits = builder.icmp_signed("==", builder.load(place), INT(0))
        self._require([fits, builder.icmp_unsigned("<=", size, WORD(SMALL_INPUT))])
        return size

    def _magnitude(self, arrays: dict[int, Tested], numbers: Sequence[Any]) -> Any:
        """The order of magnitude of the sizes: a third of the number of bits."""
        builder, total = self._builder, WORD(0)
        for array in arrays.values():
            items = WORD(1)
            for size in array.sizes:
                items = builder.mul(items, size)
            total = builder.add(total, items)
        for number in numbers:
            total = builder.add(total, number)
        zeros = builder.ctlz(total, BIT(0))
        return builder.udiv(builder.sub(WORD(64), zeros), WORD(3))

    def _consult(self, held: Any, magnitude: Any, alone: Any, direct: Any) -> None:
        """Leave where the ledger does not let the kernel run, or all that is asked for is the test; count the call.

        Args:
            held: the tuple of objects.
            magnitude: of the sizes.
            alone: the test is all that is asked for.
            direct: nobody counts a call that is left to NumPy.
        """
        builder = self._builder
        words = self._words(held)
        place = builder.gep(words, [builder.add(magnitude, WORD(FIRST))])
        left = builder.load(place)
        silent = builder.or_(alone, builder.icmp_signed("==", left, WORD(0)))
        with builder.if_then(silent, likely=False):
            self._leave("_Py_EllipsisObject")
        with builder.if_then(builder.icmp_signed("<", left, WORD(0)), likely=False):
            builder.store(builder.select(direct, left, builder.add(left, WORD(1))), place)
            self._leave("_Py_FalseStruct")
        builder.store(builder.sub(left, WORD(1)), place)

    # -- memory ----------------------------------------------------------------------------------------

    def _field(self, given: Any, name: str, kind: Any) -> Any:
        """A field of an array's C structure."""
        return self._loaded(given, ARRAY_FIELDS[name], kind)

    def _item(self, held: Any, place: int) -> Any:
        """An item of a tuple."""
        return self._loaded(held, ITEMS + 8 * place, POINTER)

    def _loaded(self, start: Any, offset: int, kind: Any) -> Any:
        place = self._builder.gep(start, [WORD(offset)])
        return self._builder.load(self._builder.bitcast(place, kind.as_pointer()))
