"""The function that Python calls: it takes numbers and arrays out of objects, runs a kernel, and makes objects of what comes out.

It is written in LLVM's language, for the types of one kernel.  What the kernel writes is copied first, by the kernel itself or here, and put
back where it gives up, so that no other thread sees what is put back.  It needs nothing of Numba when it runs: memory of the kernel's own arrays
is the C library's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.np.numpy_support import as_dtype, from_dtype

from astrace.backends.native.arithmetic.complex_numbers import complex_of_object
from astrace.backends.native.drawing import c_draws, generators
from astrace.backends.native.drawing.c_draws import GeneratorType
from astrace.backends.native.entry.checking import BYTE, INT, POINTER, WORD, CheckWriter
from astrace.backends.native.entry.checks import NONE, WORDS, EntryChecks
from astrace.backends.native.entry.kept_parts import KeptParts, PutBack
from astrace.backends.native.entry.ledger import RUNS
from astrace.backends.native.entry.memory import RELEASE, define_memory
from astrace.backends.native.object_code import ARRAY_FIELDS, ITEMS
from astrace.backends.native.signature import (
    ANY_ORDER,
    ArrayArgument,
    GeneratorArgument,
    KernelArgument,
    NumberArgument,
)
from astrace.backends.native.symbols import ARRAY_TYPE, NEW_ARRAY, SET_BASE

# pyright: basic
ENTRANCE: Final = ir.FunctionType(POINTER, [POINTER, POINTER.as_pointer(), WORD])
FLAGS: Final = {"C": (1, 1), "F": (3, 2), "A": (3, 0), ANY_ORDER: (0, 0)}
"""By the order of an array's axes, the flags that tell, and what they are."""
OWN_ARRAY: Final = 0x500
"""``NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE``."""


def numba_type(argument: KernelArgument) -> Any:
    """Return the type of an argument as Numba names it."""
    match argument:
        case ArrayArgument():
            order = "A" if argument.order == ANY_ORDER else argument.order
            return types.Array(from_dtype(np.dtype(argument.dtype)), argument.ndim, order)
        case NumberArgument():
            return from_dtype(np.dtype(argument.dtype))
        case GeneratorArgument():
            return GeneratorType(argument.kind)
        case _:
            return types.none


