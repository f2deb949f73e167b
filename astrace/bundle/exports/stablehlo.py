"""A graph as a module of StableHLO, through `jax.export`; imported on demand, since it loads JAX.

Takes a graph and arguments of a call, gives the portable bytes of a module for arguments of these dtypes and sizes.
The program is that of the JAX backend, so that what this refuses is refused here: with its reason and line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jax
import jax.export
import jaxlib.version
import numpy as np

from astrace.backends.select import compile_block
from astrace.bundle.codes import refused
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.ir.block import Block
from astrace.locations import Location
from astrace.version import __version__


def stablehlo(graph: FrozenGraph, given: Mapping[str, Any]) -> tuple[bytes, dict[str, Any], Any]:
    """The module of a graph.

    Args:
        graph: the graph.
        given: the arguments of a call by parameter name, which give dtypes and sizes.

    Returns:
        The portable bytes, what a stamp says of them, and what `jax.export` gave.

    Raises:
        BundleError: JAX has no counterpart for a node, or for an argument; the message names it.
    """
    choice = compile_block(graph.block, graph.result, graph.name, "", "jax")
    reason, inline = choice.refused, choice.executable.inline
    if reason is not None or inline is None:
        message = "there is no program for JAX" if reason is None else f"{reason.code}: {reason.message}"
        location = (None if reason is None else reason.location) or _before_unknown(graph.block)
        hint = (reason.hint if reason else "") or "export a graph of numbers and arrays, alone or in tuples"
        raise refused("AB401", message, hint, location)
    paths = [graph.inputs[index] for index in choice.executable.used]
    shapes = [_shape(path.follow(given), str(path)) for path in paths]
    with jax.enable_x64(True):
        try:
            exported = jax.export.export(jax.jit(inline))(*shapes)
        except (TypeError, ValueError, NotImplementedError, jax.errors.JAXTypeError) as error:
            first = str(error).partition("\n")[0]
            hint = "pass what decides sizes as literals in the function"
            raise refused("AB401", f"JAX does not export the program: {first}", hint) from None
    versions = {"astrace": __version__, "jax": jax.__version__, "jaxlib": jaxlib.version.__version__}
    interface = {
        "inputs": [
            [str(path), str(shape.dtype), list(shape.shape)]
            for path, shape in zip(paths, shapes, strict=True)
        ],
        "outputs": [[str(one.dtype), list(map(int, one.shape))] for one in exported.out_avals],
    }
    told = {"kind": "stablehlo", "versions": versions, "interface": interface}
    return bytes(exported.mlir_module_serialized), told, exported


def _before_unknown(block: Block) -> Location | None:
    """The line of what stands before the first node that comes from none: a dict or list that is returned is made there."""
    found: Location | None = None
    for node in block.nodes:
        if node.location is None:
            break
        found = node.location
    return found


def _shape(value: Any, path: str) -> jax.ShapeDtypeStruct:
    """What JAX has to know of an argument."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        hint = "export a graph of numbers and arrays"
        raise refused(
            "AB401", f"`{path}` is of type {type(value).__qualname__}, which StableHLO has not", hint
        )
    return jax.ShapeDtypeStruct(array.shape, array.dtype)
