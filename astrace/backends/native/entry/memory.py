"""The memory of a kernel's own arrays: the C library's, under the names that Numba calls; and its end.

Written in LLVM's language, for each piece of machine code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils

from astrace.backends.native.entry.checking import INT, POINTER, WORD
from astrace.backends.native.entry.freed_memory import HEAD, KEPT, LEAST, define_freed_memory, give, take

# pyright: basic
RELEASE: Final = "astrace_release"


def define_memory(module: Any, is_shared: bool = False, is_apart: bool = False) -> None:
    """Define the memory of a kernel's own arrays, under the names that Numba calls.

    Args:
        module: of LLVM's.
        is_shared: several threads may know of it.
        is_apart: LLVM is told that each array lies in memory of its own.
    """
    malloc = cgutils.get_or_insert_function(module, ir.FunctionType(POINTER, [WORD]), "malloc")
    free = cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), [POINTER]), "free")
    define_freed_memory(module)
    _define_allocation(module, malloc, is_apart)
    builder, (size,) = _defined(module, "NRT_Allocate", POINTER, [WORD])
    builder.ret(builder.call(malloc, [size]))
    builder, (memory,) = _defined(module, "NRT_Free", ir.VoidType(), [POINTER])
    builder.call(free, [memory])
    builder.ret_void()
    _define_list_memory(module, malloc)
    end = _define_end(module, free)
    if not is_shared:
        _define_counts(module, end)
    _define_release(module)


def _define_allocation(module: Any, malloc: Any, is_apart: bool) -> None:
    """Memory with a count of references in front."""
    builder, (size, align) = _defined(module, "NRT_MemInfo_alloc_aligned", POINTER, [WORD, INT])
    align = builder.zext(align, WORD)
    whole = builder.add(builder.add(size, align), WORD(HEAD))
    made = take(builder, whole) if is_apart else _taken(builder, malloc, whole)
    failed = builder.or_(
        builder.icmp_unsigned("==", made, POINTER(None)), builder.icmp_unsigned("<", whole, size)
    )
    with builder.if_then(failed, likely=False):
        builder.ret(POINTER(None))
    start = builder.add(builder.ptrtoint(made, WORD), builder.add(align, WORD(HEAD - 1)))
    start = builder.sub(start, builder.urem(start, align))
    if is_apart:
        # A place in what `malloc` has given, not a number: so LLVM knows that no other array lies there.
        start = builder.gep(made, [builder.sub(start, builder.ptrtoint(made, WORD))])
    for place, value in enumerate((WORD(1), WORD(0), WORD(0), start, size)):
        words = builder.bitcast(made, value.type.as_pointer())
        builder.store(value, builder.gep(words, [WORD(place)]))
    builder.ret(made)


def _taken(builder: Any, malloc: Any, size: Any) -> Any:
    """A block of a size; LLVM sees where one that is not kept comes from, and may do without it."""
    with builder.if_else(builder.icmp_unsigned(">=", size, WORD(LEAST)), likely=False) as (large, small):
        with large:
            taken, came = take(builder, size), builder.block
        with small:
            made = builder.call(malloc, [size])
            with builder.if_then(cgutils.is_not_null(builder, made), likely=True):
                builder.store(WORD(0), _word_of_head(builder, made, KEPT))
            instead = builder.block
    found = builder.phi(POINTER)
    found.add_incoming(taken, came)
    found.add_incoming(made, instead)
    return found


def _word_of_head(builder: Any, head: Any, place: int) -> Any:
    return builder.gep(builder.bitcast(head, WORD.as_pointer()), [WORD(place)])


def _define_list_memory(module: Any, malloc: Any) -> None:
    """Memory that may become larger; its head stays where it is, and has the function that lets go of what lists hold."""
    builder, (size, drop) = _defined(module, "NRT_MemInfo_new_varsize_dtor", POINTER, [WORD, POINTER])
    head, made = builder.call(malloc, [WORD(HEAD)]), builder.call(malloc, [size])
    failed = builder.or_(cgutils.is_null(builder, head), cgutils.is_null(builder, made))
    with builder.if_then(failed, likely=False):
        builder.ret(POINTER(None))
    words = builder.bitcast(head, WORD.as_pointer())
    data = builder.ptrtoint(made, WORD)
    drop = builder.ptrtoint(drop, WORD)
    for place, value in enumerate((WORD(1), drop, WORD(0), data, size, WORD(0))):
        builder.store(value, builder.gep(words, [WORD(place)]))
    builder.ret(head)
    builder, (head, size) = _defined(module, "NRT_MemInfo_varsize_realloc", POINTER, [POINTER, WORD])
    function = ir.FunctionType(POINTER, [POINTER, WORD])
    change = cgutils.get_or_insert_function(module, function, "realloc")
    place = builder.gep(builder.bitcast(head, POINTER.as_pointer()), [WORD(3)])
    made = builder.call(change, [builder.load(place), size])
    with builder.if_then(cgutils.is_null(builder, made), likely=False):
        builder.ret(POINTER(None))
    builder.store(made, place)
    builder.ret(made)


def _define_end(module: Any, free: Any) -> Any:
    """The end of memory that nothing refers to; of an array of NumPy's own, the third word refers to it."""
    builder, (memory,) = _defined(module, "NRT_MemInfo_call_dtor", ir.VoidType(), [POINTER])
    place = builder.gep(builder.bitcast(memory, POINTER.as_pointer()), [WORD(2)])
    owner = builder.load(place)
    with builder.if_then(builder.icmp_unsigned("!=", owner, POINTER(None))):
        drop = cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), [POINTER]), "Py_DecRef")
        builder.call(drop, [owner])
    words = builder.bitcast(memory, POINTER.as_pointer())
    apart = builder.load(builder.gep(words, [WORD(1)]))
    with builder.if_then(builder.icmp_unsigned("!=", apart, POINTER(None))):
        data = builder.load(builder.gep(words, [WORD(3)]))
        kind = ir.FunctionType(ir.VoidType(), [POINTER]).as_pointer()
        builder.call(builder.bitcast(apart, kind), [data])
        builder.call(free, [data])
    kept = builder.load(_word_of_head(builder, memory, KEPT))
    with builder.if_else(builder.icmp_unsigned("==", kept, WORD(0)), likely=True) as (small, large):
        with small:
            builder.call(free, [memory])
        with large:
            give(builder, memory)
    builder.ret_void()
    return builder.function


