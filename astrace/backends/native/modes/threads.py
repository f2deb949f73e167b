"""Loops in several threads: each runs a part of the iterations, and the kernel waits for all of them.

The threads are the C library's, made for one loop and ended with it: about 30 µs for each.  They need no interpreter, and there is
nothing that a process that forks could lose.  Each has its own status flags, which are added to those of the kernel.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from astrace.backends.native.callees import callee
from astrace.backends.native.host import MOST_THREADS, parts_of
from astrace.backends.native.symbols import ALL, WATCHED

# pyright: basic
POINTER: Final = ir.IntType(8).as_pointer()
INT: Final = ir.IntType(32)
WORD: Final = ir.IntType(64)
TASK: Final = ir.FunctionType(POINTER, [POINTER])
START, STOP, CAPTURED, FLAGS, DONE = range(5)
"""The fields of what a thread is given, and gives."""


@intrinsic
def run_in_parts(typing_context, part, count, start, stop, captured):
    """Run the iterations from ``start`` to ``stop`` in ``count`` threads; false where one of them gave up."""
    called = part.get_call_type(typing_context, (types.int64, types.int64, *captured.types), {})
    signature = types.boolean(part, types.int64, types.int64, types.int64, captured)

    def generate(context, builder, signature, args):
        return _PartCalls(context, builder, part, called, captured).run(*args[1:])

    return signature, generate


class _PartCalls:
    """Writes the call of a part of a kernel by several threads.

    Args:
        context: Numba's.
        builder: writes LLVM instructions.
        part: the function.
        called: the types that it is called with.
        captured: the type of the tuple that it is called with behind its first and last iteration.
    """

    def __init__(self, context: Any, builder: Any, part: Any, called: Any, captured: Any) -> None:
        self._context = context
        self._builder = builder
        self._captured = captured
        self._result = part.dispatcher.get_compile_result(called)
        self._task = ir.LiteralStructType([WORD, WORD, context.get_value_type(captured), INT, INT])
        context.add_linking_libs([self._result.library])

    def run(self, count: Any, start: Any, stop: Any, captured: Any) -> Any:
        """Write it; return whether all have come to their end."""
        builder = self._builder
        done = cgutils.alloca_once_value(builder, cgutils.true_bit)
        several = builder.icmp_signed(">", count, WORD(1))
        with builder.if_else(several, likely=False) as (threads, alone):
            with threads:
                builder.store(self._in_threads(count, start, stop, captured), done)
            with alone:
                builder.store(self._called(builder, start, stop, captured), done)
        return builder.load(done)

    def _called(self, builder: Any, start: Any, stop: Any, captured: Any) -> Any:
        """Call the part; return whether it has come to its end."""
        context, found = self._context, self._result
        function = context.declare_function(builder.module, found.fndesc)
        values = cgutils.unpack_tuple(builder, captured, len(self._captured.types))
        status, out = context.call_conv.call_function(
            builder, function, found.fndesc.restype, found.fndesc.argtypes, [start, stop, *values]
        )
        return builder.and_(builder.not_(status.is_error), out)

    def _in_threads(self, count: Any, start: Any, stop: Any, captured: Any) -> Any:
        builder = self._builder
        tasks = cgutils.alloca_once(builder, self._task, size=MOST_THREADS)
        threads = cgutils.alloca_once(builder, WORD, size=MOST_THREADS)
        failed = cgutils.alloca_once(builder, INT, size=MOST_THREADS)
        before = self._call("fetestexcept", INT, [INT(WATCHED)])
        task = self._function()
        size = builder.sub(stop, start)
        with cgutils.for_range(builder, count) as loop:
            index = loop.index
            own = builder.gep(tasks, [index])
            for field, number in ((START, index), (STOP, builder.add(index, WORD(1)))):
                place = builder.add(start, builder.sdiv(builder.mul(size, number), count))
                builder.store(place, cgutils.gep_inbounds(builder, own, 0, field))
            builder.store(captured, cgutils.gep_inbounds(builder, own, 0, CAPTURED))
            thread = builder.bitcast(builder.gep(threads, [index]), POINTER)
            given = [thread, POINTER(None), task, builder.bitcast(own, POINTER)]
            builder.store(self._call("pthread_create", INT, given), builder.gep(failed, [index]))
        return self._joined(count, tasks, threads, failed, before, task)

    def _joined(self, count: Any, tasks: Any, threads: Any, failed: Any, before: Any, task: Any) -> Any:
        """Wait for the threads; what no thread could be made for is run here."""
        builder = self._builder
        done = cgutils.alloca_once_value(builder, INT(1))
        flags = cgutils.alloca_once_value(builder, before)
        with cgutils.for_range(builder, count) as loop:
            own = builder.gep(tasks, [loop.index])
            missing = builder.icmp_signed("!=", builder.load(builder.gep(failed, [loop.index])), INT(0))
            with builder.if_else(missing, likely=False) as (here, there):
                with here:
                    builder.call(task, [builder.bitcast(own, POINTER)])
                with there:
                    thread = builder.load(builder.gep(threads, [loop.index]))
                    self._call("pthread_join", INT, [thread, POINTER(None)])
            for place, field, change in ((done, DONE, builder.and_), (flags, FLAGS, builder.or_)):
                value = builder.load(cgutils.gep_inbounds(builder, own, 0, field))
                builder.store(change(builder.load(place), value), place)
        self._call("feraiseexcept", INT, [builder.load(flags)])
        return builder.icmp_signed("!=", builder.load(done), INT(0))

    def _function(self) -> Any:
        """The function that a thread runs."""
        module = self._builder.module
        made = ir.Function(module, TASK, module.get_unique_name("astrace_task"))
        made.linkage = "internal"
        builder = ir.IRBuilder(made.append_basic_block("entry"))
        own = builder.bitcast(made.args[0], self._task.as_pointer())
        start, stop, captured = (
            builder.load(cgutils.gep_inbounds(builder, own, 0, field)) for field in (START, STOP, CAPTURED)
        )
        self._call("feclearexcept", INT, [INT(ALL)], builder)
        done = self._called(builder, start, stop, captured)
        flags = self._call("fetestexcept", INT, [INT(WATCHED)], builder)
        for field, value in ((DONE, builder.zext(done, INT)), (FLAGS, flags)):
            builder.store(value, cgutils.gep_inbounds(builder, own, 0, field))
        builder.ret(POINTER(None))
        return made

    def _call(self, name: str, result: Any, args: list[Any], builder: Any = None) -> Any:
        builder = builder or self._builder
        kind = ir.FunctionType(result, [one.type for one in args])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


@callee
def _extent(array):
    """The addresses of the first byte of an array, and of the one behind it."""
    low = high = array.ctypes.data
    for axis in range(array.ndim):
        if array.shape[axis] == 0:
            return low, low
        distance = (array.shape[axis] - 1) * array.strides[axis]
        if distance < 0:
            low += distance
        else:
            high += distance
    return low, high + array.itemsize


@callee
def are_apart(one, other):
    first, second = _extent(one), _extent(other)
    return first[1] <= second[0] or second[1] <= first[0]


def part(function: Any, options: Any) -> Any:
    """A part of a kernel, compiled."""
    return callee(function, options)


FUNCTIONS: Final = {
    "run_in_parts": run_in_parts,
    "parts_of": callee(parts_of),
    "are_apart": are_apart,
}
"""The names in the text, as Numba compiles them."""
