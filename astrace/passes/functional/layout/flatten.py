"""Forms as flat variables and back, for the outputs of branches and the values that loops carry.

In programs of device arrays, a number is carried in the dtype that the array library gives to all of a union.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from astrace.ir.block import Constant, Value
from astrace.ir.constants import UNSET
from astrace.ir.specs import (
    AnySpec,
    ArraySpec,
    DeviceSpec,
    GenericSpec,
    ListSpec,
    LiteralSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    UnionSpec,
    covers,
    spec_of,
)
from astrace.ir.unions import option_of
from astrace.ops.jax.arrays import common_dtype, is_promoted, joined_with_numbers
from astrace.passes.functional.dtypes import BOOL, INT, PYTHON_DTYPES
from astrace.passes.functional.forms import (
    FULL,
    PLAIN,
    Array,
    ArrayRoot,
    ChosenForm,
    Device,
    Either,
    Form,
    Given,
    GivenText,
    Items,
    MadeForm,
    Number,
    Place,
    Rows,
    Stack,
    Static,
)
from astrace.passes.functional.program import DEVICE, MISSING, Atom, Lit, atom_rank, scalar_type, variable
from astrace.passes.functional.refusal import COMPILER, Refused, no_form
from astrace.passes.functional.state import Lowering


def layout(spec: Spec, device: bool = False) -> Iterator[Place]:
    """Yield dtype and rank of the variables that hold a value of ``spec``.

    Args:
        spec: the spec.
        device: the value is in a program of device arrays.

    Raises:
        Refused: there are no variables for it.
    """
    if device and is_device(spec):
        yield DEVICE, spec.ndim if isinstance(spec, DeviceSpec) else 0
        yield from [(BOOL, 0)] * isinstance(spec, UnionSpec)  # the condition that it has kept its type
        return
    match spec:
        case ScalarSpec():
            yield PYTHON_DTYPES[spec.kind], 0
        case GenericSpec() if spec.dtype.kind in "biufc":
            yield spec.dtype, 0
        case ArraySpec() if spec.dtype.kind in "biufc":
            yield spec.dtype, len(spec.shape)
        case LiteralSpec():
            return
        case TupleSpec():
            for item in spec.items:
                yield from layout(item, device)
        case UnionSpec():
            yield INT, 0
            for option in spec.options:
                yield from layout(option, device)
        case _:
            raise Refused("AT301", no_form(spec))


def is_device(spec: Spec) -> bool:
    """Return whether ``spec`` describes values that the array library computes, in a program of device arrays."""
    return joined_with_numbers(spec) or isinstance(spec, AnySpec | ListSpec | ArraySpec | GenericSpec)


def flatten(state: Lowering, form: Form, spec: Spec) -> list[Atom]:
    """Return the atoms that hold a form where ``spec`` is expected."""
    if isinstance(form, Static) and form.value is UNSET:
        return [filler(state, spec, place) for place in layout(spec, state.device)]
    if state.device and is_device(spec):
        if holds_numbers(form):
            raise state.refusal("AT301", f"a container of numbers, which {COMPILER} would convert to arrays")
        atom = device_atom(state, form)
        if not isinstance(spec, UnionSpec):
            return [atom]
        return [_as_common(state, form, atom, spec), kept(form, spec)]
    return _flatten(state, form, spec)


def _as_common(state: Lowering, form: Form, atom: Atom, spec: UnionSpec) -> Atom:
    """Convert a number to the common dtype of a union, if that is known."""
    dtype = common_dtype(spec)
    same = isinstance(form, Device) and (form.spec == spec or form.spec == DeviceSpec(dtype, 0))
    if dtype is None or same or not is_single(form):
        return atom
    return state.expr("xp.asarray", (atom, Lit(dtype)), DEVICE)


def kept(form: Form, spec: UnionSpec) -> Atom:
    """Return the condition that a form still has its own type in a union, to which the array library gives one type."""
    if isinstance(form, Device) and isinstance(form.spec, UnionSpec):
        return Lit(True) if form.kept is None else form.kept
    return Lit(isinstance(form, Number | Device) and is_promoted(form.spec, spec))


def _flatten(state: Lowering, form: Form, spec: Spec) -> list[Atom]:
    match spec, form:
        case ScalarSpec(), Number():
            return [cast(state, form.atom, form.dtype, PYTHON_DTYPES[spec.kind])]
        case GenericSpec(), Number():
            return [cast(state, form.atom, form.dtype, spec.dtype)]
        case ArraySpec(), Array():
            return [state.read(form)]
        case LiteralSpec(), _:
            return _no_variables(state, form)
        case TupleSpec(), Items():
            pairs = zip(form.items, spec.items, strict=True)
            return [atom for item, inner in pairs for atom in flatten(state, item, inner)]
        case TupleSpec(), Static() if isinstance(form.value, tuple):
            return _flatten(state, Items(tuple(map(state.constant, form.value)), type(form.value)), spec)
        case UnionSpec(), Either():
            return _flatten_either(state, form, spec)
        case UnionSpec(), _:
            index = tag_of(form, spec)
            return [Lit(index), *_options(state, spec, {index: form})]
        case _, Either():
            return flatten(state, narrowed(state, form, spec), spec)
        case _:
            raise state.refusal("AT301", no_form(spec))


def _no_variables(state: Lowering, form: Form) -> list[Atom]:
    if isinstance(form, GivenText):
        raise state.refusal("AT302", "which of several objects comes out is decided when the program runs")
    return []


def device_atom(state: Lowering, form: Form) -> Atom:
    """Return the variable of a value that the array library computes with, in a program of device arrays."""
    match form:
        case Device() | Number():
            return form.atom
        case Either() if joined_with_numbers(form.spec):
            atoms = [device_atom(state, option) for option in form.options]
            return select(state, form.tag, atoms, DEVICE)
        case Items():
            atoms = [device_atom(state, item) for item in form.items]
            return state.expr("container", (list(atoms) if form.cls is list else tuple(atoms),), DEVICE)
        case MadeForm():
            return _made_atom(state, form)
        case ChosenForm():  # it is taken apart, and nothing depends on its identity
            return device_atom(state, form.made)
        case Rows():
            before = [device_atom(state, item) for item in form.before]
            return state.expr("with_rows", (before, form.atom), DEVICE)
        case _:
            raise state.refusal("AT301", f"a value that {COMPILER} does not compute with")


def _made_atom(state: Lowering, form: MadeForm) -> Atom:
    """Write a dict, or an instance of a class that the array library knows how to take apart, as a whole."""
    atoms = [Lit(item.value) if isinstance(item, Static) else device_atom(state, item) for item in form.items]
    if form.cls is dict:
        return state.expr("container", (dict(zip(form.names, atoms, strict=True)),), DEVICE)
    return state.expr("support.make_object", (Lit(form.cls), Lit(form.names), *atoms), DEVICE)


def _options(state: Lowering, spec: UnionSpec, known: dict[int, Form]) -> list[Atom]:
    found: list[Atom] = []
    for index, option in enumerate(spec.options):
        found += flatten(state, known.get(index, Static(UNSET)), option)
    return found


def _flatten_either(state: Lowering, form: Either, spec: UnionSpec) -> list[Atom]:
    """Return the atoms of an ``Either`` where another union may be expected: its tags are numbered anew."""
    numbers = [tag_of(option, spec) for option in form.options]
    known = dict(zip(numbers, form.options, strict=True))
    same = numbers == list(range(len(spec.options)))
    tag = form.tag if same else select(state, form.tag, list(map(Lit, numbers)), INT)
    return [tag, *_options(state, spec, known)]


def spec_of_form(form: Form) -> Spec:
    """Return the spec of a form."""
    match form:
        case Number() | Array() | Device() | Either() | Given():
            return form.spec
        case ChosenForm():
            return spec_of_form(form.made)
        case Items():
            return TupleSpec(tuple(map(spec_of_form, form.items)), form.cls)
        case MadeForm():
            return AnySpec(form.cls)
        case Rows():
            return ListSpec(form.spec, None)
        case Static():
            return spec_of(form.value)
        case Stack():
            return ListSpec(form.element)


def tag_of(form: Form, spec: UnionSpec) -> int:
    """Return the number of the option of a union that a form is.

    Raises:
        Refused: it is none of them.
    """
    given = spec_of_form(form)
    found = option_of(spec, given)
    if found is None:
        raise Refused("AT301", no_form(given))
    return found


def filler(state: Lowering, spec: Spec, place: Place) -> Atom:
    """Return a value for a variable that is never read."""
    dtype, rank = place
    if dtype == DEVICE:
        if not isinstance(spec, DeviceSpec) or rank or not isinstance(spec.dtype, np.dtype):
            return Lit(MISSING)
        return state.expr("xp.zeros", ((), Lit(spec.dtype)), DEVICE)
    if not rank:
        return cast(state, Lit(dtype.type(0).item()), dtype, dtype)
    shape = spec.shape if isinstance(spec, ArraySpec) else ()
    sizes = [state.dims.get(dim) if isinstance(dim, str) else dim for dim in shape]
    if len(sizes) != rank or None in sizes:
        return Lit(MISSING)
    atoms = tuple(Lit(size) if isinstance(size, int) else size for size in sizes)
    return state.expr("xp.zeros", (atoms, Lit(dtype)), dtype, rank)


def cast(state: Lowering, atom: Atom, given: np.dtype[Any], wanted: np.dtype[Any]) -> Atom:
    """Convert a number or array to a dtype, as an atom of exactly that dtype."""
    if state.device:
        return _device_cast(state, atom, given, wanted)
    if given == wanted and not (isinstance(atom, Constant) and wanted not in PLAIN):
        return atom
    rank = atom_rank(atom)
    if isinstance(atom, Constant) and wanted in PLAIN:
        return Lit(wanted.type(atom.value).item())
    if rank:
        return state.expr(".astype", (atom, Lit(wanted)), wanted, rank)
    return state.expr(scalar_type(wanted), (atom,), wanted)


def _device_cast(state: Lowering, atom: Atom, given: np.dtype[Any], wanted: np.dtype[Any]) -> Atom:
    """Convert a Python number to another kind, by the rules of the array library."""
    if given == wanted or DEVICE in (given, wanted):
        return atom
    if isinstance(atom, Constant):
        return Lit(wanted.type(atom.value).item())
    if wanted.kind == "f" and given.kind in "bi":
        return state.arithmetic("mul", (atom, Lit(1.0)), wanted)
    if wanted.kind == "i" and given.kind == "b":
        return state.arithmetic("add", (atom, Lit(0)), wanted)
    kinds = {"b": bool, "i": int, "f": float, "c": complex}
    return state.expr("xp.asarray", (atom, Lit(kinds[wanted.kind])), wanted)


def unflatten(
    state: Lowering,
    spec: Spec,
    atoms: Iterator[Value],
    may_be: frozenset[ArrayRoot] = frozenset(),
    family: object = None,
) -> Form:
    """Return the form that variables hold.

    Args:
        state: the lowering.
        spec: the spec of the value.
        atoms: the variables.
        may_be: array objects that those of the form may be.
        family: an object shared by array objects that are certainly different from each other.
    """

    def inner(one: Spec) -> Form:
        return unflatten(state, one, atoms, may_be, family)

    if state.device and is_device(spec):
        atom = next(atoms)
        return Device(atom, spec, next(atoms) if isinstance(spec, UnionSpec) else None)
    match spec:
        case ScalarSpec() | GenericSpec():
            return Number(next(atoms), spec, FULL)
        case ArraySpec():
            return state.array(next(atoms), spec, ArrayRoot(None, False, may_be, family))
        case LiteralSpec():
            return Static(spec.value)
        case TupleSpec():
            return Items(tuple(map(inner, spec.items)), spec.cls)
        case UnionSpec():
            tag = next(atoms)
            return Either(tag, tuple(map(inner, spec.options)), spec)
        case _:
            raise state.refusal("AT301", no_form(spec))


def variables(state: Lowering, spec: Spec, name: str) -> list[Value]:
    """Return fresh variables for a value of ``spec``."""
    places = list(layout(spec, state.device))
    if state.device and is_device(spec):
        return [variable(dtype, rank, name if dtype == DEVICE else "") for dtype, rank in places]
    named = len(places) == 1 or not isinstance(spec, UnionSpec)
    return [variable(dtype, rank, name if named else "") for dtype, rank in places]


def narrowed(state: Lowering, form: Either, spec: Spec) -> Form:
    """Return an ``Either`` with the options that ``spec`` covers, and check that it is one of them."""
    left = [index for index, option in enumerate(form.spec.options) if covers(spec, option)]
    possible: Atom = Lit(False)
    for index in left:
        possible = state.logical("either", possible, tag_is(state, form.tag, index))
    state.check(possible)
    if len(left) == 1:
        return form.options[left[0]]
    if not left:
        return Static(UNSET)
    kept = UnionSpec(tuple(form.spec.options[index] for index in left))
    tag: Atom = Lit(len(left) - 1)
    for number, index in reversed(list(enumerate(left[:-1]))):
        tag = state.expr("xp.where", (tag_is(state, form.tag, index), Lit(number), tag), INT)
    return Either(tag, tuple(form.options[index] for index in left), kept)


def tag_is(state: Lowering, tag: Atom, index: int) -> Atom:
    """Return the condition that a tag is that of a certain option."""
    if isinstance(tag, Constant):
        return Lit(tag.value == index)
    return state.expr("eq", (tag, Lit(index)), BOOL)


def select(state: Lowering, tag: Atom, atoms: Sequence[Atom], dtype: np.dtype[Any], rank: int = 0) -> Atom:
    """Write a choice among atoms, one for each option; the last one stands for all other tags, too."""
    result = atoms[-1]
    for index, atom in reversed(list(enumerate(atoms[:-1]))):
        result = state.expr("xp.where", (tag_is(state, tag, index), atom, result), dtype, rank)
    return result


def is_single(form: Form) -> bool:
    """Return whether a form is one number, Python's or an array without dimensions."""
    return isinstance(form, Number) or (isinstance(form, Device) and joined_with_numbers(form.spec))


def holds_numbers(form: Form) -> bool:
    """Return whether a container holds Python's numbers, of which the array library would make arrays."""
    items = (
        form.before if isinstance(form, Rows) else form.items if isinstance(form, Items | MadeForm) else ()
    )
    return any(isinstance(item, Number | Static) or holds_numbers(item) for item in items)
