"""Floats whose NaN and infinity show in what is computed from them, so that a check of that is enough.

NumPy warns of a NaN computed from numbers, and of an infinity computed from finite ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec
from astrace.ir.walk import constants, nodes
from astrace.ops.numpy.names import SUMMING, WARNING_UFUNCS
from astrace.ops.python.operators import inplace_name
from astrace.passes.analysis.aliasing import Sharing

OPERATORS: Final = frozenset(["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"])
IN_PLACE: Final = frozenset(map(inplace_name, OPERATORS))
UFUNCS: Final = frozenset(f"np.{name}" for name in WARNING_UFUNCS)
ITEM_BY_ITEM: Final = OPERATORS | IN_PLACE | UFUNCS | {"ndarray.astype"}
"""Ops that compute each item from the items at its place, and may warn."""
WHOLE: Final = frozenset(
    {"matmul", "np.matmul", "np.linalg.norm"}
    | {
        f"{owner}.{name}"
        for owner in ("np", "ndarray")
        for name in SUMMING.union(
            ("dot", "vdot", "inner", "outer", "tensordot", "cross", "kron", "einsum"),
            ("average", "cov", "corrcoef", "convolve", "correlate", "gradient", "interp", "polyval"),
            ("cumulative_sum", "cumulative_prod", "linspace", "logspace", "geomspace"),
            ("add.reduce", "multiply.reduce"),
        )
    }
)
"""Ops that compute items from many, and may warn."""
PROPAGATES: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(
        ("add", "sub", "mul", "np.add", "np.subtract", "np.multiply", "matmul", "np.dot"), (0, 1)
    ),
    **dict.fromkeys(("iadd", "isub", "imul"), (1,)),
    **dict.fromkeys(("truediv", "np.divide", "np.sqrt", "np.square", "np.sum", "ndarray.sum"), (0,)),
    **dict.fromkeys(("np.mean", "ndarray.mean", "np.sin", "np.cos", "np.tan", "ndarray.astype"), (0,)),
}
"""The operands whose NaN and infinity make NaN or infinity in the result, unless something has no items."""
POWERS: Final = frozenset({"pow", "np.power", "np.float_power"})
JOINS: Final = ("array", "asarray", "stack", "concatenate", "vstack", "hstack", "dstack", "column_stack")
SHAPES: Final = ("reshape", "ravel", "transpose", "copy")
KEEPS: Final = frozenset(
    {"neg", "pos", "np.negative", "np.absolute", "np.fabs", "ndarray.flatten"}
    | {f"np.{name}" for name in JOINS}
    | {f"{owner}.{name}" for owner in ("np", "ndarray") for name in SHAPES}
)
"""Ops whose results hold all items of all their operands, or their absolute values."""
LOOPS: Final = ("for_loop", "while_loop")


def propagating(
    block: Block, sharing: Sharing, *, together: bool, iterations: bool = False
) -> Iterator[Value]:
    """Yield the values whose NaN and infinity go on to others.

    Args:
        block: the block; values of the blocks in it are included.
        sharing: tells which of the values nothing writes.
        together: include values that go on to results of many items, which do not tell what each came from.
        iterations: the block is the body of a loop.  What an iteration stores, or hands to the next one, is checked
            behind the loop: a check of each iteration would cost more than the iteration.
    """
    used = set(_values(block.outputs)) if iterations else set[Value]()
    made: set[Value] = set()
    for node in reversed(block.nodes):
        used.update(_values(_from(node, together, iterations)))
        if together and keeps(node) and node.output in used and sharing.is_settled(node.output):
            used.update(_values(node.inputs))
        if is_watched(node) or keeps(node) or node.op in LOOPS:
            made.update(node.outputs)
        for region in node.regions:
            yield from propagating(
                region, sharing, together=together, iterations=iterations or node.op in LOOPS
            )
    yield from made & used


def _values(operands: Iterable[Operand]) -> list[Value]:
    return [one for one in operands if isinstance(one, Value)]


def _from(node: Node, together: bool, iterations: bool) -> Iterator[Operand]:
    """Yield the operands of a node whose NaN and infinity go on to its result, or into the array that it stores to."""
    if is_watched(node) and (together or node.op in ITEM_BY_ITEM):
        yield from (node.inputs[one] for one in PROPAGATES.get(node.op, ()) if one < len(node.inputs))
    if is_watched(node) and node.op in POWERS and _is_positive(node.inputs[1]):
        yield node.inputs[0]
    target = node.inputs[0] if iterations and node.op == "set_item" else None
    if isinstance(target, Value) and isinstance(target.spec, ArraySpec) and is_float(target.spec):
        yield node.inputs[-1]


def _is_positive(exponent: Operand) -> bool:
    return isinstance(exponent, Constant) and isinstance(exponent.value, int | float) and exponent.value > 0


def keeps(node: Node) -> bool:
    """Return whether the result of a node holds all items of its operands, in their kind."""
    if node.op not in KEEPS or len(node.outputs) != 1 or not is_float(node.output.spec):
        return False
    specs = [one.spec for one in node.inputs if isinstance(one, Value)]
    return all(_kind(one) in ("", _kind(node.output.spec)) for one in specs if is_float(one))


def is_watched(node: Node) -> bool:
    """Return whether NumPy may warn of the floats that a node makes."""
    return (
        node.op in ITEM_BY_ITEM | WHOLE
        and len(node.outputs) == 1
        and is_float(node.output.spec)
        and not isinstance(node.output.spec, ScalarSpec)  # Python's own numbers do not warn
        and not keeps(node)
    )


def is_float(spec: Spec) -> bool:
    """Return whether a spec is that of an array, or a NumPy scalar, of floats or complex numbers."""
    return _kind(spec) in ("f", "c")


def _kind(spec: Spec) -> str:
    return spec.dtype.kind if isinstance(spec, ArraySpec | GenericSpec) else ""


MOVES: Final = frozenset(
    {"get_item", "item_inside", "set_item", "make_tuple", "make_list", "unpack", "dim", "len"}
    | {f"{owner}.{name}" for owner in ("np", "ndarray") for name in ("reshape", "copy", "transpose", "ravel")}
)
"""Ops that take items from one place to another."""


def computes(block: Block) -> bool:
    """Return whether a block does more than take items from one place to another."""
    return any(node.op not in MOVES for node in nodes(block))


def has_infinities(block: Block) -> bool:
    """Return whether a block mentions numbers that are not finite."""
    return any(_is_infinite(one.value) for one in constants(block))


def _is_infinite(value: object) -> bool:
    match value:
        case float() | complex() | np.inexact() | np.ndarray():
            found = np.asarray(value)
            return found.dtype.kind in "fc" and not np.isfinite(found).all()
        case str():
            return value.strip().lower().lstrip("+-") in ("inf", "infinity", "nan")  # for float()
        case tuple() | list():
            return any(map(_is_infinite, value))  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
        case _:
            return False
