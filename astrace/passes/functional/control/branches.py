"""``cond``: both branches are written, and variables behind them hold the values and arrays that they put out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from astrace.ir.block import NO_ATTRS, Block, Constant, Node, Value, region_inputs
from astrace.ir.control import always_raises
from astrace.ir.specs import AnySpec, ArraySpec, ListSpec, Spec, UnionSpec
from astrace.ops.jax.arrays import common_dtype
from astrace.passes.functional.conversions import truth
from astrace.passes.functional.dtypes import BOOL, INT
from astrace.passes.functional.forms import Array, ArrayRoot, Form, Number, View, Which, roots_of, same_form
from astrace.passes.functional.layout.array_identity import arrays_in, number_among, objects_of, which_of
from astrace.passes.functional.layout.flatten import flatten, is_single, spec_of_form, unflatten, variables
from astrace.passes.functional.program import PROMOTES, Atom, identity, value_like, variable
from astrace.passes.functional.state import Branch, Lowering

Lower: TypeAlias = Callable[[Lowering, Block], list[Form]]
"""Writes the nodes of a block and gives the forms of its outputs."""


def captured(state: Lowering, node: Node) -> None:
    """Bind the captures of all regions to the forms of the operands that they stand for."""
    for _, inner, outer in region_inputs(node):
        for value, operand in zip(inner, outer, strict=True):
            if isinstance(operand, Constant) or operand in state.env:
                state.env[value] = state.form(operand)


def cond(state: Lowering, node: Node, lower: Lower) -> None:
    """Write ``cond``; a branch that only raises becomes a check, and the other one is written without a branch."""
    test = truth(state, state.form(node.inputs[0]))
    captured(state, node)
    for index, region in enumerate(node.regions):
        if always_raises(region):
            state.check(state.invert(test) if index == 0 else test)
            _inline(state, node, 1 - index, lower)
            return
    if isinstance(test, Constant):
        _inline(state, node, 0 if test.value else 1, lower)
        return
    merger = BranchMerger(state, node)
    for region in node.regions:
        with state.inside(state.branch()) as branch:
            merger.forms.append(lower(state, region))
        merger.branches.append(branch)
    merger.merge(test)


def _inline(state: Lowering, node: Node, index: int, lower: Lower) -> None:
    if always_raises(node.regions[index]):
        raise state.refusal("AT304", "both branches raise")
    for output, form in zip(node.outputs, lower(state, node.regions[index]), strict=True):
        state.env[output] = form


class BranchMerger:
    """Two branches on their way to one ``cond`` step.

    Args:
        state: the lowering.
        node: the ``cond``.
    """

    def __init__(self, state: Lowering, node: Node) -> None:
        self.state = state
        self.node = node
        self.branches: list[Branch] = []
        self.forms: list[list[Form]] = []
        self._outs: list[Value] = []
        self._outputs: list[list[Atom]] = [[], []]
        self._promotes = False
        self._views: list[tuple[Value, Sequence[Form]]] = []

    def merge(self, test: Atom) -> None:
        """Write the step."""
        state = self.state
        before = list(state.versions)
        for position, output in enumerate(self.node.outputs):
            self._output(output, [forms[position] for forms in self.forms])
        self._check_unsettled()
        for root in before:
            pair = [branch.versions[root] for branch in self.branches]
            state.versions[root] = self._version(root, pair)
        state.ok = self._one_of(variable(BOOL, 0, "ok"), [branch.ok for branch in self.branches])
        state.stale = self.branches[0].stale | self.branches[1].stale
        parts = [
            branch.scope.block(tuple(found))
            for branch, found in zip(self.branches, self._outputs, strict=True)
        ]
        attrs = PROMOTES if self._promotes else NO_ATTRS
        state.add(Node("cond", (test,), tuple(self._outs), attrs, tuple(parts), self.node.location))
        for output, forms in self._views:
            bind(state, output, self._either_view(test, output, forms))

    def _put(self, made: Sequence[Value], atoms: Sequence[Sequence[Atom]]) -> None:
        self._outs.extend(made)
        for outputs, found in zip(self._outputs, atoms, strict=True):
            outputs.extend(found)

    def _output(self, output: Value, forms: Sequence[Form]) -> None:
        state = self.state
        if same_form(forms[0], forms[1]):
            state.env[output] = forms[0]
            return
        if self._is_one_array(output, forms):
            self._views.append((output, forms))
            return
        self._check_views(output, forms)
        state.keeps(root for form in forms for root in roots_of(form))
        made = variables(state, output.spec, output.name)
        atoms: list[list[Atom]] = []
        for branch, form in zip(self.branches, forms, strict=True):
            with state.inside(branch):
                atoms.append(flatten(state, form, output.spec))
        self._put(made, atoms)
        self._promotes |= state.device and not all_of(forms, output.spec)
        merged = unflatten(state, output.spec, iter(made), origins_of(state, forms))
        bind(state, output, bounded(merged, forms))
        self._tell(merged, forms, output.spec)

    def _tell(self, merged: Form, forms: Sequence[Form], spec: Spec) -> None:
        """Add outputs that tell which objects arrays are."""
        state = self.state
        for made, *arrays in zip(*(arrays_in(one, spec) for one in (merged, *forms)), strict=True):
            found = [which_of(state, array) for array in arrays]
            objects = objects_of(found, state.versions)
            if not isinstance(made, Array) or None in found or not objects:
                continue
            numbers: list[list[Atom]] = []
            for branch, which in zip(self.branches, found, strict=True):
                with state.inside(branch):
                    numbers += [[number_among(state, which, objects)]] if which is not None else []
            number = variable(INT, 0, "which")
            self._put([number], numbers)
            possible = frozenset[ArrayRoot]().union(*(which.possible for which in found if which is not None))
            state.tags[made.root] = Which(number, objects, possible)

    def _is_one_array(self, output: Value, forms: Sequence[Form]) -> bool:
        """Return whether two forms are parts of the same array, of which one is written: ``x.T if flipped else x``."""
        arrays = [one for one in forms if isinstance(one, Array) and not one.extents]
        if self.state.sharing.is_settled(output) or len(arrays) < len(forms):
            return False
        inside = {out for branch in self.branches for step in branch.scope.nodes for out in step.outputs}
        known = all(atom not in inside for one in arrays for view in one.path for atom in view.args)
        return known and arrays[0].root is arrays[1].root and arrays[0].root in self.state.versions

    def _either_view(self, test: Atom, output: Value, forms: Sequence[Form]) -> Array:
        """Return the part of an array that a test chooses."""
        left, right = (form for form in forms if isinstance(form, Array))
        spec = output.spec
        assert isinstance(spec, ArraySpec)
        view = View("either", "", (test,), NO_ATTRS, len(spec.shape), options=(left.path, right.path))
        version = self.state.versions[left.root]
        return Array(left.root, (view,), spec, self.state.view(version, view, spec.dtype), version)

    def _check_views(self, output: Value, forms: Sequence[Form]) -> None:
        """Refuse to make a separate variable of a part of an array that is written."""
        if self.state.sharing.is_settled(output):
            return
        if any(isinstance(form, Array) and form.path for form in forms):
            raise self.state.refusal("AT302", "which array is meant is decided when the program runs")

    def _check_unsettled(self) -> None:
        """Refuse an array that is written and leaves a branch under two names."""
        for branch, forms in zip(self.branches, self.forms, strict=True):
            inner = [root for form in forms for root in roots_of(form) if root not in self.state.versions]
            written = [root for root in inner if root in self.state.unsettled and root in branch.versions]
            if len(written) != len(set(written)):
                raise self.state.refusal("AT302", "one array leaves a branch under two names")

    def _version(self, root: ArrayRoot, pair: Sequence[Atom]) -> Atom:
        return (
            pair[0]
            if identity(pair[0]) == identity(pair[1])
            else self._one_of(version_like(self.state, root), pair)
        )

    def _one_of(self, version: Value, pair: Sequence[Atom]) -> Atom:
        if identity(pair[0]) == identity(pair[1]):
            return pair[0]
        self._put([version], [[atom] for atom in pair])
        return version


def origins_of(state: Lowering, forms: Sequence[Form]) -> frozenset[ArrayRoot]:
    """Return the array objects, known around a part, that forms from inside may be."""
    return frozenset(root for root in possible_roots(forms) if root in state.versions)


def possible_roots(forms: Sequence[Form]) -> set[ArrayRoot]:
    """Return the array objects in forms, and those that they may be."""
    roots = {root for form in forms for root in roots_of(form)}
    return roots.union(*(root.may_be for root in roots))


def all_of(forms: Sequence[Form], spec: Spec) -> bool:
    """Return whether all forms are just what ``spec`` describes, so that nothing has to be promoted."""
    if isinstance(spec, UnionSpec) and common_dtype(spec) is not None:
        return all(map(is_single, forms))
    plain = not isinstance(spec, AnySpec | ListSpec | UnionSpec)
    return plain and all(spec_of_form(form) == spec for form in forms)


def bounded(form: Form, forms: Sequence[Form]) -> Form:
    """Return a number with bounds that hold for all forms it may be; other forms as they are."""
    numbers = [one for one in forms if isinstance(one, Number)]
    if not isinstance(form, Number) or len(numbers) < len(forms):
        return form
    bounds = (min(one.bounds[0] for one in numbers), max(one.bounds[1] for one in numbers))
    return replace(form, bounds=bounds)


def bind(state: Lowering, value: Value, form: Form) -> None:
    """Bind a value to its form, and remember which array objects are written somewhere."""
    state.env[value] = form
    if not state.sharing.is_settled(value):
        state.unsettled.update(roots_of(form))


def written_roots(state: Lowering) -> list[ArrayRoot]:
    """Return the arrays that a loop may write, in the order in which they were made."""
    return [root for root in state.versions if root in state.unsettled or root in state.growing]


def version_like(state: Lowering, root: ArrayRoot) -> Value:
    """Return a variable like the one that holds an array, or a part of a list."""
    if root in state.known:
        return variable(None)
    if root in state.places:
        return variable(*state.places[root])
    like = state.versions[root]
    assert isinstance(like, Value)
    return value_like(like)
