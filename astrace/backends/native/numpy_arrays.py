"""Arrays of NumPy's own, made by compiled code: what comes out of a kernel owns its memory, as NumPy's results do.

NumPy's C interface makes the array.  In compiled code it has a head like those of the kernel's own arrays (`entrance`), but
that ends with a reference to the array, not with its memory.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import as_dtype

from astrace.backends.native.entry.checking import BYTE, INT, POINTER, WORD
from astrace.backends.native.entry.freed_memory import HEAD
from astrace.backends.native.object_code import ARRAY_FIELDS
from astrace.backends.native.symbols import ARRAY_TYPE, NEW_ARRAY

# pyright: basic
NEW = ir.FunctionType(POINTER, [POINTER, INT, POINTER, INT, POINTER, POINTER, INT, INT, POINTER])


@intrinsic
def array_of_numpy(typing_context, shape, dtype):
    """An array in C order whose elements are not set; without memory for it, the kernel fails."""
    kind = types.Array(dtype.dtype, len(shape), "C")

    def generate(context, builder, signature, args):
        made = _new(builder, kind, args[0])
        head = _called(builder, "malloc", POINTER, [WORD], [WORD(HEAD)])
        failed = builder.or_(cgutils.is_null(builder, made), cgutils.is_null(builder, head))
        with builder.if_then(failed, likely=False):
            _called(builder, "PyErr_Clear", ir.VoidType(), [], [])
            context.call_conv.return_user_exc(builder, MemoryError, ())
        data = _field(builder, made, "data")
        words = builder.bitcast(head, WORD.as_pointer())
        for place, value in enumerate((WORD(1), WORD(0), made, data, WORD(0), WORD(0))):
            number = value if value.type == WORD else builder.ptrtoint(value, WORD)
            builder.store(number, builder.gep(words, [WORD(place)]))
        return _as_array(context, builder, kind, made, head)

    return kind(shape, dtype), generate


@intrinsic
def reshape_of(typing_context, array, shape):
    """A view with other axes of an array whose elements follow each other in memory."""
    kind = types.Array(array.dtype, len(shape), "C", readonly=not array.mutable, aligned=array.aligned)

    def generate(context, builder, signature, args):
        given = context.make_array(array)(context, builder, args[0])
        made = context.make_array(kind)(context, builder)
        sizes = cgutils.unpack_tuple(builder, args[1], kind.ndim)
        strides, step = [], given.itemsize
        for size in reversed(sizes):
            strides.insert(0, step)
            step = builder.mul(step, size)
        populate_array(
            made, given.data, sizes, strides, given.itemsize, meminfo=given.meminfo, parent=given.parent
        )
        return impl_ret_borrowed(context, builder, kind, made._getvalue())

    return kind(array, types.UniTuple(types.int64, kind.ndim)), generate


def _new(builder, kind, shape):
    """Return the Python object of a new array; a null pointer and an exception where there is no memory for it."""
    sizes = builder.bitcast(cgutils.alloca_once_value(builder, shape), POINTER)
    module = builder.module
    owner = module.globals.get(ARRAY_TYPE) or ir.GlobalVariable(module, BYTE, ARRAY_TYPE)
    number, nothing = INT(np.dtype(as_dtype(kind.dtype)).num), POINTER(None)
    function = cgutils.get_or_insert_function(module, NEW, NEW_ARRAY)
    given = [owner, INT(kind.ndim), sizes, number, nothing, nothing, INT(0), INT(0), nothing]
    return builder.call(function, given)


def _as_array(context, builder, kind, made, head):
    """Return the array as Numba has it."""
    array = context.make_array(kind)(context, builder)
    array.meminfo, array.parent = head, made
    array.data = builder.bitcast(_field(builder, made, "data"), array.data.type)
    for name in ("shape", "strides"):
        part = getattr(array, name)
        numbers = builder.bitcast(_field(builder, made, name), part.type.as_pointer())
        setattr(array, name, builder.load(numbers))
    array.itemsize = WORD(as_dtype(kind.dtype).itemsize)
    array.nitems = WORD(1)
    for size in cgutils.unpack_tuple(builder, array.shape, kind.ndim):
        array.nitems = builder.mul(array.nitems, size)
    return array._getvalue()


def _field(builder, made, name):
    """A pointer in an array's C structure."""
    place = builder.gep(made, [WORD(ARRAY_FIELDS[name])])
    return builder.load(builder.bitcast(place, POINTER.as_pointer()))


def _called(builder, name, result, arguments, given):
    """Call a function of Python or the C library."""
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, arguments), name)
    return builder.call(function, given)
