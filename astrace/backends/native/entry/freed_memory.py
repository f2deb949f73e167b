"""Memory that kernels have freed, kept for the next call; it is shared by all kernels of the process.

The C library gives much memory back to the system as soon as it is freed: arrays that a kernel makes at each call, between its
statements, were new pages each time, which took as long as what is computed.  Blocks of memory lie in slots, as addresses in an array
of words of which each kernel knows the name (`symbols`).  Threads take a block out of its slot, and put one there, by one atomic
operation.  Each block begins with a head (`memory`), whose last word tells its size, or 0 if it is not to be kept.

Written in LLVM's language, for each piece of machine code.
"""

from __future__ import annotations

import sys
from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils

from astrace.backends.native.entry.checking import INT, POINTER, WORD
from astrace.backends.native.symbols import FREED_MEMORY, FREED_SLOTS

# pyright: basic
HEAD: Final = 48
"""Bytes in front of the memory of an array: Numba's ``MemInfo``, of which compiled code knows the first word, a count of
references, the third, an array of NumPy's own whose memory it is, and the fourth, the address of the memory; the second is set
where that is a piece of its own, as a list has, and the sixth tells how much memory is kept when it is freed."""
KEPT: Final = 5
"""The number of the word of a head that tells how many bytes are kept."""
TAKE, GIVE = "astrace_take_memory", "astrace_give_memory"
LEAST: Final = 1 << 15
"""Bytes of the smallest block that is kept: smaller ones stay with the C library."""
MOST: Final = 1 << 27
"""Bytes of all blocks that are kept."""
LARGE: Final = 1 << 22
"""Bytes of memory for which large pages are asked for, as NumPy does: the faults of small ones may take longer than the loop."""
PAGE: Final = 4096
HUGE_PAGES: Final = 14
"""Linux's ``MADV_HUGEPAGE``."""
HELD, TURN, SLOTS = 0, 1, 2
"""The words of the array: the bytes of all blocks, a number that goes up, and the first slot: an address, and a size beside it."""


def define_freed_memory(module: Any) -> None:
    """Define the functions that take a block of memory, and give one back.

    Args:
        module: of LLVM's.
    """
    free = cgutils.get_or_insert_function(module, ir.FunctionType(ir.VoidType(), [POINTER]), "free")
    _define_give(module, free)
    _define_take(module)


def take(builder: Any, size: Any) -> Any:
    """Take a block of a size, its head included; a null pointer where there is no memory."""
    function = ir.FunctionType(POINTER, [WORD])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, TAKE), [size])


def give(builder: Any, block: Any) -> None:
    """Give a block back."""
    function = ir.FunctionType(ir.VoidType(), [POINTER])
    builder.call(cgutils.get_or_insert_function(builder.module, function, GIVE), [block])


def ask_for_large_pages(builder: Any, memory: Any, size: Any) -> None:
    """Ask Linux for large pages in the place of memory that nothing has been written to, where there is much of it.

    Args:
        builder: of LLVM's, where the memory is there.
        memory: its address.
        size: its bytes.
    """
    if sys.platform != "linux":
        return
    with builder.if_then(builder.icmp_unsigned(">=", size, WORD(LARGE)), likely=False):
        address = builder.ptrtoint(memory, WORD)
        first = builder.and_(builder.add(address, WORD(PAGE - 1)), WORD(-PAGE))
        length = builder.sub(size, builder.sub(first, address))
        function = ir.FunctionType(INT, [POINTER, WORD, INT])
        advise = cgutils.get_or_insert_function(builder.module, function, "madvise")
        builder.call(advise, [builder.inttoptr(first, POINTER), length, INT(HUGE_PAGES)])


def _define_take(module: Any) -> None:
    """A block that was freed and is at most a quarter larger, or else one of the C library's."""
    function = ir.Function(module, ir.FunctionType(POINTER, [WORD]), TAKE)
    function.attributes.add("noinline")
    function.return_value.add_attribute("noalias")  # what lies in a slot is known by nobody else
    builder, (size,) = ir.IRBuilder(function.append_basic_block("entry")), function.args
    large = builder.icmp_unsigned(">=", size, WORD(LEAST))
    with builder.if_then(large), cgutils.for_range(builder, WORD(FREED_SLOTS)) as loop:
        slot = _slot(builder, loop.index)
        beside = builder.gep(slot, [WORD(1)])
        with builder.if_then(_fits(builder, builder.load_atomic(beside, "monotonic", 8), size)):
            _take_out(builder, slot, size)
    malloc = cgutils.get_or_insert_function(module, ir.FunctionType(POINTER, [WORD]), "malloc")
    made = builder.call(malloc, [size])
    with builder.if_then(cgutils.is_null(builder, made), likely=False):
        builder.ret(POINTER(None))
    ask_for_large_pages(builder, made, size)
    builder.store(builder.select(large, size, WORD(0)), _kept(builder, made))
    builder.ret(made)


