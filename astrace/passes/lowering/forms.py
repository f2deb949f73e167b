"""Forms of values in a lowered block: machine numbers, arrays by their elements, and what is known beforehand.

A *number* is one machine number, with the type that Python sees.  An *array* is a function from indices to machine
numbers: a view of memory, or an expression that is computed where it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from astrace.ir.block import Constant, Operand, Value
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec, LiteralSpec, ScalarSpec, Spec, UnionSpec
from astrace.passes.analysis.int_ranges import FULL

BOOL: Final = np.dtype(bool)
INT: Final = np.dtype(np.int64)
UNSIGNED: Final = np.dtype(np.uint64)
"""The dtype of integers that 64 bits with a sign do not hold.  Bounds of such a number hold where it is used as one with a sign."""
FLOAT: Final = np.dtype(np.float64)
COMPLEX: Final = np.dtype(np.complex128)
PYTHON_DTYPES: Final = {"bool": BOOL, "int": INT, "float": FLOAT, "complex": COMPLEX}
DTYPE_CHARS: Final = "?bhilBHILfdFD"
"""The dtypes of machine numbers: of other ones no arithmetic is known to give NumPy's bits."""
MADE_HERE: Final = Constant(0)
"""The origin of what is computed."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberForm:
    """A Python number or a NumPy scalar.

    Args:
        operand: the machine number.
        spec: the type that Python sees; of a union the option whose tag holds, else the last one.  An option
            may be a literal: then there is no number.
        bounds: between which integers it lies, for integers.
        most: a size and a difference: it is no larger than their sum.
        tags: of a union, for each option but the last one whether it is that.
        origin: the input whose object it is, counted from 1; 0 for a number that is made here.
    """

    operand: Operand
    spec: Spec
    bounds: tuple[int, int] = FULL
    most: tuple[Operand, int] | None = None
    tags: tuple[Operand, ...] = ()
    origin: Operand = MADE_HERE

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the machine number."""
        return dtype_of(self.spec) or FLOAT

    @property
    def tag(self) -> Operand | None:
        """Of a union, whether it is the first option."""
        return self.tags[0] if self.tags else None

    @property
    def known(self) -> Any:
        """The number, where it is a constant; else ``None``."""
        return self.operand.value if isinstance(self.operand, Constant) else None


@dataclass(frozen=True, slots=True)
class FixedAxis:
    """An axis of memory of which a view has one item."""

    index: Operand


@dataclass(frozen=True, slots=True)
class RunningAxis:
    """An axis of memory along which an axis of a view runs.

    Args:
        axis: the axis of the view.
        start: where it begins.
        step: by how much it goes on.
        ascends: the step is known to be above zero, though it may not be known itself.
    """

    axis: int
    start: Operand
    step: Operand
    ascends: bool = False

    @property
    def is_forward(self) -> bool:
        """Whether it is known to go on towards larger addresses."""
        return self.step.value > 0 if isinstance(self.step, Constant) else self.ascends


@dataclass(frozen=True, slots=True)
class MemoryView:
    """A part of an array's memory.

    Args:
        base: the array.
        places: for each of its axes, what of it belongs to the view.
        writeable: false for one that repeats elements.
        part: of complex elements, the op that gives the part that the view has; nothing for whole elements.
    """

    base: Value
    places: tuple[FixedAxis | RunningAxis, ...]
    writeable: bool = True
    part: str = ""


Element: TypeAlias = Callable[[Sequence[Operand]], Operand]
"""Gives the machine number at the given indices."""


@dataclass(frozen=True, slots=True, eq=False)
class ArrayForm:
    """An array by its elements.

    Args:
        dtype: of its elements.
        shape: its sizes.
        element: gives an element.
        reads: the views whose memory its elements are computed from, and how many axes their elements have.
        view: the memory it is, where it is not an expression.
        is_whole: it is the array itself that owns the memory, not a view.
        numbers: its elements, where these are computed already and in no memory.
        leads: the view that gives an expression the order of its axes, whatever else it reads.
        moves: of an expression, each element is one of memory, at another place: it is as soon read there.
    """

    dtype: np.dtype[Any]
    shape: tuple[NumberForm, ...]
    element: Element
    reads: tuple[MemoryView, ...]
    view: MemoryView | None = None
    is_whole: bool = False
    numbers: tuple[Operand, ...] = ()
    leads: MemoryView | None = None
    moves: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class StaticForm:
    """A Python object that is the same at every call."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class TupleForm:
    """A tuple."""

    items: tuple[Form, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ListForm:
    """A list that is made and read, and never changed."""

    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NumberListForm:
    """A list of numbers, or of tuples of numbers, that is changed: a list of machine numbers for each part of an item.

    Args:
        element: the type of its items.
        columns: the lists of machine numbers.
        passed: its items may be objects from outside; a part tells which.
    """

    element: Spec
    columns: tuple[Value, ...]
    passed: bool

    @property
    def layout(self) -> tuple[Any, ...]:
        """How items are held; lists that take each other's place have the same one."""
        return str(self.element), self.passed, tuple(column.spec for column in self.columns)


