"""Blocks that compute with arrays of JAX."""

from __future__ import annotations

from astrace.ir.block import Block
from astrace.ir.specs import DeviceSpec, Spec, TupleSpec, UnionSpec
from astrace.ir.walk import nodes
from astrace.ops.jax import arrays


def is_device_program(block: Block) -> bool:
    """Return whether a block computes with arrays of JAX."""
    specs = [value.spec for value in block.inputs]
    for node in nodes(block):
        if node.op in arrays.OPS:
            return True
        specs += [output.spec for output in node.outputs]
    return any(map(has_device, specs))


def has_device(spec: Spec) -> bool:
    """Return whether a value may be, or hold, an array of JAX."""
    match spec:
        case DeviceSpec():
            return True
        case UnionSpec():
            return any(map(has_device, spec.options))
        case TupleSpec():
            return any(map(has_device, spec.items))
        case _:
            return False
