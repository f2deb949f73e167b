"""Functions of NumPy that are written in other functions: the steps that NumPy's own source takes, each lowered as an op is.

A *term* is an array or number on which Python's operators write nodes, so that a function reads as NumPy's does.  `Steps` calls ops by
name; what an op is not lowered for, the whole function is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

import numpy as np

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import ArraySpec, GenericSpec, ScalarSpec, Spec
from astrace.ops import OPS
from astrace.passes.lowering.arrays import loop_nest, materialised
from astrace.passes.lowering.block import LoweredWriter, block_of
from astrace.passes.lowering.forms import (
    ArrayForm,
    ListForm,
    MemoryView,
    NumberForm,
    StaticForm,
    TupleForm,
    integer,
)
from astrace.passes.lowering.functions import complex_calls
from astrace.passes.lowering.items import element
from astrace.passes.lowering.rules import Rule, form_of
from astrace.passes.lowering.written.operators import TermOperators

Rules: TypeAlias = Mapping[str, Rule]
Function: TypeAlias = Callable[..., Any]
"""Writes a function out: from `Steps` and its arguments to a term, a number, or a tuple of such."""


class Term(TermOperators):
    """An array or number of a function that is written out.

    Args:
        steps: writes what is done with it.
        form: what it is.
    """

    __array_ufunc__ = None
    """NumPy's scalars leave operators to terms."""

    def __init__(self, steps: Steps, form: ArrayForm | NumberForm) -> None:
        self._steps = steps
        self._form = form
        self._taken = False

    @property
    def form(self) -> ArrayForm | NumberForm:
        """What it is; an expression that is used for the second time is computed before."""
        form = self._form
        if isinstance(form, ArrayForm) and form.view is None:
            if self._taken:
                self._form = materialised(self._steps.writer, form)
            self._taken = True
        return self._form

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of its elements, or of the number."""
        return self._form.dtype

    @property
    def is_array(self) -> bool:
        """True of an array, false of a number."""
        return isinstance(self._form, ArrayForm)

    @property
    def ndim(self) -> int:
        """The number of its axes."""
        return len(self._form.shape) if isinstance(self._form, ArrayForm) else 0

    @property
    def shape(self) -> tuple[Any, ...]:
        """Its sizes: integers where they are known, terms otherwise; an expression is computed, since NumPy may warn of it."""
        if not isinstance(self._form, ArrayForm):
            return ()
        if self._form.view is None:
            self._form = materialised(self._steps.writer, self._form)
        return tuple(self._steps.given(size) for size in self._form.shape)

    def _apply(self, op: str, *args: Any) -> Any:
        return self._steps(op, *args)

    def __bool__(self) -> NoReturn:
        raise self._steps.refusal("a step that depends on a value")


class Steps:
    """What a function that is written out may do.

    Args:
        writer: writes nodes.
        rules: the rules of all ops.
        node: the call of the function.
        is_named: some of its arguments are given by name.
    """

    def __init__(self, writer: LoweredWriter, rules: Rules, node: Node) -> None:
        self.writer = writer
        self.node = node
        self.is_named = False
        self._rules = rules

    def refusal(self, what: str) -> Exception:
        """The exception that gives the function up.

        Args:
            what: stands in the way.
        """
        return self.writer.refusal(f"`{self.node.op}` of {what}")

    def require(self, holds: bool, what: str = "other arguments") -> None:
        """Take only arguments that the function is written out for.

        Args:
            holds: these are.
            what: they are not, for the reason.

        Raises:
            Unlowered: they are not.
        """
        if not holds:
            raise self.refusal(what)

    def __call__(self, op: str, *args: Any, **kwargs: Any) -> Any:
        """Do what an op does.

        Args:
            op: its name.
            args: its arguments.
            kwargs: those that are named.
        """
        spec = OPS[op].rule(_specs(args), {name: _specs(one) for name, one in kwargs.items()})
        several = spec if isinstance(spec, tuple) else (spec,)
        self.require(None not in several, f"what `{op}` gives")
        rule = self._rules.get(op)
        if rule is None:
            raise self.refusal(f"`{op}`")
        outputs = tuple(Value(one) for one in several if one is not None)
        forms = [laid_out(one) for one in args]
        named = {name: laid_out(one) for name, one in kwargs.items()}
        if op not in complex_calls.TAKES_COMPLEX and any(map(complex_calls.is_complex, forms)):
            raise self.refusal(f"complex numbers: `{op}`")
        node = Node(op, (), outputs, location=self.writer.location)
        found = rule(self.writer, node, forms, named)
        if isinstance(found, ArrayForm) and not found.shape and not isinstance(several[0], ArraySpec):
            found = element(self.writer, found)
        return None if found is None else self.given(found)

    def given(self, value: Any) -> Any:
        """Return an argument or result as functions are written with it: terms, and objects that are known.

        Args:
            value: a form, an object, or a tuple or list of such.
        """
        match value:
            case NumberForm(spec=ScalarSpec() | GenericSpec()) if value.known is not None:
                known: Any = value.dtype.type(value.known)
                return known.item() if isinstance(value.spec, ScalarSpec) else known
            case NumberForm() | ArrayForm():
                return Term(self, value)
            case StaticForm():
                return value.value
            case TupleForm() | ListForm():
                return tuple(map(self.given, value.items))
            case tuple() | list():
                return tuple(map(self.given, value))
            case _:
                return value

    # -- tests -------------------------------------------------------------------------------------------------

    def same(self, left: Any, right: Any) -> None:
        """Give the program up where two sizes differ.

        Args:
            left: one.
            right: the other one.
        """
        self.unless(self("eq", left, right))

    def unless(self, test: Any) -> None:
        """Give the program up where a test does not hold.

        Args:
            test: a truth value, or a term that is one.
        """
        if isinstance(test, Term):
            self.writer.deopt(self.writer.inverted(self.number(test).operand))
        else:
            self.require(bool(test))

    # -- numbers -----------------------------------------------------------------------------------------------

    def number(self, given: Any, kinds: str = "biufc") -> NumberForm:
        """Return a number as a form.

        Args:
            given: it, or a term that is one.
            kinds: what kinds of dtypes it may have: ``iu`` for sizes.

        Raises:
            Unlowered: it is an array, of one item as well, or of another kind.
        """
        form = form_of(self.writer, laid_out(given))
        if not isinstance(form, NumberForm) or form.dtype.kind not in kinds:
            raise self.refusal("something else in place of a number")
        return form

    # -- terms -------------------------------------------------------------------------------------------------

    def kept(self, term: Any) -> Any:
        """Return an array in memory; anything else as it is.

        Args:
            term: it.
        """
        form = term.form if isinstance(term, Term) else None
        if isinstance(form, ArrayForm) and form.view is None:
            return Term(self, materialised(self.writer, form))
        return term

    def choose(self, test: Any, then: Any, orelse: Any) -> Term:
        """Return one of two numbers of one type.

        Args:
            test: a truth value.
            then: the number where it holds.
            orelse: the other one.
        """
        one, other, tested = map(self.number, (then, orelse, test))
        self.require(one.dtype == other.dtype, "numbers of several types")
        bounds = min(one.bounds[0], other.bounds[0]), max(one.bounds[1], other.bounds[1])
        spec = one.spec if one.known is None else other.spec
        return Term(
            self,
            NumberForm(
                self.writer.choose(tested.operand, one.operand, other.operand, one.dtype), spec, bounds
            ),
        )

    def either(self, test: Any, then: Callable[[], None], orelse: Callable[[], None]) -> None:
        """Do one of two things, which give nothing.

        Args:
            test: a truth value.
            then: is done where it holds.
            orelse: is done elsewhere.
        """
        if not isinstance(test, Term):
            (then if test else orelse)()
            return
        regions: list[Block] = []
        for branch in (then, orelse):
            with self.writer.region() as nodes:
                branch()
            regions.append(block_of((), nodes, ()))
        tested = self.number(test)
        self.writer.nodes.append(
            Node("cond", (tested.operand,), (), {}, tuple(regions), self.writer.location)
        )

    def each(self, sizes: Sequence[Any], body: Callable[..., None]) -> None:
        """Do something for all indices of a shape, in C order.

        Args:
            sizes: of the shape.
            body: does it; it is given the indices.
        """
        numbers = [self.number(size, "iu") for size in sizes]

        def inner(indices: Sequence[Operand]) -> None:
            body(*(self.given(_index(*pair)) for pair in zip(indices, numbers, strict=True)))

        loop_nest(self.writer, numbers, inner)

    def array(
        self, dtype: np.dtype[Any], sizes: Sequence[Any], element: Callable[..., Any], *reads: Term
    ) -> Term:
        """Return an array by its elements.

        Args:
            dtype: of them.
            sizes: of the array.
            element: gives the element at the given indices.
            reads: the arrays, in memory, that elements are computed from.
        """
        shape = tuple(self.number(one, "iu") for one in sizes)

        def found(indices: Sequence[Operand]) -> Operand:
            made = element(*(self.given(_index(*pair)) for pair in zip(indices, shape, strict=True)))
            form = self.number(made)
            return self.writer.cast(form.operand, form.dtype, dtype)

        views = tuple(view for one in reads for view in _views(one.form))
        return Term(self, ArrayForm(dtype, shape, found, views))

    def constant(self, number: Any, sizes: Sequence[Any]) -> Term:
        """Return an array of one number, which is in no memory.

        Args:
            number: it, of Python's or of NumPy's.
            sizes: of the array.
        """

        def element(*places: Any) -> Any:
            return number

        return self.array(np.asarray(number).dtype, sizes, element)

    def along(self, array: Term, axis: int, part: Any) -> Term:
        """Return a part of an array along an axis.

        Args:
            array: it.
            axis: counted from the start or from the end.
            part: a slice or index.
        """
        return array[(*(slice(None),) * self.axis(axis, array.ndim), part)]

    def axis(self, given: Any, ndim: int) -> int:
        """Return an axis counted from the start.

        Args:
            given: as the caller counts it.
            ndim: how many there are.

        Raises:
            Unlowered: it is not known, or there is no such one.
        """
        self.require(type(given) is int and -ndim <= given < ndim, "an axis that is not known")
        return int(given) % ndim


def _index(operand: Operand, size: NumberForm) -> NumberForm:
    """An index below a size."""
    most = None if size.known is not None else (size.operand, -1)
    if isinstance(operand, Constant):
        return integer(operand.value)
    return NumberForm(operand, PYTHON_INT, (0, max(0, size.bounds[1] - 1)), most)


def _views(form: ArrayForm | NumberForm) -> tuple[MemoryView, ...]:
    return form.reads if isinstance(form, ArrayForm) else ()


def _specs(given: Any) -> Any:
    """Return arguments as rules of ops see them: specs of values, and constants."""
    return _without_terms(given, _spec)


def _spec(form: ArrayForm | NumberForm) -> Spec:
    if isinstance(form, NumberForm):
        return form.spec
    return ArraySpec(tuple(size.known for size in form.shape), form.dtype)


def laid_out(given: Any) -> Any:
    """Return arguments as rules of lowering take them."""
    return _without_terms(given, lambda form: form)


def _without_terms(given: Any, of_form: Callable[[ArrayForm | NumberForm], Any]) -> Any:
    """Return arguments with what a function gives for the forms of terms in their places."""
    match given:
        case Term():
            return of_form(given.form)
        case tuple() | list():
            items = [_without_terms(one, of_form) for one in given]
            return items if isinstance(given, list) else tuple(items)
        case slice():
            return slice(*(_without_terms(one, of_form) for one in (given.start, given.stop, given.step)))
        case _:
            return given


def need_array(steps: Steps, value: Any, least: int = 1) -> None:
    """Take only an array, of some axes at least.

    Args:
        steps: tell what else there is.
        value: the array.
        least: the number of axes.

    Raises:
        Unlowered: it is something else.
    """
    steps.require(isinstance(value, Term) and value.is_array and value.ndim >= least)