@dataclass(frozen=True, slots=True, eq=False)
class ArrayListForm:
    """A list of arrays of one shape, of which nothing is stored into (`array_lists`).

    Args:
        dtype: of the arrays.
        elements: the list of the elements of all arrays.
        sizes: for each axis, the list of the arrays' sizes.
    """

    dtype: np.dtype[Any]
    elements: Value
    sizes: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OptionalForm:
    """A literal, or something else: what a loop that is left early gives, or ``None``.

    Args:
        absent: the truth value that tells the literal.
        literal: it.
        other: what is there otherwise.
    """

    absent: Operand
    literal: Any
    other: Form


@dataclass(frozen=True, slots=True, eq=False)
class RangeForm:
    """A range of integers, which is looked at only to make something else of it."""

    start: NumberForm
    stop: NumberForm
    step: NumberForm


@dataclass(frozen=True, slots=True, eq=False)
class GeneratorForm:
    """A random generator of NumPy's, or a random stream of Python's, which numbers are drawn from.

    Args:
        value: the generator.
    """

    value: Value


Form: TypeAlias = (
    NumberForm
    | ArrayForm
    | StaticForm
    | TupleForm
    | ListForm
    | NumberListForm
    | ArrayListForm
    | OptionalForm
    | RangeForm
    | GeneratorForm
)
Env: TypeAlias = dict[Value, Form]
"""The forms of the values of a block."""


def is_machine_dtype(dtype: np.dtype[Any]) -> bool:
    """Return whether a machine number has a dtype; ``np.longlong`` equals ``np.int64``, and has loops of its own.

    What a dtype has of the user's (``metadata``) NumPy hands on to some results.

    Example:
        >>> is_machine_dtype(np.dtype(np.int64)), is_machine_dtype(np.dtype(np.longlong))
        (True, False)
    """
    return dtype.char in DTYPE_CHARS and dtype.isnative and dtype.metadata is None


def is_array(spec: Spec) -> bool:
    """Tell whether a spec is that of an array of machine numbers."""
    return isinstance(spec, ArraySpec) and is_machine_dtype(spec.dtype)


def is_wider(given: np.dtype[Any], dtype: np.dtype[Any]) -> bool:
    """Return whether numbers of a dtype have parts that another one's have not: a fraction, an imaginary part.

    Example:
        >>> is_wider(FLOAT, INT), is_wider(INT, FLOAT), is_wider(COMPLEX, FLOAT)
        (True, False, True)
    """
    return "fc".find(given.kind) > "fc".find(dtype.kind)


def part_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of the parts of complex numbers.

    Example:
        >>> part_dtype(COMPLEX), part_dtype(np.dtype(np.complex64))
        (dtype('float64'), dtype('float32'))
    """
    zero: Any = np.zeros((), dtype)
    return zero.real.dtype


def dtype_of(spec: Spec | None) -> np.dtype[Any] | None:
    """The dtype of the machine number that holds values of a spec; ``None`` where there is none."""
    match spec:
        case ScalarSpec():
            return PYTHON_DTYPES.get(spec.kind)
        case GenericSpec():
            return spec.dtype if is_machine_dtype(spec.dtype) else None
        case UnionSpec():
            return _of_union(spec)
        case _:
            return None


def _of_union(spec: UnionSpec) -> np.dtype[Any] | None:
    """One dtype that holds all options: integers are held as floats where they may turn into such; a literal beside one number needs none."""
    options = [option for option in spec.options if not isinstance(option, LiteralSpec)]
    found = [dtype_of(option) for option in options]
    if not found or any(one is None for one in found) or len(options) not in (1, len(spec.options)):
        return None
    if len(options) == 1 and len(spec.options) != 2:
        return None
    dtypes = {one for one in found if one is not None}
    if len(dtypes) == 1:
        return found[0]
    if any(one.kind == "u" and not np.can_cast(one, INT) for one in dtypes):
        return None
    if all(one.kind in "iu" for one in dtypes):
        return INT
    return FLOAT if all(one.kind in "iuf" for one in dtypes) else None


def bounds_of_dtype(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Between which integers numbers of a dtype lie.

    Example:
        >>> bounds_of_dtype(np.dtype(np.uint8)), bounds_of_dtype(UNSIGNED) == (0, FULL[1])
        ((0, 255), True)
    """
    limits = np.iinfo(dtype)
    return int(limits.min), min(int(limits.max), FULL[1])


def typed(value: Any, dtype: np.dtype[Any]) -> Any:
    """A constant as a machine number: Python's own where the dtype is that of one, and the object itself where it is one."""
    if type(value) is float and dtype.char == "d":
        return value
    with np.errstate(all="ignore"):
        found = np.asarray(value).astype(dtype)[()]
    plain = dtype.char in "?l" or (dtype.char in "dD" and np.isfinite(found))
    return found.item() if plain else found


def narrowed(spec: Spec) -> Spec:
    """Return the spec of a number in a lowered block: if a power would be complex, the program is given up.

    What is complex and no such power's has another form, which does not come together with floats.

    Example:
        >>> str(narrowed(UnionSpec((GenericSpec(FLOAT), PYTHON_INT, GenericSpec(COMPLEX)))))
        'float64 | int'
    """
    options = spec.options if isinstance(spec, UnionSpec) else ()
    kinds = {option: dtype.kind for option in options if (dtype := dtype_of(option)) is not None}
    if "f" not in kinds.values():
        return spec
    left = tuple(option for option in options if kinds.get(option) != "c")
    return left[0] if len(left) == 1 else UnionSpec(left)


def integer(value: int) -> NumberForm:
    """A constant integer."""
    return NumberForm(Constant(value), PYTHON_INT, (value, value))
