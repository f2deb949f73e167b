"""Rules of functions that make arrays of given sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from astrace.backends.jax.lower.functions.views import shape_atoms
from astrace.backends.jax.lower.rule import Rule, array_of, value_dtype
from astrace.ir.block import Constant, Node
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec
from astrace.passes.functional.conversions import assigned
from astrace.passes.functional.dtypes import INT
from astrace.passes.functional.forms import Array, ArrayRoot, Form, Items, Number, Stack
from astrace.passes.functional.layout.flatten import cast
from astrace.passes.functional.program import Atom, Lit, rank_of
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import dim_of


def packed(state: Lowering, atom: Atom, spec: ArraySpec) -> Array:
    """Return a new array whose items certainly lie in C order."""
    return state.array(atom, spec, ArrayRoot(packed=True))


def _filled(name: str, *names: str) -> Rule:
    """Return the rule of ``zeros(shape, dtype)``, ``full(shape, value, dtype)`` and functions like them."""

    def make(state: Lowering, node: Node, shape: Any, fill_value: Any = None, dtype: Any = None) -> Form:
        atoms, dims = shape_atoms(state, shape)
        held = value_dtype(state, node.output.spec)
        value = [assigned(state, state.given(fill_value), held)] if name == "full" else []
        atom = state.expr(f"xp.{name}", (tuple(atoms), *value, Lit(held)), held, len(atoms))
        return packed(state, atom, ArraySpec(dims, held))

    return Rule(make, names=("shape", *names, "dtype"))


def _like(name: str, *names: str, first: str = "a") -> Rule:
    """Return the rule of ``zeros_like(x)`` and functions like it."""

    def make(state: Lowering, node: Node, like: Any, fill_value: Any = None, dtype: Any = None) -> Form:
        array = array_of(state, like)
        spec = ArraySpec(array.spec.shape, value_dtype(state, node.output.spec))
        atoms: list[Atom] = [state.read(array)]
        if name == "full_like":
            atoms.append(assigned(state, state.given(fill_value), spec.dtype))
        other = {} if spec.dtype == array.dtype else {"dtype": Lit(spec.dtype)}
        return state.array(state.expr(f"xp.{name}", atoms, spec.dtype, array.rank, other), spec)

    return Rule(make, names=(first, *names, "dtype"))


def _arange(state: Lowering, node: Node, *bounds: Any, **others: Any) -> Form:
    if others.keys() - {"dtype"} or len(bounds) > 3:
        raise state.refusal("AT304", "arange with named arguments")
    forms = list(map(state.given, bounds))
    python = all(isinstance(one, Number) and one.spec == PYTHON_INT for one in forms)
    dtype = INT if python and not others else value_dtype(state, node.output.spec)
    atoms = [state.host(one, "the length of a range") for one in forms]
    if any(isinstance(one, Number) and one.dtype.kind not in "iu" for one in forms):
        # NumPy computes floats from the first one and the step.
        atoms = [*([Lit(0)] if len(atoms) == 1 else []), *atoms, *([Lit(1)] if len(atoms) < 3 else [])]
        dtype = value_dtype(state, node.output.spec)
        atom = state.expr("support.arange", [*atoms, Lit(dtype)], dtype, 1)
        return packed(state, atom, ArraySpec((None,), dtype))
    dim = dim_of(forms[0]) if len(forms) == 1 and isinstance(forms[0], Number) else None
    made = state.expr("xp.arange", atoms, dtype, 1, {"dtype": Lit(dtype)})
    return packed(state, made, ArraySpec((dim,), dtype))


def _linspace(
    state: Lowering, node: Node, start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None
) -> Form:
    spec = node.output.spec
    held = value_dtype(state, spec)
    if held.kind != "f" or rank_of(spec) != 1:
        raise state.refusal("AT304", "linspace of values other than floats")
    ends = [state.given(one) for one in (start, stop)]
    atoms = [cast(state, one.atom, one.dtype, held) for one in ends if isinstance(one, Number)]
    count = state.host(state.given(num), "the length of a range")
    if len(atoms) < 2 or not isinstance(endpoint, bool):
        raise state.refusal("AT304", "linspace between arrays")
    other = {} if endpoint else {"endpoint": Lit(False)}
    dim = count.value if isinstance(count, Constant) else None
    return packed(state, state.expr("xp.linspace", [*atoms, count], held, 1, other), ArraySpec((dim,), held))


def _eye(state: Lowering, node: Node, rows: Any, columns: Any = None, dtype: Any = None) -> Form:
    atoms, dims = shape_atoms(state, [rows, rows if columns is None else columns])
    held = value_dtype(state, node.output.spec)
    atom = state.expr("xp.eye", atoms, held, 2, {"dtype": Lit(held)})
    return packed(state, atom, ArraySpec(dims, held))


def _array(state: Lowering, node: Node, array: Any, *dtypes: Any, copy: Any = True, **others: Any) -> Form:
    """Write ``np.array``, which copies."""
    if others.keys() - {"dtype"} or len(dtypes) > 1 or copy is not True:
        raise state.refusal("AT304", "np.array with these arguments")
    given = array_of(state, array)
    spec = given.spec if isinstance(array, Stack) and not others else node.output.spec
    dtype = value_dtype(state, spec)
    made = ArraySpec(given.spec.shape, dtype)
    atom = assigned(state, given, dtype)
    return state.array(atom, made) if isinstance(array, Array) else packed(state, atom, made)


def _triangle(name: str) -> Rule:
    """Return the rule of ``triu_indices`` and functions like it, whose results follow from sizes alone."""

    def make(state: Lowering, node: Node, n: Any, k: Any = 0, m: Any = None) -> Form:
        atoms = [state.host(state.given(one), "the size of an array") for one in (n, k, m)]
        spec = ArraySpec((None,), INT)
        rows = [state.expr(f"{name}_row", (*atoms, Lit(row)), INT, 1) for row in range(2)]
        return Items(tuple(state.array(row, spec) for row in rows))

    return Rule(make)


def _indices(state: Lowering, node: Node, shape: Sequence[Any] | Items, *, dtype: Any = None) -> Form:
    """Write ``np.indices(shape)``."""
    held = value_dtype(state, node.output.spec)
    atoms, dims = shape_atoms(state, shape.items if isinstance(shape, Items) else shape)
    spec = ArraySpec((len(dims), *dims), held)
    return state.array(state.expr("xp.indices", (tuple(atoms), Lit(held)), held, len(spec.shape)), spec)


RULES: Final = {
    **{f"np.{name}": _triangle(name) for name in ("triu_indices", "tril_indices")},
    "np.indices": Rule(_indices),
    **{f"np.{name}": _filled(name) for name in ("zeros", "ones", "empty")},
    "np.full": _filled("full", "fill_value"),
    "np.ndarray": _filled("empty"),
    **{f"np.{name}": _like(name) for name in ("zeros_like", "ones_like")},
    "np.empty_like": _like("empty_like", first="prototype"),
    "np.full_like": _like("full_like", "fill_value"),
    "np.arange": Rule(_arange),
    "np.linspace": Rule(_linspace, names=("start", "stop", "num", "endpoint")),
    "np.eye": Rule(_eye, names=("N", "M")),
    "np.identity": Rule(_eye, names=("n", "dtype")),
    "np.array": Rule(_array),
}
