"""Estimators of scikit-learn as data, and back: an estimator is its class and its attributes.

By the custom of the library the parameters are attributes as well, and all that fitting found out is in others, so an
estimator is told by `vars`.  A class that says otherwise, by a state or slots of its own, is not told.  Decision trees keep
theirs in memory that Python does not see; what they tell is checked when one is made, since their code follows it unchecked.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

TREE: Final = ("max_depth", "node_count", "nodes", "values")
"""What a tree tells of its state."""
LEAF: Final = -1


def is_estimator(value: Any) -> bool:
    """Return whether a value is an estimator of scikit-learn.

    Example:
        >>> is_estimator(3)
        False
    """
    base = _base()
    return base is not None and isinstance(value, base)


def _base() -> Any:
    return getattr(sys.modules.get("sklearn.base"), "BaseEstimator", None)


def version() -> str:
    """The version of scikit-learn as far as it decides what attributes mean: without the last number."""
    return ".".join(str(getattr(sys.modules.get("sklearn"), "__version__", "")).split(".")[:2])


def told_otherwise(estimator: Any) -> str:
    """Say why an estimator is not told by its attributes; empty if it is.

    Args:
        estimator: the estimator.
    """
    cls, base = type(estimator), _base()
    for name in ("__getstate__", "__setstate__"):
        if getattr(cls, name, None) is not getattr(base, name, None):
            return f"its class has a {name} of its own"
    for name in ("__reduce__", "__reduce_ex__"):
        if getattr(cls, name) is not getattr(object, name):
            return f"its class has a {name} of its own"
    slots = [name for one in cls.__mro__ for name in vars(one).get("__slots__", ()) if name != "__dict__"]
    if slots:
        return f"its class has the slot {slots[0]!r}"
    strange = [name for name in vars(estimator) if not _is_name(name)]
    return f"it has an attribute called {strange[0]!r:.50}" if strange else ""


def _is_name(name: Any) -> bool:
    return type(name) is str and name.isidentifier() and not name.startswith("__")


def made_estimator(cls: Any, recorded: str, attributes: Mapping[str, Any]) -> Any:
    """Make an estimator again.

    Args:
        cls: its class, as the loading program passes it.
        recorded: the version of scikit-learn that it was recorded with.
        attributes: its parameters, and what fitting found out.

    Raises:
        ValueError: the class is none of an estimator, or the version is another.
    """
    base = _base()
    if base is None or not isinstance(cls, type) or not issubclass(cls, base):
        raise ValueError(f"{getattr(cls, '__name__', cls)!r:.50} is no class of scikit-learn's estimators")
    if recorded != version():
        raise ValueError(
            f"an estimator was saved with scikit-learn {recorded:.20}, and {version()} is installed: "
            "what its attributes mean may have changed"
        )
    if not all(map(_is_name, attributes)):
        raise ValueError("an estimator has an attribute whose name is none")
    made = object.__new__(cls)
    vars(made).update(attributes)
    return made


# -- trees ----------------------------------------------------------------------------------------------------


def is_tree(value: Any) -> bool:
    """Return whether a value is what a decision tree found out.

    Example:
        >>> is_tree(3)
        False
    """
    cls = getattr(sys.modules.get("sklearn.tree._tree"), "Tree", None)
    return isinstance(cls, type) and type(value) is cls


def tree_parts(tree: Any) -> dict[str, Any]:
    """What a tree is made of, by name.

    Raises:
        ValueError: it is none that could be made again.
    """
    state = tree.__getstate__()
    sizes = {
        "n_features": tree.n_features,
        "n_classes": np.array(tree.n_classes),
        "n_outputs": tree.n_outputs,
    }
    parts = {**sizes, **{name: state[name] for name in TREE}}
    made_tree(parts)
    return parts


def made_tree(parts: Mapping[str, Any]) -> Any:
    """Make a tree again.

    Args:
        parts: what it is made of.

    Raises:
        ValueError: it would lead outside itself, or round in circles.
    """
    module: Any = importlib.import_module("sklearn.tree._tree")
    if set(parts) != {"n_features", "n_classes", "n_outputs", *TREE}:
        raise ValueError("a tree has not the parts that trees have")
    features, classes, outputs = (parts[name] for name in ("n_features", "n_classes", "n_outputs"))
    depth, count, nodes, values = (parts[name] for name in TREE)
    numbers = (features, outputs, depth, count)
    if not all(type(one) is int and 0 <= one < 2**31 for one in numbers) or not features or not outputs:
        raise ValueError("a tree has a number that trees have not")
    _check_array(classes, np.dtype(np.intp), (outputs,))
    if classes.min() < 1:
        raise ValueError("a tree has no classes")
    _check_array(nodes, module.NODE_DTYPE, (count,))
    _check_array(values, np.dtype(np.float64), (count, outputs, int(classes.max())))
    _check_nodes(nodes, features, depth)
    tree = module.Tree(features, classes, outputs)
    tree.__setstate__({name: parts[name] for name in TREE})
    return tree


def _check_array(array: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
    if type(array) is not np.ndarray or array.dtype != dtype or array.shape != shape or not array.size:
        raise ValueError(f"a tree needs an array of {dtype.name} of the shape {shape}")
    if not array.flags.c_contiguous:
        raise ValueError("an array of a tree has another order than trees have")


def _check_nodes(nodes: np.ndarray[Any, Any], features: int, depth: int) -> None:
    """Make sure that each path from the first node ends in a leaf, and is as long as the tree is deep at most.

    Raises:
        ValueError: it does not.
    """
    left, right, feature = (nodes[name] for name in ("left_child", "right_child", "feature"))
    numbers = np.arange(len(nodes))
    is_leaf = left == LEAF
    inner = ~is_leaf
    ends = np.all(right[is_leaf] == LEAF)
    lead_on = all(np.all((one > numbers)[inner] & (one < len(nodes))[inner]) for one in (left, right))
    if not ends or not lead_on or not np.all((feature >= 0)[inner] & (feature < features)[inner]):
        raise ValueError("a tree has a node that leads nowhere")
    depths = [0] * len(nodes)
    children = (left.tolist(), right.tolist())
    for number in np.flatnonzero(inner).tolist():  # a child comes after its parent
        for child in (one[number] for one in children):
            depths[child] = max(depths[child], depths[number] + 1)
    if max(depths) != depth:
        raise ValueError(f"a tree is {max(depths)} levels deep, and not {depth}")
