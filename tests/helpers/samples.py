"""Samples for the rows of the op table: small programs, and the operands they are run on.

A sample is the body of a function, an expression most of the time: ``np.clip(x, 0, n)``.  The names in it
are operands (``OPERANDS``), each with the values it takes in turn; `cases` gives the arguments of each run.
A sample that calls ``op(…)`` stands for an op that no program records as such: its block is built by hand.
"""

from __future__ import annotations

import ast
import cmath
import copy
import io
import itertools
import math
import os
import tempfile
import types
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import harness
import jax
import jax.numpy as jnp
import numpy as np
from samples_numpy import NUMPY
from samples_python import PYTHON

from astrace.ir.block import Block, Node, Value
from astrace.ir.specs import ANY
from astrace.ops import OPS
from astrace.ops.promised import result_spec
from astrace.tracing.record import NO_RESULT
from astrace.util.trees import Hole, Pattern


class Point(NamedTuple):
    """A named tuple."""

    x: Any
    y: Any


class Box:
    """An object with an attribute."""

    held: Any = 1


def box() -> Box:
    """An object that has the attribute itself."""
    made = Box()
    made.held = 2
    return made


DTYPES: Final = ("float64", "float32", "int64", "int32", "int8", "uint8", "bool", "complex128")
SHAPES: Final = ((3,), (), (2, 3), (2, 3, 2))
NUMBERS: Final = (2.5, -1.0, 0.5, 3.0, 1.0, -2.0, 4.0, 2.0, -0.0, 5.0, 1.5, 6.0)


def array(shape: tuple[int, ...], dtype: str, first: int = 0) -> np.ndarray:
    """An array of small numbers; ``first`` says where in the row of numbers it begins."""
    count = math.prod(shape)
    numbers = np.array(list(itertools.islice(itertools.cycle(NUMBERS), first, first + count)))
    with np.errstate(invalid="ignore"):
        whole = numbers.astype(dtype) if dtype != "uint8" else abs(numbers).astype(dtype)
    return (whole + 0.5j * whole.real if dtype == "complex128" else whole).reshape(shape)


def turned(items: tuple[Any, ...] | list[Any], by: int) -> list[Any]:
    """The items, beginning with number ``by``."""
    return [*items[by:], *items[:by]]


def ranks(first: int, by: int) -> list[np.ndarray]:
    """Arrays of every dtype and rank: all ranks of one dtype first, then all dtypes, then what is left."""
    dtypes = turned(DTYPES, by)
    kinds = [(shape, dtypes[0]) for shape in SHAPES]
    kinds += [(SHAPES[index % 3], dtype) for index, dtype in enumerate(dtypes[1:])]
    kinds += [kind for kind in itertools.product(SHAPES, dtypes) if kind not in kinds]
    return [array(shape, dtype, first) for shape, dtype in kinds]


def square(dtype: str) -> np.ndarray:
    """A matrix that can be inverted and factored, as far as its dtype allows."""
    matrix = array((3, 3), "complex128" if dtype == "complex128" else "float64")
    return (matrix @ matrix.conj().T + 3 * np.eye(3)).astype(dtype)


def scalars(first: int, by: int) -> list[Any]:
    """A NumPy scalar of every dtype."""
    return [array((1,), dtype, first)[0] for dtype in turned(DTYPES, by)]


PYTHON_NUMBERS: Final = (2, 0.5, True, 1.5 - 0.5j)

OPERANDS: Final[Mapping[str, list[Any]]] = {
    # arrays of one shape, of all dtypes and ranks
    "x": ranks(0, 0),
    "y": ranks(4, 3),
    "c": [np.asarray(array(one.shape, "float64", 1) > 1) for one in ranks(0, 0)],
    # vectors of one length, of all dtypes; a mask, positions and a sorted vector for them
    "v": [array((4,), dtype) for dtype in DTYPES],
    "w": [array((4,), dtype, 3) for dtype in turned(DTYPES, 2)],
    "h": [np.array([True, False, True, True])],
    "i": [np.array([3, 0, 1], dtype) for dtype in ("int64", "int32", "uint8")],
    "e": [np.array([-1.0, 0.5, 2.0, 3.0]), np.array([0, 1, 2, 4])],
    # matrices of all dtypes; one with other dimensions; stacks of matrices and of vectors of three numbers
    "m": [*map(square, DTYPES), np.stack([square("float64")] * 2)],
    "l": [array((3, 2), dtype, 1) for dtype in turned(DTYPES, 1)],
    "s": [array((2, 3, 3), dtype, 2) for dtype in DTYPES],
    "t": [array((2, 3), dtype, 5) for dtype in DTYPES],
    # numbers: Python's of each kind, NumPy's, and any of them with arrays among them
    "n": [2, 1, 3, 0],
    "r": [0.5, 2.5, -0.0, 1.0],
    "z": [1.5 - 0.5j, 2j],
    "p": list(PYTHON_NUMBERS),
    "q": [*turned(PYTHON_NUMBERS, 1), *scalars(1, 2)],
    "g": scalars(0, 0),
    "o": [box()],
    "f": [AttributeError("one")],
    "k": [np.int64(2), np.int8(1), np.uint8(0)],
    "a": [
        *(array((3,), dtype) for dtype in DTYPES),
        *scalars(0, 0),
        *PYTHON_NUMBERS,
        array((2, 3), "float64"),
    ],
    "b": [
        *(array((3,), dtype, 3) for dtype in turned(DTYPES, 3)),
        *turned(PYTHON_NUMBERS, 2),
        *scalars(3, 5),
        array((1, 3), "float32"),
    ],
}


