"""Tensors as plain data: what the weights of a model are, without the library that they come from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

SIZES: Final[Mapping[str, int]] = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "F8_E5M2": 1,
    "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1,
}  # fmt: skip
"""The dtypes of tensors, by their names in the format safetensors, with the bytes of an item."""


@dataclass(frozen=True, slots=True)
class PlainTensor:
    """A tensor.

    Args:
        dtype: one of `SIZES`.
        shape: its sizes.
        data: its items, row by row, little-endian.
    """

    dtype: str
    shape: tuple[int, ...]
    data: bytes = field(repr=False)


Weights: TypeAlias = "Mapping[str, PlainTensor]"
"""The tensors of a model, by name."""


def hash_of(weights: Weights) -> str:
    """The hash of weights.

    Example:
        >>> hash_of({"bias": PlainTensor("F32", (1,), bytes(4))})[:8]
        '84a4f97e'
    """
    digest = hashlib.sha256()
    for name, one in sorted(weights.items()):
        digest.update(f"{name!r} {one.dtype} {one.shape}\n".encode())
        digest.update(one.data)
    return digest.hexdigest()
