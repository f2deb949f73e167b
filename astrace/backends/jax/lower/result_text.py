"""Results as Python source: what the host makes of the variables that a program puts out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from astrace.backends.jax.lower.value_forms import View
from astrace.backends.jax.program_ir import Atom, atom_dtype
from astrace.backends.jax.program_ops import spelled
from astrace.backends.python_source.expressions import Code
from astrace.ir.block import Constant
from astrace.ir.specs import ArraySpec, GenericSpec, LiteralSpec, ScalarSpec, Spec, TupleSpec, UnionSpec
from astrace.ops.python.objects import make_object


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
