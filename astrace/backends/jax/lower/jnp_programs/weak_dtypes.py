"""Weakly typed numbers in programs of JAX's own functions, and the dtype in which JAX carries a union."""

from __future__ import annotations

from typing import Any

import numpy as np

from astrace.backends.jax.lower.value_forms import Device, Form, Items, MadeForm, Number, Rows, Static
from astrace.ir.block import Constant, Node
from astrace.ir.specs import DeviceSpec, UnionSpec
from astrace.ops.jax.arrays import joined_with_numbers, together


def is_single(form: Form) -> bool:
    """Return whether a form is one number, Python's or JAX's."""
    return isinstance(form, Number) or (isinstance(form, Device) and joined_with_numbers(form.spec))


def common_dtype(spec: UnionSpec) -> np.dtype[Any] | None:
    """Return the dtype in which JAX carries the numbers of a union; ``None`` if that is known only when JAX traces."""
    arrays = [option for option in spec.options if isinstance(option, DeviceSpec)]
    if not joined_with_numbers(spec) or any(
        one.ndim or not isinstance(one.dtype, np.dtype) for one in arrays
    ):
        return None
    whole = together(spec)
    known = any(one.dtype == whole.dtype for one in arrays)
    return whole.dtype if known and not whole.weak_type else None


def holds_numbers(form: Form) -> bool:
    """Return whether a container holds Python's numbers, of which JAX would make arrays."""
    match form:
        case Rows():
            return any(isinstance(item, Number | Static) or holds_numbers(item) for item in form.before)
        case Items() | MadeForm():
            return any(isinstance(item, Number | Static) or holds_numbers(item) for item in form.items)
        case _:
            return False


def shown(node: Node) -> str:
    """Return the name of a node in a reason."""
    first = node.inputs[0] if node.inputs else None
    if node.op in ("call", "call_method") and isinstance(first, Constant):
        return getattr(first.value, "__name__", node.op)
    return node.op
