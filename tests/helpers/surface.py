"""NumPy's public surface, and how each part of it is recorded: decided by capturing a sample of each.

A part is named as programs name it: ``np.linalg.norm``, ``np.add.reduce``, ``ndarray.sort``, ``ndarray.T``.
`entry` says whether a sample of it became typed ops, a call whose result is known when the program runs, or
plain Python.  ``surface_page`` writes it all down.
"""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import harness
import numpy as np
import numpy.lib.recfunctions
import samples
from surface_samples import CANDIDATES, OBJECTS, SAMPLES, TAKE_NO_ARRAYS, WRITES

import astrace
from astrace.ir.block import Node
from astrace.ir.specs import AnySpec, ListSpec, Spec, TupleSpec, UnionSpec
from astrace.ir.walk import nodes
from astrace.ops import OPS

POLYNOMIALS: Final = ("polynomial", "chebyshev", "legendre", "hermite", "hermite_e", "laguerre")
NAMESPACES: Final = (
    *("np", "np.linalg", "np.fft", "np.random", "np.ma", "np.char", "np.strings", "np.rec", "np.emath"),
    *(f"np.polynomial.{name}" for name in POLYNOMIALS),
    *("np.lib.stride_tricks", "np.lib.array_utils", "np.lib.recfunctions"),
)
UFUNC_METHODS: Final = ("", ".reduce", ".accumulate", ".reduceat", ".outer", ".at")
KINDS = TYPED, CALL, PLAIN, NONE = ("typed", "call", "plain", "none")


@dataclass(frozen=True)
class Entry:
    """The record of one part of NumPy.

    Args:
        part: its name.
        kind: `TYPED`, `CALL`, `PLAIN`, or `NONE` where NumPy itself takes no array.
        text: the sample that shows it.
        case: the arguments of that sample.
        why: why it runs as plain Python.
    """

    part: str
    kind: str
    text: str = ""
    case: Mapping[str, Any] | None = None
    why: str = ""


# -- what there is -----------------------------------------------------------------------------------------


@cache
def functions(namespace: str) -> tuple[str, ...]:
    """The functions of a public namespace; no classes, modules or constants, no ufuncs of NumPy's own."""
    module = found(namespace)
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(
            f"{namespace}.{name}" for name in sorted(set(names)) if _is_listed(f"{namespace}.{name}")
        )


def _is_listed(part: str) -> bool:
    value = found(part)
    is_function = callable(value) and not isinstance(value, type | types.ModuleType)
    ufunc_of_numpy = isinstance(value, np.ufunc) and getattr(np, value.__name__, None) is value
    return is_function and not ufunc_of_numpy and part not in TAKE_NO_ARRAYS


def found(part: str) -> Any:
    """The object that a name leads to."""
    value: Any = np
    for name in part.split(".")[1:]:
        value = getattr(value, name)
    return value


@cache
def ufuncs() -> tuple[str, ...]:
    """NumPy's ufuncs, each by every name it has."""
    return tuple(f"np.{name}" for name, value in sorted(vars(np).items()) if isinstance(value, np.ufunc))


@cache
def members() -> tuple[str, ...]:
    """The methods and attributes of arrays, special ones of their own included."""
    of_classes = {"__class_getitem__", "__new__", "__doc__", "__hash__", "__array_finalize__"}
    return tuple(f"ndarray.{name}" for name in sorted(vars(np.ndarray)) if name not in of_classes)


@cache
def draws() -> tuple[str, ...]:
    """The methods of random generators."""
    names = [name for name in sorted(vars(np.random.Generator)) if not name.startswith("_")]
    return tuple(f"Generator.{name}" for name in names if callable(getattr(np.random.Generator, name)))


@cache
def objects() -> tuple[str, ...]:
    """Return the objects that are subscripted, classes whose instances are used, scalar types."""
    scalars = {
        name for name, op in OPS.by_name.items() if isinstance(op.function, type) and name.startswith("np.")
    }
    return tuple(sorted({*OBJECTS, *scalars}))


# -- how it is recorded ------------------------------------------------------------------------------------


@cache
def entry(part: str) -> Entry:
    """Return the entry of a part: the best that its samples show."""
    best = Entry(part, NONE)
    for text, case in _working(part):
        one = captured(part, text, case)
        best = min(best, one, key=lambda found: KINDS.index(found.kind))
        if best.kind == TYPED:
            break
    return best


def captured(part: str, text: str, case: Mapping[str, Any]) -> Entry:
    """Return the result of capturing a sample."""
    stages = astrace.compile(samples.function_of(text)).stages(**case)
    if stages.recording is None or stages.recording.plain_calls:
        reason = stages.fallback or stages.recording.plain_calls[0]  # type: ignore[union-attr]
        return Entry(part, PLAIN, text, case, f"[{reason.code}](reasons.md): {reason.message}")
    typed = all(map(_is_typed, nodes(stages.recording.block)))
    return Entry(part, TYPED if typed else CALL, text, case)


def _is_typed(node: Node) -> bool:
    return node.op not in ("call", "call_method") and all(_is_known(output.spec) for output in node.outputs)


def _is_known(spec: Spec | None) -> bool:
    """Return whether the class of a value, the dtype and rank of arrays, and the same of all items are known."""
    match spec:
        case None:
            return False
        case AnySpec():
            return spec.cls is not None and not issubclass(spec.cls, np.ndarray)
        case TupleSpec():
            return all(map(_is_known, spec.items))
        case ListSpec():
            return _is_known(spec.element)
        case UnionSpec():
            return all(map(_is_known, spec.options))
        case _:
            return True


def _working(part: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The samples that NumPy takes, with arguments: those that are written for the part, or the first that fits."""
    written = _written(part)
    for text in written or _candidates(part):
        case = next((case for case in samples.cases(text) if _works(text, case)), None)
        if case is not None:
            yield text, case
            if not written:
                return


def _written(part: str) -> list[str]:
    own = {**SAMPLES, **WRITES, **OBJECTS}.get(part, ())
    texts = [*own, *samples.samples().get(part, ())]
    return [text.replace("op(", f"{part}(") for text in texts if "op(" not in text or part.startswith("np.")]


def _candidates(part: str) -> list[str]:
    if part.startswith("ndarray.") and not callable(getattr(np.ndarray, part[8:])):
        return [f"x.{part[8:]}"]
    start = max((start for start in CANDIDATES if part.startswith(start)), key=len)
    name = part if part.startswith("np.") else part.partition(".")[2]
    return [text.replace("{}", name) for text in CANDIDATES[start]]


def _works(text: str, case: Mapping[str, Any]) -> bool:
    return observed(samples.function_of(text), case).error is None


def observed(function: Any, case: Mapping[str, Any]) -> harness.Outcome:
    """A call with the legacy random stream at its start."""
    state = np.random.get_state()
    np.random.seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return harness.observe(function, harness.fresh_arguments(tuple(case.values())))
    finally:
        np.random.set_state(state)
