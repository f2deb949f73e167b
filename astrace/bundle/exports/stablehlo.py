"""A graph as a module of StableHLO, through `jax.export`; imported on demand, since it loads JAX.

Takes a graph and arguments of a call, gives the portable bytes of a module for arguments of these dtypes and sizes.
The program is that of the JAX backend, so that what this refuses is refused here: with its reason and line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import jax
import jax.export
import jaxlib.version
import numpy as np

from astrace.backends.select import compile_block
from astrace.bundle.codes import refused
from astrace.bundle.exports.flat_results import flat_results
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.ir.block import Block, Constant, Operand
from astrace.ir.specs import AnySpec, ArraySpec
from astrace.locations import Location
from astrace.passes.bake.sizes import with_inferred_sizes, with_sizes
from astrace.passes.pipeline import run
from astrace.util.trees import Hole
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
    flat, names = flat_results(graph.block, graph.result)
    _check_results(flat.outputs)
    block = _of_sizes(flat, graph, given)
    result = tuple(map(Hole, range(len(names))))
    choice = compile_block(block, result, graph.name, "", "jax")
    reason, inline = choice.refused, choice.executable.inline
    if reason is not None or inline is None:
        message = "there is no program for JAX" if reason is None else f"{reason.code}: {reason.message}"
        location = (None if reason is None else reason.location) or _of_other_result(block)
        hint = (
            reason.hint if reason else ""
        ) or "export a graph of numbers and arrays, alone or in containers"
        raise refused("AB401", message, hint, location)
    paths = [graph.inputs[index] for index in choice.executable.used]
    shapes = [_shape(path.follow(given), str(path)) for path in paths]
    with jax.enable_x64(True):
        try:
            exported = jax.export.export(jax.jit(inline))(*shapes)
        except UNTOLD as error:
            first = str(error).partition("\n")[0]
            hint = (
                "a module can't raise: write loops and indices whose bounds follow from the sizes of arrays"
            )
            raise refused("AB401", f"JAX does not export the program: {first}", hint) from None
    versions = {"astrace": __version__, "jax": jax.__version__, "jaxlib": jaxlib.version.__version__}
    interface = {
        "inputs": [
            [str(path), str(shape.dtype), list(shape.shape)]
            for path, shape in zip(paths, shapes, strict=True)
        ],
        "outputs": [
            [name, str(one.dtype), list(map(int, one.shape))]
            for name, one in zip(names, exported.out_avals, strict=True)
        ],
    }
    told = {"kind": "stablehlo", "versions": versions, "interface": interface}
    return bytes(exported.mlir_module_serialized), told, exported


def _check_results(outputs: Sequence[Operand]) -> None:
    """Refuse results that no module puts out.

    Raises:
        BundleError: there are none, or a constant among them is no number and no array.
    """
    if not outputs:
        raise refused("AB401", "the graph returns no number and no array", RESULT_HINT)
    for one in outputs:
        if isinstance(one, Constant) and np.asarray(one.value).dtype.kind not in "biufc":
            raise refused("AB401", f"the result holds {one.value!r:.80}, which is no number", RESULT_HINT)


UNTOLD: Final = (TypeError, ValueError, OverflowError, NotImplementedError, jax.errors.JAXTypeError)
"""What JAX raises for a program that it does not export."""
RESULT_HINT: Final = "return numbers and arrays, alone or in containers"


def _of_sizes(block: Block, graph: FrozenGraph, given: Mapping[str, Any]) -> Block:
    """The block for arrays of the sizes that a call gives, and of no others: what follows from these is known."""
    sizes: dict[str, int] = {}
    for value, path in zip(graph.block.inputs, graph.inputs, strict=True):
        if isinstance(value.spec, ArraySpec):
            pairs = zip(value.spec.shape, path.follow(given).shape, strict=True)
            sizes |= {name: size for name, size in pairs if isinstance(name, str)}
    for _ in range(ROUNDS):
        block = run(with_inferred_sizes(with_sizes(block, sizes)))
    return block


ROUNDS: Final = 3
"""Sizes are numbers, of which others are computed: those of a matrix, of its rows, and of what is made of these."""


def _of_other_result(block: Block) -> Location | None:
    """The line of a result that is not known to be a number or an array."""
    found = (node for node in block.nodes for one in node.outputs if one in block.outputs)
    return next((node.location for node in found if isinstance(node.outputs[0].spec, AnySpec)), None)


def _shape(value: Any, path: str) -> jax.ShapeDtypeStruct:
    """What JAX has to know of an argument."""
    array = np.asarray(value)
    if array.dtype.kind not in "biufc":
        hint = "export a graph of numbers and arrays"
        raise refused(
            "AB401", f"`{path}` is of type {type(value).__qualname__}, which StableHLO has not", hint
        )
    return jax.ShapeDtypeStruct(array.shape, array.dtype)
