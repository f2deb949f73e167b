"""What NumPy warns of, or raises where `np.errstate` says so: the program finds out, and the exact backend does it.

NumPy looks at the processor's flags after each operation: a number that is none (NaN) made of numbers, an infinity made
of finite ones.  A program looks at the results of expressions: what is not finite goes on through sums, products
and the like, so only the end of such a tree is compared with the arrays it was made of (its *leaves*).

Numbers so small that XLA counts them as zero, or whose products may be, are looked for where they come in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from astrace.backends.jax.lower.forms import Array, Form, Number, Root
from astrace.backends.jax.lower.names import MAY_WARN, SUMS
from astrace.backends.jax.program import Atom, Lit, Var
from astrace.ir.block import Block, Constant, Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec
from astrace.ir.walk import nodes

if TYPE_CHECKING:
    from astrace.backends.jax.lower.state import State

BOOL: Final = np.dtype(bool)
OPERATORS: Final = frozenset(["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"])
IN_PLACE: Final = frozenset(["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow"])
UFUNCS: Final = frozenset(f"np.{name}" for name in MAY_WARN)
ITEM_BY_ITEM: Final = OPERATORS | IN_PLACE | UFUNCS | {"ndarray.astype"}
"""Ops that compute each item from items at the same place, and may warn."""
WHOLE: Final = frozenset(
    {"matmul", "np.matmul", "np.linalg.norm"}
    | {
        f"{owner}.{name}"
        for owner in ("np", "ndarray")
        for name in [
            *SUMS,
            "dot",
            "average",
            "gradient",
            "vdot",
            "inner",
            "outer",
            "tensordot",
            "convolve",
            "correlate",
            "polyval",
            "cumulative_sum",
            "cumulative_prod",
            "cross",
            "kron",
            "einsum",
            "cov",
            "corrcoef",
            "interp",
            "logspace",
            "geomspace",
            "linspace",
            "add.reduce",
            "multiply.reduce",
        ]
    }
)
"""Ops that compute items from many, and may warn."""
GOES_ON: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(
        ("add", "sub", "mul", "np.add", "np.subtract", "np.multiply", "matmul", "np.dot"), (0, 1)
    ),
    **dict.fromkeys(("iadd", "isub", "imul"), (1,)),
    **dict.fromkeys(("truediv", "np.divide", "np.sqrt", "np.square", "np.sum", "ndarray.sum"), (0,)),
    **dict.fromkeys(("np.mean", "ndarray.mean", "np.sin", "np.cos", "np.tan"), (0,)),
}
"""Of which operands everything that is not finite makes something of the result that is not, where nothing is zero-sized."""
DIVISIONS: Final = frozenset(
    {"floordiv", "mod", "np.floor_divide", "np.remainder", "np.fmod", "ifloordiv", "imod"}
)
MOVES: Final = frozenset(
    [
        "get_item",
        "set_item",
        "make_tuple",
        "make_list",
        "unpack",
        "dim",
        "len",
        "np.reshape",
        "ndarray.reshape",
        "np.copy",
        "ndarray.copy",
        "np.transpose",
        "ndarray.transpose",
        "np.ravel",
        "ndarray.ravel",
    ]
)
"""Ops that take items from one place to another."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What is to be looked at in a block.

    Args:
        pending: values that are looked at in what is made of them.
        computes: something is done with numbers at all.
        leaves: what values that have not been looked at so far are made of.
    """

    pending: frozenset[Value]
    computes: bool
    leaves: dict[Value, Leaves] = field(default_factory=dict[Value, "Leaves"])

    @staticmethod
    def of(block: Block) -> Watch:
        """What is to be looked at in a block, and the blocks in it."""
        return Watch(frozenset(_going_on(block, False)), any(node.op not in MOVES for node in nodes(block)))


LOOPS: Final = ("for_loop", "while_loop")


def _going_on(block: Block, turns: bool) -> Iterator[Value]:
    """The values from which what is not finite goes on to others.

    Args:
        block: whose values, and those of the blocks in it.
        turns: it is run again and again.  What a turn stores, or hands to the next one, is looked at when the loop has
            ended: to look at each turn would cost more than the turns.
    """
    made = {output for node in block.nodes if _is_watched(node) for output in node.outputs}
    yield from made.intersection(block.outputs if turns else ())
    for node in block.nodes:
        positions = GOES_ON.get(node.op, ()) if _is_watched(node) else ()
        positions = (2,) if turns and node.op == "set_item" else positions
        given = (node.inputs[position] for position in positions if position < len(node.inputs))
        yield from made.intersection(one for one in given if isinstance(one, Value))
        for region in node.regions:
            yield from _going_on(region, turns or node.op in LOOPS)


def _is_watched(node: Node) -> bool:
    """Whether an op may warn of what it makes: floats."""
    return (
        node.op in ITEM_BY_ITEM | WHOLE
        and len(node.outputs) == 1
        and _is_float(node.output.spec)
        and not isinstance(node.output.spec, ScalarSpec)  # Python's own numbers warn of nothing
    )


def _is_float(spec: Spec) -> bool:
    return isinstance(spec, ArraySpec | GenericSpec) and spec.dtype.kind in "fc"


@dataclass(frozen=True, slots=True)
class Leaves:
    """What a value was made of.

    Args:
        atoms: the variables that hold it.
        aligned: each item was made of those at its place.
    """

    atoms: tuple[Atom, ...]
    aligned: bool


def leaves_of(state: State, node: Node) -> Leaves | None:
    """What the result of a node is made of, before it is made; ``None`` where nothing is to be looked at."""
    if state.watch is None or not _is_watched(node):
        return None
    found: dict[Atom, None] = {}
    aligned = node.op in ITEM_BY_ITEM
    for operand in node.inputs:
        known = state.watch.leaves.get(operand) if isinstance(operand, Value) else None
        if known is not None:
            found |= dict.fromkeys(known.atoms)
            aligned &= known.aligned
        elif isinstance(operand, Value):
            found |= dict.fromkeys(_atoms(state, state.env.get(operand)))
    return Leaves(tuple(found), aligned)


def _atoms(state: State, form: Form | None) -> Sequence[Atom]:
    """The variable of an operand that is a float, or floats."""
    if isinstance(form, Number) and form.dtype.kind in "fc" and isinstance(form.atom, Var):
        return (form.atom,) if form.atom.dtype is not None else ()
    if isinstance(form, Array) and form.spec.dtype.kind in "fc" and not any(form.extents):
        return (state.read(form),)
    return ()


def look(state: State, node: Node, leaves: Leaves | None) -> None:
    """Check what a node has made, or leave that to what is made of it."""
    if state.watch is not None and node.op in DIVISIONS:
        _check_divisor(state, node)
    if node.op in TINY and not state.loops:
        _check_underflow(state, node)
    in_turn = node.op in IN_PLACE and bool(state.loops)  # what it changes is looked at behind the loop
    if leaves is None or in_turn:
        return
    form = state.env.get(node.output)
    settled = isinstance(form, Number) or state.sharing.is_settled(node.output)
    watch = state.watch
    if watch is not None and node.output in watch.pending and settled and node.op not in IN_PLACE:
        watch.leaves[node.output] = leaves
        return
    (atom, *_) = (*_atoms(state, form), Lit(None))
    if isinstance(atom, Lit):
        return
    name = ("all_calm" if atom.rank else "calm") if leaves.aligned else "calm_as_a_whole"
    holes = ", ".join(f"{{{index}}}" for index in range(1 + len(leaves.atoms)))
    state.check(state.expr(f"support.{name}({holes})", (atom, *leaves.atoms), BOOL))


@dataclass(frozen=True, slots=True)
class Before:
    """What was there before a loop.

    Args:
        versions: what arrays held.
        atoms: the floats that the loop is given.
    """

    versions: Mapping[Root, Atom]
    atoms: tuple[Atom, ...]


def before_loop(state: State, node: Node) -> Before | None:
    """What is there before a loop; ``None`` where nothing is to be looked at behind it."""
    if state.watch is None or state.loops:
        return None
    forms = [state.env.get(operand) for operand in node.inputs if isinstance(operand, Value)]
    arrays = (one for one in forms if not isinstance(one, Array) or one.root not in state.poisoned)
    found = dict.fromkeys(atom for form in arrays for atom in _atoms(state, form))
    return Before(dict(state.versions), tuple(found))


def look_behind(state: State, node: Node, before: Before | None) -> None:
    """Check what a loop has made of arrays and numbers, as a whole."""
    if before is None:
        return
    lists = {root for growth in state.growth.values() for root in growth.columns}
    made = {
        version: None
        for root, version in state.versions.items()
        if before.versions.get(root, version) is not version and root not in lists and _holds_floats(version)
    }
    forms = [state.env.get(output) for output in node.outputs]
    fresh = (one for one in forms if not isinstance(one, Array) or one.root not in before.versions)
    made |= {atom: None for form in fresh if not _is_python(form) for atom in _atoms(state, form)}
    for atom in made:
        holes = ", ".join(f"{{{index}}}" for index in range(1 + len(before.atoms)))
        text = f"support.calm_as_a_whole({holes})"
        state.check(state.expr(text, (atom, *before.atoms), BOOL))


def _holds_floats(atom: Atom) -> bool:
    return isinstance(atom, Var) and atom.dtype is not None and atom.dtype.kind in "fc"


def _is_python(form: Form | None) -> bool:
    """Whether a form is a number of Python's own, which warn of nothing."""
    return isinstance(form, Number) and isinstance(form.spec, ScalarSpec)


