"""Attributes that are looked up to be called, which Python does by another way than a plain lookup."""

from __future__ import annotations

from typing import Any

from astrace.tracing.context import CURRENT
from astrace.tracing.operators.data.attributes import attr

__all__ = ["method"]


def method(owner: Any, name: str) -> Any:
    """``owner.name`` in ``owner.name(...)``: the same attribute, found without completing what a property raises."""
    trace = CURRENT.get()
    if trace is None:
        return attr(owner, name)
    outer, trace.called = trace.called, (len(trace.lookups), name)
    try:
        return attr(owner, name)
    finally:
        trace.called = outer
