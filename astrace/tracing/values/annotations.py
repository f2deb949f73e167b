"""The annotations of a local function, computed as it is made: what the code around does for them, done again.

Rewritten code leaves them out, as nothing that is traced asks for them.  A function that exists when the program runs has
them.  Those that name types by globals are computed there and then; any other says so.
"""

from __future__ import annotations

import builtins
import dis
import itertools
import operator
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

CLOSURE: Final = 0x08
ANNOTATED: Final = 0x04
ANNOTATING: Final = 0x10
"""Flags of ``MAKE_FUNCTION``; since Python 3.13 of the instructions behind it, each for one thing that is set."""
SETS_ATTRIBUTE: Final = "SET_FUNCTION_ATTRIBUTE"


@dataclass(frozen=True, slots=True)
class Annotations:
    """A function that computes the annotations of another one.

    Args:
        steps: the instructions, which leave names and values in turn in a tuple.
    """

    steps: tuple[tuple[str, Any], ...] = ()

    def computed(self, namespace: Mapping[str, Any]) -> dict[str, Any]:
        """The annotations, by the names of the parameters.

        Raises:
            NameError: a global is missing, as where the function is defined.
        """
        stack: list[Any] = []
        for name, given in self.steps:
            _do(name, given, stack, namespace)
        pairs: tuple[Any, ...] = stack.pop() if stack else ()
        return dict(zip(pairs[::2], pairs[1::2], strict=True))


def annotations_of(outer: types.CodeType, inner: types.CodeType) -> Annotations | None:
    """Return the instructions that compute a function's annotations; ``None`` where they need more than globals.

    Args:
        outer: the code that makes the function.
        inner: the code of the function.
    """
    steps = list(dis.get_instructions(outer))
    loaded = next(index for index, step in enumerate(steps) if step.argval is inner)
    flags = _flags(steps[loaded:])
    if flags & ANNOTATING:  # a function computes them, when somebody asks
        return None
    if not flags & ANNOTATED:
        return Annotations()
    last = loaded - 1
    if flags & CLOSURE:  # the variables, and the instruction that makes their tuple
        last = _first(steps, last, CLOSING) - 1
    found = tuple((step.opname, _given(step)) for step in _whole(steps, last))
    known = all(name in DONE and (name != "BINARY_OP" or given == "|") for name, given in found)
    return Annotations(found) if known else None


def _flags(steps: Sequence[dis.Instruction]) -> int:
    """What is given to the next function that is made, as flags."""
    made = next(index for index, step in enumerate(steps) if step.opname == "MAKE_FUNCTION")
    flags = steps[made].arg or 0
    for step in itertools.takewhile(lambda step: step.opname == SETS_ATTRIBUTE, steps[made + 1 :]):
        flags |= step.arg or 0
    return flags


def _given(step: dis.Instruction) -> Any:
    """Return the argument of an instruction: a constant, a name, a number of items, an operator."""
    if step.opname in BUILT:
        return step.arg
    return step.argrepr if step.opname == "BINARY_OP" else step.argval


def _whole(steps: Sequence[dis.Instruction], last: int) -> Sequence[dis.Instruction]:
    """Return the instructions that make the item at ``last``; or others, and one that is not known."""
    return steps[_first(steps, last, DONE) : last + 1]


def _first(steps: Sequence[dis.Instruction], last: int, known: frozenset[str]) -> int:
    """Where the instructions begin that make the item at ``last``; or the last one before that is not known."""
    first, missing = last, 1
    while steps[first].opname in known:
        missing -= dis.stack_effect(steps[first].opcode, steps[first].arg, jump=False)
        if missing == 0:
            break
        first -= 1
    return first


def _do(name: str, given: Any, stack: list[Any], namespace: Mapping[str, Any]) -> None:
    match name:
        case "LOAD_CONST":
            stack.append(given)
        case "LOAD_GLOBAL":
            stack.append(_global(given, namespace))
        case "LOAD_ATTR":
            stack.append(getattr(stack.pop(), given))
        case "BUILD_TUPLE" | "BUILD_LIST":
            first = len(stack) - given
            items = stack[first:]
            stack[first:] = [BUILT[name](items)]
        case _:
            right, left = stack.pop(), stack.pop()
            stack.append(left[right] if name == "BINARY_SUBSCR" else operator.or_(left, right))


def _global(name: str, namespace: Mapping[str, Any]) -> Any:
    for held in (namespace, vars(builtins)):
        if name in held:
            return held[name]
    message = f"name {name!r} is not defined"
    raise NameError(message, name=name)


BUILT: Final[Mapping[str, Any]] = {"BUILD_TUPLE": tuple, "BUILD_LIST": list}
DONE: Final = frozenset({"LOAD_CONST", "LOAD_GLOBAL", "LOAD_ATTR", "BINARY_SUBSCR", "BINARY_OP", *BUILT})
"""The instructions that are done again."""
CLOSING: Final = frozenset({"LOAD_CLOSURE", "LOAD_FAST", "LOAD_FAST_LOAD_FAST", "BUILD_TUPLE"})
"""The instructions that make the tuple of a closure."""
