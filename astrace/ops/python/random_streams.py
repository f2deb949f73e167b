"""What is known of draws from Python's ``random.Random``: the two methods in C, on which all others are built.

Those others are Python code of the standard library. What they do with a stream is what that code says, whatever the version of Python.
"""

from __future__ import annotations

import random
import types
from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.specs import FLOAT, INT, NONE, AnySpec, ScalarSpec, Spec
from astrace.ops.numpy.draws import BITS

RANDOM: Final = AnySpec(random.Random)
"""Objects that draw; `random.random` is a method of one."""
FLOATS: Final = "random"
"""The method that gives a float from 0.0 up to 1.0."""

TRACED: Final = frozenset(
    found
    for name in (
        *("uniform", "triangular", "normalvariate", "gauss", "lognormvariate", "expovariate"),
        *("vonmisesvariate", "gammavariate", "betavariate", "paretovariate", "weibullvariate"),
        *("randrange", "randint", "_randbelow_with_getrandbits", "choice", "shuffle", "seed"),
    )
    if type(found := vars(random.Random).get(name)) is types.FunctionType
)
"""The methods in Python that do nothing but draw, compute and move items: they are traced through as the user's functions are."""
SEED: Final = "seed"
"""The method that begins a stream anew."""
IN_C: Final[Any] = next(base for base in random.Random.__mro__ if "random" in vars(base))
"""The class in C that draws."""
DRAWS: Final = (FLOATS, BITS)
METHODS: Final[Mapping[Any, str]] = {vars(IN_C)[name]: name for name in (FLOATS, BITS, SEED)}
"""The names of the methods, by what the class holds: functions in C, which nobody can change."""


def method_called(function: Any, args: Sequence[Any]) -> str | None:
    """Return the name of the method that is called as a function with an object of the class; ``None`` for any other call.

    Args:
        function: what is called.
        args: as rules see them.

    Example:
        >>> method_called(random.Random.random, (RANDOM,)), method_called(len, (RANDOM,))
        ('random', None)
    """
    is_method = type(function) is types.MethodDescriptorType and function in METHODS
    return METHODS[function] if is_method and args and args[0] == RANDOM else None


def drawn_by_python(name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return what a method of such an object gives; ``None`` where that is not known.

    Args:
        name: of the method.
        args: behind the object, as rules see them.
        kwargs: the same by name.

    Example:
        >>> print(drawn_by_python("random", (), {}), drawn_by_python("getrandbits", (3,), {}))
        float int
    """
    if name == FLOATS and not args and not kwargs:
        return FLOAT
    if name == SEED:
        return NONE
    counts = len(args) == 1 and not kwargs and (type(args[0]) is int or isinstance(args[0], ScalarSpec))
    return INT if name == BITS and counts else None
