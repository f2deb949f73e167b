"""The types of values with which a loop is entered, where they were not known when it was captured.

Takes a loop of a program that is timed; tells what its unknown inputs were, and gives the test that they are the same
again.  It does not know what is made of that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.backends.native.entry.admission import function_of
from astrace.ir.block import Node, Value
from astrace.ir.specs import (
    ANY,
    PYTHON_TYPES,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    is_typed,
    join,
    spec_of,
)
from astrace.passes.deferral import deferred
from astrace.passes.loop_checks import Condition

LOOKS: Final = 8
"""The number of times that a loop is looked at when it is entered; types hardly ever change later."""
LONGEST: Final = 8
"""The number of items of a tuple that are looked at."""
NUMBERS: Final = (bool, int, float, complex, np.generic)
OF_NUMBERS: Final = "biufc"
"""The kinds of NumPy's dtypes of numbers: others have units, lengths and fields beside their class."""


@dataclass(frozen=True, slots=True)
class LoopEntry:
    """A loop, with what is done in front of it for nothing but the loop.

    Args:
        nodes: ranges and iterators that it walks through, and the loop.
        inputs: the values that they are given, each once.
    """

    nodes: tuple[Node, ...]
    inputs: tuple[Value, ...]

    @staticmethod
    def of(loop: Node, counts: Mapping[Value, int], makers: Mapping[Value, Node]) -> LoopEntry:
        """Return the entry of a loop.

        Args:
            loop: a node.
            counts: the uses of each value in the block of the loop.
            makers: the node that makes a value.
        """
        given = [one for one in loop.inputs if isinstance(one, Value)]
        found = dict.fromkeys(
            makers[one] for one in given if one in makers and _is_walked(makers[one], counts)
        )
        nodes = (*found, loop)
        made = {output for node in nodes for output in node.outputs}
        used = [one for node in nodes for one in node.inputs if isinstance(one, Value)]
        return LoopEntry(nodes, tuple(dict.fromkeys(one for one in used if one not in made)))

    @property
    def unknown(self) -> tuple[Value, ...]:
        """The inputs of which nothing, or only the class, is known; those aside into which is only stored."""
        found = tuple(one for one in self.inputs if isinstance(one.spec, AnySpec))
        if not found:
            return ()
        used = {one for node in deferred(self.nodes).nodes for one in node.inputs}
        return tuple(one for one in found if one in used)


def _is_walked(node: Node, counts: Mapping[Value, int]) -> bool:
    """Return whether a node makes a range, or an iterator that is used once."""
    return node.op == "range" or (node.op == "iter" and counts.get(node.output) == 1)


class SeenTypes:
    """What the inputs of a loop were whose types are not known.

    Args:
        entry: the loop.
    """

    def __init__(self, entry: LoopEntry) -> None:
        self.entry = entry
        self._specs: list[Spec | None] = [None] * len(entry.unknown)
        self._left = LOOKS

    def look(self, *objects: Any) -> None:
        """Note the types of the inputs that are not known."""
        if self._left <= 0:
            return
        self._left -= 1
        for index, (before, one) in enumerate(zip(self._specs, objects, strict=True)):
            found = type_of(one)
            self._specs[index] = found if before is None else join(before, found)

    @property
    def was_entered(self) -> bool:
        """True once the loop has been entered."""
        return self._left < LOOKS

    @property
    def known(self) -> Mapping[Value, Spec]:
        """The types of the inputs that were of one type each time; empty before the loop was entered."""
        pairs = zip(self.entry.unknown, self._specs, strict=True)
        return {value: spec for value, spec in pairs if spec is not None and is_typed(spec)}


def type_of(found: Any) -> Spec:
    """Return the type of an array, a number or a tuple of such, for arrays of any size; of anything else, that it may be anything.

    Args:
        found: any object.

    Example:
        >>> print(type_of((np.zeros((2, 3)), 1)), type_of("text"))
        (float64[?, ?], int) any
    """
    if type(found) is tuple:
        return TupleSpec(tuple(map(type_of, found))) if len(found) <= LONGEST else ANY
    if isinstance(found, np.ndarray | np.generic) and found.dtype.kind not in OF_NUMBERS:
        return ANY
    if type(found) is np.ndarray:
        return ArraySpec((None,) * found.ndim, found.dtype)
    return spec_of(found) if isinstance(found, NUMBERS) else ANY


def type_test(specs: Sequence[Spec], conditions: Sequence[Condition] = ()) -> Callable[..., bool]:
    """Return a function of as many objects that tells whether they are of the types.

    Args:
        specs: of arrays, numbers and tuples of them.  Any other one tells what was known before, and is not tested.
        conditions: that have to hold, too; the function takes the objects of their operands behind the others.

    Example:
        >>> type_test([type_of(1.0), type_of(np.ones(2))])(2.0, np.ones((2, 2)))
        False
    """
    names = [f"x{index}" for index in range(len(specs))]
    namespace: dict[str, Any] = {"ndarray": np.ndarray}
    tests = [text for name, spec in zip(names, specs, strict=True) for text in _tests(name, spec, namespace)]
    for index, condition in enumerate(conditions):
        own = [f"x{len(names) + place}" for place in range(len(condition.operands))]
        namespace[f"holds{index}"] = condition.holds
        tests.append(f"holds{index}({', '.join(own)})")
        names += own
    test = function_of(names, " and ".join(tests) or "True", namespace)
    test.__name__ = "has_seen_types"  # as generated source calls it
    return test


def _tests(name: str, spec: Spec, namespace: dict[str, Any]) -> Iterator[str]:
    """Yield the tests that an object is of a type; add what they refer to to the namespace."""

    def known(found: Any) -> str:
        return next((key for key, one in namespace.items() if one is found), None) or _named(found, namespace)

    match spec:
        case ArraySpec(shape, dtype):
            yield f"type({name}) is ndarray"
            yield f"{name}.ndim == {len(shape)}"
            yield f"{name}.dtype is {known(dtype)}"
        case GenericSpec(dtype):
            yield f"type({name}) is {known(dtype.type)}"
        case ScalarSpec(kind):
            yield f"type({name}) is {known(PYTHON_TYPES[kind])}"
        case TupleSpec(items):
            yield f"type({name}) is tuple"
            yield f"len({name}) == {len(items)}"
            for index, item in enumerate(items):
                yield from _tests(f"{name}[{index}]", item, namespace)
        case _:
            return


def _named(found: Any, namespace: dict[str, Any]) -> str:
    name = f"known{len(namespace)}"
    namespace[name] = found
    return name
