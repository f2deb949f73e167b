"""The results of a program: its outputs, and the source with which the host makes the outputs of the block of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from astrace.backends.jax.op_text import spelled
from astrace.backends.python_source.expressions import Code
from astrace.ir.block import Block, Constant, Value
from astrace.ir.specs import ArraySpec, GenericSpec, LiteralSpec, ScalarSpec, Spec, TupleSpec, UnionSpec
from astrace.ops.python.objects import make_object
from astrace.passes.functional import forms
from astrace.passes.functional.forms import (
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
from astrace.passes.functional.layout import lists
from astrace.passes.functional.program import Atom, Lit, atom_dtype
from astrace.passes.functional.state import TRUE, Lowering


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


class ResultWriter:
    """Writes results; a *slot* is the number of one of the program's outputs.

    Results are converted to NumPy (``asarray``) before they become numbers: JAX's own conversions are much slower.

    Args:
        outputs: the program's outputs.
        writes: the slots of the new contents of arguments, by their positions.
        names: the variables of arguments, by their positions.
        lines: statements in front of the results, to which it adds.
    """

    def __init__(
        self, outputs: Sequence[Atom], writes: Mapping[int, int], names: Mapping[int, str], lines: list[str]
    ) -> None:
        self._outputs = outputs
        self._writes = writes
        self._names = names
        self._lines = lines
        self._arrays: set[int] = set()
        self.objects: dict[str, Any] = {}
        self.inline = False

    def static(self, value: Any) -> str:
        """Write an object that is the same at every call."""
        if value is None or isinstance(value, bool | int | str):
            return repr(value)
        name = f"object{len(self.objects)}"
        self.objects[name] = value
        return name

    def number(self, slot: int, spec: ScalarSpec | GenericSpec) -> str:
        """Write a number."""
        if self.inline:
            return f"t{slot}"
        atom = self._outputs[slot]
        if isinstance(spec, GenericSpec):
            return f"asarray(t{slot}, {self.static(spec.dtype)})[()]"
        known = isinstance(atom, Constant) or atom_dtype(atom) is None
        return f"{spec.kind}(t{slot})" if known else f"asarray(t{slot}).item()"

    def device(self, slot: int) -> str:
        """Write a result of JAX."""
        return f"t{slot}"

    def array(self, slot: int, key: int) -> str:
        """Write a fresh array; one object that is returned twice is made once."""
        if self.inline:
            return f"t{slot}"
        if key not in self._arrays:
            self._lines.append(f"a{key} = array(t{slot})")
            self._arrays.add(key)
        return f"a{key}"

    def argument(self, index: int) -> str:
        """Write an argument that is returned; while JAX traces, its new contents if it is written."""
        written = self._writes.get(index) if self.inline else None
        return self._names[index] if written is None else f"t{written}"

    def view(self, base: Give, path: Sequence[View], slots: Sequence[Sequence[int | Constant]]) -> str:
        """Write a part of an array, as a program does but for the module."""
        text, home = base(self), "jnp" if self.inline else "np"
        for view, found in zip(path, slots, strict=True):
            codes = [Code(text), *map(self._slot, found)]
            text = spelled(view.op, codes, view.attrs.get("pattern"), lambda one: Code(repr(one)), home).text
        return text

    def _slot(self, slot: int | Constant) -> Code:
        if isinstance(slot, Constant):
            return Code(self.static(slot.value))
        return Code(f"t{slot}" if self.inline else f"int(asarray(t{slot}))")

    def items(self, parts: Sequence[Give], cls: type) -> str:
        """Write a tuple or a list."""
        inner = ", ".join(give(self) for give in parts)
        if cls is list:
            return f"[{inner}]"
        return self._of_class(cls, f"({inner}{',' if len(parts) == 1 else ''})")

    def _of_class(self, cls: type, items: str) -> str:
        """Write a tuple of a class, from one of the same items."""
        return items if cls is tuple else f"{self.static(cls)}._make({items})"

    def rows(self, before: Sequence[Give], slot: int) -> str:
        """Write a list of some items, and the rows of an array."""
        return f"[{''.join(f'{give(self)}, ' for give in before)}*t{slot}]"

    def made(self, cls: type, names: Sequence[Any], parts: Sequence[Give]) -> str:
        """Write a dict, or an instance of a class."""
        inner = [give(self) for give in parts]
        if cls is dict:
            return f"{{{', '.join(f'{name!r}: {one}' for name, one in zip(names, inner, strict=True))}}}"
        given = ", ".join([self.static(cls), repr(names), *inner])
        return f"{self.static(make_object)}({given})"

    def list_of(self, length: int, slots: Sequence[int], element: Spec, *, apart: bool) -> str:
        """Write a list; while JAX traces, its length has to be known."""
        left = iter(slots)
        if self.inline:
            return f"[{self._item(element, left)} for index in range(index_of(t{length}))]"
        return self._each(element, left) if apart else self._all(element, left, f"int(asarray(t{length}))")

    def _item(self, spec: Spec, slots: Iterator[int]) -> str:
        """Write item ``index`` of a list."""
        match spec:
            case TupleSpec():
                inner = "".join(f"{self._item(one, slots)}, " for one in spec.items)
                return self._of_class(spec.cls, f"({inner})")
            case UnionSpec():
                tag = next(slots)
                inner = ", ".join(self._item(one, slots) for one in spec.options)
                return f"support.chosen(t{tag}[index], {inner})"
            case LiteralSpec():
                return self.static(spec.value)
            case _:
                return f"t{next(slots)}[index]"

    def _all(self, spec: Spec, slots: Iterator[int], length: str) -> str:
        """Write all items of a list."""
        match spec:
            case ScalarSpec():
                return f"asarray(t{next(slots)})[:{length}].tolist()"
            case GenericSpec():
                return f"list(asarray(t{next(slots)}, {self.static(spec.dtype)})[:{length}])"
            case TupleSpec() if spec.items:
                inner = ", ".join(self._all(one, slots, length) for one in spec.items)
                return f"[{self._of_class(spec.cls, 'one')} for one in zip({inner})]"
            case UnionSpec():
                tags = f"asarray(t{next(slots)})[:{length}].tolist()"
                inner = ", ".join(self._all(one, slots, length) for one in spec.options)
                return f"[one[tag] for tag, *one in zip({tags}, {inner})]"
            case ArraySpec():
                return f"[array(one) for one in asarray(t{next(slots)})[:{length}]]"
            case _:
                value = spec.value if isinstance(spec, LiteralSpec) else ()
                return f"[{self.static(value)}] * {length}"

    def _each(self, spec: Spec, slots: Iterator[int]) -> str:
        """Write all items of a list that are kept in a tuple, each by itself."""
        match spec:
            case TupleSpec():
                inner = ", ".join(self._each(one, slots) for one in spec.items)
                return f"[{self._of_class(spec.cls, 'one')} for one in zip({inner})]"
            case GenericSpec():
                return f"[asarray(one, {self.static(spec.dtype)})[()] for one in t{next(slots)}]"
            case ScalarSpec():
                return f"[asarray(one).item() for one in t{next(slots)}]"
            case _:
                return f"[array(one) for one in t{next(slots)}]"

    def either(self, slot: int, options: Sequence[Give], *, alike: bool = False) -> str:
        """Write one of several results."""
        shown = [give(self) for give in options]
        if self.inline:
            return f"support.{'object_of' if alike else 'chosen'}(t{slot}, {', '.join(shown)})"
        known = isinstance(self._outputs[slot], Constant)
        tag = f"t{slot}" if known else f"asarray(t{slot}).item()"
        text = shown[-1]
        for index, option in reversed(list(enumerate(shown[:-1]))):
            if option != shown[-1]:
                text = f"{option} if {tag} == {index} else {text}"
        return f"({text})"


Give: TypeAlias = Callable[[ResultWriter], str]
"""Writes one result."""
