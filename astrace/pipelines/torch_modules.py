"""Models of PyTorch as data, and back: the structure of layers, weights as plain tensors, and the flags beside them.

A model is an instance of an operator's class, made again by its constructor, or is put together from layers of PyTorch.
PyTorch is needed where a model is recorded or made, and nowhere else.
"""

from __future__ import annotations

import importlib
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.errors import MissingExtra
from astrace.pipelines.tensors import PlainTensor, Weights
from astrace.pipelines.torch_layers import (
    CONTAINERS,
    LAYERS,
    RECURRENT,
    changed_attribute,
    constructor_arguments,
    layer_name,
)

DTYPES: Final[Mapping[str, str]] = {
    "F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16",
    "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2",
    "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8",
    "U64": "uint64", "U32": "uint32", "U16": "uint16", "U8": "uint8", "BOOL": "bool",
}  # fmt: skip
"""The names in ``torch`` of the dtypes of tensors."""


class UntoldModel(Exception):
    """A model that can't be told as data; the text says why."""


def is_module(value: Any) -> bool:
    """Return whether a value is a model or a layer of PyTorch.

    Example:
        >>> is_module(3)
        False
    """
    module = getattr(sys.modules.get("torch.nn"), "Module", None)
    return isinstance(module, type) and isinstance(value, module)


def _torch() -> Any:
    try:
        return importlib.import_module("torch")
    except ModuleNotFoundError:
        raise MissingExtra(
            "a model in the bundle needs PyTorch; install astrace[torch] or another build of it"
        ) from None


# -- recording ----------------------------------------------------------------------------------------------


def layer_parts(module: Any) -> tuple[str, dict[str, Any]]:
    """The name of a layer's class, and the parts that it is made of: its arguments, or the layers in a container.

    Raises:
        UntoldModel: it is no layer of the table, or was changed since it was made.
    """
    name = layer_name(_torch().nn, type(module))
    cls = f"{type(module).__module__}.{type(module).__qualname__}"
    if name is None:
        raise UntoldModel(f"{cls}, which is no layer that is made from data: {HINT}")
    if name in CONTAINERS:
        parts = dict(vars(module)["_modules"])
        made = made_layer(name, {})
        vars(made)["_modules"].update(parts)
    else:
        parts = constructor_arguments(module)
        try:
            made = made_layer(name, parts)
        except ValueError as error:
            raise UntoldModel(f"{cls}, which its attributes do not tell how to make: {error}") from None
    changed = changed_attribute(module, made)
    if changed:
        raise UntoldModel(f"{cls}, whose attribute {changed!r} is not what its constructor makes of it")
    return name, parts


HINT: Final = "make its class an operator with astrace.script, before the model is made"


def state_of(module: Any) -> tuple[Weights, list[str], list[str]]:
    """The state of a model: its weights, the names of the modules that train, and of the parameters that do not.

    Raises:
        UntoldModel: it holds something else than tensors.
    """
    weights = {name: plain_tensor(name, one) for name, one in module.state_dict().items()}
    training = [name for name, one in module.named_modules() if one.training]
    frozen = [name for name, one in module.named_parameters() if not one.requires_grad]
    return weights, training, frozen


def is_tensor(value: Any) -> bool:
    """Return whether a value is a tensor of PyTorch.

    Example:
        >>> is_tensor(3)
        False
    """
    cls = getattr(sys.modules.get("torch"), "Tensor", None)
    return isinstance(cls, type) and isinstance(value, cls)


def shape_of(tensor: Any) -> tuple[int, ...] | None:
    """The shape of a tensor; ``None`` for a parameter that gets one when it is first used."""
    return None if _torch().nn.parameter.is_lazy(tensor) else tuple(tensor.shape)


def plain_tensor(name: str, value: Any) -> PlainTensor:
    """A tensor as plain data.

    Args:
        name: its name, for messages.
        value: the tensor.

    Raises:
        UntoldModel: it is no plain one.
    """
    torch = _torch()
    kinds = {getattr(torch, one, None): key for key, one in DTYPES.items()}
    if not isinstance(value, torch.Tensor):
        raise UntoldModel(f"a state whose {name!r} is no tensor")
    if torch.nn.parameter.is_lazy(value):
        raise UntoldModel(f"a parameter {name!r} that has no values yet: call the model once")
    if value.layout != torch.strided or value.is_meta or value.dtype not in kinds:
        kind = "meta" if value.is_meta else f"{value.layout} {value.dtype}"
        raise UntoldModel(f"a tensor {name!r} that is not a plain one: {kind}")
    flat = value.detach().to("cpu").contiguous().reshape(-1)
    return PlainTensor(kinds[value.dtype], tuple(value.shape), flat.view(torch.uint8).numpy().tobytes())


