"""The machine code that follows the instructions of a direct call (`opcodes`), in LLVM's language; needs llvmlite alone.

The function is a ``METH_FASTCALL | METH_KEYWORDS`` one.  Its object is a tuple: the words of the instructions, where the kernel's
machine code is, what is called where the call is left, the count of calls, and the exceptions for which a call is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from llvmlite import binding, ir

from astrace.backends.native.direct.opcodes import WIDTH, Opcode
from astrace.backends.native.entry.checks import DIRECT
from astrace.backends.native.object_code import ARRAY_FIELDS, ITEMS, TYPE_FIELD
from astrace.backends.native.symbols import ARRAY_TYPE

# pyright: basic
BYTE: Final = ir.IntType(8)
POINTER: Final = BYTE.as_pointer()
POINTERS: Final = POINTER.as_pointer()
INT: Final = ir.IntType(32)
WORD: Final = ir.IntType(64)
BIT: Final = ir.IntType(1)
VOID: Final = ir.VoidType()
CODE, MACHINE, OTHERWISE, CALLS, ERRORS = range(5)
"""The places of the objects in the tuple: the instructions, two words of a kernel's frame, a callable, one word, and a tuple of classes."""
HEAD: Final = 2
"""The words in front of the instructions: the number of arguments, and of slots."""
NULL: Final = POINTER(None)
FIRST: Final = WORD(0)
EQUAL: Final = 2
"""``Py_EQ``."""
C_FUNCTIONS: Final[Mapping[str, tuple[Any, Sequence[Any]]]] = {
    "Py_IncRef": (VOID, [POINTER]),
    "Py_DecRef": (VOID, [POINTER]),
    "PyErr_Clear": (VOID, []),
    "PyErr_ExceptionMatches": (INT, [POINTER]),
    "PyLong_AsSsize_t": (WORD, [POINTER]),
    "PyObject_CallOneArg": (POINTER, [POINTER, POINTER]),
    "PyObject_GetAttr": (POINTER, [POINTER, POINTER]),
    "PyObject_GetItem": (POINTER, [POINTER, POINTER]),
    "PyObject_IsTrue": (INT, [POINTER]),
    "PyObject_RichCompareBool": (INT, [POINTER, POINTER, INT]),
    "PyObject_Size": (WORD, [POINTER]),
    "PyObject_Vectorcall": (POINTER, [POINTER, POINTERS, WORD, POINTER]),
    "PySequence_Contains": (INT, [POINTER, POINTER]),
    "PyTuple_New": (POINTER, [WORD]),
}


def object_file(name: str) -> bytes:
    """Compile the function to an object file.

    Args:
        name: of the function.
    """
    target = binding.Target.from_triple(binding.get_process_triple())
    machine = target.create_target_machine(
        cpu=binding.get_host_cpu_name(), opt=3, codemodel="jitdefault", jit=True
    )
    module = binding.parse_assembly(str(Interpreter(name).module))
    if hasattr(binding, "create_pass_builder"):  # since llvmlite 0.44; the code is right without it
        passes = binding.create_pass_builder(machine, binding.PipelineTuningOptions(speed_level=2))
        passes.getModulePassManager().run(module, passes)
    return machine.emit_object(module)


class Operands(NamedTuple):
    """The words behind the first one of an instruction, as LLVM's values."""

    a: Any
    b: Any
    c: Any


