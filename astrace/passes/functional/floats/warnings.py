"""Floating-point warnings and errors: the program detects them, and the exact backend runs the call.

NumPy reads the processor's flags after each operation: a NaN computed from numbers, an infinity computed from
finite ones.  A program checks the results of expressions: NaN and infinity go on through sums, products
and the like, so only the end of such a tree is compared with the arrays it was computed from (its *leaves*).

Numbers so small that compiled programs count them as zero, or whose products may be, are searched for in the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from astrace.ir.block import Constant, Node, Value
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec
from astrace.passes.analysis.propagation import IN_PLACE, ITEM_BY_ITEM, is_watched, keeps
from astrace.passes.functional.dtypes import BOOL
from astrace.passes.functional.floats.watch import FloatSources
from astrace.passes.functional.forms import Array, ArrayRoot, Form, Number
from astrace.passes.functional.program import Atom, Lit, atom_dtype, atom_rank
from astrace.passes.functional.state import Lowering

DIVISIONS: Final = frozenset(
    {"floordiv", "mod", "np.floor_divide", "np.remainder", "np.fmod", "ifloordiv", "imod"}
)


def leaves_of(state: Lowering, node: Node) -> FloatSources | None:
    """Return the leaves of a node's result, before it is computed; ``None`` if it needs no check."""
    if state.watch is None or not (is_watched(node) or (keeps(node) and node.output in state.watch.pending)):
        return None
    aligned = node.op in ITEM_BY_ITEM
    if state.watch.finite:
        return FloatSources((), aligned)
    found: dict[Atom, None] = {}
    for operand in node.inputs:
        known = state.watch.leaves.get(operand) if isinstance(operand, Value) else None
        if known is not None:
            found |= dict.fromkeys(known.atoms)
            aligned &= known.aligned
        elif isinstance(operand, Value):
            found |= dict.fromkeys(_atoms(state, state.env.get(operand)))
    return FloatSources(tuple(found), aligned)


def _atoms(state: Lowering, form: Form | None) -> Sequence[Value]:
    """Return the variable of an operand that holds floats; nothing for other operands."""
    if isinstance(form, Number) and form.dtype.kind in "fc" and isinstance(form.atom, Value):
        return (form.atom,) if atom_dtype(form.atom) is not None else ()
    if isinstance(form, Array) and form.dtype.kind in "fc" and not any(form.extents):
        atom = state.read(form)
        return (atom,) if isinstance(atom, Value) else ()
    return ()


def check_result(state: Lowering, node: Node, leaves: FloatSources | None) -> None:
    """Check the result of a node, or leave that to what is computed from it."""
    if state.watch is not None and node.op in DIVISIONS:
        _check_divisor(state, node)
    if node.op in TINY and not state.loops:
        _check_underflow(state, node)
    if leaves is None or _is_checked_behind(state, node):
        return
    form = state.env.get(node.output)
    settled = isinstance(form, Number) or state.sharing.is_settled(node.output)
    watch = state.watch
    new = node.op not in IN_PLACE or isinstance(form, Number)
    if watch is not None and node.output in watch.pending and settled and new:
        watch.leaves[node.output] = leaves
        return
    for atom in _atoms(state, form):
        _check_value(state, atom, leaves)


def _is_checked_behind(state: Lowering, node: Node) -> bool:
    """Return whether an op changes an array that existed when the iteration of a loop began."""
    target = node.inputs[0] if node.op in IN_PLACE and state.loops else None
    form = state.env.get(target) if isinstance(target, Value) else None
    return isinstance(form, Array) and form.root in state.inherited


def _check_value(state: Lowering, atom: Value, leaves: FloatSources) -> None:
    """Check a result against its leaves, now or together with others."""
    watch = state.watch
    if (
        watch is not None
        and watch.finite
        and atom_rank(atom)
        and state.scope is watch.home
        and state.guard is None
    ):
        watch.deferred[atom] = None
        return
    together = bool(leaves.atoms) and not leaves.aligned
    name = "no_warning_as_a_whole" if together else "no_warnings" if atom_rank(atom) else "no_warning"
    state.check(state.expr(f"support.{name}", (atom, *leaves.atoms), BOOL))


def check_together(state: Lowering) -> None:
    """Check the arrays that are checked together: before a loop, which ends if the check fails, or at the end."""
    if state.watch is None or not state.watch.deferred or state.scope is not state.watch.home:
        return
    atoms = tuple(state.watch.deferred)
    state.watch.deferred.clear()
    state.check(state.expr("support.all_finite", atoms, BOOL))


