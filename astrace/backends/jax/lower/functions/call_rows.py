"""Writing calls of functions that NumPy and JAX have under the same name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.backends.jax.lower.rule import (
    Rule,
    array_of,
    computed,
    constant_of,
    parameters_of,
    result,
    signature,
    value_dtype,
)
from astrace.ir.block import Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec, TupleSpec
from astrace.ir.trees import laid_out
from astrace.ops.numpy.rows import numpy_object
from astrace.passes.functional.dtypes import BOOL, PYTHON_DTYPES
from astrace.passes.functional.forms import PLAIN, Array, Form, Items, Number
from astrace.passes.functional.program import Atom, Lit, atom_dtype, rank_of, scalar_type, variable
from astrace.passes.functional.state import Lowering
from astrace.util.trees import Tree


@dataclass(frozen=True, slots=True)
class CallRow:
    """The way a call of a function is written.

    Args:
        arrays: the arguments that hold arrays, or lists of them.
        sizes: the arguments that are integers, or tuples of them, which have to be known when JAX traces.
        fixed: the arguments that have to be constants.
        computes: arrays are first converted to ``float`` if they hold integers, to the dtype of the ``result``, or
            to their ``common`` dtype; else left as they are.
        gives: the dtype of JAX's result, if it is not NumPy's; ``wide`` for 64 bits, in which small integers are summed up.
        check: writes conditions without which NumPy raises, or does something else.
        apart: the number of the result that holds eigenvalues or the like: if two are equal, vectors are not determined.
        finite: the result has to be finite, else NumPy raises: a matrix is singular.
        real: complex numbers are refused, of which NumPy's and JAX's results differ.
        vectors: arrays that are not vectors are refused, which NumPy and JAX treat differently.
        of_floats: the function that computes it of floats, if that is not JAX's of the same name.
    """

    arrays: str = ""
    sizes: str = ""
    fixed: str = ""
    computes: str = ""
    gives: str = ""
    check: Callable[[PendingCall], None] | None = None
    apart: int | None = None
    finite: bool = False
    real: bool = False
    vectors: bool = False
    of_floats: str = ""


LISTS: Final = frozenset(["arrays", "condlist", "choicelist", "keys"])
"""Arguments that are lists of arrays, or lists of such lists."""
AS_THEY_ARE: Final = frozenset(["condlist", "rtol", "atol", "constant_values", "indices", "q", "shift"])
"""Arguments that are computed in dtypes of their own."""
RENAMED: Final = {"a_min": "min", "a_max": "max"}
"""Arguments that JAX has under other names."""
RENAMED_FUNCTIONS: Final = {"np.amin": "xp.min", "np.amax": "xp.max", "np.around": "xp.round"}


def counterpart(name: str, row: CallRow) -> Rule:
    """Return the rule of a function.

    Args:
        name: the function, as in ``np.fft.fft``.
        row: its row.
    """
    function = numpy_object(name)
    parameters = parameters_of(function).parameters

    def make(state: Lowering, node: Node, *args: Any, **kwargs: Any) -> Form:
        bound = signature(state, function, args, kwargs)
        bound |= bound.pop("kwargs", {})
        given = {key: one for key, one in bound.items() if not _is_default(parameters.get(key), one)}
        call = PendingCall(state, name, row, node.output.spec, given)
        args_, named_ = call.arguments(parameters)
        if row.check is not None:
            row.check(call)
        dtype = atom_dtype(args_[0]) if row.of_floats else None
        floats = dtype is not None and dtype.kind in "fc"
        op = row.of_floats if floats else RENAMED_FUNCTIONS.get(name, f"xp{name.removeprefix('np')}")
        return _results(state, node.output.spec, op, laid_out(args_, named_), row)

    return Rule(make)


def _is_default(parameter: inspect.Parameter | None, value: Any) -> bool:
    """Return whether an argument has its default value."""
    if parameter is None:
        return False
    default = parameter.default
    left_out = value is None and type(default).__name__ == "_NoValueType"
    return left_out or (type(value) is type(default) and (value is default or value == default))


class PendingCall:
    """A call in the making.

    Args:
        state: the lowering.
        name: the function, as in ``np.fft.fft``.
        row: its row.
        spec: the spec of the result.
        given: the arguments that do not have their default values.
    """

    def __init__(
        self, state: Lowering, name: str, row: CallRow, spec: Spec, given: Mapping[str, Any]
    ) -> None:
        self.state = state
        self.given = given
        self.name = name
        self._row = row
        self.spec = spec
        self.named: dict[str, Atom] = {}
        self.sizes: dict[str, Tree] = {}

    def check(
        self, op: str, *names: str, others: Sequence[Tree] = (), dtype: np.dtype[Any] | None = BOOL
    ) -> None:
        """Check a condition on some arguments, with other operands behind them."""
        if all(name in self.named for name in names):
            args = [*(self.named[name] for name in names), *others]
            self.state.check(self.state.expr(op, args, dtype))

    def arguments(
        self, parameters: Mapping[str, inspect.Parameter]
    ) -> tuple[Sequence[Tree], Mapping[str, Tree]]:
        """Return the arguments of the call, as trees of atoms."""
        arrays = self._row.arrays.split()
        dtype = self._dtype(
            [one for key, one in self.given.items() if key in arrays and key not in AS_THEY_ARE]
        )
        args: list[Tree] = []
        named: dict[str, Tree] = {}
        for key, value in self.given.items():
            variadic = key in parameters and parameters[key].kind is inspect.Parameter.VAR_POSITIONAL
            for one in value if variadic else (value,):
                tree = self._argument(key, one, None if key in AS_THEY_ARE else dtype)
                if variadic or (not args and not named and next(iter(parameters)) == key):
                    args.append(tree)
                else:
                    named[RENAMED.get(key, key)] = tree
        return args, named

    def _dtype(self, values: Sequence[Any]) -> np.dtype[Any] | None:
        """Return the dtype that all arrays are converted to; ``None`` if each is treated by itself."""
        spec = self.spec
        if self._row.computes == "common":
            return np.result_type(*(_weak(self.state, one) for one in values))
        if isinstance(spec, TupleSpec) and spec.items:
            spec = spec.items[0]
        if self._row.computes == "result" and isinstance(spec, ArraySpec | GenericSpec):
            return spec.dtype
        return None

    def _argument(self, key: str, value: Any, dtype: np.dtype[Any] | None) -> Tree:
        row = self._row
        shifts = key == "shift" and not isinstance(value, Number | Array)
        if key in row.fixed.split() or isinstance(value, str) or shifts:
            return Lit(constant_of(self.state, value))
        if key in ("operands", *row.arrays.split()):
            return self._nested(key, value, dtype)
        if key in row.sizes.split():
            self.sizes[key] = self._size(value)
            return self.sizes[key]
        raise self.state.refusal("AT304", f"the argument {key} of {self.name}")

    def _nested(self, key: str, value: Any, dtype: np.dtype[Any] | None) -> Tree:
        """Return the atom of an array, or a list of such if the argument takes one."""
        if key in LISTS and isinstance(value, Items | list | tuple):
            items: Sequence[Any] = value.items if isinstance(value, Items) else value  # type: ignore[assignment]
            return [self._nested(key, one, dtype) for one in items]
        if isinstance(value, int | float | complex) and key not in LISTS:
            atom = Lit(value if dtype is None else dtype.type(value).item())
            if dtype is None or dtype in PLAIN:
                return atom
            return self.state.expr(scalar_type(dtype), (atom,), dtype)
        form = value if isinstance(value, Number | Array) else array_of(self.state, value)
        given = form.dtype
        if self._row.vectors and isinstance(form, Array) and form.rank > 1:
            raise self.state.refusal("AT304", f"{self.name} of an array that is not a vector")
        if self._row.real and given.kind == "c":
            raise self.state.refusal("AT304", f"{self.name} of complex numbers")
        if dtype is None and self._row.computes == "float" and given.kind in "biu":
            dtype = np.dtype(np.float64)
        atom = computed(self.state, form, dtype)
        self.named[key] = atom
        return atom

    def _size(self, value: Any) -> Tree:
        """Return an integer, or a tuple of integers, as atoms."""
        if isinstance(value, Items | tuple | list):
            items: Sequence[Any] = value.items if isinstance(value, Items) else value  # type: ignore[assignment]
            return tuple(map(self._size, items))
        if value is None or type(value) is int:
            return Lit(value)
        if not isinstance(value, Number) or value.dtype.kind not in "iu":
            raise self.state.refusal("AT304", f"a size of {self.name} that is not an integer")
        return self.state.host(value, f"a size that `{self.name}` is given")


def _weak(state: Lowering, value: Any) -> Any:
    """Return an argument as NumPy's promotion sees it: a dtype, or a Python number."""
    if isinstance(value, bool | int | float | complex):
        return value
    form = value if isinstance(value, Number | Array) else array_of(state, value)
    if isinstance(form, Number) and isinstance(form.spec, ScalarSpec):
        return {"bool": False, "int": 0, "float": 0.0, "complex": 0j}[form.spec.kind]
    return form.dtype


