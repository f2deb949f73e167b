"""Rules of functions that make arrays of given sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from astrace.backends.jax.lower.indexing.views import shape_atoms
from astrace.backends.jax.lower.layout.flatten import cast
from astrace.backends.jax.lower.rule import Kwargs, Rule, array_of, named, rank_of, value_dtype
from astrace.backends.jax.lower.scalars.conversions import assigned
from astrace.backends.jax.lower.scalars.symbolic_sizes import dim_of
from astrace.backends.jax.lower.state import INT, Lowering
from astrace.backends.jax.lower.value_forms import Array, ArrayRoot, Form, Items, Number, Stack
from astrace.backends.jax.program_ir import Atom, Lit
from astrace.ir.block import Constant, Node
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec


def packed(state: Lowering, atom: Atom, spec: ArraySpec) -> Array:
    """Return a new array whose items certainly lie in C order."""
    return state.array(atom, spec, ArrayRoot(packed=True))


def _filled(name: str) -> Rule:
    """Return the rule of ``zeros(shape, dtype)``, ``full(shape, value, dtype)`` and functions like them."""
    names = ("shape", "fill_value", "dtype") if name == "full" else ("shape", "dtype")

    def make(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        given = named(state, names, args, kwargs)
        _only(state, given, names)
        atoms, dims = shape_atoms(state, given["shape"])
        dtype = value_dtype(state, node.output.spec)
        value = [assigned(state, _number(state, given["fill_value"]), dtype)] if name == "full" else []
        atom = state.expr(f"jnp.{name}", (tuple(atoms), *value, Lit(dtype)), dtype, len(atoms))
        return packed(state, atom, ArraySpec(dims, dtype))

    return Rule(make)


def _only(state: Lowering, given: Kwargs, names: Sequence[str]) -> None:
    """Refuse arguments that have no counterpart."""
    extra = [name for name, value in given.items() if name not in names and value is not None]
    if extra:
        raise state.refusal("AT304", f"the argument {extra[0]}")


def _number(state: Lowering, value: Any) -> Form:
    return value if isinstance(value, Form) else state.constant(value)


def _like(name: str) -> Rule:
    """Return the rule of ``zeros_like(x)`` and functions like it."""

    def make(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        names = ("a", "fill_value", "dtype") if name == "full_like" else ("a", "dtype")
        given = named(state, names, args, kwargs)
        given = {("a" if key == "prototype" else key): value for key, value in given.items()}
        _only(state, given, names)
        array = array_of(state, given["a"])
        spec = ArraySpec(array.spec.shape, value_dtype(state, node.output.spec))
        atoms: list[Atom] = [state.read(array)]
        if name == "full_like":
            atoms.append(assigned(state, _number(state, given["fill_value"]), spec.dtype))
        other = {} if spec.dtype == array.spec.dtype else {"dtype": Lit(spec.dtype)}
        return state.array(state.expr(f"jnp.{name}", atoms, spec.dtype, len(spec.shape), other), spec)

    return Rule(make)


def _arange(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    given = dict(kwargs)
    given.pop("dtype", None)
    if given or len(args) > 3:
        raise state.refusal("AT304", "arange with named arguments")
    forms = [_number(state, one) for one in args]
    python = all(isinstance(one, Number) and one.spec == PYTHON_INT for one in forms)
    dtype = INT if python and "dtype" not in kwargs else value_dtype(state, node.output.spec)
    if any(isinstance(one, Number) and one.dtype.kind not in "iu" for one in forms):
        return _spaced_floats(state, forms, node)
    atoms = [state.host(one, "the length of a range") for one in forms]
    dim = dim_of(forms[0]) if len(forms) == 1 and isinstance(forms[0], Number) else None
    made = state.expr("jnp.arange", atoms, dtype, 1, {"dtype": Lit(dtype)})
    return packed(state, made, ArraySpec((dim,), dtype))


def _spaced_floats(state: Lowering, forms: Sequence[Form], node: Node) -> Form:
    """Write a range of floats, computed as NumPy does, from the first and the step."""
    atoms = [state.host(one, "the length of a range") for one in forms]
    first = [Lit(0)] if len(atoms) == 1 else []
    last = [Lit(1)] if len(atoms) < 3 else []
    dtype = value_dtype(state, node.output.spec)
    atom = state.expr("support.arange", [*first, *atoms, *last, Lit(dtype)], dtype, 1)
    return packed(state, atom, ArraySpec((None,), dtype))


def _linspace(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    given = named(state, ("start", "stop", "num", "endpoint"), args, kwargs)
    _only(state, given, ("start", "stop", "num", "endpoint", "dtype"))
    spec = node.output.spec
    dtype = value_dtype(state, spec)
    if dtype.kind != "f" or rank_of(spec) != 1:
        raise state.refusal("AT304", "linspace of values other than floats")
    ends = [_number(state, given[name]) for name in ("start", "stop")]
    atoms = [cast(state, one.atom, one.dtype, dtype) for one in ends if isinstance(one, Number)]
    num = state.host(_number(state, given.get("num", 50)), "the length of a range")
    endpoint = given.get("endpoint", True)
    if len(atoms) < 2 or not isinstance(endpoint, bool):
        raise state.refusal("AT304", "linspace between arrays")
    other = {} if endpoint else {"endpoint": Lit(False)}
    dim = num.value if isinstance(num, Constant) else None
    return packed(state, state.expr("jnp.linspace", [*atoms, num], dtype, 1, other), ArraySpec((dim,), dtype))


def _eye(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    given = named(state, ("N", "M", "k", "dtype"), args, kwargs)
    given = {("N" if key == "n" else key): value for key, value in given.items()}
    _only(state, given, ("N", "M", "dtype"))
    sizes = [given["N"], given["N"] if given.get("M") is None else given["M"]]
    atoms, dims = shape_atoms(state, sizes)
    dtype = value_dtype(state, node.output.spec)
    atom = state.expr("jnp.eye", atoms, dtype, 2, {"dtype": Lit(dtype)})
    return packed(state, atom, ArraySpec(dims, dtype))


def _identity(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    return _eye(state, node, args[:1], {name: kwargs[name] for name in kwargs if name in ("n", "N")})


def _array(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """Write ``np.array``, which copies."""
    if set(kwargs) - {"dtype", "copy"} or len(args) > 2 or kwargs.get("copy", True) is not True:
        raise state.refusal("AT304", "np.array with these arguments")
    array = array_of(state, args[0])
    spec = array.spec if isinstance(args[0], Stack) and "dtype" not in kwargs else node.output.spec
    dtype = value_dtype(state, spec)
    made = ArraySpec(array.spec.shape, dtype)
    atom = assigned(state, array, dtype)
    return state.array(atom, made) if isinstance(args[0], Array) else packed(state, atom, made)


def _triangle(name: str) -> Rule:
    """Return the rule of ``triu_indices`` and functions like it, whose results follow from sizes alone."""

    def make(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
        given = {"k": 0, "m": None, **named(state, ("n", "k", "m"), args, kwargs)}
        atoms = [state.host(_number(state, given[key]), "the size of an array") for key in ("n", "k", "m")]
        spec = ArraySpec((None,), INT)
        rows = [state.expr(f"{name}_row", (*atoms, Lit(row)), INT, 1) for row in range(2)]
        return Items(tuple(state.array(row, spec) for row in rows))

    return Rule(make)


def _indices(state: Lowering, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form:
    """Write ``np.indices(shape)``."""
    dtype = value_dtype(state, node.output.spec)
    if len(args) != 1 or set(kwargs) - {"dtype"}:
        raise state.refusal("AT304", "np.indices with these arguments")
    atoms, dims = shape_atoms(state, args[0].items if isinstance(args[0], Items) else args[0])
    spec = ArraySpec((len(dims), *dims), dtype)
    atom = state.expr("jnp.indices", (tuple(atoms), Lit(dtype)), dtype, len(spec.shape))
    return state.array(atom, spec)


RULES: Final = {
    **{f"np.{name}": _triangle(name) for name in ("triu_indices", "tril_indices")},
    "np.indices": Rule(_indices),
    **{f"np.{name}": _filled(name) for name in ("zeros", "ones", "empty", "full")},
    "np.ndarray": _filled("empty"),
    **{f"np.{name}": _like(name) for name in ("zeros_like", "ones_like", "empty_like", "full_like")},
    "np.arange": Rule(_arange),
    "np.linspace": Rule(_linspace),
    "np.eye": Rule(_eye),
    "np.identity": Rule(_identity),
    "np.array": Rule(_array),
}