@dataclass(frozen=True, slots=True)
class Before:
    """The state of variables before a loop.

    Args:
        versions: the contents of arrays.
        atoms: the floats that are inputs of the loop.
        inside: the loop is in the body of another one.
    """

    versions: Mapping[ArrayRoot, Atom]
    atoms: tuple[Atom, ...]
    inside: bool


def before_loop(state: Lowering, node: Node) -> Before | None:
    """Return the state of variables before a loop; ``None`` if nothing is checked behind it."""
    if state.watch is None:
        return None
    if state.watch.finite:
        return Before(dict(state.versions), (), bool(state.loops))
    forms = [state.env.get(operand) for operand in node.inputs if isinstance(operand, Value)]
    arrays = (one for one in forms if not isinstance(one, Array) or one.root not in state.stale)
    found = dict.fromkeys(atom for form in arrays for atom in _atoms(state, form))
    return Before(dict(state.versions), tuple(found), bool(state.loops))


def check_loop(state: Lowering, node: Node, before: Before | None) -> None:
    """Check the arrays and numbers that a loop has made; those that an outer iteration hands on are checked later."""
    if before is None or state.watch is None:
        return
    lists = {root for growth in state.growth.values() for root in growth.columns}
    lists |= state.inherited if before.inside else set()
    made = {
        version: None
        for root, version in state.versions.items()
        if before.versions.get(root, version) is not version and root not in lists and _holds_floats(version)
    }
    later = state.watch.pending if before.inside and state.watch.finite else ()
    forms = [state.env.get(output) for output in node.outputs if output not in later]
    fresh = (one for one in forms if not isinstance(one, Array) or one.root not in before.versions)
    made |= {atom: None for form in fresh if not _is_python(form) for atom in _atoms(state, form)}
    for atom in made:
        if isinstance(atom, Value):
            _check_value(state, atom, FloatSources(before.atoms, aligned=False))


def _holds_floats(atom: Atom) -> bool:
    dtype = atom_dtype(atom)
    return dtype is not None and dtype.kind in "fc"


def _is_python(form: Form | None) -> bool:
    """Return whether a form is a Python number, of which Python does not warn."""
    return isinstance(form, Number) and isinstance(form.spec, ScalarSpec)


def _check_divisor(state: Lowering, node: Node) -> None:
    """Check that no integer is divided by zero, of which NumPy warns."""
    spec, operand = node.outputs[0].spec, node.inputs[1]
    if not isinstance(spec, ArraySpec | GenericSpec) or spec.dtype.kind not in "iu":
        return
    if isinstance(operand, Constant):
        if not np.all(operand.value):
            state.fail()
        return
    form = state.env.get(operand)
    if isinstance(form, Number) and isinstance(form.atom, Value) and form.bounds[0] <= 0 <= form.bounds[1]:
        if atom_dtype(form.atom) is not None:
            state.check(state.expr("ne", (form.atom, Lit(0)), BOOL))
    elif isinstance(form, Array) and not any(form.extents):
        state.check(state.expr("all_ne", (state.read(form), Lit(0)), BOOL))


TINY: Final[Mapping[str, Mapping[str, tuple[float, float]]]] = {
    "np.exp": {"d": (-745.2, -708.3), "f": (-104.0, -87.3)},
    "np.exp2": {"d": (-1075.1, -1021.9), "f": (-150.1, -125.9)},
}
"""The range of exponents whose powers compiled programs count as zero, by the character of the dtype."""


def _check_underflow(state: Lowering, node: Node) -> None:
    """Check that no power is so small that compiled programs count it as zero."""
    form = state.env.get(node.inputs[0]) if isinstance(node.inputs[0], Value) else None
    dtype = form.dtype if isinstance(form, Number) else form.dtype if isinstance(form, Array) else None
    if state.watch is None or dtype is None or dtype.char not in TINY[node.op]:
        return
    low, high = TINY[node.op][dtype.char]
    for atom in _atoms(state, form):
        state.check(state.expr("none_between", (atom, Lit(low), Lit(high)), BOOL))


def check_inputs(state: Lowering, inputs: Sequence[Value]) -> None:
    """Check that no input, nor a product of inputs, is so small that compiled programs count it as zero."""
    if state.watch is None or not state.watch.computes:
        return
    found = [one for one in inputs if (dtype := atom_dtype(one)) is not None and dtype.char in "fdFD"]
    if found:
        state.check(state.expr("support.is_well_scaled", found, BOOL))