def _define_counts(module: Any, end: Any) -> None:
    """How references are counted where one thread alone knows of the memory: by plain additions.

    Numba's own functions, which give way to these, count by atomic operations, which wait for all that has been stored: arrays that take
    turns cost two of them each from iteration to iteration, as much as a small product.  Numba finds pairs that it can leave
    out by the functions' names, so these are not inlined either.
    """
    builder, (head,) = _defined(module, "NRT_incref", ir.VoidType(), [POINTER])
    with builder.if_then(cgutils.is_not_null(builder, head)):
        _count(builder, head, 1)
    _end_apart(builder)
    builder, (head,) = _defined(module, "NRT_decref", ir.VoidType(), [POINTER])
    with builder.if_then(cgutils.is_not_null(builder, head)):
        left = _count(builder, head, -1)
        with cgutils.if_zero(builder, left):
            builder.call(end, [head])
    _end_apart(builder)


def _count(builder: Any, head: Any, change: int) -> Any:
    """Change a count of references; return what it is then."""
    place = builder.bitcast(head, WORD.as_pointer())
    count = builder.add(builder.load(place), WORD(change))
    builder.store(count, place)
    return count


def _end_apart(builder: Any) -> None:
    """End a function that LLVM is not to write into those that call it."""
    builder.function.attributes.add("noinline")
    builder.ret_void()


def _define_release(module: Any) -> None:
    """The end of an array that was made: a capsule that held its memory is gone."""
    builder, (capsule,) = _defined(module, RELEASE, ir.VoidType(), [POINTER])
    read = cgutils.get_or_insert_function(
        module, ir.FunctionType(POINTER, [POINTER, POINTER]), "PyCapsule_GetPointer"
    )
    give(builder, builder.call(read, [capsule, POINTER(None)]))
    builder.ret_void()


def _defined(module: Any, name: str, result: Any, arguments: Sequence[Any]) -> tuple[Any, Any]:
    """A function that begins: what writes it, and its arguments."""
    function = ir.Function(module, ir.FunctionType(result, arguments), name)
    return ir.IRBuilder(function.append_basic_block("entry")), function.args