def _take_out(builder: Any, slot: Any, size: Any) -> None:
    """Return the block of a slot from the function, if it is the one that the size beside it tells of."""
    taken = builder.atomic_rmw("xchg", slot, WORD(0), "acquire")
    with builder.if_then(builder.icmp_unsigned("!=", taken, WORD(0))):
        block = builder.inttoptr(taken, POINTER)
        kept = builder.load(_kept(builder, block))
        builder.atomic_rmw("sub", _word(builder, HELD), kept, "monotonic")
        with builder.if_then(_fits(builder, kept, size)):
            builder.ret(block)
        give(builder, block)


def _define_give(module: Any, free: Any) -> None:
    """Put a block into an empty slot, or into the place of another one; free blocks until what is left is little enough."""
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), GIVE)
    function.attributes.add("noinline")
    builder, (block,) = ir.IRBuilder(function.append_basic_block("entry")), function.args
    kept = builder.load(_kept(builder, block))
    small = builder.icmp_unsigned("==", kept, WORD(0))
    with builder.if_then(builder.or_(small, builder.icmp_unsigned(">", kept, WORD(MOST)))):
        builder.call(free, [block])
        builder.ret_void()
    builder.atomic_rmw("add", _word(builder, HELD), kept, "monotonic")
    address = builder.ptrtoint(block, WORD)
    placed = cgutils.alloca_once_value(builder, WORD(0))
    with cgutils.for_range(builder, WORD(FREED_SLOTS)) as loop:
        slot = _slot(builder, loop.index)
        found = builder.extract_value(builder.cmpxchg(slot, WORD(0), address, "release", "monotonic"), 1)
        with builder.if_then(found):
            builder.store_atomic(kept, builder.gep(slot, [WORD(1)]), "monotonic", 8)
            builder.store(WORD(1), placed)
            loop.do_break()
    with builder.if_then(builder.icmp_unsigned("==", builder.load(placed), WORD(0)), likely=False):
        _displace(builder, free, address, kept)
    with cgutils.for_range(builder, WORD(FREED_SLOTS)) as loop:
        held = builder.load_atomic(_word(builder, HELD), "monotonic", 8)
        with builder.if_then(builder.icmp_unsigned("<=", held, WORD(MOST))):
            builder.ret_void()
        _displace(builder, free, WORD(0), WORD(0))
    builder.ret_void()


def _displace(builder: Any, free: Any, address: Any, kept: Any) -> None:
    """Put a block, or none, into the slot whose turn it is, and free what lies there."""
    turn = builder.atomic_rmw("add", _word(builder, TURN), WORD(1), "monotonic")
    slot = _slot(builder, builder.urem(turn, WORD(FREED_SLOTS)))
    before = builder.atomic_rmw("xchg", slot, address, "acq_rel")
    builder.store_atomic(kept, builder.gep(slot, [WORD(1)]), "monotonic", 8)
    with builder.if_then(builder.icmp_unsigned("!=", before, WORD(0))):
        block = builder.inttoptr(before, POINTER)
        builder.atomic_rmw("sub", _word(builder, HELD), builder.load(_kept(builder, block)), "monotonic")
        builder.call(free, [block])


def _fits(builder: Any, kept: Any, size: Any) -> Any:
    """Whether a block is large enough, and at most a quarter larger."""
    beyond = builder.sub(kept, size)
    enough = builder.icmp_unsigned(">=", kept, size)
    return builder.and_(enough, builder.icmp_unsigned("<=", beyond, builder.lshr(size, WORD(2))))


def _kept(builder: Any, block: Any) -> Any:
    """The place of the size in a block's head."""
    return builder.gep(builder.bitcast(block, WORD.as_pointer()), [WORD(KEPT)])


def _slot(builder: Any, index: Any) -> Any:
    """The place of the address in a slot."""
    return builder.gep(_word(builder, SLOTS), [builder.shl(index, WORD(1))])


def _word(builder: Any, index: int) -> Any:
    """The place of a word of the array that all kernels know."""
    module = builder.module
    words = module.globals.get(FREED_MEMORY) or ir.GlobalVariable(module, WORD, FREED_MEMORY)
    return builder.gep(words, [WORD(index)])
