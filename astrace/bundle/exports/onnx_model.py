"""A graph as an ONNX model; imported on demand, since it loads `onnx`.

Takes a graph, gives the bytes of a model.  Sizes that the graph holds fixed are fixed, others have names or none; the
dtypes and numbers of dimensions are those of the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import onnx
from onnx import ModelProto, helper

from astrace.bundle.codes import refused
from astrace.bundle.exports.flat_results import part_name
from astrace.bundle.exports.onnx_blocks import Translator, call_of
from astrace.bundle.exports.onnx_calls import unsupported
from astrace.bundle.exports.onnx_control import RULES
from astrace.bundle.exports.onnx_values import Form, OnnxArray, Stored, Tensor, stored
from astrace.bundle.exports.onnx_writer import Writer
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.errors import BundleError
from astrace.ir.block import Node, Value
from astrace.ir.specs import ArraySpec
from astrace.passes.analysis.aliasing import Sharing
from astrace.util.trees import Tree, fill
from astrace.version import __version__

OPSET: Final = 21
IR_VERSION: Final = 10
LARGEST: Final = 2**31
RETURN: Final = "return"


def onnx_model(graph: FrozenGraph) -> tuple[bytes, dict[str, Any], ModelProto]:
    """The model of a graph.

    Args:
        graph: the graph.

    Returns:
        The bytes, what a stamp says of them, and the model.

    Raises:
        BundleError: ONNX has no counterpart for a node, an argument or a result; the message names it.
    """
    write = Writer()
    given, inputs = _inputs(graph, write)
    run = Translator(write, Sharing(graph.block), RULES)
    outputs = run.region(graph.block, given)
    call = call_of(write, Node(RETURN, (), ()))
    results = [
        (write.name(name), call.as_tensor(form))
        for name, form in _leaves(fill(graph.result, outputs), "output")
    ]
    if not results:
        raise refused("AB401", "the graph returns no number and no array", "return arrays and numbers")
    names, tensors = [name for name, _ in results], [tensor for _, tensor in results]
    made = write.close(graph.name, inputs, tensors, names)
    model = helper.make_model(
        made,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="astrace",
        producer_version=__version__,
    )
    _check(model)
    interface = {
        "inputs": [_told(name, how) for name, how in inputs],
        "outputs": [_told(name, tensor.stored) for name, tensor in results],
    }
    versions = {"astrace": __version__, "onnx": onnx.__version__, "opset": str(OPSET)}
    content = model.SerializeToString(deterministic=True)
    return content, {"kind": "onnx", "versions": versions, "interface": interface}, model


def _check(model: ModelProto) -> None:
    """Make sure that ONNX takes the model.

    Raises:
        BundleError: it is too large, or has sizes that do not fit, so that the function raises.
    """
    if model.ByteSize() >= LARGEST:
        hint = "pass large arrays as arguments"
        raise refused("AB401", "the model is larger than 2 GiB, which one file of ONNX can't hold", hint)
    try:
        onnx.checker.check_model(model, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        first = str(error).partition("\n")[0]
        hint = "make sure that the sizes of arrays fit"
        raise refused("AB401", f"ONNX does not take the model: {first}", hint) from None


def _told(name: str, how: Stored) -> list[Any]:
    return [name, str(how.dtype), list(how.shape)]


def _inputs(graph: FrozenGraph, write: Writer) -> tuple[list[Form], list[tuple[str, Stored]]]:
    """What the block is given, and the inputs of the model."""
    used = {operand for node in graph.block.nodes for operand in node.inputs} | set(graph.block.outputs)
    given: list[Form] = []
    inputs: list[tuple[str, Stored]] = []
    for value, path in zip(graph.block.inputs, graph.inputs, strict=True):
        how = stored(value.spec)
        if how is None and value in used:
            raise _no_input(graph, value, str(path))
        if how is None:
            given.append(None)
            continue
        name = write.name(str(path))
        inputs.append((name, how))
        given.append(_held(value, Tensor(name, how)))
    return given, inputs


def _no_input(graph: FrozenGraph, value: Value, path: str) -> BundleError:
    """The error for an input that no tensor holds, with the first node that uses it."""
    found = next((node for node in graph.block.nodes if value in node.inputs), None)
    user = f"which `{found.op}` uses" if found is not None else "which is returned"
    return unsupported(f"`{path}`, {user},", value.spec, None if found is None else found.location)


def _held(value: Value, tensor: Tensor) -> Form:
    if isinstance(value.spec, ArraySpec):
        return OnnxArray(tensor, "an argument, whose caller would see it")
    return tensor


def _leaves(result: Tree, name: str) -> Iterator[tuple[str, Form]]:
    """The results by name: ``output``, with the keys and places in containers behind it."""
    match result:
        case tuple() | list():
            for index, item in enumerate(result):
                yield from _leaves(item, part_name(name, index))
        case dict():
            for key, item in result.items():
                yield from _leaves(item, part_name(name, key))
        case None:
            raise refused("AB401", "the result holds None, which is no tensor", "return arrays and numbers")
        case _:
            yield name, result
