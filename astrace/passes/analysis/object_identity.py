"""Values that a program can tell from equal ones: by ``is``, or since containers find a NaN by identity alone.

Passes that merge, move or compute nodes leave those alone that make such numbers, tuples and slices.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from astrace.ir.block import Block, Value
from astrace.ir.specs import AnySpec, ArraySpec, GenericSpec, ScalarSpec, Spec, TupleSpec, UnionSpec, class_of
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.retained_arguments import HOLDING
from astrace.passes.analysis.aliasing import Sharing

COMPARING: Final = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
"""Of displays (``[a] == [b]``) these ask first whether two items are one object."""


class ComparedObjects:
    """The values of a block of which somebody may ask whether they are one object.

    Args:
        block: the block.
        sharing: of the whole block.
    """

    def __init__(self, block: Block, sharing: Sharing) -> None:
        self._sharing = sharing
        self._groups = {sharing.group(one) for one in _asked_for(block)}

    def any_of(self, values: Iterable[Value]) -> bool:
        """Return whether the identity of any of the values may be observed, in whichever region."""
        return bool(self._groups) and not self._groups.isdisjoint(map(self._sharing.group, values))


def _asked_for(block: Block) -> set[Value]:
    found: set[Value] = set()
    for node in nodes(block):
        owner = node.inputs[0] if node.inputs else None
        stored = node.op == "set_item" and isinstance(owner, Value) and isinstance(owner.spec, ArraySpec)
        displays = node.op in COMPARING and "pattern" in node.attrs
        identity = node.op in OPS and OPS[node.op].identity
        if identity or displays or (node.op in HOLDING and not stored):
            found.update(one for one in node.inputs if isinstance(one, Value))
    return {one for one in found if _has_identity(one.spec)}


def _has_identity(spec: Spec) -> bool:
    """Return whether a value may be a number found by identity, or a tuple or slice that the block makes."""
    match spec:
        case TupleSpec() | AnySpec():
            return class_of(spec) in (tuple, slice) or isinstance(spec, TupleSpec)
        case GenericSpec():
            return True
        case ScalarSpec():
            return spec.kind in ("float", "complex")
        case UnionSpec():
            return any(map(_has_identity, spec.options))
        case _:
            return False
