"""Public names under which functions of Python, NumPy and JAX are called."""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any, Final

import numpy as np

from astrace.backends.python_source.names import VariableNames
from astrace.ir.constants import FUNCTION_TYPES
from astrace.util.replaced_builtins import NOT_NEEDED


def public_path(value: Any, names: VariableNames) -> str | None:
    """Return the public path of one of NumPy's and Python's own functions and types.

    A builtin that a program may replace while its functions are captured becomes an object of the text, under its own name.
    """
    if isinstance(value, type | types.BuiltinFunctionType) and value.__module__ == "builtins":
        name = value.__qualname__
        if "." in name or getattr(builtins, name, None) is not value:
            return None
        if name in NOT_NEEDED:
            names.own(name, value)
        return name
    if isinstance(value, (*FUNCTION_TYPES, type)):
        name = getattr(value, "__name__", "")
        return f"np.{name}" if vars(np).get(name) is value else None  # `getattr` may warn of old names
    return None


JAX_MODULES: Final = {
    "jax": "jax",
    "jax.numpy": "jnp",
    "jax.lax": "lax",
    "jax.nn": "jax.nn",
    "jax.random": "jax.random",
}
"""The modules in which JAX's functions are looked up by name, and their names in text."""


def jax_path(value: Any, names: VariableNames) -> str | None:
    """Return the public path of one of JAX's own functions; the module it begins with becomes an object of the text."""
    name = getattr(value, "__name__", "")
    for module, shown in JAX_MODULES.items():
        if getattr(sys.modules.get(module), name or "-", None) is value:
            root = shown.partition(".")[0]
            names.own(root, sys.modules[module if root == shown else "jax"])
            return f"{shown}.{name}"
    return None