# -- results -----------------------------------------------------------------------------------------------


def _results(
    state: Lowering, spec: Spec, op: str, laid: tuple[tuple[Atom, ...], Mapping[str, Any]], row: CallRow
) -> Form:
    """Write a call; return a number, an array, or a tuple of them."""
    atoms, attrs = laid
    if not isinstance(spec, TupleSpec) or not spec.items:
        out = variable(_given(state, spec, row), rank_of(spec))
        state.add(Node(op, atoms, (out,), attrs, location=state.location))
        if row.finite:
            state.check(state.expr("all_finite", (out,), BOOL))
        return _form(state, out, spec)
    outs = [variable(_given(state, one, row), rank_of(one)) for one in spec.items]
    state.add(Node(op, atoms, tuple(outs), attrs, location=state.location))
    if row.apart is not None:
        state.check(state.expr("support.are_apart", (outs[row.apart],), BOOL))
    return Items(tuple(_form(state, *pair) for pair in zip(outs, spec.items, strict=True)), spec.cls)


def _given(state: Lowering, spec: Spec, row: CallRow) -> np.dtype[Any]:
    """Return the dtype of JAX's result."""
    dtype = PYTHON_DTYPES[spec.kind] if isinstance(spec, ScalarSpec) else value_dtype(state, spec)
    if row.gives == "wide":
        return np.dtype({"b": np.int64, "i": np.int64, "u": np.uint64}.get(dtype.kind, dtype))
    return np.dtype(row.gives) if row.gives else dtype


def _form(state: Lowering, out: Value, spec: Spec) -> Form:
    if isinstance(spec, ScalarSpec):
        return Number(out, spec)
    dtype = atom_dtype(out)
    assert dtype is not None
    return result(state, out, dtype, spec)
