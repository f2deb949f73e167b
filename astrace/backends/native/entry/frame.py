"""The function that a program calls for a kernel, as text: machine code, what makes Python's objects of its results, and who is asked.

Takes the outputs of a lowered block; gives a function with the kernel's parameters.  Knows neither judge nor machine code.
"""

from __future__ import annotations

import ctypes
import itertools
import types
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from astrace.backends.native.entry.list_results import list_maker
from astrace.ir.specs import (
    PYTHON_TYPES,
    ArraySpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
)
from astrace.passes.lowering.results import LoweredResult
from astrace.util.parsing import code_of_text

MACHINE: Final = "run"


class EntryFrame:
    """The function of a kernel.

    It calls machine code, which gives what the kernel returns, and passes on all that is neither a result nor ``False``.

    Args:
        name: of the kernel.
        count: the number of its arguments.
        results: its outputs.
        ask: is given what machine code has given, and the arguments; gives what the kernel does.
        constants: the objects of the program that may be items of lists.
    """

    def __init__(
        self,
        name: str,
        count: int,
        results: Sequence[LoweredResult],
        ask: Callable[..., Any],
        constants: Sequence[Any] = (),
    ) -> None:
        self.words = np.zeros(2, np.int64)
        """The address of machine code, or 0, and of the object that it is given: for other machine code (`direct`)."""
        self._constants = tuple(constants)
        numbers = [result for result in results if result.argument is None]
        self._scope: dict[str, Any] = {"ask": ask, MACHINE: not_implemented}
        self._given = "".join(f"x{index}, " for index in range(count))
        exec(code_of_text(self._text(numbers), "<kernel>"), self._scope)
        self.result: Callable[[Any, Sequence[Any]], Any] = self._scope["result"]
        """Gives what the kernel gives, of what machine code has, or Python's run of its text, and the arguments."""
        self.function: types.FunctionType = self._scope["entry"]
        self.function.__name__ = self.function.__qualname__ = name

    def use(self, machine: Callable[..., Any]) -> None:
        """Call a function from now on.

        Args:
            machine: machine code that tests its arguments, or what stands for it.
        """
        self.words[0] = 0
        self._scope[MACHINE] = machine
        if isinstance(machine, types.BuiltinFunctionType):
            self.words[1] = id(machine.__self__)
            self.words[0] = _address(machine)

    @property
    def machine(self) -> Callable[..., Any]:
        """The function that is called: machine code, or what stands for it."""
        return self._scope[MACHINE]

    def _text(self, numbers: Sequence[LoweredResult]) -> str:
        """Return the function as text."""
        done, result, nothing = "found is True", "True", "False"
        if numbers:
            done, result = "found.__class__ is tuple", self._result(numbers)
            nothing = f"(False, {'None, ' * len(numbers)})"
        return f"""def entry({self._given}):
    found = {MACHINE}({self._given})
    if {done}:
        return {result}
    if found is False:
        return {nothing}
    return ask(found, {self._given})

def result(found, given):
    ({self._given}) = given
    return {result}
"""

    def _result(self, numbers: Sequence[LoweredResult]) -> str:
        """Return an expression for what the kernel gives, of ``found``, which machine code has."""
        whole = [self._output(result) for result in numbers]
        as_found = whole == [f"found[{place}]" for place in range(1, len(numbers) + 1)]
        extras = any(result.tag is not None or result.origin is not None for result in numbers)
        return "found" if as_found and not extras else f"(True, {', '.join(whole)})"

    def _output(self, result: LoweredResult) -> str:
        """Return an expression for one output; a number that the loop only hands on is the object that came in."""
        text = self._present(result)
        if result.absent is None:
            return text
        return f"({self._object(result.literal, 'literal')} if found[{1 + result.absent}] else {text})"

    def _present(self, result: LoweredResult) -> str:
        """Return an expression for an output that is there."""
        if result.argument is not None:
            return f"({self._given})[{result.argument}]"
        if isinstance(result.spec, TupleSpec):
            return f"({''.join(f'{self._output(item)}, ' for item in result.items)})"
        if isinstance(result.spec, LiteralSpec):
            return self._object(result.spec.value, "literal")
        if isinstance(result.spec, ListSpec):
            return self._list(result)
        made = self._made(result)
        if result.origin is None:
            return made
        origin = f"found[{1 + result.origin}]"
        if not self._constants:
            return f"({self._given})[{origin} - 1] if {origin} else {made}"
        constants = self._object(tuple(reversed(self._constants)), "constants")
        return f"(None, *({self._given}), *{constants})[{origin}] if {origin} else {made}"

    def _list(self, result: LoweredResult) -> str:
        """Return an expression for a list."""
        assert result.number is not None
        maker = self._object(list_maker(result.spec, result.passed, self._constants), "list")
        first = 1 + result.number
        return f"{maker}(found[{first}:{first + result.columns}], ({self._given}))"

    def _made(self, result: LoweredResult) -> str:
        """Return an expression for an object of a type."""
        assert result.number is not None
        found = f"found[{1 + result.number}]"
        if isinstance(result.spec, UnionSpec):
            first, second = (self._of_type(spec, found) for spec in result.spec.options)
            assert result.tag is not None
            return f"({first} if found[{1 + result.tag}] else {second})"
        return found if isinstance(result.spec, ArraySpec) else self._of_type(result.spec, found)

    def _of_type(self, spec: Spec, found: str) -> str:
        if isinstance(spec, LiteralSpec):
            return self._object(spec.value, "literal")
        if isinstance(spec, ScalarSpec):
            return f"{self._object(PYTHON_TYPES[spec.kind], spec.kind)}({found})"
        assert isinstance(spec, GenericSpec)
        return f"{self._object(spec.dtype.type, 'generic')}({found})"

    def _object(self, value: Any, hint: str) -> str:
        """Return a name for an object."""
        name = f"{hint}_{len(self._scope)}"
        self._scope[name] = value
        return name


def _address(machine: types.BuiltinFunctionType) -> int:
    """Return the address of a C function."""
    find = ctypes.pythonapi.PyCFunction_GetFunction
    find.restype, find.argtypes = ctypes.c_void_p, (ctypes.py_object,)
    return find(machine)


def not_implemented(*_: Any) -> Any:
    """Stand for machine code that there is not yet."""
    return NotImplemented


def declined(*_: Any) -> bool:
    """Stand for machine code that is not used any more."""
    return False


def left_alone(count: int) -> Callable[..., Any]:
    """Return what leaves so many calls to NumPy, and then stands for machine code that there is not.

    Args:
        count: of calls.
    """
    answers = itertools.repeat(False, count)
    return lambda *_: next(answers, NotImplemented)
