"""What an operator is declared to give: the type of its results as an example tells it, and the check of each.

Takes an example, gives a spec in which sizes and lengths are open; takes a value and a spec, and gives the value.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, Final

import numpy as np

from astrace.errors import WrongResult
from astrace.ir.constants import same_dtype
from astrace.ir.specs import (
    PYTHON_TYPES,
    ArraySpec,
    GenericSpec,
    ListSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    is_typed,
    spec_of,
)


def result_spec(example: Any) -> Spec | None:
    """The type of results that are like an example; ``None`` for what has no type that a graph could use.

    Example:
        >>> print(result_spec((np.zeros((2, 3)), [1, 2])))
        (float64[?, ?], list[int])
    """
    return _open(spec_of(example))


def _open(spec: Spec) -> Spec | None:
    """A spec without sizes, lengths and examples."""
    match spec:
        case ArraySpec():
            return ArraySpec((None,) * len(spec.shape), spec.dtype)
        case ScalarSpec():
            return ScalarSpec(spec.kind)
        case GenericSpec():
            return spec
        case TupleSpec() if spec.cls is tuple:
            items = tuple(map(_open, spec.items))
            return None if None in items else TupleSpec(tuple(filter(None, items)))
        case ListSpec() if spec.element is not None and is_typed(spec.element):
            return ListSpec(_open(spec.element))
        case _:
            return None


def fits(value: Any, spec: Any) -> bool:
    """Return whether a value is of a type.

    Example:
        >>> fits(np.ones(3), result_spec(np.zeros(1))), fits(np.ones(3), result_spec(0.0))
        (True, False)
    """
    match spec:
        case ArraySpec():
            is_array = type(value) is np.ndarray and value.ndim == len(spec.shape)
            return is_array and same_dtype(value.dtype, spec.dtype)
        case GenericSpec():
            return isinstance(value, np.generic) and same_dtype(value.dtype, spec.dtype)
        case ScalarSpec():
            return type(value) is PYTHON_TYPES[spec.kind]
        case TupleSpec():
            if type(value) is not tuple or len(value) != len(spec.items):
                return False
            return all(map(fits, value, spec.items))
        case ListSpec():
            return type(value) is list and all(fits(one, spec.element) for one in value)
        case _:
            return False


def promised(value: Any, spec: Any, name: str) -> Any:
    """Give a result of an operator, if it is of the type that was declared.

    Args:
        value: the result.
        spec: the type.
        name: what the operator is called.

    Raises:
        WrongResult: it is of another.
    """
    if not fits(value, spec):
        raise WrongResult(
            f"{name} gave {spec_of(value)}, and was declared to give {spec}: "
            "declare another `returns`, or none"
        )
    return value


class DeclaredResults:
    """The types of operators' results, for as long as the operators are in use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: weakref.WeakKeyDictionary[Any, Spec] = weakref.WeakKeyDictionary()

    def declare(self, operator: Any, spec: Spec | None) -> None:
        """Declare what a class's instances, or a function, give; ``None`` for anything."""
        with self._lock:
            self._known.pop(operator, None)
            if spec is not None:
                self._known[operator] = spec

    def of(self, operator: Any) -> Spec | None:
        """Return what is declared of a class or a function; ``None`` if nothing is."""
        return self._known.get(operator)


DECLARED_RESULTS: Final = DeclaredResults()