def _ufunc_samples() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every ufunc on numbers and arrays of all kinds, and its methods on arrays of all dtypes and ranks."""
    for name, op in OPS.by_name.items():
        owner = getattr(op.function, "__self__", None)
        if isinstance(op.function, np.ufunc) and op.function.signature is None and name not in NUMPY:
            inputs = [", ".join(names[: op.function.nin]) for names in ("ab", "xy", "vw")]
            outs = ", ".join("vw"[: op.function.nout])
            given = [*inputs, f"{inputs[2]}, out=({outs},)"]
            given += [] if name in ("np.maximum", "np.minimum") else [f"{inputs[2]}, {outs}"]
            yield name, tuple(f"{name}({operands})" for operands in given)
        elif isinstance(owner, np.ufunc):
            yield name, METHODS[op.function.__name__, owner.nin]


METHODS: Final = {
    ("reduce", 2): (
        *("op(x)", "op(x, axis=None)", "op(x, axis=-1, keepdims=True)"),
        *("op(x, axis=())", "op(v, 0, None, np.zeros((), v.dtype))"),
    ),
    ("accumulate", 2): ("op(x)", "op(x, axis=-1)", "op(v, 0, None, v)"),
    ("reduceat", 2): ("op(v, [0, 2])", "op(v, i)", "op(v, [0, 2], 0, None, w[:2].astype(v.dtype))"),
    ("outer", 2): ("op(x, v)", "op(a, b)", "op(v, v, out=np.zeros((4, 4), v.dtype))"),
    ("at", 1): ("op(v, [0, 2, 0])", "op(v, i)"),
    ("at", 2): ("op(v, [0, 2, 0], b)", "op(v, h, 2)"),
}


MODULES: Final = {
    "np": np,
    "jax": jax,
    "jnp": jnp,
    "math": math,
    "cmath": cmath,
    "io": io,
    "os": os,
    "tempfile": tempfile,
    "CELL": types.CellType(1),
    "Box": Box,
    "Point": Point,
    "result_spec": result_spec,
    "__name__": "sample",
}


@lru_cache(maxsize=1)
def samples() -> dict[str, tuple[str, ...]]:
    """The samples of every op that has some."""
    generated = {
        name: tuple(text.replace("op(", f"{name}(") for text in texts) for name, texts in _ufunc_samples()
    }
    return {**generated, **NUMPY, **PYTHON}


def names_in(text: str) -> list[str]:
    """The operands that a sample uses, in alphabetical order."""
    found = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    return sorted(found & set(OPERANDS))


def cases(text: str) -> list[dict[str, Any]]:
    """Arguments for each run of a sample: every operand's values in turn, as often as the longest list."""
    lists = {name: OPERANDS[name] for name in names_in(text)}
    count = max(map(len, lists.values()), default=1)
    return [
        copy.deepcopy({name: values[index % len(values)] for name, values in lists.items()})
        for index in range(count)
    ]


def pairs(text: str) -> list[dict[str, Any]]:
    """All combinations of ``a`` and ``b``, for a sample of these two."""
    if names_in(text) != ["a", "b"]:
        return []
    return [copy.deepcopy({"a": a, "b": b}) for a in OPERANDS["a"] for b in OPERANDS["b"]]


@cache
def function_of(text: str) -> types.FunctionType:
    """The plain function of a sample."""
    is_expression = "return" not in text
    body = f"return {text}" if is_expression else text.replace("\n", "\n    ")
    namespace = dict(MODULES)
    harness.run_with_source(f"def f({', '.join(names_in(text))}):\n    {body}\n", namespace)
    return namespace["f"]


def built(name: str, text: str) -> tuple[Block, Any]:
    """The block of a sample ``op(…)`` with one node, and how its outputs make up the result."""
    operands = {one: Value(ANY, one) for one in names_in(text)}
    holes = {one: Hole(index) for index, one in enumerate(operands)}

    def pattern(*args: Any, **kwargs: Any) -> Pattern:
        return Pattern(args, kwargs)

    attrs = {"pattern": eval(text, {**MODULES, **holes, "op": pattern})}
    outputs = () if name in NO_RESULT else (Value(ANY),)
    node = Node(name, tuple(operands.values()), outputs, attrs)
    return Block(tuple(operands.values()), (node,), outputs), Hole(0) if outputs else None