class Interpreter:
    """Writes the function.

    Args:
        name: of it.
    """

    def __init__(self, name: str) -> None:
        self.module = ir.Module("direct")
        self.module.triple = binding.get_process_triple()
        kind = ir.FunctionType(POINTER, [POINTER, POINTERS, WORD, POINTER])
        self._function = ir.Function(self.module, kind, name)
        self._held, self._args, self._count, self._names = self._function.args
        self._builder = ir.IRBuilder(self._function.append_basic_block("entry"))
        self._write()

    def _write(self) -> None:
        builder, block = self._builder, self._function.append_basic_block
        self._next, self._leave, self._failed = block("next"), block("leave"), block("failed")
        self._raise, self._otherwise = block("raise"), block("otherwise")
        self._place = builder.alloca(WORD)
        self._has_run = builder.alloca(BIT)
        self._code = self._data(CODE)
        arguments, self._all = (builder.load(self._word(self._code, WORD(place))) for place in range(HEAD))
        plain = builder.and_(self._is_null(self._names), builder.icmp_signed("==", self._count, arguments))
        begin = block("begin")
        builder.cbranch(plain, begin, self._otherwise)
        builder.position_at_end(begin)
        self._slots = builder.alloca(POINTER, self._all)
        with self._counted(self._all) as place:
            builder.store(NULL, builder.gep(self._slots, [place]))
        with self._counted(arguments) as place:
            builder.store(builder.load(builder.gep(self._args, [place])), builder.gep(self._slots, [place]))
        builder.store(WORD(HEAD), self._place)
        builder.store(BIT(0), self._has_run)
        builder.branch(self._next)
        self._write_ends()
        self._write_instructions(arguments)

    def _write_ends(self) -> None:
        """Write the ends of a call that does not return a result of the kernel's."""
        builder = self._builder
        look, forget, take = (self._function.append_basic_block(name) for name in ("look", "forget", "take"))
        builder.position_at_end(self._failed)
        builder.cbranch(builder.load(self._has_run), self._raise, look)
        builder.position_at_end(look)
        is_left = self._call("PyErr_ExceptionMatches", self._item(self._held, ERRORS))
        builder.cbranch(builder.icmp_signed("!=", is_left, INT(0)), forget, take)
        builder.position_at_end(forget)
        self._call("PyErr_Clear")
        builder.branch(self._leave)
        builder.position_at_end(take)
        self._is_taken(BIT(1))
        builder.branch(self._raise)

    def _write_instructions(self, arguments: Any) -> None:
        """Write the choice between the instructions, and each of them."""
        builder = self._builder
        builder.position_at_end(self._next)
        place = builder.load(self._place)
        words = [
            builder.load(self._word(self._code, builder.add(place, WORD(step)))) for step in range(WIDTH)
        ]
        builder.store(builder.add(place, WORD(WIDTH)), self._place)
        choice = builder.switch(words[0], self._leave)
        for op in Opcode:
            case = self._function.append_basic_block(op.name.lower())
            choice.add_case(WORD(op), case)
            builder.position_at_end(case)
            INSTRUCTIONS[op](self, Operands(*words[1:]))
        builder.position_at_end(self._raise)
        self._release(arguments)
        builder.ret(NULL)
        builder.position_at_end(self._leave)
        self._release(arguments)
        builder.branch(self._otherwise)
        builder.position_at_end(self._otherwise)
        given = (self._item(self._held, OTHERWISE), self._args, self._count, self._names)
        builder.ret(self._call("PyObject_Vectorcall", *given))

    def _release(self, arguments: Any) -> None:
        """Give up what the slots behind the arguments hold."""
        with self._counted(self._all, arguments) as place:
            self._call("Py_DecRef", self._builder.load(self._builder.gep(self._slots, [place])))

    # -- tests -----------------------------------------------------------------------------------------

    def _require(self, condition: Any) -> None:
        """Go on where a condition holds, else leave."""
        self._builder.cbranch(condition, self._next, self._leave)

    def is_(self, words: Operands) -> None:
        """Write `Opcode.IS`."""
        self._require(self._same(self._slot(words.a), self._object(words.b)))

    def is_either(self, words: Operands) -> None:
        """Write `Opcode.IS_EITHER`."""
        one = self._slot(words.a)
        self._require(
            self._builder.or_(self._same(one, self._object(words.b)), self._same(one, self._object(words.c)))
        )

    def has_type(self, words: Operands) -> None:
        """Write `Opcode.HAS_TYPE`."""
        self._require(self._same(self._type(self._slot(words.a)), self._object(words.b)))

    def is_array(self, words: Operands) -> None:
        """Write `Opcode.IS_ARRAY`."""
        builder, array = self._builder, self._slot(words.a)
        self._test(self._same(self._type(array), self._global(ARRAY_TYPE)))
        dtype = self._same(self._loaded(array, ARRAY_FIELDS["dtype"], POINTER), self._object(words.b))
        axes = self._loaded(array, ARRAY_FIELDS["ndim"], INT)
        self._require(builder.and_(dtype, builder.icmp_signed("==", builder.sext(axes, WORD), words.c)))

    def has_size(self, words: Operands) -> None:
        """Write `Opcode.HAS_SIZE`."""
        sizes = self._loaded(self._slot(words.a), ARRAY_FIELDS["shape"], WORD.as_pointer())
        self._require(
            self._builder.icmp_signed("==", self._builder.load(self._word(sizes, words.b)), words.c)
        )

    def is_at(self, words: Operands) -> None:
        """Write `Opcode.IS_AT`."""
        same = self._builder.zext(self._same(self._slot(words.a), self._slot(words.b)), WORD)
        self._require(self._builder.icmp_signed("==", same, words.c))

    def has(self, words: Operands) -> None:
        """Write `Opcode.HAS`."""
        found = self._checked(self._call("PySequence_Contains", self._slot(words.a), self._object(words.b)))
        self._require(self._builder.icmp_signed("==", self._builder.sext(found, WORD), words.c))

    def equals(self, words: Operands) -> None:
        """Write `Opcode.EQUALS`."""
        builder, one, other = self._builder, self._slot(words.a), self._object(words.b)
        differ = self._function.append_basic_block("differ")
        builder.cbranch(self._same(one, other), self._next, differ)
        builder.position_at_end(differ)
        self._test(self._same(self._type(one), self._type(other)))
        found = self._checked(self._call("PyObject_RichCompareBool", one, other, INT(EQUAL)))
        self._require(builder.icmp_signed("==", found, INT(1)))

    def has_length(self, words: Operands) -> None:
        """Write `Opcode.HAS_LENGTH`."""
        found = self._checked(self._call("PyObject_Size", self._slot(words.a)))
        self._require(self._builder.icmp_signed("==", found, words.b))

    # -- what is read and made -------------------------------------------------------------------------

    def attribute(self, words: Operands) -> None:
        """Write `Opcode.ATTRIBUTE`."""
        self._put(self._call("PyObject_GetAttr", self._slot(words.a), self._object(words.b)), words.c)

    def item(self, words: Operands) -> None:
        """Write `Opcode.ITEM`."""
        self._put(self._call("PyObject_GetItem", self._slot(words.a), self._object(words.b)), words.c)

    def object_(self, words: Operands) -> None:
        """Write `Opcode.OBJECT`."""
        self._put_shared(self._object(words.b), words.c)

    def copy(self, words: Operands) -> None:
        """Write `Opcode.COPY`."""
        self._put_shared(self._slot(words.a), words.c)

    def found(self, words: Operands) -> None:
        """Write `Opcode.FOUND`."""
        self._put_shared(self._builder.load(self._items(self._slot(words.a), words.b)), words.c)

    def make(self, words: Operands) -> None:
        """Write `Opcode.MAKE`."""
        builder, one, kind = self._builder, self._slot(words.a), self._object(words.b)
        is_one, is_none = (self._function.append_basic_block(name) for name in ("is_one", "is_none"))
        builder.cbranch(self._same(self._type(one), kind), is_one, is_none)
        builder.position_at_end(is_one)
        self._put_shared(one, words.c)
        builder.position_at_end(is_none)
        self._put(self._call("PyObject_CallOneArg", kind, one), words.c)

    def call(self, words: Operands) -> None:
        """Write `Opcode.CALL`."""
        builder = self._builder
        self._is_taken(BIT(1))
        given = builder.gep(self._slots, [builder.add(words.a, WORD(1))])
        self._put(self._call("PyObject_Vectorcall", self._slot(words.a), given, words.b, NULL), words.c)

    def tuple_(self, words: Operands) -> None:
        """Write `Opcode.TUPLE`."""
        builder = self._builder
        made = self._made(self._call("PyTuple_New", words.b))
        with self._counted(words.b) as place:
            one = self._slot(builder.add(words.a, place))
            self._call("Py_IncRef", one)
            builder.store(one, self._items(made, place))
        self._put(made, words.c)

    def run(self, words: Operands) -> None:
        """Write `Opcode.RUN`."""
        builder = self._builder
        address, held = (builder.load(self._word(self._data(MACHINE), WORD(place))) for place in range(2))
        self._test(builder.icmp_unsigned("!=", address, WORD(0)))
        kind = ir.FunctionType(POINTER, [POINTER, POINTERS, WORD]).as_pointer()
        held = self._object(held)
        self._call("Py_IncRef", held)
        given = builder.gep(self._slots, [words.a])
        found = builder.call(
            builder.inttoptr(address, kind), [held, given, builder.add(words.b, WORD(DIRECT))]
        )
        self._call("Py_DecRef", held)
        self._is_taken(self._is_null(found))
        self._made(found)
        builder.store(found, builder.gep(self._slots, [words.c]))
        alone = self._same(found, self._global("_Py_TrueStruct"))
        several = self._same(self._type(found), self._global("PyTuple_Type"))
        done = builder.or_(alone, several)
        self._is_taken(done)
        self._require(done)

    def pick(self, words: Operands) -> None:
        """Write `Opcode.PICK`."""
        number = self._call("PyLong_AsSsize_t", self._slot(words.a))
        place = self._builder.sub(self._builder.add(words.b, number), WORD(1))
        self._put_shared(self._slot(place), words.c)

    # -- the order of instructions ---------------------------------------------------------------------

    def skip(self, words: Operands) -> None:
        """Write `Opcode.SKIP`."""
        self._advance(words.b)

    def skip_unless(self, words: Operands) -> None:
        """Write `Opcode.SKIP_UNLESS`."""
        found = self._checked(self._call("PyObject_IsTrue", self._slot(words.a)))
        self._advance(self._builder.select(self._builder.icmp_signed("==", found, INT(0)), words.b, WORD(0)))

    def _advance(self, instructions: Any) -> None:
        """Leave instructions out."""
        builder = self._builder
        words = builder.mul(instructions, WORD(WIDTH))
        builder.store(builder.add(builder.load(self._place), words), self._place)
        builder.branch(self._next)

    def return_(self, words: Operands) -> None:
        """Write `Opcode.RETURN`."""
        builder, found = self._builder, self._slot(words.a)
        self._call("Py_IncRef", found)
        self._release(builder.load(self._word(self._code, WORD(0))))
        builder.ret(found)

    # -- parts -----------------------------------------------------------------------------------------

    def _is_taken(self, condition: Any) -> None:
        """Where a condition holds, take the call: it is counted, once, and not left any more."""
        builder, calls, before = self._builder, self._data(CALLS), self._builder.load(self._has_run)
        new = builder.and_(condition, builder.not_(before))
        builder.store(builder.or_(condition, before), self._has_run)
        builder.store(builder.add(builder.load(calls), builder.zext(new, WORD)), calls)

    def _slot(self, place: Any) -> Any:
        return self._builder.load(self._builder.gep(self._slots, [place]))

    def _put(self, value: Any, place: Any) -> None:
        """Put a new reference into a slot, and go on."""
        value = self._made(value)
        self._builder.store(value, self._builder.gep(self._slots, [place]))
        self._builder.branch(self._next)

    def _put_shared(self, value: Any, place: Any) -> None:
        """The same for an object of somebody else's."""
        self._call("Py_IncRef", value)
        self._put(value, place)

    def _made(self, value: Any) -> Any:
        """Return an object, if it was made; else the call has failed."""
        self._test(self._builder.not_(self._is_null(value)), self._failed)
        return value

    def _checked(self, value: Any) -> Any:
        """Return a number that is not negative; a negative one says that a function of Python's has failed."""
        self._test(self._builder.icmp_signed(">=", value, value.type(0)), self._failed)
        return value

    def _test(self, condition: Any, otherwise: Any = None) -> None:
        """Go on here where a condition holds."""
        here = self._function.append_basic_block("holds")
        self._builder.cbranch(condition, here, otherwise or self._leave)
        self._builder.position_at_end(here)

    @contextmanager
    def _counted(self, end: Any, start: Any = FIRST) -> Iterator[Any]:
        """A loop over the integers from ``start`` up to ``end``."""
        builder, before = self._builder, self._builder.block
        test, body, behind = (self._function.append_basic_block(name) for name in ("test", "body", "behind"))
        builder.branch(test)
        builder.position_at_end(test)
        place = builder.phi(WORD)
        place.add_incoming(start, before)
        builder.cbranch(builder.icmp_signed("<", place, end), body, behind)
        builder.position_at_end(body)
        yield place
        place.add_incoming(builder.add(place, WORD(1)), builder.block)
        builder.branch(test)
        builder.position_at_end(behind)

    def _type(self, one: Any) -> Any:
        return self._loaded(one, TYPE_FIELD, POINTER)

    def _object(self, word: Any) -> Any:
        return self._builder.inttoptr(word, POINTER)

    def _same(self, one: Any, other: Any) -> Any:
        return self._builder.icmp_unsigned("==", one, other)

    def _is_null(self, one: Any) -> Any:
        return self._same(one, NULL)

    def _data(self, place: int) -> Any:
        """The words of an array in the tuple."""
        return self._loaded(self._item(self._held, place), ARRAY_FIELDS["data"], WORD.as_pointer())

    def _item(self, whole: Any, place: int) -> Any:
        return self._builder.load(self._items(whole, WORD(place)))

    def _items(self, whole: Any, place: Any) -> Any:
        """Where an item of a tuple lies."""
        start = self._builder.gep(whole, [WORD(ITEMS)])
        return self._builder.gep(self._builder.bitcast(start, POINTERS), [place])

    def _word(self, words: Any, place: Any) -> Any:
        return self._builder.gep(words, [place])

    def _loaded(self, start: Any, offset: int, kind: Any) -> Any:
        place = self._builder.gep(start, [WORD(offset)])
        return self._builder.load(self._builder.bitcast(place, kind.as_pointer()))

    def _call(self, name: str, *args: Any) -> Any:
        found = self.module.globals.get(name)
        if found is None:
            found = ir.Function(self.module, ir.FunctionType(*C_FUNCTIONS[name]), name)
        return self._builder.call(found, args)

    def _global(self, name: str) -> Any:
        return self.module.globals.get(name) or ir.GlobalVariable(self.module, BYTE, name)


