"""Values that need no check of their own: a NaN or an infinity in them shows in what is computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np

from astrace.backends.jax.lower.functions.shared_names import MAY_WARN, SUMS
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec
from astrace.ir.walk import constants
from astrace.passes.analysis.aliasing import Sharing

OPERATORS: Final = frozenset(["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"])
IN_PLACE: Final = frozenset(["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow"])
UFUNCS: Final = frozenset(f"np.{name}" for name in MAY_WARN)
ITEM_BY_ITEM: Final = OPERATORS | IN_PLACE | UFUNCS | {"ndarray.astype"}
"""Ops that compute each item from items at the same place, and may warn."""
WHOLE: Final = frozenset(
    {"matmul", "np.matmul", "np.linalg.norm"}
    | {
        f"{owner}.{name}"
        for owner in ("np", "ndarray")
        for name in [
            *SUMS,
            "dot",
            "average",
            "gradient",
            "vdot",
            "inner",
            "outer",
            "tensordot",
            "convolve",
            "correlate",
            "polyval",
            "cumulative_sum",
            "cumulative_prod",
            "cross",
            "kron",
            "einsum",
            "cov",
            "corrcoef",
            "interp",
            "logspace",
            "geomspace",
            "linspace",
            "add.reduce",
            "multiply.reduce",
        ]
    }
)
"""Ops that compute items from many, and may warn."""
GOES_ON: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(
        ("add", "sub", "mul", "np.add", "np.subtract", "np.multiply", "matmul", "np.dot"), (0, 1)
    ),
    **dict.fromkeys(("iadd", "isub", "imul"), (1,)),
    **dict.fromkeys(("truediv", "np.divide", "np.sqrt", "np.square", "np.sum", "ndarray.sum"), (0,)),
    **dict.fromkeys(("np.mean", "ndarray.mean", "np.sin", "np.cos", "np.tan", "ndarray.astype"), (0,)),
}
"""Of which operands everything that is not finite makes something of the result that is not, where nothing is zero-sized."""
POWERS: Final = frozenset({"pow", "np.power", "np.float_power"})
JOINS: Final = ("array", "asarray", "stack", "concatenate", "vstack", "hstack", "dstack", "column_stack")
SHAPES: Final = ("reshape", "ravel", "transpose", "copy")
KEEPS: Final = frozenset(
    {"neg", "pos", "np.negative", "np.absolute", "np.fabs", "ndarray.flatten"}
    | {f"np.{name}" for name in JOINS}
    | {f"{owner}.{name}" for owner in ("np", "ndarray") for name in SHAPES}
)
"""Ops that give all items of all their operands, or as much as their absolute values."""
LOOPS: Final = ("for_loop", "while_loop")


def going_on(block: Block, sharing: Sharing, *, together: bool, iterations: bool = False) -> Iterator[Value]:
    """The values from which what is not finite goes on to others.

    Args:
        block: whose values, and those of the blocks in it.
        sharing: which of the values nothing writes.
        together: also to what is made of many items, where it is not known any more what came of what.
        iterations: it is run again and again.  What an iteration stores, or hands to the next one, is looked at when the loop has
            ended: to look at each iteration would cost more than the iterations.
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
            yield from going_on(region, sharing, together=together, iterations=iterations or node.op in LOOPS)
    yield from made & used


def _values(operands: Iterable[Operand]) -> list[Value]:
    return [one for one in operands if isinstance(one, Value)]


def _from(node: Node, together: bool, iterations: bool) -> Iterator[Operand]:
    """The operands of a node from which what is not finite goes on to its result, or into what it stores to."""
    if is_watched(node) and (together or node.op in ITEM_BY_ITEM):
        yield from (node.inputs[one] for one in GOES_ON.get(node.op, ()) if one < len(node.inputs))
    if is_watched(node) and node.op in POWERS and _is_positive(node.inputs[1]):
        yield node.inputs[0]
    target = node.inputs[0] if iterations and node.op == "set_item" else None
    if isinstance(target, Value) and isinstance(target.spec, ArraySpec) and is_float(target.spec):
        yield node.inputs[-1]


def _is_positive(exponent: Operand) -> bool:
    return isinstance(exponent, Constant) and isinstance(exponent.value, int | float) and exponent.value > 0


def keeps(node: Node) -> bool:
    """Whether a node gives all items of its operands, as what they are."""
    if node.op not in KEEPS or len(node.outputs) != 1 or not is_float(node.output.spec):
        return False
    specs = [one.spec for one in node.inputs if isinstance(one, Value)]
    return all(_kind(one) in ("", _kind(node.output.spec)) for one in specs if is_float(one))


def is_watched(node: Node) -> bool:
    """Whether an op may warn of what it makes: floats."""
    return (
        node.op in ITEM_BY_ITEM | WHOLE
        and len(node.outputs) == 1
        and is_float(node.output.spec)
        and not isinstance(node.output.spec, ScalarSpec)  # Python's own numbers warn of nothing
        and not keeps(node)
    )


def is_float(spec: Spec) -> bool:
    """Whether a spec is that of an array or a number of NumPy's that is a float, or complex."""
    return _kind(spec) in ("f", "c")


def _kind(spec: Spec) -> str:
    return spec.dtype.kind if isinstance(spec, ArraySpec | GenericSpec) else ""


def has_infinities(block: Block) -> bool:
    """Whether a block mentions numbers that are not finite."""
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