def _check_divisor(state: State, node: Node) -> None:
    """NumPy warns of integers that are divided by zero."""
    spec, operand = node.outputs[0].spec, node.inputs[1]
    if not isinstance(spec, ArraySpec | GenericSpec) or spec.dtype.kind not in "iu":
        return
    if isinstance(operand, Constant):
        if not np.all(operand.value):
            state.fail()
        return
    form = state.env.get(operand)
    if isinstance(form, Number) and isinstance(form.atom, Var) and form.bounds[0] <= 0 <= form.bounds[1]:
        if form.atom.dtype is not None:
            state.check(state.expr("{0:6} != 0", (form.atom,), BOOL, level=5))
    elif isinstance(form, Array) and not any(form.extents):
        state.check(state.expr("jnp.all({0:6} != 0)", (state.read(form),), BOOL))


TINY: Final[Mapping[str, Mapping[str, tuple[float, float]]]] = {
    "np.exp": {"d": (-745.2, -708.3), "f": (-104.0, -87.3)},
    "np.exp2": {"d": (-1075.1, -1021.9), "f": (-150.1, -125.9)},
}
"""Between which exponents the result is a number that XLA counts as zero, by the character of its dtype."""


def _check_underflow(state: State, node: Node) -> None:
    """Leave exponents to the exact backend whose powers XLA counts as zero."""
    form = state.env.get(node.inputs[0]) if isinstance(node.inputs[0], Value) else None
    dtype = form.dtype if isinstance(form, Number) else form.spec.dtype if isinstance(form, Array) else None
    if state.watch is None or dtype is None or dtype.char not in TINY[node.op]:
        return
    low, high = TINY[node.op][dtype.char]
    for atom in _atoms(state, form):
        text = f"~jnp.any(({{0:6}} > {low}) & ({{0:6}} < {high}))"
        state.check(state.expr(text, (atom,), BOOL, level=12))


def check_inputs(state: State, inputs: Sequence[Var]) -> None:
    """Leave a call to the exact backend whose numbers, or products of them, XLA would count as zero."""
    if state.watch is None or not state.watch.computes:
        return
    for one in inputs:
        if one.dtype is not None and one.dtype.kind in "fc" and one.dtype.char in "fdFD":
            state.check(state.expr("support.is_usual({0})", (one,), BOOL))
