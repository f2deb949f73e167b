"""JSON data as a graph: what `graph_encoder` wrote, checked as it is read.

Takes the data of ``graph.json``, the arrays, and the operators that the loading program passes.  What is made is
checked three times: the form of the data as they are read, each node against the tables of what bundles may have, and
the whole block against the rules of the IR, with the specs that ops infer.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from astrace.bundle.codec.data_decoder import DataDecoder
from astrace.bundle.codec.guard_codec import decode_guard, decode_path, is_name
from astrace.bundle.codec.node_rules import NO_OPERANDS, fault, pinned_operands
from astrace.bundle.codec.spec_codec import decode_spec
from astrace.bundle.codes import broken
from astrace.errors import BrokenBlock
from astrace.guards.access_paths import Path
from astrace.guards.kinds import Guard
from astrace.ir.block import NO_ATTRS, Block, Constant, Node, Operand, Value
from astrace.ir.control import CONTROL
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import Spec
from astrace.ir.values import Origin
from astrace.ir.verify import verify
from astrace.ir.walk import nodes
from astrace.locations import Location
from astrace.ops import OPS
from astrace.ops.infer import infer
from astrace.util.trees import Pattern, Tree

TABLES: Final = ("specs", "constants", "locations", "shared", "arrays")
FIELDS: Final = frozenset(
    {"name", "signature", "inputs", "block", "result", "guards", "frozen", "on_request", *TABLES}
)
NODE_FIELDS: Final = frozenset({"op", "in", "out", "attrs", "regions", "raises", "at"})
KINDS: Final = {kind.name.lower(): kind for kind in type(inspect.Parameter.POSITIONAL_ONLY)}
ORIGINS: Final = ("literal", "guarded", "folded", "frozen")
DEEPEST: Final = 20


@dataclass(frozen=True, slots=True)
class DecodedGraph:
    """The parts of a graph that was read.

    Args:
        name: the name of the function.
        signature: its signature.
        block: the program.
        result: how the block's outputs make up the result.
        inputs: where the inputs are found in a call.
        guards: what a call must be like.
        guarded_at: the lines that say so.
        frozen: what was read from outside.
        on_request: what was frozen on request.
    """

    name: str
    signature: inspect.Signature
    block: Block
    result: Tree
    inputs: tuple[Path, ...]
    guards: tuple[Guard, ...]
    guarded_at: Mapping[Guard, Location]
    frozen: tuple[Constant, ...] | None
    on_request: tuple[Constant, ...]


def decode_graph(
    data: Any, arrays: Sequence[Any], operators: Mapping[str, Any]
) -> tuple[DecodedGraph, DataDecoder]:
    """The graph of data, and what reads the values that go with it.

    Raises:
        BundleError: they are none of a graph that may be loaded.
    """
    if type(data) is not dict or data.keys() != FIELDS or type(data["name"]) is not str:
        raise broken("AB111", "`graph.json` has not the parts that graphs have")
    lists = FIELDS - {"name", "block", "result", "frozen"}
    if not all(type(data[name]) is list for name in lists) or type(data["frozen"]) not in (list, type(None)):
        raise broken("AB111", "`graph.json` has a part that is no list")
    decoder = _GraphDecoder(data, arrays, operators)
    return decoder.graph(), decoder.values


class _GraphDecoder:
    """Reads one graph."""

    def __init__(self, data: dict[str, Any], arrays: Sequence[Any], operators: Mapping[str, Any]) -> None:
        self._data, self._operators = data, frozenset(map(id, operators.values()))
        self.values = DataDecoder(data["shared"], arrays, operators)
        self._locations = [_location(row) for row in data["locations"]]
        self._specs: list[Spec] = [decode_spec(row, self.values) for row in data["specs"]]
        self._constants = [self._constant(row) for row in data["constants"]]
        self._defined: list[Value] = []
        self._pinned: Mapping[Operand, Any] | None = None if self._operators else NO_OPERANDS
        self._depth = 0

    def graph(self) -> DecodedGraph:
        data = self._data
        signature = self._signature()
        names = frozenset(signature.parameters)
        block = self._block(data["block"])
        inputs = tuple(decode_path(one, self.values, names) for one in data["inputs"])
        if len(inputs) != len(block.inputs):
            raise broken("AB111", "the block has other inputs than the graph")
        self._verify(block)
        self._check_calls(block, inputs)
        self.values.holes = len(block.outputs)
        result = self.values.decode(data["result"])
        self.values.holes = 0
        guards: dict[Guard, Location | None] = {}
        for row in data["guards"]:
            guard, where = self._pair(row)
            guards[decode_guard(guard, self.values, names)] = self._at(where)
        return DecodedGraph(
            data["name"],
            signature,
            block,
            result,
            inputs,
            tuple(guards),
            {guard: where for guard, where in guards.items() if where is not None},
            None if data["frozen"] is None else self._numbered(data["frozen"]),
            self._numbered(data["on_request"]),
        )

    def _verify(self, block: Block) -> None:
        try:
            verify(block, _KnownSpecs().of, "a bundle")
        except BrokenBlock as error:
            raise broken("AB114", str(error)) from None
        except (
            ValueError,
            TypeError,
            IndexError,
            KeyError,
            AttributeError,
            OverflowError,
            RecursionError,
        ) as error:
            raise broken("AB114", f"a node is not formed as its op asks: {error!r}") from None

    # -- tables ----------------------------------------------------------------------------------------

    def _constant(self, row: Any) -> Constant:
        value, origin = self._pair(row)
        match origin:
            case [str() as kind, str() as path, where] if kind in ORIGINS:
                return Constant(self.values.decode(value), Origin(kind, path, self._at(where)))
            case _:
                raise broken("AB111", "a constant has no origin that constants have")

    def _pair(self, row: Any) -> tuple[Any, Any]:
        if type(row) is not list or len(row) != 2:
            raise broken("AB111", "a row of `graph.json` has not two parts")
        return row[0], row[1]

    def _at(self, number: Any) -> Location | None:
        return None if number is None else _item(self._locations, number, "location")

    def _numbered(self, numbers: list[Any]) -> tuple[Constant, ...]:
        return tuple(_item(self._constants, number, "constant") for number in numbers)

    def _signature(self) -> inspect.Signature:
        found: list[inspect.Parameter] = []
        for row in self._data["signature"]:
            match row:
                case {"name": str() as name, "kind": str() as kind, **rest} if (
                    is_name(name) and kind in KINDS and rest.keys() <= {"default"}
                ):
                    default = self.values.decode(rest["default"]) if rest else inspect.Parameter.empty
                case _:
                    raise broken("AB111", "a parameter is not described as parameters are")
            try:
                found.append(inspect.Parameter(name, KINDS[kind], default=default))
            except ValueError as error:
                raise broken("AB111", f"a parameter is not formed as Python's are: {error}") from None
        try:
            return inspect.Signature(found)
        except ValueError as error:
            raise broken("AB111", f"the signature is not formed as Python's are: {error}") from None

    # -- blocks ----------------------------------------------------------------------------------------

    def _block(self, data: Any) -> Block:
        match data:
            case {
                "inputs": list() as inputs,
                "nodes": list() as rows,
                "outputs": list() as outputs,
                **rest,
            } if not rest:
                self._depth += 1
                if self._depth > DEEPEST:
                    raise broken("AB106", "regions are nested too deep")
                given = tuple(map(self._define, inputs))
                nodes = tuple(map(self._node, rows))
                block = Block(given, nodes, self._operands(outputs))
                self._depth -= 1
                return block
            case _:
                raise broken("AB111", "a block is not described as blocks are")

    def _define(self, row: Any) -> Value:
        spec, name = self._pair(row)
        if name != "" and not is_name(name):
            raise broken("AB111", f"a value has the name {name!r:.40}, which is none")
        value = Value(_item(self._specs, spec, "spec"), name)
        self._defined.append(value)
        return value

    def _operands(self, numbers: Any) -> tuple[Operand, ...]:
        if type(numbers) is not list:
            raise broken("AB111", "operands are no list")
        return tuple(map(self._operand, numbers))

    def _operand(self, number: Any) -> Operand:
        if type(number) is int and number < 0:
            return _item(self._constants, -1 - number, "constant")
        return _item(self._defined, number, "value that is defined")

    def _node(self, data: Any) -> Node:
        known = type(data) is dict and {"op", "in", "out"} <= data.keys() <= NODE_FIELDS
        if not known or type(data["op"]) is not str or type(data["out"]) is not list:
            raise broken("AB111", "a node is not described as nodes are")
        op, raises, regions = data["op"], data.get("raises", False), data.get("regions", [])
        if type(raises) is not bool or type(regions) is not list or bool(regions) != (op in CONTROL):
            raise broken("AB111", f"the node `{op:.40}` is not described as nodes are")
        inputs = self._operands(data["in"])
        attrs = self._attrs(data.get("attrs", []), len(inputs))
        made = tuple(map(self._block, regions))
        outputs = tuple(map(self._define, data["out"]))
        node = Node(op, inputs, outputs, attrs, made, self._at(data.get("at")), raises)
        self._check(node)
        return node

    def _check(self, node: Node) -> None:
        try:
            problem = fault(node, self._operators, self._pinned)
        except (IndexError, TypeError, ValueError, KeyError) as error:
            raise broken(
                "AB111", f"the node `{node.op:.40}` is not formed as its op asks: {error!r}"
            ) from None
        if problem is not None:
            raise broken(
                "AB112",
                f"the node `{node.op:.40}` is not accepted: {problem:.200}",
                "bundles run nothing but the operations of their table",
            )

    def _check_calls(self, block: Block, inputs: Sequence[Path]) -> None:
        """Check what nodes call once more, now that it is known which operands are operators."""
        if self._operators:
            self._pinned = pinned_operands(block, inputs, self._operators)
            for node in nodes(block):
                self._check(node)

    def _attrs(self, rows: Any, holes: int) -> Mapping[str, Any]:
        if type(rows) is not list:
            raise broken("AB111", "attributes of a node are no list")
        found: dict[str, Any] = {}
        self.values.holes = holes
        for row in rows:
            name, data = self._pair(row)
            if not is_name(name) or name in found:
                raise broken("AB111", f"a node has the attribute {name!r:.40}, which is none")
            found[name] = self._attribute(data)
        self.values.holes = 0
        return found or NO_ATTRS

    def _attribute(self, data: Any) -> Any:
        match data:
            case ["pattern", list() as args, list() as named]:
                kwargs: dict[str, Any] = {}
                for row in named:
                    name, tree = self._pair(row)
                    if not is_name(name) or name in kwargs:
                        raise broken("AB111", f"a node has the keyword {name!r:.40}, which is none")
                    kwargs[name] = self.values.decode(tree)
                return Pattern(tuple(map(self.values.decode, args)), kwargs)
            case ["over", over]:
                return self._over(over, 0)
            case ["value", value]:
                return self.values.decode(value)
            case _:
                raise broken("AB111", "an attribute of a node is not described as attributes are")

    def _over(self, data: Any, depth: int) -> Over:
        if depth > DEEPEST:
            raise broken("AB106", "an iteration is nested too deep")
        match data:
            case ["range", *numbers] if len(numbers) == 3 and all(type(one) is int for one in numbers):
                return Range(*numbers)
            case ["each", int() as number, spec]:
                return Each(number, None if spec is None else decode_spec(spec, self.values))
            case ["enumerate", inner, int() as start]:
                return Enumerate(self._over(inner, depth + 1), start)
            case ["zip", list() as parts, bool() as strict]:
                return Zip(tuple(self._over(part, depth + 1) for part in parts), strict)
            case ["reversed", inner]:
                return Reversed(self._over(inner, depth + 1))
            case _:
                raise broken("AB111", "an iteration is not described as iterations are")


class _KnownSpecs:
    """The specs that ops infer; nodes that are alike are asked for once, since a program repeats itself."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], tuple[Spec, ...]] = {}

    def of(self, node: Node) -> tuple[Spec, ...] | None:
        """The specs of a node's outputs."""
        if node.attrs is not NO_ATTRS or not all(isinstance(one, Value) for one in node.inputs):
            return infer(OPS[node.op], node.inputs, node.attrs, len(node.outputs))
        # The specs are those of the table, which are kept: their identities stand for them.
        key = (node.op, len(node.outputs), *(id(one.spec) for one in node.inputs))
        if key not in self._known:
            self._known[key] = infer(OPS[node.op], node.inputs, node.attrs, len(node.outputs))
        return self._known[key]


def _item(table: Sequence[Any], number: Any, what: str) -> Any:
    if type(number) is not int or not 0 <= number < len(table):
        raise broken("AB111", f"there is no {what} under the number {number!r:.40}")
    return table[number]


def _location(row: Any) -> Location:
    match row:
        case [str() as file, int() as line, str() as function, int() as root]:
            return Location(file, line, function, root)
        case _:
            raise broken("AB111", "a location is not described as locations are")
