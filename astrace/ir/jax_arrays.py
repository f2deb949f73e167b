"""Arrays of JAX as Python objects.  JAX is never imported here: where there is one of its arrays, it is loaded."""

from __future__ import annotations

import functools
import sys
import types
from pathlib import Path
from typing import Any, Final

LIBRARIES: Final = frozenset(
    {"jax", "jaxlib", "optax", "equinox", "flax", "optimistix", "diffrax", "lineax", "distrax", "chex"}
)
"""JAX, and libraries whose functions do nothing but call it."""
EFFECTS: Final = ("jax.debug", "jax._src.debugging", "jax.experimental.io_callback", "jax._src.callback")
FUNCTIONS: Final = (types.FunctionType, types.BuiltinFunctionType)


def jax_module() -> Any:
    """JAX, where it is loaded."""
    return sys.modules.get("jax")


def is_array(value: Any) -> bool:
    """Return whether a value is an array of JAX or a tracer of JAX."""
    root = type(value).__module__.partition(".")[0]
    return root in ("jax", "jaxlib") and isinstance(value, jax_module().Array)


def is_tracer(value: Any) -> bool:
    """Return whether a value is a tracer of JAX."""
    return type(value).__module__.startswith("jax") and isinstance(value, jax_module().core.Tracer)


@functools.cache
def array_class() -> type:
    """The class of JAX's arrays, where JAX is loaded."""
    jax = jax_module()
    with jax.ensure_compile_time_eval():
        return type(jax.numpy.zeros(()))


def is_function(value: Any) -> bool:
    """Return whether a value is a function of JAX's own, or made by JAX, that only computes."""
    if isinstance(value, FUNCTIONS):
        module = value.__module__
        return bool(module) and _root(module) in LIBRARIES and not module.startswith(EFFECTS)
    module = type.__getattribute__(type(value), "__module__")
    return isinstance(module, str) and _root(module) in ("jax", "jaxlib") and callable(value)


def is_code_of_jax(function: types.FunctionType) -> bool:
    """Return whether the code of a function is JAX's, whatever its name: ``jax.grad(f)`` goes by the name of ``f``."""
    jax = jax_module()
    return jax is not None and function.__code__.co_filename.startswith(str(Path(jax.__file__).parent))


def _root(module: str) -> str:
    return module.partition(".")[0]