class KernelEntrance:
    """Writes the function for one kernel.

    Args:
        context: Numba's, of what is compiled.
        kernel: Numba's description of the compiled kernel.
        arguments: what it is called with.
        put_back: what is put back where it gives up.
        checks: what the function tests of its arguments.
    """

    def __init__(
        self,
        context: Any,
        kernel: Any,
        arguments: Sequence[KernelArgument],
        put_back: PutBack,
        checks: EntryChecks,
    ) -> None:
        self._context = context
        self._kernel = kernel
        self._arguments = arguments
        self._put_back = put_back
        self._checks = checks
        self.module = context.create_module("entrance")
        self._builder = ir.IRBuilder()

    def write(self, name: str, parallel: bool = False) -> Any:
        """Write the function; return the module that holds it.

        It takes the kernel's arguments, and others behind them whose number says what it does (`checks`).

        Args:
            name: of the function.
            parallel: several threads may run parts of the kernel.
        """
        define_memory(self.module, parallel, is_apart=self._checks.by_lines)
        function = ir.Function(self.module, ENTRANCE, name)
        self._builder = builder = ir.IRBuilder(function.append_basic_block("entry"))
        given = [
            builder.load(builder.gep(function.args[1], [WORD(index)]))
            for index in range(len(self._arguments))
        ]
        self._check_orders(given)
        held = function.args[0]
        extra = builder.sub(function.args[2], WORD(len(given)))
        with builder.if_then(builder.icmp_unsigned("!=", extra, WORD(NONE))):
            writer = CheckWriter(builder, self._external, self._leave, self._arguments, self._checks)
            writer.write(held, given, extra)
        values = [self._unboxed(*pair) for pair in zip(self._arguments, given, strict=True)]
        copies, kept = self._copies(values), KeptParts(builder, self._put_back.kept)
        kernel = ir.Function(self.module, self._type(), self._kernel.llvm_func_name)
        status, out = self._context.call_conv.call_function(
            *(builder, kernel, self._kernel.restype, self._kernel.argtypes),
            [*values, *kept.arguments],
            attrs=("noinline",),
        )
        done = builder.and_(builder.not_(status.is_error), self._part(out, 0))
        with builder.if_then(builder.not_(builder.or_(done, status.is_python_exc)), likely=False):
            for index, copy in copies.items():
                self._move(index, values[index], copy, back=True)
            kept.put_back(self._context, self._kinds_of_arguments(), values)
        free = self._external("free", ir.VoidType(), [POINTER])
        kept.free()
        for copy in copies.values():
            builder.call(free, [copy])
        with builder.if_then(status.is_python_exc, likely=False):
            builder.ret(POINTER(None))
        with builder.if_then(builder.not_(done), likely=False):
            with builder.if_then(builder.not_(status.is_error)):
                self._context.nrt.decref(builder, self._kernel.restype, out)
            self._leave("_Py_NoneStruct")
        self._count(held)
        builder.ret(self._boxed(out))
        return self.module

    def _leave(self, name: str) -> None:
        """Return an object of a name."""
        self._builder.ret(self._constant(name))

    def _count(self, held: Any) -> None:
        """Count a run in the ledger's words."""
        builder = self._builder
        words = builder.load(
            builder.bitcast(builder.gep(held, [WORD(ITEMS + 8 * WORDS)]), POINTER.as_pointer())
        )
        data = builder.bitcast(self._field(words, "data", POINTER), WORD.as_pointer())
        place = builder.gep(data, [WORD(RUNS)])
        builder.store(builder.add(builder.load(place), WORD(1)), place)

    def _kinds_of_arguments(self) -> list[Any]:
        """The types of the arguments, as Numba names them."""
        return list(map(numba_type, self._arguments))

    def _type(self) -> Any:
        return self._context.call_conv.get_function_type(self._kernel.restype, self._kernel.argtypes)

    # -- arguments -------------------------------------------------------------------------------------

    def _check_orders(self, given: Sequence[Any]) -> None:
        """Return ``NotImplemented`` where the axes of an array are in another order, or a generator's bits of another class."""
        builder = self._builder
        for argument, value in zip(self._arguments, given, strict=True):
            if isinstance(argument, ArrayArgument) and FLAGS[argument.order][0]:
                mask, expected = FLAGS[argument.order]
                flags = builder.and_(self._field(value, "flags", INT), INT(mask))
                with builder.if_then(builder.icmp_unsigned("!=", flags, INT(expected)), likely=False):
                    self._leave("_Py_NotImplementedStruct")
            if isinstance(argument, GeneratorArgument):
                known = c_draws.is_known(builder, value, argument.kind)
                with builder.if_then(builder.not_(known), likely=False):
                    self._leave("_Py_NotImplementedStruct")

    def _unboxed(self, argument: KernelArgument, given: Any) -> Any:
        kind = numba_type(argument)
        if isinstance(argument, ArrayArgument):
            return self._array(argument, kind, given)
        if kind is types.none:
            return self._context.get_dummy_value()
        if isinstance(kind, GeneratorType):
            return given
        if isinstance(kind, types.Complex):
            return complex_of_object(self._context, self._builder, kind, given)
        python = self._context.get_python_api(self._builder)
        native = python.to_native_value(kind, given)
        with self._builder.if_then(native.is_error, likely=False):
            self._builder.ret(POINTER(None))
        return native.value

    def _array(self, argument: ArrayArgument, kind: Any, given: Any) -> Any:
        """An array as Numba has it; it does not count references."""
        context, builder = self._context, self._builder
        array = context.make_array(kind)(context, builder)
        data = self._field(given, "data", POINTER)
        array.data = builder.bitcast(data, array.data.type)
        array.parent = given
        sizes, strides = (
            [builder.load(builder.gep(pointer, [WORD(axis)])) for axis in range(argument.ndim)]
            for pointer in (self._field(given, name, WORD.as_pointer()) for name in ("shape", "strides"))
        )
        array.shape = cgutils.pack_array(builder, sizes, WORD)
        array.strides = cgutils.pack_array(builder, strides, WORD)
        array.itemsize = WORD(np.dtype(argument.dtype).itemsize)
        array.nitems = self._product(sizes)
        return array._getvalue()

    def _field(self, given: Any, name: str, kind: Any) -> Any:
        """A field of an array's C structure."""
        place = self._builder.gep(given, [WORD(ARRAY_FIELDS[name])])
        return self._builder.load(self._builder.bitcast(place, kind.as_pointer()))

    def _product(self, sizes: Sequence[Any]) -> Any:
        found = WORD(1)
        for size in sizes:
            found = self._builder.mul(found, size)
        return found

    # -- copies ----------------------------------------------------------------------------------------

    def _copies(self, values: Sequence[Any]) -> dict[int, Any]:
        """Copies of the states of generators; where there is no memory for them, the kernel has given up."""
        builder, free = self._builder, self._external("free", ir.VoidType(), [POINTER])
        found: dict[int, Any] = {}
        for index in self._put_back.written:
            found[index] = builder.call(self._external("malloc", POINTER, [WORD]), [self._size(index)])
            with builder.if_then(builder.icmp_unsigned("==", found[index], POINTER(None)), likely=False):
                for copy in found.values():
                    builder.call(free, [copy])
                self._leave("_Py_NoneStruct")
        for index, copy in found.items():
            self._move(index, values[index], copy, back=False)
        return found

    def _size(self, index: int) -> Any:
        """The bytes of a generator's state."""
        argument = self._arguments[index]
        assert isinstance(argument, GeneratorArgument)
        return WORD(generators.state_size(argument.kind))

    def _move(self, index: int, value: Any, copy: Any, back: bool) -> None:
        """Copy the state of a generator to other memory, or back."""
        argument = self._arguments[index]
        assert isinstance(argument, GeneratorArgument)
        state = c_draws.state(self._builder, value, argument.kind)
        pair = (state, copy) if back else (copy, state)
        cgutils.raw_memcpy(self._builder, *pair, self._size(index), WORD(1))

    # -- results ---------------------------------------------------------------------------------------

    def _part(self, out: Any, index: int) -> Any:
        """A part of what the kernel returns; the first one tells whether it has come to its end."""
        return self._builder.extract_value(out, index) if self._kinds() else out

    def _kinds(self) -> tuple[Any, ...]:
        """The types of the parts of what the kernel returns, if these are several."""
        return tuple(getattr(self._kernel.restype, "types", ()))

    def _boxed(self, out: Any) -> Any:
        """The objects of what the kernel returns."""
        builder, kinds = self._builder, self._kinds()
        if not kinds:
            return self._constant("_Py_TrueStruct")
        python = self._context.get_python_api(builder)
        objects = [self._constant("_Py_TrueStruct")]
        for index, kind in enumerate(kinds[1:], 1):
            value = builder.extract_value(out, index)
            is_array = isinstance(kind, types.Array)
            made = (
                self._boxed_array(kind, value)
                if is_array
                else python.from_native_value(types.unliteral(kind), value)
            )
            with builder.if_then(builder.icmp_unsigned("==", made, POINTER(None)), likely=False):
                builder.ret(POINTER(None))
            objects.append(made)
        whole = python.tuple_new(len(objects))
        with builder.if_then(builder.icmp_unsigned("==", whole, POINTER(None)), likely=False):
            builder.ret(POINTER(None))
        for index, made in enumerate(objects):
            python.tuple_setitem(whole, index, made)
        return whole

    def _boxed_array(self, kind: Any, value: Any) -> Any:
        """An array: one that came in or is NumPy's own, a view of one, or one over memory of the kernel's."""
        builder = self._builder
        array = self._context.make_array(kind)(self._context, builder, value)
        found = cgutils.alloca_once(builder, POINTER)
        own = builder.icmp_unsigned("==", array.parent, POINTER(None))
        with builder.if_else(own) as (made, given):
            with made:
                new = self._new_array(kind, array)
                memory = builder.bitcast(array.meminfo, POINTER)
                capsule = builder.call(
                    self._external("PyCapsule_New", POINTER, [POINTER, POINTER, POINTER]),
                    [memory, POINTER(None), builder.bitcast(self.module.get_global(RELEASE), POINTER)],
                )
                self._set_base(new, capsule)
                builder.store(new, found)
            with given:
                self._store_given(kind, array, found)
                self._context.nrt.decref(builder, kind, value)  # an array of NumPy's own has a head beside it
        return builder.load(found)

    def _store_given(self, kind: Any, array: Any, found: Any) -> None:
        """Store the array that came in, or a view of it."""
        builder = self._builder
        builder.store(array.parent, found)
        builder.call(self._external("Py_IncRef", ir.VoidType(), [POINTER]), [array.parent])
        same = builder.icmp_unsigned(
            "==", self._field(array.parent, "data", POINTER), builder.bitcast(array.data, POINTER)
        )
        for name in ("shape", "strides"):
            pointer = self._field(array.parent, name, WORD.as_pointer())
            for axis, own in enumerate(cgutils.unpack_tuple(builder, getattr(array, name), kind.ndim)):
                other = builder.load(builder.gep(pointer, [WORD(axis)]))
                same = builder.and_(same, builder.icmp_unsigned("==", own, other))
        with builder.if_then(builder.not_(same)):
            new = self._new_array(kind, array)
            self._set_base(new, array.parent)
            builder.store(new, found)

    def _new_array(self, kind: Any, array: Any) -> Any:
        """An array over memory; nothing owns that yet."""
        builder = self._builder
        sizes, strides = (
            builder.bitcast(cgutils.alloca_once_value(builder, part), POINTER)
            for part in (array.shape, array.strides)
        )
        number = as_dtype(kind.dtype).num
        function = self._external(
            NEW_ARRAY, POINTER, [POINTER, INT, POINTER, INT, POINTER, POINTER, INT, INT, POINTER]
        )
        data = builder.bitcast(array.data, POINTER)
        return builder.call(
            function,
            [
                self._constant(ARRAY_TYPE, counted=False),
                INT(kind.ndim),
                sizes,
                INT(number),
                strides,
                data,
                INT(0),
                INT(OWN_ARRAY),
                POINTER(None),
            ],
        )

    def _set_base(self, array: Any, base: Any) -> None:
        """Give an array what owns its memory; the reference to that is taken.  What is not there is left alone."""
        builder = self._builder
        first, second = (builder.icmp_unsigned("!=", one, POINTER(None)) for one in (array, base))
        there = builder.and_(first, second)
        with builder.if_then(there):
            builder.call(self._external(SET_BASE, INT, [POINTER, POINTER]), [array, base])

    # -- names -----------------------------------------------------------------------------------------

    def _external(self, name: str, result: Any, arguments: Sequence[Any]) -> Any:
        return cgutils.get_or_insert_function(self.module, ir.FunctionType(result, arguments), name)

    def _constant(self, name: str, counted: bool = True) -> Any:
        """The object of a name, with a reference to it."""
        found = self.module.globals.get(name) or ir.GlobalVariable(self.module, BYTE, name)
        if counted:
            self._builder.call(self._external("Py_IncRef", ir.VoidType(), [POINTER]), [found])
        return found
