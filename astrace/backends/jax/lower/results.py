"""The results of a program: its outputs, and how the host makes the outputs of the block of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from astrace.backends.jax.lower import value_forms as forms
from astrace.backends.jax.lower.layout import lists
from astrace.backends.jax.lower.result_text import Give
from astrace.backends.jax.lower.state import TRUE, Lowering
from astrace.backends.jax.lower.value_forms import (
    Array,
    ArrayRoot,
    Form,
    Items,
    Number,
    Stack,
    View,
    columns_in,
    roots_of,
)
from astrace.backends.jax.program_ir import Atom, Lit
from astrace.ir.block import Block, Constant, Value


def argument(index: int) -> Give:
    """Return what writes an argument itself."""
    return lambda to: to.argument(index)


class Results:
    """The outputs of a program in the making.

    Args:
        state: the lowering, when all nodes are written.
        block: the block.
        inputs: the positions of the block's inputs, by the variables that hold them.
        given: the forms of the block's outputs.
    """

    def __init__(
        self, state: Lowering, block: Block, inputs: Mapping[Atom, int], given: Sequence[Form]
    ) -> None:
        self._state = state
        self._block = block
        self._inputs = inputs
        self.atoms: list[Atom] = []
        self.kept: list[int] = []
        self._slots: dict[Atom, int] = {}
        self._keys: dict[ArrayRoot, int] = {}
        self._once: list[Form] = []
        counts = Counter(root for form in given for root in (*roots_of(form), *columns_in(form)))
        self._given = set(counts)
        self._shared = {root for root, times in counts.items() if times > 1}
        possible = Counter(one for root in self._given for one in {root, *self._possible(root)})
        self._contested = {root for root, times in possible.items() if times > 1}

    def slot(self, atom: Atom) -> int:
        """Return the number of an output."""
        if isinstance(atom, Constant) or atom not in self._slots:
            self.atoms.append(atom)
            self._slots[atom] = len(self.atoms) - 1
        return self._slots[atom]

    def give(self, form: Form) -> Give:
        """Return what writes an output of the block.

        Raises:
            Refused: it can't be made of what the program puts out.
        """
        match form:
            case forms.Static(slice() as part) if isinstance(part.start, Number) or isinstance(
                part.stop, Number
            ):
                raise self._state.refusal("AT301", "a slice as a result")
            case forms.GivenText() | forms.Given():
                return argument(form.index)
            case forms.Static():
                return lambda to: to.static(form.value)
            case Number():
                return self._number(form)
            case forms.Device():
                return self._device(form)
            case Array():
                return self._array(form)
            case forms.Either() | forms.ChosenForm():
                return self._either(form)
            case Items() | forms.Rows() | forms.MadeForm() | Stack():
                return self._container(form)

    def _number(self, form: Number) -> Give:
        index = self._inputs.get(form.atom) if isinstance(form.atom, Value) else None
        if index is not None and self._block.inputs[index].spec == form.spec:
            return argument(index)
        slot = self.slot(form.atom)
        return lambda to: to.number(slot, form.spec)

    def _device(self, form: forms.Device) -> Give:
        self.kept += [] if form.kept in (None, TRUE) else [self.slot(form.kept)]
        if form.atom in self._inputs:
            return argument(self._inputs[form.atom])
        slot = self.slot(form.atom)
        return lambda to: to.device(slot)

    def _either(self, form: forms.Either | forms.ChosenForm) -> Give:
        slot = self.slot(form.tag if isinstance(form, forms.Either) else form.number)
        given = form.options if isinstance(form, forms.Either) else (form.made, *form.given)
        options, alike = [self.give(one) for one in given], isinstance(form, forms.ChosenForm)
        return lambda to: to.either(slot, options, alike=alike)

    # -- containers ----------------------------------------------------------------------------------

    def _container(self, form: Items | forms.Rows | forms.MadeForm | Stack) -> Give:
        if not isinstance(form, Items) or form.cls is list:
            self._check_once(form)
        if isinstance(form, Stack):
            return self._list(form)
        parts = [self.give(one) for one in (form.before if isinstance(form, forms.Rows) else form.items)]
        match form:
            case Items():
                return lambda to: to.items(parts, form.cls)
            case forms.MadeForm():
                return lambda to: to.made(form.cls, form.names, parts)
            case forms.Rows():
                slot = self.slot(form.atom)
                return lambda to: to.rows(parts, slot)

    def _check_once(self, form: Items | forms.MadeForm | forms.Rows | Stack) -> None:
        """Refuse a mutable object that comes out twice: it is made anew wherever it stands."""
        if any(form is one for one in self._once):
            name = "list" if isinstance(form, forms.Rows | Stack) else form.cls.__name__
            raise self._state.refusal("AT302", f"one {name} comes out under two names")
        self._once.append(form)

    def _list(self, stack: Stack) -> Give:
        state, growth = self._state, self._state.growth[stack.length]
        if growth.shared or any(one.may_share(root) for one in self._given for root in growth.held):
            raise state.refusal("AT302", "an array in a list that comes out is known elsewhere, too")
        if state.versions[stack.length] == Lit(0):
            return lambda to: to.items((), list)
        if growth.filled:
            held = [state.versions[root] for root in stack.columns]
        else:
            held = [state.read(lists.whole_column(state, root)) for root in stack.columns]
        length, slots = self.slot(state.versions[stack.length]), [self.slot(one) for one in held]
        return lambda to: to.list_of(length, slots, stack.element, apart=growth.filled)

    # -- arrays --------------------------------------------------------------------------------------

    def _array(self, array: Array) -> Give:
        state, root = self._state, array.root
        current = state.read(array)
        self._check_kept(root)
        if any(one.argument is not None or one in self._contested for one in self._possible(root)):
            return self._one_of(array)
        key = self._keys.setdefault(root, len(self._keys))
        if root.argument is None and any(view.kind == "broadcast" for view in array.path):
            raise state.refusal("AT302", "an array that can't be written comes out")
        if root.argument is None and (root not in self._shared or not array.path):
            return self._whole(current, key)
        base = self._whole(state.versions[root], key) if root.argument is None else argument(root.argument)
        if any(view.options for view in array.path):
            raise state.refusal("AT302", "which part of an array comes out is decided when the program runs")
        return self._part_of(base, array.path)

    def _whole(self, atom: Atom, key: int) -> Give:
        slot = self.slot(atom)
        return lambda to: to.array(slot, key)

    def _check_kept(self, root: ArrayRoot) -> None:
        """Refuse an array that was taken from a list and is known elsewhere, too."""
        for growth in self._state.growth.values():
            if not root.may_be.isdisjoint(growth.columns):
                if growth.shared:
                    raise self._state.refusal("AT302", "an array from a list is known elsewhere, too")
                growth.shared = True

    def _one_of(self, array: Array) -> Give:
        """Return what writes an array that is one of several, which may be arguments or come out themselves."""
        state, root = self._state, array.root
        which = state.tags.get(root)
        if which is None or any(view.options for view in array.path) or state.stale & {root, *which.objects}:
            raise state.refusal("AT302", "whether a result is an argument is decided when the program runs")
        new = self._object(root)
        known = {one for one in which.possible if one.argument is not None or one in self._contested}
        found = [self._object(one) if one in known else new for one in which.objects]
        slot, options = self.slot(which.number), found if which.is_one else [*found, new]
        return self._part_of(lambda to: to.either(slot, options), array.path)

    def _object(self, root: ArrayRoot) -> Give:
        if root.argument is not None:
            return argument(root.argument)
        return self._whole(self._state.versions[root], self._keys.setdefault(root, len(self._keys)))

    def _part_of(self, base: Give, path: Sequence[View]) -> Give:
        """Return what writes a view of an array, or the array itself."""
        slots = [
            [atom if isinstance(atom, Constant) else self.slot(atom) for atom in view.args] for view in path
        ]
        return (lambda to: to.view(base, path, slots)) if path else base

    def _possible(self, root: ArrayRoot) -> frozenset[ArrayRoot]:
        """Return the objects that an array may be, beside one of its own."""
        return self._state.tags[root].possible if root in self._state.tags else root.may_be
