"""What a value of a graph is in an ONNX model: a tensor, or an array that may be written and viewed.

Bottom of the export: it knows specs and dtypes, neither nodes nor the `onnx` package.  Tensors never change.  An array
is an object, so it is a `OnnxArray`: a write gives it another tensor, and a view of it (`OnnxView`) reads and writes through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.specs import (
    PYTHON_TYPES,
    ArraySpec,
    Dim,
    GenericSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    is_unset,
    options_of,
)

DTypeLike: TypeAlias = "np.dtype[Any]"
KINDS: Final = "biuf"
"""The kinds of dtypes that are exported: booleans, integers and floats."""
PYTHON_DTYPES: Final[dict[type, DTypeLike]] = {
    bool: np.dtype(np.bool_),
    int: np.dtype(np.int64),
    float: np.dtype(np.float64),
}


@dataclass(frozen=True, slots=True)
class Stored:
    """How a value is stored.

    Args:
        dtype: the dtype of the tensor.
        shape: its sizes, as far as they are known.
        types: the types that NumPy's promotion may see: the dtype, or a type of Python's numbers.
        is_array: it may be an array, which may change, even if it has no dimensions.
    """

    dtype: DTypeLike
    shape: tuple[Dim, ...] = ()
    types: tuple[Any, ...] = ()
    is_array: bool = False


def stored(spec: Spec) -> Stored | None:
    """How values of a spec are stored; ``None`` where no tensor holds them all.

    Example:
        >>> from astrace.ir.specs import INT
        >>> stored(INT).dtype, stored(INT).types
        (dtype('int64'), (<class 'int'>,))
    """
    found = [_stored(option) for option in options_of(spec) if not is_unset(option)]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    first = known[0]
    if any((one.dtype, one.shape) != (first.dtype, first.shape) for one in known):
        return None
    types = tuple(dict.fromkeys(kind for one in known for kind in one.types))
    return Stored(first.dtype, first.shape, types, any(one.is_array for one in known))


def _stored(spec: Spec) -> Stored | None:
    match spec:
        case ArraySpec() if _is_exported(spec.dtype):
            return Stored(spec.dtype, spec.shape, (spec.dtype,), is_array=True)
        case GenericSpec() if _is_exported(spec.dtype):
            return Stored(spec.dtype, (), (spec.dtype,))
        case ScalarSpec() if spec.kind != "complex":
            python = PYTHON_TYPES[spec.kind]
            return Stored(PYTHON_DTYPES[python], (), (python,))
        case LiteralSpec() if type(spec.value) in PYTHON_DTYPES:
            return Stored(PYTHON_DTYPES[type(spec.value)], (), (type(spec.value),))
        case _:
            return None


def _is_exported(dtype: DTypeLike) -> bool:
    return dtype.kind in KINDS and dtype.isnative and dtype.itemsize <= 8


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of the model by name."""

    name: str
    stored: Stored

    @property
    def dtype(self) -> DTypeLike:
        """Its dtype."""
        return self.stored.dtype

    @property
    def shape(self) -> tuple[Dim, ...]:
        """Its sizes, as far as they are known."""
        return self.stored.shape

    @property
    def rank(self) -> int:
        """The number of its dimensions."""
        return len(self.stored.shape)


@dataclass(slots=True, eq=False)
class OnnxArray:
    """An array.

    Args:
        tensor: what it holds now.
        fixed: why nothing may write to it, in words; empty where it may be written.
        sources: the arrays that it may be, or share memory with.
        depth: how many graphs it lies in.
        shared: another value holds what it held at some time, and would not see a write.
    """

    tensor: Tensor
    fixed: str = ""
    sources: tuple[OnnxArray, ...] = ()
    depth: int = 0
    shared: bool = field(default=False, init=False)

    def read(self) -> Tensor:
        """What it holds now."""
        return self.tensor

    def write(self, tensor: Tensor) -> None:
        """Let it hold something else."""
        self.tensor = tensor

    def roots(self) -> Iterator[OnnxArray]:
        """The arrays whose memory it may be."""
        yield self
        for source in self.sources:
            yield from source.roots()


@dataclass(slots=True, eq=False)
class OnnxView:
    """A part of an array, which reads and writes through it.

    Args:
        base: the array, or a view of it.
        get: takes the part out of a tensor of the base.
        put: gives the tensor of the base with another part.
        seen: what the base held when the view was made.
        tensor: the part then.
    """

    base: OnnxArray | OnnxView
    get: Callable[[Tensor], Tensor]
    put: Callable[[Tensor, Tensor], Tensor]
    seen: Tensor
    tensor: Tensor

    def read(self) -> Tensor:
        """What it holds now."""
        held = self.base.read()
        return self.tensor if held is self.seen else self.get(held)

    def write(self, tensor: Tensor) -> None:
        """Write to the base."""
        self.base.write(self.put(self.base.read(), tensor))

    def roots(self) -> Iterator[OnnxArray]:
        """The arrays whose memory it may be."""
        yield from self.base.roots()


AnyArray: TypeAlias = OnnxArray | OnnxView
Form: TypeAlias = Any
"""A tensor, an array, a Python object that is known, or a container of forms."""


def owner(array: AnyArray) -> OnnxArray:
    """The array that a view is a part of, at the end."""
    while isinstance(array, OnnxView):
        array = array.base
    return array
