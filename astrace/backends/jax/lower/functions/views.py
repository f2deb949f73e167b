"""Views: other shapes of an array that share its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.backends.jax.lower.rule import Rule, array_of, computed, constant_of
from astrace.ir.block import NO_ATTRS, Node
from astrace.ir.specs import ArraySpec, Dim, Spec
from astrace.passes.functional.forms import Array, Form, Number, view_of
from astrace.passes.functional.program import Atom, Lit
from astrace.passes.functional.state import Lowering
from astrace.passes.functional.symbolic_sizes import dim_of
from astrace.util.trees import Tree


def view(
    state: Lowering,
    array: Array,
    kind: str,
    op: str,
    args: Sequence[Tree],
    spec: Spec,
    by_name: Mapping[str, Atom] = NO_ATTRS,
) -> Array:
    """Return a view of an array.

    Args:
        state: the lowering.
        array: the array.
        kind: the kind of the view, which tells how a part is put back.
        op: the op that makes it.
        args: its arguments behind the array.
        spec: the spec of the view.
        by_name: its arguments that are passed by name.
    """
    if not isinstance(spec, ArraySpec):
        raise state.refusal("AT301", f"a part of type {spec}")
    step = view_of(kind, op, args, len(spec.shape), by_name)
    extents = array.extents[::-1] if kind == "T" else ()
    atom = state.view(state.padded(array) if extents else state.read(array), step, spec.dtype)
    shape = array.spec.shape[::-1] if extents else spec.shape
    spec = ArraySpec(shape, spec.dtype)
    return Array(array.root, (*array.path, step), spec, atom, state.versions[array.root], extents)


def attribute_view(state: Lowering, array: Array, name: str, spec: Spec) -> Form:
    """Write ``array.T`` and attributes like it."""
    if not isinstance(spec, ArraySpec) or name not in ("T", "mT", "real", "imag"):
        raise state.refusal("AT304", f"the attribute {name} of an array")
    complex_ = array.dtype.kind == "c"
    if name == "real" and not complex_:
        return array
    if name == "imag" and not complex_:
        raise state.refusal("AT302", "the imaginary part of real numbers can't be written")
    return view(state, array, name, name, (), spec)


# -- reshape -------------------------------------------------------------------------------------------------


def shape_atoms(state: Lowering, shape: Any) -> tuple[list[Atom], tuple[Dim, ...]]:
    """Return the sizes that an argument gives, as atoms and as dimensions; they have to be known when JAX traces."""
    given: list[Any] = list(shape) if isinstance(shape, tuple | list) else [shape]
    atoms = [Lit(one) if isinstance(one, int) else state.host(one, "the size of an array") for one in given]
    dims = [dim_of(one) if isinstance(one, Number) else one for one in given]
    if not all(isinstance(one, int | Number) for one in given):
        raise state.refusal("AT301", "a size that is not an integer")
    return atoms, tuple(dims)


def reshape(state: Lowering, array: Array, shape: Any, spec: Spec) -> Form:
    """Write ``array.reshape(shape)``."""
    atoms, dims = shape_atoms(state, shape)
    if isinstance(spec, ArraySpec) and -1 not in dims:
        spec = ArraySpec(dims, spec.dtype)
    sizes = atoms if len(atoms) == 1 else [tuple(atoms)]
    return view(state, array, "reshape", ".reshape", sizes, spec)


def _reshape(
    state: Lowering,
    node: Node,
    a: Any,
    shape: Any = None,
    order: Any = "C",
    *,
    newshape: Any = None,
    copy: Any = None,
) -> Form:
    if order != "C" or copy is not None:
        raise state.refusal("AT304", "reshape in another order")
    return reshape(state, array_of(state, a), newshape if shape is None else shape, node.output.spec)


def _ravel(state: Lowering, node: Node, a: Any) -> Form:
    return view(state, array_of(state, a), "reshape", ".ravel", (), node.output.spec)


# -- axes ----------------------------------------------------------------------------------------------------


def _axes(name: str, kind: str) -> Rule:
    """Return the rule of a function whose other arguments are axes."""

    def make(state: Lowering, node: Node, a: Any, *args: Any, **named: Any) -> Form:
        array, spec = array_of(state, a), node.output.spec
        rest = [constant_of(state, one) for one in args]
        by_name = {key: constant_of(state, one) for key, one in named.items()}
        if kind == "T" and all(one is None for one in (*rest, *by_name.values())):
            return view(state, array, "T", "T", (), spec)
        moved = "moved" if kind == "T" else kind
        lits = {key: Lit(one) for key, one in by_name.items()}
        return view(state, array, moved, f"xp.{name}", list(map(Lit, rest)), spec, lits)

    return Rule(make)


def _broadcast_to(state: Lowering, node: Node, array: Any, shape: Any) -> Form:
    given = array_of(state, array)
    atoms, dims = shape_atoms(state, shape)
    return view(state, given, "broadcast", "xp.broadcast_to", [tuple(atoms)], ArraySpec(dims, given.dtype))


def _same(state: Lowering, node: Node, a: Any, *args: Any, **named: Any) -> Form:
    """Write ``asarray``: the array itself if nothing has to be converted."""
    spec = node.output.spec
    if not isinstance(spec, ArraySpec):
        raise state.refusal("AT301", f"an array of type {spec}")
    if isinstance(a, Array) and a.dtype == spec.dtype:
        return a
    return state.array(computed(state, a, spec.dtype), spec)


def _contiguous(state: Lowering, node: Node, a: Any, *args: Any, **named: Any) -> Form:
    """Write ``ascontiguousarray``, if it is certain whether it copies; an array without dimensions is refused."""
    if not isinstance(a, Array) or not a.rank:
        raise state.refusal("AT304", "a contiguous array of one item")
    found = _same(state, node, a)
    if found is a and not (a.root.packed and not a.path):
        raise state.refusal("AT302", "an array that may or may not have to be copied")
    return found


def _part(name: str) -> Rule:
    """Return the rule of ``np.real`` or ``np.imag``."""

    def make(state: Lowering, node: Node, val: Any) -> Form:
        return attribute_view(state, array_of(state, val), name, node.output.spec)

    return Rule(make)


RULES: Final = {
    "np.reshape": Rule(_reshape),
    "np.ravel": Rule(_ravel),
    "np.transpose": _axes("transpose", "T"),
    "np.permute_dims": _axes("transpose", "T"),
    "np.swapaxes": _axes("swapaxes", "swapaxes"),
    "np.moveaxis": _axes("moveaxis", "moved"),
    "np.matrix_transpose": _axes("matrix_transpose", "moved"),
    "np.squeeze": _axes("squeeze", "reshape"),
    "np.expand_dims": _axes("expand_dims", "reshape"),
    "np.flip": _axes("flip", "moved"),
    "np.fliplr": _axes("fliplr", "moved"),
    "np.flipud": _axes("flipud", "moved"),
    "np.rot90": _axes("rot90", "moved"),
    "np.diagonal": _axes("diagonal", "moved"),
    "np.broadcast_to": Rule(_broadcast_to),
    "np.atleast_1d": _axes("atleast_1d", "reshape"),
    "np.atleast_2d": _axes("atleast_2d", "reshape"),
    "np.asarray": Rule(_same),
    "np.asanyarray": Rule(_same),
    "np.ascontiguousarray": Rule(_contiguous),
    "np.real": _part("real"),
    "np.imag": _part("imag"),
}