# -- and back -------------------------------------------------------------------------------------------------


MOST_LAYERS: Final = 1_000
"""The layers in a recurrent one, which are made one by one."""


def made_layer(name: str, parts: Mapping[str, Any]) -> Any:
    """Make a layer again; its tensors have no memory yet.

    Args:
        name: the name of its class.
        parts: its arguments, or the layers in a container.

    Raises:
        ValueError: there is no such layer, or it can't be made of these.
    """
    torch = _torch()
    if name not in LAYERS or not hasattr(torch.nn, name):
        raise ValueError(f"{name!r:.50} is no layer that is made from data")
    cls = getattr(torch.nn, name)
    depth = parts.get("num_layers", 0) if name in RECURRENT else 0
    if not isinstance(depth, int) or depth > MOST_LAYERS:
        raise ValueError(f"a layer {name} has {depth!r:.30} layers in it")
    try:
        if name in CONTAINERS:
            made = cls()
            for key, one in parts.items():
                made.add_module(key, one)
            return made
        with torch.device("meta"):
            return cls(**parts)
    except Exception as error:  # the library's, of any kind
        raise ValueError(
            f"a layer {name} can't be made: {type(error).__name__}: {str(error)[:200]}"
        ) from None


def load_state(module: Any, weights: Weights, training: Sequence[Any], frozen: Sequence[Any]) -> None:
    """Give a model the state that was recorded.

    Args:
        module: the model, as it was made.
        weights: its weights.
        training: the names of its modules that train.
        frozen: the names of its parameters that do not.

    Raises:
        ValueError: the state is that of another model.
    """
    if not is_module(module):
        raise ValueError(f"weights are recorded for {type(module).__name__}, which is no model of PyTorch")
    torch = _torch()
    tensors = {name: _made_tensor(torch, one) for name, one in weights.items()}
    known = module.state_dict()
    _check(known, tensors)
    is_other = any(one.is_meta or one.dtype != tensors[name].dtype for name, one in known.items())
    modules, parameters = dict(module.named_modules()), dict(module.named_parameters())
    trained, fixed = set(training), set(frozen)
    if not modules.keys() >= trained or not parameters.keys() >= fixed:
        raise ValueError("the recorded flags are those of another model")
    try:
        module.load_state_dict(tensors, strict=True, assign=is_other)
        for name, one in module.named_parameters():
            one.requires_grad_(name not in fixed)
    except RuntimeError as error:
        raise ValueError(f"the recorded weights do not fit: {str(error)[:200]}") from None
    for name, one in modules.items():
        one.training = name in trained


def _check(known: Mapping[str, Any], tensors: Mapping[str, Any]) -> None:
    """Refuse weights of another model: other names, shapes, or kinds of numbers.

    Raises:
        ValueError: they are.
    """
    others = sorted(known.keys() ^ tensors.keys())
    if others:
        raise ValueError(f"the recorded weights are those of another model: {', '.join(others[:5])}")
    for name, one in known.items():
        given = tensors[name]
        if tuple(one.shape) != tuple(given.shape):
            raise ValueError(
                f"the weight {name!r:.80} has the shape {tuple(given.shape)}, not {tuple(one.shape)}"
            )
        if one.dtype != given.dtype and not (one.is_floating_point() and given.is_floating_point()):
            raise ValueError(f"the weight {name!r:.80} has the dtype {given.dtype}, not {one.dtype}")


def _made_tensor(torch: Any, one: PlainTensor) -> Any:
    dtype = getattr(torch, DTYPES[one.dtype], None)
    if dtype is None:
        raise ValueError(f"this version of PyTorch has no dtype {DTYPES[one.dtype]}")
    made = torch.empty(one.shape, dtype=dtype)
    if math.prod(one.shape):
        made.copy_(torch.frombuffer(bytearray(one.data), dtype=dtype).reshape(one.shape))
    return made
