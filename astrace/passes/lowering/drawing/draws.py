"""Draws from random generators: numbers, and arrays that are filled, in the order in which the program draws them.

What a method would refuse gives the program up before anything is drawn.  A few numbers that are drawn at once need no array.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from astrace.ir.block import Constant, Node, Operand, Value
from astrace.ir.specs import FLOAT as PYTHON_FLOAT
from astrace.ir.specs import INT as PYTHON_INT
from astrace.ir.specs import GenericSpec, UnionSpec
from astrace.ops.numpy.draws import (
    LEGACY_INTEGERS,
    POSITIVE,
    PROBABILITY,
    RATE,
    ChoiceCall,
    DrawCall,
    choice_call,
    draw_call,
)
from astrace.ops.numpy.legacy_draws import LEGACY
from astrace.ops.python.random_streams import RANDOM, method_called
from astrace.passes.analysis.int_ranges import FULL
from astrace.passes.lowering.arrays import allocated, computed
from astrace.passes.lowering.block import LoweredWriter
from astrace.passes.lowering.drawing.legacy import legacy_draw
from astrace.passes.lowering.drawing.orders import ORDERING, in_another_order
from astrace.passes.lowering.drawing.python_streams import drawn_from_stream
from astrace.passes.lowering.forms import BOOL, FLOAT, INT, ArrayForm, Form, GeneratorForm, NumberForm
from astrace.passes.lowering.functions.array_making import shape_of
from astrace.passes.lowering.functions.axes import listed
from astrace.passes.lowering.functions.numpy_calls import base_of
from astrace.passes.lowering.gathers import gathered
from astrace.passes.lowering.integers import index_of
from astrace.passes.lowering.items import item
from astrace.passes.lowering.rules import Kwargs, Rule, scalar

FEW: Final = 4
"""As many numbers that are drawn at once are held one by one."""
LARGEST_RATE: Final = 1e18
"""Of a Poisson distribution; NumPy refuses rates that are a little larger."""


def generators_of(node: Node) -> tuple[Operand, ...]:
    """Return the generator that a node of a lowered block draws from, if it does.

    Args:
        node: any.
    """
    place = {"draw": 0, "fill_draws": 1}.get(node.op)
    return () if place is None else node.inputs[place : place + 1]


def with_draws(rules: Mapping[str, Rule]) -> dict[str, Rule]:
    """Return rules for other objects, and those for generators beside them.

    Args:
        rules: by op.
    """
    plain = rules["call_method"]

    def rule(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        if not isinstance(args[0], GeneratorForm):
            return plain(writer, node, args, kwargs)
        return _drawn(writer, args[0].value, args[1], args[2:], kwargs)

    def called(writer: LoweredWriter, node: Node, args: Sequence[Any], kwargs: Kwargs) -> Form | None:
        stream = args[1] if len(args) > 1 and isinstance(args[1], GeneratorForm) else None
        name = None if stream is None else method_called(args[0], (stream.value.spec,))
        if stream is None or name is None:
            raise writer.refusal("a call that has no lowered form")
        return drawn_from_stream(writer, stream.value, name, args[2:], kwargs)

    return {**rules, "call_method": rule, "call": called}


def _drawn(
    writer: LoweredWriter, generator: Value, name: str, args: Sequence[Any], kwargs: Kwargs
) -> NumberForm | ArrayForm | None:
    if generator.spec == RANDOM:
        return drawn_from_stream(writer, generator, name, args, kwargs)
    if generator.spec == LEGACY:
        return _legacy(writer, generator, name, args, kwargs)
    choice = choice_call(name, args, kwargs)
    if choice is not None:
        return _chosen(writer, generator, choice)
    if name in ORDERING:
        return in_another_order(writer, generator, name, args, kwargs)
    call = draw_call(name, args, kwargs)
    if call is None:
        raise writer.refusal(f"the method `{name}` of a random generator, as it is called")
    shape = None if call.size is None else shape_of(writer, call.size)
    bounds, most = FULL, None
    if name == "integers":
        low, last = _integers(writer, call)
        parameters: tuple[Operand, ...] = (low.operand, last.operand)
        bounds, most = (low.bounds[0], last.bounds[1]), last.most
    else:
        parameters = _floats(writer, call)
    draws = _Draws(writer, generator, name, parameters)
    if shape is None:
        return NumberForm(draws.one(call), call.method.gives, bounds, most)
    return draws.several(call, shape)


def _legacy(
    writer: LoweredWriter, generator: Value, name: str, args: Sequence[Any], kwargs: Kwargs
) -> NumberForm:
    """A number, of those that ``np.random.RandomState`` draws."""
    found = legacy_draw(name, args, kwargs)
    if found is None:
        raise writer.refusal(f"the method `{name}` of a random state, as it is called")
    method, call = found
    if method != LEGACY_INTEGERS:
        return NumberForm(_Draws(writer, generator, method, _floats(writer, call)).one(call), PYTHON_FLOAT)
    low, last = _integers(writer, call)
    draws = _Draws(writer, generator, method, (low.operand, last.operand))
    return NumberForm(draws.one(call), PYTHON_INT, (low.bounds[0], last.bounds[1]), last.most)


def _chosen(writer: LoweredWriter, generator: Value, choice: ChoiceCall) -> NumberForm | ArrayForm:
    """Items of an array of one axis, or places, that are drawn as integers are."""
    items = listed(writer, choice.items)
    array = items if isinstance(items, ArrayForm) else None
    if array is not None and len(array.shape) != 1:
        raise writer.refusal("a choice from an array with several axes")
    count = array.shape[0] if array is not None else choice.items
    call = choice.draws(count)
    low, last = _integers(writer, call)
    draws = _Draws(writer, generator, "integers", (low.operand, last.operand))
    if choice.size is None:
        place = NumberForm(draws.one(call), PYTHON_INT, (0, last.bounds[1]), last.most)
        return place if array is None else _one(item(writer, computed(writer, array), place))
    places = draws.several(call, shape_of(writer, choice.size))
    return places if array is None else gathered(writer, array, (places,))


def _one(form: Form) -> NumberForm:
    assert isinstance(form, NumberForm)
    return form


class _Draws:
    """The nodes that draw.

    Args:
        writer: writes nodes.
        generator: what is drawn from.
        name: of the method.
        parameters: of the distribution.
    """

    def __init__(
        self, writer: LoweredWriter, generator: Value, name: str, parameters: tuple[Operand, ...]
    ) -> None:
        self._writer = writer
        self._inputs = generator, *parameters
        self._attrs = {"method": name}

    def one(self, call: DrawCall) -> Value:
        """Draw a number."""
        output = Value(GenericSpec(call.method.dtype))
        self._add("draw", self._inputs, (output,))
        return output

    def several(self, call: DrawCall, shape: tuple[NumberForm, ...]) -> ArrayForm:
        """Draw an array; a few numbers are chosen from where they are read."""
        writer, dtype = self._writer, call.method.dtype
        count = shape[0].known if len(shape) == 1 else None
        if count is not None and 0 < count <= FEW:
            numbers = [self.one(call) for _ in range(count)]

            def element(indices: Sequence[Operand]) -> Operand:
                found: Operand = numbers[-1]
                for place, number in reversed(list(enumerate(numbers[:-1]))):
                    test = writer.emit("eq", (index_of(indices[0]).operand, Constant(place)), BOOL)
                    found = writer.choose(test, number, found, dtype)
                return found

            return ArrayForm(dtype, shape, element, (), numbers=tuple(numbers))
        made = allocated(writer, dtype, shape, "drawn")
        writer.in_c_order.add(base_of(made))
        self._add("fill_draws", (base_of(made), *self._inputs), ())
        return made

    def _add(self, op: str, inputs: tuple[Operand, ...], outputs: tuple[Value, ...]) -> None:
        """Add a node; two that look alike draw one number each."""
        writer = self._writer
        writer.nodes.append(Node(op, inputs, outputs, self._attrs, location=writer.location))


# -- parameters --------------------------------------------------------------------------------------------


def _number(writer: LoweredWriter, value: Any, kinds: str) -> NumberForm:
    """A parameter that is a number of one type."""
    form = scalar(writer, value)
    if isinstance(form.spec, UnionSpec) or form.dtype.kind not in kinds:
        raise writer.refusal(f"a parameter of a distribution that is {form.spec}")
    return form


def _integers(writer: LoweredWriter, call: DrawCall) -> tuple[NumberForm, NumberForm]:
    """The least and the largest integer that may come out; without one, NumPy raises."""
    low, high = (_integer(writer, one) for one in call.parameters)
    closed = call.options["endpoint"]
    if type(closed) is not bool:
        raise writer.refusal("integers whose end may belong to them")
    if high.bounds[0] <= low.bounds[1]:
        writer.deopt(writer.emit("lt" if closed else "le", (high.operand, low.operand), BOOL))
    if closed:
        return low, high
    last = writer.emit("sub", (high.operand, Constant(1)), INT)
    most = None if high.most is None else (high.most[0], high.most[1] - 1)
    return low, NumberForm(last, high.spec, (max(high.bounds[0] - 1, FULL[0]), high.bounds[1] - 1), most)


def _integer(writer: LoweredWriter, value: Any) -> NumberForm:
    form = _number(writer, value, "iu")
    if form.dtype.itemsize == INT.itemsize and form.dtype != INT:
        raise writer.refusal("integers without a sign of 64 bits")
    return NumberForm(writer.cast(form.operand, form.dtype, INT), form.spec, form.bounds, form.most)


def _floats(writer: LoweredWriter, call: DrawCall) -> tuple[Operand, ...]:
    """The parameters of a distribution, tested as NumPy does, or more strictly."""
    forms = [_number(writer, one, "iuf") for one in call.parameters]
    found = tuple(writer.cast(form.operand, form.dtype, FLOAT) for form in forms)
    for parameter, operand in zip(call.method.parameters, found, strict=True):
        _check(writer, parameter.domain, operand)
    if call.method.function == "random_uniform":
        _check_range(writer, *found)
    return found


def _check(writer: LoweredWriter, domain: str, operand: Operand) -> None:
    """Give up where a parameter is not certain to be accepted: NaN is, and is left to NumPy."""
    largest = {POSITIVE: None, RATE: Constant(LARGEST_RATE), PROBABILITY: Constant(1.0)}
    if not domain:
        return
    _require(writer, "gt", operand, Constant(0.0))
    top = largest[domain]
    if top is not None:
        _require(writer, "le", operand, top)


def _require(writer: LoweredWriter, test: str, left: Operand, right: Operand) -> None:
    """Give up where two floats do not compare so.

    Raises:
        Unlowered: they never do.
    """
    if isinstance(left, Constant) and isinstance(right, Constant):
        writer.deopt(Constant(not (left.value > right.value if test == "gt" else left.value <= right.value)))
        return
    writer.deopt(writer.inverted(writer.emit(test, (left, right), BOOL)))


def _check_range(writer: LoweredWriter, low: Operand, high: Operand) -> None:
    """Give up where the numbers between two floats may not be drawn: their distance has to be finite."""
    if isinstance(low, Constant) and isinstance(high, Constant):
        extent = float(high.value) - float(low.value)
        writer.deopt(Constant(not 0.0 < extent < float("inf")))
        return
    extent = writer.emit("sub", (high, low), FLOAT)
    _require(writer, "gt", extent, Constant(0.0))
    writer.deopt(writer.inverted(writer.emit("is_finite", (extent,), BOOL)))
