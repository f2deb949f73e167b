"""The layers of PyTorch that are remade from data: their names, and what their constructors were called with.

A layer keeps what it was made with in attributes that are called as the parameters of its constructor.  That is a custom
and no promise: whoever records a layer makes it again and compares (``changed_attribute``), so that what an attribute does
not tell, and whatever was changed later, is noticed when it is saved and not when it gives other results.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

CONTAINERS: Final = ("Sequential", "ModuleList", "ModuleDict")
RECURRENT: Final = ("RNN", "LSTM", "GRU")
LAYERS: Final = (
    *CONTAINERS, *RECURRENT,
    "Linear", "Bilinear", "Identity", "Flatten", "Unflatten", "Embedding", "EmbeddingBag",
    *(f"{name}{size}d" for name in (
        "Conv", "ConvTranspose", "BatchNorm", "InstanceNorm", "MaxPool", "AvgPool", "AdaptiveAvgPool", "AdaptiveMaxPool",
        "LPPool", "Dropout", "ConstantPad", "ReflectionPad", "ReplicationPad", "ZeroPad", "CircularPad",
    ) for size in (1, 2, 3)),
    "LayerNorm", "GroupNorm", "RMSNorm", "LocalResponseNorm", "Dropout", "AlphaDropout", "FeatureAlphaDropout",
    "ReLU", "ReLU6", "LeakyReLU", "PReLU", "ELU", "SELU", "CELU", "GELU", "SiLU", "Mish", "Sigmoid", "LogSigmoid", "Tanh",
    "Softmax", "Softmax2d", "LogSoftmax", "Softmin", "Softplus", "Softsign", "Softshrink", "Hardtanh", "Hardswish",
    "Hardsigmoid", "Hardshrink", "Tanhshrink", "Threshold", "GLU",
    "Upsample", "PixelShuffle", "PixelUnshuffle", "ChannelShuffle", "CosineSimilarity", "PairwiseDistance", "Fold", "Unfold",
)  # fmt: skip
"""The names in ``torch.nn`` of the classes that are made from data; they have no effect but to be made."""

OF_RECURRENT: Final = (
    "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional",
)  # fmt: skip
"""The parameters of layers whose constructors tell none."""
OF_ONE: Final[Mapping[str, tuple[str, ...]]] = {"RNN": ("nonlinearity",), "LSTM": ("proj_size",)}
"""Those that only one of them has."""
PLACES: Final = ("self", "device", "dtype")
INTERNAL: Final = ("_parameters", "_buffers", "_modules", "training", "_flat_weights", "_flat_weight_refs")
"""Attributes that hold the state, or what is made of it."""


def layer_name(nn: Any, cls: type) -> str | None:
    """The name of a class among the layers; ``None`` for any other class.

    Args:
        nn: the module ``torch.nn``.
        cls: the class.
    """
    return cls.__name__ if cls.__name__ in LAYERS and getattr(nn, cls.__name__, None) is cls else None


def constructor_arguments(layer: Any) -> dict[str, Any]:
    """What the constructor of a layer is to be called with, as far as its attributes tell."""
    kind = type(layer).__name__
    if kind in RECURRENT:
        return {name: getattr(layer, name) for name in (*OF_RECURRENT, *OF_ONE.get(kind, ()))}
    parameters = inspect.signature(type(layer).__init__).parameters
    return {
        name: _argument(getattr(layer, name), one.default)
        for name, one in parameters.items()
        if name not in PLACES and not name.startswith("_") and hasattr(layer, name)
    }


def _argument(value: Any, default: Any) -> Any:
    """The argument of which an attribute was made: of a flag that says whether there is a bias, whether there is one."""
    return value is not None if isinstance(default, bool) and not isinstance(value, bool) else value


def changed_attribute(layer: Any, made: Any) -> str:
    """The attribute in which a layer differs from one that was made of its arguments; empty if there is none."""
    left, right = _attributes(layer), _attributes(made)
    for name in [*left, *right]:
        if name not in left or name not in right or not _equal(left[name], right[name]):
            return name
    return ""


def _attributes(layer: Any) -> dict[str, Any]:
    found = {name: value for name, value in vars(layer).items() if name not in INTERNAL}
    for kind in ("_parameters", "_buffers"):
        found |= {name: None if one is None else tuple(one.shape) for name, one in vars(layer)[kind].items()}
    return found | dict.fromkeys(vars(layer)["_modules"])


def _equal(left: Any, right: Any) -> bool:
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return not left and not right  # hooks, of which a layer has none when it is made
    return type(left) is type(right) and bool(left == right)
