"""Writes an ONNX graph: nodes in nested scopes, constants once, names that are unique.

Takes tensors, gives tensors; knows the operators that need care for some dtypes, but no node of astrace's.  The only
module that makes parts of a model, through ``onnx.helper``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

from astrace.bundle.exports.onnx_values import PYTHON_DTYPES, DTypeLike, Stored, Tensor
from astrace.ir.specs import Dim

BOOL: Final = np.dtype(np.bool_)
INT64: Final = np.dtype(np.int64)
SELECTED_AS: Final[dict[DTypeLike, DTypeLike]] = {
    BOOL: np.dtype(np.uint8),
    np.dtype(np.int16): np.dtype(np.int32),
    np.dtype(np.uint16): np.dtype(np.int32),
}
"""The dtypes that runtimes have no ``Where`` for, and one that holds all their values."""


def element_type(dtype: DTypeLike) -> int:
    """The number that ONNX has for a dtype."""
    return helper.np_dtype_to_tensor_dtype(dtype)


class Writer:
    """A model in the making."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._taken: set[str] = set()
        self._scopes: list[list[NodeProto]] = [[]]
        self._constants: dict[tuple[str, tuple[int, ...], bytes], Tensor] = {}
        self.initializers: list[TensorProto] = []

    # -- names, scopes ---------------------------------------------------------------------------------------

    def name(self, base: str) -> str:
        """A name that no other tensor has."""
        name = base
        while name in self._taken:
            self._counts[base] += 1
            name = f"{base}_{self._counts[base]}"
        self._taken.add(name)
        return name

    @property
    def depth(self) -> int:
        """How many graphs the current one lies in."""
        return len(self._scopes) - 1

    def drop(self) -> None:
        """End the current graph, which is not needed."""
        self._scopes.pop()

    def open(self) -> None:
        """Begin a graph within the current one."""
        self._scopes.append([])

    def close(
        self,
        name: str,
        inputs: Sequence[tuple[str, Stored]],
        outputs: Sequence[Tensor],
        names: Sequence[str] = (),
    ) -> GraphProto:
        """End the current graph, whose outputs are made in it, as ONNX wants it."""
        made = [
            self.emit("Identity", [one], one.stored, name=names[index] if names else "")
            for index, one in enumerate(outputs)
        ]
        nodes = self._scopes.pop()
        ends = [self.info(one.name, one.stored, is_known=bool(names)) for one in made]
        given = [self.info(input_, stored) for input_, stored in inputs]
        return helper.make_graph(
            nodes, name, given, ends, initializer=[] if self._scopes else self.initializers
        )

    @staticmethod
    def info(name: str, stored: Stored, is_known: bool = True) -> ValueInfoProto:
        """What ONNX says of an input or output."""
        shape: Sequence[Dim] = stored.shape if is_known else (None,) * len(stored.shape)
        return helper.make_tensor_value_info(name, element_type(stored.dtype), shape)

    # -- nodes -----------------------------------------------------------------------------------------------

    def many(
        self, op: str, inputs: Iterable[Tensor | None], stored: Sequence[Stored], name: str = "", **attrs: Any
    ) -> list[Tensor]:
        """A node with several outputs."""
        given = ["" if one is None else one.name for one in inputs]
        names = [name or self.name(op.lower()) for _ in stored]
        self._scopes[-1].append(helper.make_node(op, given, names, **attrs))
        return [Tensor(one, how) for one, how in zip(names, stored, strict=True)]

    def emit(
        self, op: str, inputs: Iterable[Tensor | None], stored: Stored, name: str = "", **attrs: Any
    ) -> Tensor:
        """A node with one output."""
        return self.many(op, inputs, [stored], name, **attrs)[0]

    def op(
        self, op: str, *inputs: Tensor, dtype: DTypeLike | None = None, rank: int | None = None, **attrs: Any
    ) -> Tensor:
        """A node whose output has the dtype of its first input, and the largest rank, unless said otherwise."""
        rank = max((one.rank for one in inputs), default=0) if rank is None else rank
        kept = inputs[0].dtype if dtype is None else dtype
        same = len(inputs) == 1 and rank == inputs[0].rank and op not in RESIZING
        shape = inputs[0].shape if same else (None,) * rank
        return self.emit(op, inputs, Stored(kept, shape, (kept,)), **attrs)

    def constant(self, value: Any, dtype: DTypeLike | None = None) -> Tensor:
        """A number or an array that is known."""
        array = np.asarray(value, dtype=PYTHON_DTYPES.get(type(value)) if dtype is None else dtype)
        key = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._constants:
            name = self.name("const")
            self.initializers.append(
                numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)
            )
            self._constants[key] = Tensor(name, Stored(array.dtype, array.shape, (array.dtype,)))
        return self._constants[key]

    def cast(self, tensor: Tensor, dtype: DTypeLike) -> Tensor:
        """A tensor of another dtype."""
        if tensor.dtype == dtype:
            return tensor
        if dtype == BOOL and tensor.dtype.kind == "f":  # runtimes may truncate first
            zero = self.constant(0, tensor.dtype)
            return self.op("Not", self.op("Equal", tensor, zero, dtype=BOOL))
        return self.op("Cast", tensor, dtype=dtype, to=element_type(dtype))

    # -- what takes care of dtypes ----------------------------------------------------------------------------

    def where(self, test: Tensor, left: Tensor, right: Tensor) -> Tensor:
        """``left`` where ``test`` holds, else ``right``; of one dtype."""
        dtype = left.dtype
        wide = SELECTED_AS.get(dtype, dtype)
        made = self.op("Where", test, self.cast(left, wide), self.cast(right, wide), dtype=wide)
        return self.cast(made, dtype)

    def compare(self, op: str, left: Tensor, right: Tensor) -> Tensor:
        """A comparison."""
        if left.dtype == BOOL and op != "Equal":
            left, right = self.cast(left, np.dtype(np.uint8)), self.cast(right, np.dtype(np.uint8))
        return self.op(op, left, right, dtype=BOOL)

    # -- sizes -----------------------------------------------------------------------------------------------

    def shape(self, tensor: Tensor) -> Tensor:
        """The sizes of a tensor, as a tensor."""
        return self.emit("Shape", [tensor], Stored(INT64, (tensor.rank,), (INT64,)))

    def dim(self, tensor: Tensor, axis: int) -> Tensor:
        """One size of a tensor."""
        index = self.constant(axis % tensor.rank)
        return self.op("Gather", self.shape(tensor), index, dtype=INT64, rank=0, axis=0)

    def vector(self, numbers: Sequence[Tensor | int]) -> Tensor:
        """Numbers as one tensor of integers."""
        if all(isinstance(one, int) for one in numbers):
            return self.constant(np.array(numbers, np.int64))
        parts = [
            self.constant(np.array([one], np.int64))
            if isinstance(one, int)
            else self.reshape(self.cast(one, INT64), (1,))
            for one in numbers
        ]
        return self.op("Concat", *parts, rank=1, axis=0)

    def reshape(self, tensor: Tensor, shape: Sequence[Tensor | int]) -> Tensor:
        """A tensor of another shape; -1 is what is left over."""
        return self.op("Reshape", tensor, self.vector(shape), rank=len(shape), allowzero=1)

    def unsqueeze(self, tensor: Tensor, axes: Sequence[int]) -> Tensor:
        """A tensor with axes of length 1 more."""
        if not axes:
            return tensor
        return self.op("Unsqueeze", tensor, self.vector(list(axes)), rank=tensor.rank + len(axes))

    def squeeze(self, tensor: Tensor, axes: Sequence[int]) -> Tensor:
        """A tensor without some axes of length 1."""
        if not axes:
            return tensor
        return self.op("Squeeze", tensor, self.vector(list(axes)), rank=tensor.rank - len(axes))


RESIZING: Final = frozenset({"Shape", "Size", "Transpose", "NonZero"})
"""The operators of one input whose output has another shape."""