INSTRUCTIONS: Final[Mapping[Opcode, Callable[..., None]]] = {
    Opcode.IS: Interpreter.is_,
    Opcode.IS_EITHER: Interpreter.is_either,
    Opcode.HAS_TYPE: Interpreter.has_type,
    Opcode.IS_ARRAY: Interpreter.is_array,
    Opcode.HAS_SIZE: Interpreter.has_size,
    Opcode.IS_AT: Interpreter.is_at,
    Opcode.HAS: Interpreter.has,
    Opcode.EQUALS: Interpreter.equals,
    Opcode.HAS_LENGTH: Interpreter.has_length,
    Opcode.ATTRIBUTE: Interpreter.attribute,
    Opcode.ITEM: Interpreter.item,
    Opcode.OBJECT: Interpreter.object_,
    Opcode.COPY: Interpreter.copy,
    Opcode.RUN: Interpreter.run,
    Opcode.FOUND: Interpreter.found,
    Opcode.MAKE: Interpreter.make,
    Opcode.CALL: Interpreter.call,
    Opcode.TUPLE: Interpreter.tuple_,
    Opcode.SKIP_UNLESS: Interpreter.skip_unless,
    Opcode.SKIP: Interpreter.skip,
    Opcode.PICK: Interpreter.pick,
    Opcode.RETURN: Interpreter.return_,
}
"""What writes each instruction."""
