"""Blocks as ONNX nodes: leaf nodes by the table, arrays that are written by name, containers that are known.

Takes blocks and the forms of their inputs, gives the forms of their outputs.  Control flow is in ``onnx_control``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from astrace.bundle.exports.onnx_calls import OnnxCall, Row, no_counterpart, row, types_of
from astrace.bundle.exports.onnx_elementwise import UPDATES
from astrace.bundle.exports.onnx_indexing import key_of, part_of
from astrace.bundle.exports.onnx_table import ROWS
from astrace.bundle.exports.onnx_values import AnyArray, Form, OnnxArray, OnnxView, Tensor, owner, stored
from astrace.bundle.exports.onnx_writer import Writer
from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import CONTROL
from astrace.ir.interpret import call_arguments
from astrace.ir.walk import last_uses, nodes
from astrace.ops.effects import is_fresh, written
from astrace.ops.python.operators import UFUNCS
from astrace.passes.analysis.aliasing import Sharing

Control: TypeAlias = "Callable[[Translator, Node], Sequence[Form]]"


def _nothing(call: OnnxCall) -> None:
    """Write nothing."""


NOTHING: Final = row(_nothing, "")


def _never(_: Value) -> bool:
    """Return that a value is used later: nothing is known."""
    return False


class Translator:
    """Writes blocks, in the order in which they run.

    Args:
        write: writes the model.
        sharing: which values of the whole block may share memory.
        control: writes the nodes of control flow, by op.
    """

    def __init__(self, write: Writer, sharing: Sharing, control: Mapping[str, Control]) -> None:
        self.write = write
        self._sharing = sharing
        self._control = control
        self._env: dict[Value, Form] = {}
        self._dead: Callable[[Value], bool] = _never

    # -- blocks ----------------------------------------------------------------------------------------------

    def region(self, block: Block, given: Sequence[Form]) -> list[Form]:
        """Write a block within what stands around it."""
        around, dead = dict(self._env), self._dead
        self._env.update(zip(block.inputs, given, strict=True))
        last, made = last_uses(block), {value for node in block.nodes for value in node.outputs}
        for index, node in enumerate(block.nodes):
            self._dead = lambda value, index=index: value in made and last.get(value, -1) <= index
            self._node(node)
        outputs = [self.read(operand) for operand in block.outputs]
        self._env, self._dead = around, dead
        return outputs

    def read(self, operand: Operand) -> Form:
        """What an operand is in the model."""
        return self._env[operand] if isinstance(operand, Value) else operand.value

    def is_left_to(self, node: Node, operand: Operand) -> bool:
        """Return whether an array is reached through one input of a node, and by nothing after it."""
        held = self.read(operand)
        if not isinstance(operand, Value) or not isinstance(held, OnnxArray):
            return False
        if not self._dead(operand) or node.inputs.count(operand) > 1:
            return False
        used = set(node.inputs)
        others = [
            form
            for value, form in self._env.items()
            if value is not operand and (value in used or not self._dead(value))
        ]
        return not any(held in array.roots() for array in arrays(others))

    def written_in(self, node: Node) -> list[OnnxArray]:
        """The arrays from around that the regions of a node may write to."""
        inside = [inner for inner in nodes(Block((), (node,))) if not inner.regions]
        groups = {self._sharing.group(value) for inner in inside for value in written(inner)}
        if not groups:
            return []
        held = [form for value, form in self._env.items() if self._sharing.group(value) in groups]
        return list(dict.fromkeys(owner(array) for array in arrays(held)))

    # -- nodes -----------------------------------------------------------------------------------------------

    def _node(self, node: Node) -> None:
        if node.raises:
            raise no_counterpart(node, "raises on a floating point error, which ONNX does not")
        if node.op in CONTROL:
            if node.op not in self._control:
                raise no_counterpart(node)
            results = self._control[node.op](self, node)
        else:
            results = self._leaf(node)
        self._env.update(zip(node.outputs, results, strict=True))

    def _leaf(self, node: Node) -> Sequence[Form]:
        given = [self.read(operand) for operand in node.inputs]
        args, kwargs = call_arguments(node, given)
        match node.op:
            case "make_tuple":
                return [tuple(args)]
            case "make_list":
                return [list(args)]
            case "make_dict":
                return [dict(zip(args[::2], args[1::2], strict=True))]
            case "unpack":
                return self._unpacked(node, args[0])
            case op if op in UPDATES:
                return [self._updated(node, args)]
            case _:
                return self._by_row(node, args, kwargs, given)

    def _by_row(
        self, node: Node, args: Sequence[Form], kwargs: Mapping[str, Form], given: Sequence[Form]
    ) -> Sequence[Form]:
        found: Row | None = ROWS.get(node.op)
        if found is None:
            raise no_counterpart(node)
        if node.op == "set_item":
            self._before_write(node, args[0])
        made = found.rule(found.call(self.write, node, args, kwargs))
        if not node.outputs:
            return []
        how = stored(node.output.spec) if isinstance(made, Tensor) else None
        return [self._array(node, made, given) if how is not None and how.is_array else made]

    def _array(self, node: Node, tensor: Tensor, given: Sequence[Form]) -> OnnxArray:
        """The array that a node makes, or another one that shares memory with what it was given."""
        depth = self.write.depth
        sources = [] if is_fresh(node) or node.op == "get_item" else [owner(one) for one in arrays(given)]
        for source in sources:
            source.shared = True
        fixed = "an array that may share memory with another" if sources else ""
        return OnnxArray(tensor, fixed, tuple(sources), depth)

    def _unpacked(self, node: Node, held: Form) -> Sequence[Form]:
        if isinstance(held, tuple | list):
            if len(held) != len(node.outputs):
                raise no_counterpart(node, "takes another number of items")
            return list(held)
        call = NOTHING.call(self.write, node, [], {})
        rank = call.as_tensor(held).rank
        parts: list[Form] = []
        for index, output in enumerate(node.outputs):
            how = stored(output.spec)
            if how is None:
                raise no_counterpart(node)
            parts.append(part_of(call, held, key_of(call, index, rank), how))
        return parts

    # -- writes ----------------------------------------------------------------------------------------------

    def _updated(self, node: Node, args: Sequence[Form]) -> Form:
        """An operator in place: of an array the array itself, of a number a new one."""
        name, held = UPDATES[node.op], args[0]
        found = ROWS[name].call(self.write, node, args, {})
        if not isinstance(held, OnnxArray | OnnxView):
            return ROWS[name].rule(found)
        self._before_write(node, held)
        before = held.read()
        kinds = {UFUNCS[name].resolve_dtypes((before.dtype, one, None))[-1] for one in types_of(args[1])}
        if kinds != {before.dtype}:
            raise no_counterpart(node, f"computes in another dtype than {before.dtype}", "assign the result")
        after = ROWS[name].rule(found)
        held.write(Tensor(after.name, before.stored))
        return held

    @staticmethod
    def _before_write(node: Node, held: Form) -> None:
        """Make sure that no value but the array itself would see a write."""
        if not isinstance(held, OnnxArray | OnnxView):
            raise no_counterpart(node, "changes a container")
        cell = owner(held)
        if cell.fixed or cell.shared:
            why = cell.fixed or "an array whose memory another value may share"
            raise no_counterpart(node, f"writes to {why}", "write to a copy: np.copy(...)")


def arrays(form: Form) -> Iterator[AnyArray]:
    """The arrays in a form."""
    match form:
        case OnnxArray() | OnnxView():
            yield form
        case tuple() | list():
            for item in form:
                yield from arrays(item)
        case dict():
            yield from arrays(list(form.values()))
        case _:
            return


def call_of(write: Writer, node: Node) -> OnnxCall:
    """A call without arguments, for what the regions of a node need."""
    return NOTHING.call(write, node, [], {})
