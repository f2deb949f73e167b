"""Control flow: ``cond`` as ``If``, loops as ``Loop``, whose condition is always written.

Takes control nodes, gives the forms of their outputs.  Regions see the tensors around them, as ONNX's graphs do.  An
array from around that a region writes to is an output of an ``If``, and is carried by a ``Loop``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from onnx import GraphProto

from astrace.bundle.exports.onnx_blocks import Control, Translator, arrays, call_of
from astrace.bundle.exports.onnx_calls import OnnxCall, no_counterpart, unsupported
from astrace.bundle.exports.onnx_spaces import OnnxSpace, space_of
from astrace.bundle.exports.onnx_values import Form, OnnxArray, Stored, Tensor, stored
from astrace.bundle.exports.onnx_writer import BOOL, INT64
from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.constants import UNSET
from astrace.ir.control import AnyLoop, Cond, ForLoop, WhileLoop
from astrace.ir.specs import LiteralSpec, Spec

FLAG: Final = Stored(BOOL, (), (bool,))
NUMBER: Final = Stored(INT64, (), (int,))
ONE_OF_SEVERAL: Final = "an array that may be one of several"


def truth(call: OnnxCall, form: Form) -> Tensor:
    """The truth of a value."""
    tensor = call.as_tensor(form, BOOL)
    return call.write.reshape(tensor, ()) if tensor.rank else tensor


def _how(node: Node, spec: Spec) -> Stored:
    found = stored(spec)
    if found is None:
        raise unsupported(f"a value of `{node.op}`", spec, node.location)
    return found


def _filled(call: OnnxCall, form: Form, how: Stored) -> Tensor:
    """A form as a tensor; one that nobody reads is empty."""
    if form is UNSET:
        return call.write.constant(np.zeros((0,) * len(how.shape), how.dtype))
    tensor = call.as_tensor(form, how.dtype)
    if tensor.rank != len(how.shape):
        raise call.refused("gives arrays of different numbers of dimensions")
    return tensor


def _phi(call: OnnxCall, tensor: Tensor, sources: Sequence[OnnxArray], is_own: bool) -> Form:
    """A value that is one of several: an array that may be one from elsewhere is not written to."""
    if not tensor.stored.is_array:
        return tensor
    for source in () if is_own else sources:
        source.shared = True
    kept = () if is_own else tuple(sources)
    return OnnxArray(tensor, "" if is_own else ONE_OF_SEVERAL, kept, call.write.depth)


def _roots(forms: Sequence[Form]) -> list[OnnxArray]:
    return [root for array in arrays(list(forms)) for root in array.roots()]


def _unique(columns: Sequence[Sequence[Form]]) -> Counter[OnnxArray]:
    """How many of the outputs of a region each array may be."""
    return Counter(root for column in columns for root in set(_roots(column)))


# -- cond -------------------------------------------------------------------------------------------------


def _cond(run: Translator, node: Node) -> Sequence[Form]:
    cond, call = Cond(node), call_of(run.write, node)
    test = truth(call, run.read(cond.test))
    captures = [run.read(operand) for operand in cond.captures]
    cells = run.written_in(node)
    wanted = [None if _is_literal(one) else _how(node, one.spec) for one in node.outputs]
    branches = [_branch(run, call, region, captures, cells, wanted) for region in (cond.then, cond.orelse)]
    how = [one for one in wanted if one is not None]
    results = _if(
        run, test, [graph for graph, _ in branches], [*how, *(cell.tensor.stored for cell in cells)]
    )
    for cell, tensor in zip(cells, results[len(how) :], strict=True):
        cell.write(tensor)
    counts = [_unique([[form] for form in forms]) for _, forms in branches]
    made: list[Form] = []
    for index in range(len(wanted)):
        forms = [branch[1][index] for branch in branches]
        if wanted[index] is None:
            made.append(forms[0])
            continue
        roots = _roots(forms)
        own = all(root.depth > run.write.depth for root in roots)
        own = own and all(count[root] <= 1 for count in counts for root in roots)
        made.append(_phi(call, results.pop(0), roots, own))
    return made


def _is_literal(value: Value) -> bool:
    """Return whether a value is known, and is no number."""
    return isinstance(value.spec, LiteralSpec) and stored(value.spec) is None


def _branch(
    run: Translator,
    call: OnnxCall,
    region: Block,
    captures: Sequence[Form],
    cells: Sequence[OnnxArray],
    wanted: Sequence[Stored | None],
) -> tuple[GraphProto | None, list[Form]]:
    """The graph of a branch, and what it puts out; no graph where it has no outputs."""
    before = [cell.tensor for cell in cells]
    run.write.open()
    forms = run.region(region, captures)
    ends = [_filled(call, form, how) for form, how in zip(forms, wanted, strict=True) if how is not None]
    ends += [cell.tensor for cell in cells]
    if ends:
        graph = run.write.close(run.write.name("branch"), [], ends)
    else:
        run.write.drop()
        graph = None
    for cell, tensor in zip(cells, before, strict=True):
        cell.tensor = tensor
    return graph, forms


def _if(
    run: Translator, test: Tensor, graphs: Sequence[GraphProto | None], how: Sequence[Stored]
) -> list[Tensor]:
    if not how:
        return []
    then, orelse = graphs
    return run.write.many("If", [test], how, then_branch=then, else_branch=orelse)


# -- loops ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Frame:
    """What a loop carries.

    Args:
        call: of its node.
        loop: its view.
        how: how the carried values are stored.
        cells: the arrays from around that it writes to.
        started: the carried values before the first iteration.
        own: nothing else reads the arrays that it begins with.
    """

    call: OnnxCall
    loop: AnyLoop
    how: Sequence[Stored]
    cells: Sequence[OnnxArray]
    started: Sequence[Form]
    own: Sequence[bool]

    @property
    def node(self) -> Node:
        """The node."""
        return self.loop.node

    def inside(self, tensors: Sequence[Tensor]) -> list[Form]:
        """The carried values in the body."""
        columns = zip(tensors, self.started, self.own, strict=True)
        return [_phi(self.call, tensor, _roots([form]), own) for tensor, form, own in columns]


def _frame(run: Translator, loop: AnyLoop) -> _Frame:
    node = loop.node
    call = call_of(run.write, node)
    how = [_how(node, value.spec) for value in node.outputs[loop.breaks :]]
    started = [run.read(operand) for operand in loop.carried]
    counts = _unique([[form] for form in started])
    own = [_is_own(run, node, operand, counts) for operand in loop.carried]
    return _Frame(call, loop, how, run.written_in(node), started, own)


def _is_own(run: Translator, node: Node, operand: Operand, counts: Counter[OnnxArray]) -> bool:
    """Return whether a loop may do as it likes with an array that it begins with."""
    form = run.read(operand)
    if form is UNSET:
        return True
    if not isinstance(form, OnnxArray) or not run.is_left_to(node, operand):
        return False
    is_free = not form.fixed and not form.shared and form.depth == run.write.depth
    return is_free and counts[form] == 1


def _for_loop(run: Translator, node: Node) -> Sequence[Form]:
    loop = ForLoop(node)
    frame = _frame(run, loop)
    given = [run.read(operand) for operand in node.inputs]
    space = space_of(frame.call, loop.over, given, [_how(node, one.spec) for one in loop.elements])
    return _loop(run, frame, space, None)


def _while_loop(run: Translator, node: Node) -> Sequence[Form]:
    loop = WhileLoop(node)
    frame = _frame(run, loop)
    captures = [run.read(operand) for operand in loop.captures]

    def test(carried: Sequence[Form]) -> Tensor:
        return truth(frame.call, run.region(loop.test, [*carried, *captures])[0])

    return _loop(run, frame, None, test)


Test = Callable[[Sequence[Form]], Tensor]


def _loop(run: Translator, frame: _Frame, space: OnnxSpace | None, test: Test | None) -> Sequence[Form]:
    """A loop over a space, or as long as a test holds."""
    write, breaks, cells = run.write, frame.loop.breaks, frame.cells
    first = write.constant(True) if test is None else test(frame.started)
    starts = [write.constant(False)] * breaks
    starts += [_filled(frame.call, form, how) for form, how in zip(frame.started, frame.how, strict=True)]
    starts += [cell.tensor for cell in cells]
    before = [cell.tensor for cell in cells]
    how = [*[FLAG] * breaks, *frame.how, *(cell.tensor.stored for cell in cells)]
    graph, ends = _body(run, frame, how, space, test)
    if not how:  # nothing is left of it: ONNX has no loop without outputs
        return []
    count = None if space is None else space.count
    results = write.many("Loop", [count, first, *starts], how, body=graph)
    for cell, tensor, old in zip(cells, results[len(results) - len(cells) :], before, strict=True):
        cell.tensor = old
        cell.write(tensor)
    made: list[Form] = list(results[:breaks])
    for index in range(len(frame.how)):
        sources = [*_roots([frame.started[index]]), *ends[index].roots]
        own = frame.own[index] and ends[index].is_own
        made.append(_phi(frame.call, results[breaks + index], sources, own))
    return made


@dataclass(frozen=True, slots=True)
class _End:
    """An array that an iteration ends with.

    Args:
        is_own: it is the loop's own.
        roots: those from around that it may be.
    """

    is_own: bool
    roots: Sequence[OnnxArray]


def _body(
    run: Translator, frame: _Frame, how: Sequence[Stored], space: OnnxSpace | None, test: Test | None
) -> tuple[GraphProto, list[_End]]:
    """The graph of one iteration, and what is known of the arrays that it ends with."""
    write, loop, breaks = run.write, frame.loop, frame.loop.breaks
    write.open()
    number, goes_on = Tensor(write.name("iteration"), NUMBER), Tensor(write.name("goes_on"), FLAG)
    inner = [Tensor(write.name("carried"), one) for one in how]
    count = len(frame.how)
    for cell, tensor in zip(frame.cells, inner[breaks + count :], strict=True):
        cell.tensor = tensor
    carried = frame.inside(inner[breaks : breaks + count])
    captures = [run.read(operand) for operand in loop.captures]
    elements = [] if space is None else space.elements(number)
    forms = run.region(loop.body, [*elements, *carried, *captures])
    ends = [_filled(frame.call, form, one) for form, one in zip(forms, how[: len(forms)], strict=True)]
    arrived = _arrived(run, frame, list(zip(carried, inner[breaks:], forms[breaks:], strict=False)))
    stop = truth(frame.call, forms[0]) if breaks else None
    condition = _condition(run, goes_on, stop, test, forms[breaks:])
    ends += [cell.tensor for cell in frame.cells]
    inputs = [(one.name, one.stored) for one in (number, goes_on, *inner)]
    return write.close(write.name("body"), inputs, [condition, *ends]), arrived


def _condition(
    run: Translator, goes_on: Tensor, stop: Tensor | None, test: Test | None, carried: Sequence[Form]
) -> Tensor:
    """Whether there is another iteration: after a ``break`` the test is not asked."""
    write = run.write
    if test is None:
        return goes_on if stop is None else write.op("Not", stop)
    if stop is None:
        return test(carried)
    write.open()
    then = write.close(write.name("branch"), [], [write.constant(False)])
    write.open()
    orelse = write.close(write.name("branch"), [], [test(carried)])
    return write.many("If", [stop], [FLAG], then_branch=then, else_branch=orelse)[0]


def _arrived(run: Translator, frame: _Frame, columns: Sequence[tuple[Form, Tensor, Form]]) -> list[_End]:
    """What is known of the arrays that an iteration ends with.

    Args:
        run: writes blocks.
        frame: what the loop carries.
        columns: each carried value at the beginning of the body, its tensor then, and at the end.

    Raises:
        BundleError: the next iteration would write to an array under another name.
    """
    counts = _unique([[form] for _, _, form in columns])
    ends: list[_End] = []
    for held, first, form in columns:
        roots = _roots([form])
        if any(root in frame.cells for root in roots):
            raise no_counterpart(frame.node, "carries an array that it also writes to", "carry a copy")
        is_own = all(root.depth >= run.write.depth and counts[root] == 1 for root in roots)
        if isinstance(held, OnnxArray) and held.tensor is not first and not is_own:
            raise no_counterpart(frame.node, f"writes to {ONE_OF_SEVERAL}", "write to a copy")
        ends.append(_End(is_own, [root for root in roots if root.depth < run.write.depth]))
    return ends


RULES: Final[Mapping[str, Control]] = {"cond": _cond, "for_loop": _for_loop, "while_loop": _while_loop}
