"""A node as a call with named parameters, and what rules may ask of it and refuse.

A `Row` is one op of the table: the parameters as NumPy or Python names them, and a rule that writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.bundle.codes import refused
from astrace.bundle.exports.onnx_values import (
    PYTHON_DTYPES,
    DTypeLike,
    Form,
    OnnxArray,
    OnnxView,
    Stored,
    Tensor,
    stored,
)
from astrace.bundle.exports.onnx_writer import Writer
from astrace.errors import BundleError
from astrace.ir.block import Constant, Node
from astrace.ir.constants import show
from astrace.ir.specs import Spec
from astrace.locations import Location

HINT: Final = "compute it before or after what is exported"
REQUIRED: Final = object()


def no_counterpart(node: Node, why: str = "has no counterpart in ONNX", hint: str = HINT) -> BundleError:
    """The error for a node that is not exported."""
    called = node.inputs[0] if node.op == "call" and node.inputs else None
    name = f"`call` of `{show(called.value)}`" if isinstance(called, Constant) else f"`{node.op}`"
    return refused("AB401", f"{name} {why}", hint, node.location)


def unsupported(what: str, spec: Spec, location: Location | None = None) -> BundleError:
    """The error for a value that no tensor holds."""
    words = f"{what} is {spec}, which is no tensor of one dtype"
    return refused("AB401", words, "export a graph of numbers and arrays; begin sums with 0.0", location)


@dataclass(frozen=True, slots=True)
class OnnxCall:
    """A call of an op.

    Args:
        write: writes the model.
        node: the node.
        args: the arguments by name.
    """

    write: Writer
    node: Node
    args: Mapping[str, Form]

    def __getitem__(self, name: str) -> Form:
        return self.args[name]

    def refused(self, why: str, hint: str = HINT) -> BundleError:
        """The error for the node."""
        return no_counterpart(self.node, why, hint)

    @property
    def out(self) -> Stored:
        """How the result is stored."""
        found = stored(self.node.output.spec)
        if found is None:
            raise unsupported(f"the result of `{self.node.op}`", self.node.output.spec, self.node.location)
        return found

    def result(self, tensor: Tensor) -> Tensor:
        """A tensor as the result: of the dtype and shape that the node has."""
        out = self.out
        if tensor.rank != len(out.shape):
            raise self.refused(f"gives an array of {len(out.shape)} dimensions, not of {tensor.rank}")
        return Tensor(self.write.cast(tensor, out.dtype).name, out)

    def tensor(self, name: str, dtype: DTypeLike | None = None) -> Tensor:
        """An argument as a tensor, of a dtype if one is given."""
        return self.as_tensor(self.args[name], dtype)

    def as_tensor(self, form: Form, dtype: DTypeLike | None = None) -> Tensor:
        """A form as a tensor, of a dtype if one is given."""
        match form:
            case Tensor():
                return form if dtype is None else self.write.cast(form, dtype)
            case OnnxArray() | OnnxView():
                return self.as_tensor(form.read(), dtype)
            case _ if is_number(form) or type(form) is np.ndarray:
                return self._known(form, dtype)
            case tuple() | list() if form:
                return self._packed(form, dtype)
            case _:
                raise self.refused(f"takes {shown(form)}, which is no tensor")

    def _known(self, value: Any, dtype: DTypeLike | None) -> Tensor:
        kind = PYTHON_DTYPES.get(type(value)) or value.dtype
        if kind.kind not in "biuf" or kind.itemsize > 8:
            raise self.refused(f"takes an array of {kind}, which ONNX has not")
        if type(value) is int and not -(2**63) <= value < 2**63:
            raise self.refused("takes an integer that does not fit int64")
        wanted = kind if dtype is None else dtype
        if type(value) is int and wanted.kind in "iu" and not _fits(value, wanted):
            raise self.refused(f"takes {value}, which does not fit {wanted}")
        with np.errstate(over="ignore", invalid="ignore"):  # where NumPy warns, it computes with infinity
            return self.write.constant(np.asarray(value, kind).astype(wanted))

    def _packed(self, items: Sequence[Form], dtype: DTypeLike | None) -> Tensor:
        """Nested tuples and lists as one array."""
        parts = [self.as_tensor(item) for item in items]
        kind = dtype or np.result_type(*(one.dtype for one in parts))
        if kind.kind not in "biuf":
            raise self.refused(f"makes an array of {kind}")
        rows = [self.write.unsqueeze(self.write.cast(one, kind), [0]) for one in parts]
        return self.write.op("Concat", *rows, axis=0)

    def known(self, name: str, *types: type) -> Any:
        """An argument that must be known when the model is made."""
        value = self.args[name]
        if not isinstance(value, types) or contains_tensor(value):
            raise self.refused(f"needs a literal for `{name}`, not {shown(value)}")
        return value

    def axis(self, name: str, rank: int) -> int:
        """An argument that is one axis."""
        return int(self.known(name, int, np.integer)) % max(rank, 1)

    def axes(self, name: str, rank: int) -> list[int]:
        """An argument that is one axis, some, or ``None`` for all."""
        value = self.known(name, int, np.integer, tuple, list, type(None))
        if value is None:
            return list(range(rank))
        return [int(one) % max(rank, 1) for one in (value if isinstance(value, tuple | list) else (value,))]


def _fits(value: int, dtype: DTypeLike) -> bool:
    info = np.iinfo(dtype)
    return bool(info.min <= value <= info.max)


def is_number(value: Any) -> bool:
    """Return whether a form is a number that is known."""
    return type(value) in PYTHON_DTYPES or (isinstance(value, np.generic) and value.dtype.kind in "biuf")


def contains_tensor(form: Form) -> bool:
    """Return whether something of a form is known only when the model runs."""
    match form:
        case Tensor() | OnnxArray() | OnnxView():
            return True
        case tuple() | list():
            return any(map(contains_tensor, form))
        case slice():
            return any(map(contains_tensor, (form.start, form.stop, form.step)))
        case _:
            return False


def shown(form: Form) -> str:
    """A form in a message."""
    return "a value of the graph" if contains_tensor(form) else show(form)


def types_of(form: Form) -> tuple[Any, ...]:
    """The types that NumPy's promotion may see of a form; Python's ``bool`` is to it the dtype."""
    match form:
        case Tensor():
            found = form.stored.types
        case OnnxArray() | OnnxView():
            found = form.read().stored.types
        case _:
            found = (type(form),) if type(form) in PYTHON_DTYPES else (np.asarray(form).dtype,)
    return tuple(PYTHON_DTYPES[bool] if one is bool else one for one in found)


Rule: TypeAlias = Callable[[OnnxCall], Form]


@dataclass(frozen=True, slots=True)
class Row:
    """One op of the table.

    Args:
        rule: writes it.
        parameters: names as the function has them, each with its default; `REQUIRED` where there is none.
        ignored: parameters that decide nothing in ONNX.
    """

    rule: Rule
    parameters: Mapping[str, Any]
    ignored: frozenset[str] = frozenset()

    def call(self, write: Writer, node: Node, args: Sequence[Form], kwargs: Mapping[str, Form]) -> OnnxCall:
        """The call of a node.

        Raises:
            BundleError: it has an argument that ONNX has no counterpart for.
        """
        names = list(self.parameters)
        if len(args) > len(names):
            raise no_counterpart(node, f"has no counterpart in ONNX with {len(args)} arguments")
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        for name, value in given.items():
            if name == "out" and value is not None:
                raise no_counterpart(node, "writes to an array that it is given", "assign its result instead")
            if name not in self.parameters and name not in self.ignored and value is not None:
                raise no_counterpart(node, f"has no counterpart in ONNX with `{name}=`")
        bound = {name: given.get(name, default) for name, default in self.parameters.items()}
        if any(value is REQUIRED for value in bound.values()):
            raise no_counterpart(node, "has no counterpart in ONNX in this form")
        return OnnxCall(write, node, bound)


def row(rule: Rule, required: str, *, ignored: str = "", **defaults: Any) -> Row:
    """A row: required parameters by name, then those with defaults."""
    parameters = {**dict.fromkeys(required.split(), REQUIRED), **defaults}
    return Row(rule, parameters, frozenset(ignored.split()))
