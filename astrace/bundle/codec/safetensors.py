"""Weights as files of the format safetensors, written in one way.

Takes weights, gives the bytes of a file, and back.  A file is the size of its header in eight bytes, the header as JSON (the
dtype, the shape and the place of each tensor), and the data.  The header has to be the very one that follows from what it
says: so tensors neither overlap nor leave gaps, and nothing is read outside the file.  No other library is needed for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from astrace.bundle.codec.json_text import dumps, loads
from astrace.bundle.codes import broken, refused
from astrace.bundle.limits import LARGEST_JSON, MOST_DIMENSIONS
from astrace.pipelines.tensors import SIZES, PlainTensor, Weights

LENGTH: Final = 8
"""The bytes that tell the size of the header; it is a multiple of it, too."""
RESERVED: Final = "__metadata__"
Described = Mapping[str, tuple[str, tuple[int, ...]]]


def weights_file(weights: Weights) -> bytes:
    """The bytes of a file with weights.

    Raises:
        BundleError: a tensor has a name that the format has another use for, or there are too many.
    """
    if RESERVED in weights:
        raise refused("AB203", f"a tensor called {RESERVED!r} can't be saved", "give it another name")
    described = {name: (one.dtype, one.shape) for name, one in weights.items()}
    header = _header(described)
    if len(header) > LARGEST_JSON:
        raise refused("AB205", "a model has too many tensors for a bundle", "split it")
    return header + b"".join(weights[name].data for name in _order(described))


def _header(described: Described) -> bytes:
    """The header that follows from the dtypes and shapes of tensors, with its size before it."""
    told: dict[str, Any] = {}
    begin = 0
    for name in _order(described):
        dtype, shape = described[name]
        end = begin + math.prod(shape) * SIZES[dtype]
        told[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
        begin = end
    text = dumps(told).rstrip()
    text += b" " * (-len(text) % LENGTH)
    return len(text).to_bytes(LENGTH, "little") + text


def _order(described: Described) -> list[str]:
    """The names of tensors in the order of their data: large items first, so that each is aligned."""
    return sorted(described, key=lambda name: (-SIZES[described[name][0]], name))


def weights_of(content: bytes, member: str) -> Weights:
    """The weights of a file.

    Args:
        content: the file.
        member: what it is called in messages.

    Raises:
        BundleError: it is none that `weights_file` writes.
    """
    size = int.from_bytes(content[:LENGTH], "little")
    if len(content) < LENGTH or size > len(content) - LENGTH:
        raise broken("AB113", f"`{member}` ends in its header")
    text = content[LENGTH : LENGTH + size].rstrip(b" ")
    data = loads(text + b"\n", member, LARGEST_JSON)
    if type(data) is not dict:
        raise broken("AB113", f"`{member}` has no header of tensors")
    described = {name: _described(one, member) for name, one in data.items()}
    if _header(described) != content[: LENGTH + size]:
        raise broken("AB113", f"`{member}` has not the header that follows from its tensors")
    found: dict[str, PlainTensor] = {}
    begin = LENGTH + size
    for name in _order(described):
        dtype, shape = described[name]
        end = begin + math.prod(shape) * SIZES[dtype]
        found[name] = PlainTensor(dtype, shape, content[begin:end])
        begin = end
    if begin != len(content):
        raise broken(
            "AB113", f"`{member}` has {len(content)} bytes instead of the {begin} that its tensors have"
        )
    return found


def _described(one: Any, member: str) -> tuple[str, tuple[int, ...]]:
    match one:
        case {"dtype": str() as dtype, "shape": list() as shape, "data_offsets": list()} if dtype in SIZES:
            whole = all(type(size) is int and 0 <= size < 2**62 for size in shape)
            if whole and len(shape) <= MOST_DIMENSIONS and math.prod(size or 1 for size in shape) < 2**58:
                return dtype, tuple(shape)
        case _:
            pass
    raise broken("AB113", f"`{member}` has a tensor that is not described as tensors are")
