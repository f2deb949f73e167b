"""A graph as JSON data and files of arrays: ``graph.json``.

Takes a frozen graph, gives plain data.  Values are numbered in the order in which they are defined; an operand is the
number of a value, or the number of a constant below zero (-1 is the first).  Specs, constants and locations stand in
tables.  Files of the user are named by where they lie in their package, so that the same program in another folder
gives the same data.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from astrace.bundle.codec.data_encoder import DataEncoder
from astrace.bundle.codec.guard_codec import encode_guard, encode_path, is_name, is_saved, portable_guards
from astrace.bundle.codec.json_text import dumps
from astrace.bundle.codec.node_rules import fault, pinned_operands
from astrace.bundle.codec.shared_memory import SHARED_HINT, shared_memory
from astrace.bundle.codec.spec_codec import encode_spec
from astrace.bundle.codes import refused
from astrace.compiler.frozen_graph import FrozenGraph
from astrace.errors import BundleError
from astrace.guards.access_paths import Root
from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.specs import ANY
from astrace.ir.values import Origin
from astrace.ir.walk import captured, nodes
from astrace.locations import Location
from astrace.util.trees import Pattern

MERGED: Final = (bool, int, str, type(None))
"""Classes of constants of which equal ones are one."""
OPAQUE_HINT: Final = "write it with NumPy and Python's builtins, or make it an operator: astrace.script, and pass it when loading"


class GraphEncoder:
    """Writes one graph.

    Args:
        graph: the graph.
        operators: the names of operators by their identity.
    """

    def __init__(self, graph: FrozenGraph, operators: Mapping[int, str]) -> None:
        self._graph, self._operators = graph, operators
        self.values = DataEncoder("arrays", operators)
        self._pinned = pinned_operands(graph.block, graph.inputs, operators)
        self._numbers: dict[Value, int] = {}
        self._specs: dict[bytes, int] = {}
        self._constants: dict[Any, int] = {}
        self._constant_rows: list[Any] = []
        self._locations: dict[Location, int] = {}
        self._location_rows: list[Any] = []

    def data(self) -> dict[str, Any]:
        """The data of the graph.

        Raises:
            BundleError: something of it can't be saved.
        """
        graph = self._graph
        self._check_inputs()
        signature = self._signature()
        inputs = [encode_path(path, self.values) for path in graph.inputs]
        block = self._block(graph.block)
        self.values.owner = "what the graph returns"
        result = self.values.encode(graph.result)
        self.values.owner = ""
        guards = [
            [encode_guard(one, self.values), self._location(graph.guarded_at.get(one))]
            for one in portable_guards(graph.asked, self.values)
        ]
        frozen = (
            None
            if graph.frozen is None
            else [self._constant(one) for one in graph.frozen if self.is_written(one)]
        )
        found = {
            "name": graph.name,
            "signature": signature,
            "inputs": inputs,
            "block": block,
            "result": result,
            "guards": guards,
            "frozen": frozen,
            "on_request": [self._constant(one) for one in graph.on_request],
        }
        return found | self._tables()

    def _tables(self) -> dict[str, Any]:
        return {
            "specs": [json.loads(text) for text in self._specs],
            "constants": self._constant_rows,
            "locations": self._location_rows,
            "shared": self.values.shared,
            "arrays": self.values.descriptions,
        }

    def is_written(self, constant: Constant) -> bool:
        """Return whether a constant is part of what was written."""
        return self._constant_key(constant) in self._constants

    # -- what surrounds the block --------------------------------------------------------------------

    def _check_inputs(self) -> None:
        """Refuse a graph that uses objects of the world outside, naming the node that does."""
        for value, path in zip(self._graph.block.inputs, self._graph.inputs, strict=True):
            if isinstance(path, Root) and not is_saved(path.pinned, self.values):
                raise _unsaved(path, _user(self._graph.block, value))
        found = shared_memory(self._graph)
        if found is not None:
            value, what = found
            user = _user(self._graph.block, value)
            raise refused("AB201", what, SHARED_HINT, None if user is None else user.location)

    def _signature(self) -> list[Any]:
        rows: list[Any] = []
        for parameter in own_signature(self._graph).parameters.values():
            row: dict[str, Any] = {"name": parameter.name, "kind": parameter.kind.name.lower()}
            if parameter.default is not parameter.empty:
                self.values.owner = f"the default of `{parameter.name}`"
                row["default"] = self.values.encode(parameter.default)
            rows.append(row)
        self.values.owner = ""
        return rows

    # -- blocks ----------------------------------------------------------------------------------------

    def _block(self, block: Block) -> dict[str, Any]:
        return {
            "inputs": [self._define(value) for value in block.inputs],
            "nodes": [self._node(node) for node in block.nodes],
            "outputs": self._operands(block.outputs),
        }

    def _define(self, value: Value) -> list[Any]:
        self._numbers[value] = len(self._numbers)
        return [self._spec(value), value.name if is_name(value.name) else ""]  # keys may be anything

    def _spec(self, value: Value) -> int:
        spec = ANY if value in self._pinned else value.spec  # the class of an operator is no part of the data
        key = dumps(encode_spec(spec, self.values))
        return self._specs.setdefault(key, len(self._specs))

    def _node(self, node: Node) -> dict[str, Any]:
        self.values.location = node.location
        self.values.owner = f"`{node.op}`"
        problem = fault(node, self._operators, self._pinned)
        if problem is not None:
            raise refused(
                "AB202", f"the node `{node.op}` can't be saved: {problem}", OPAQUE_HINT, node.location
            )
        data: dict[str, Any] = {"op": node.op, "in": self._operands(node.inputs)}
        attrs = {name: self._attribute(value) for name, value in node.attrs.items()}
        if attrs:
            data["attrs"] = [[name, value] for name, value in attrs.items()]
        if node.regions:
            data["regions"] = [self._block(region) for region in node.regions]
        self.values.location, self.values.owner = node.location, f"`{node.op}`"
        data["out"] = [self._define(value) for value in node.outputs]
        if node.raises:
            data["raises"] = True
        if node.location is not None:
            data["at"] = self._location(node.location)
        self.values.location, self.values.owner = None, ""
        return data

    def _attribute(self, value: Any) -> Any:
        match value:
            case Pattern():
                named = [[name, self.values.encode(tree)] for name, tree in value.kwargs.items()]
                return ["pattern", [self.values.encode(tree) for tree in value.args], named]
            case Range() | Each() | Enumerate() | Zip() | Reversed():
                return ["over", self._over(value)]
            case _:
                return ["value", self.values.encode(value)]

    def _over(self, over: Over) -> list[Any]:
        match over:
            case Range():
                return ["range", over.start, over.stop, over.step]
            case Each():
                return [
                    "each",
                    over.iterable,
                    None if over.element is None else encode_spec(over.element, self.values),
                ]
            case Enumerate():
                return ["enumerate", self._over(over.inner), over.start]
            case Zip():
                return ["zip", [self._over(part) for part in over.parts], over.strict]
            case Reversed():
                return ["reversed", self._over(over.inner)]

    # -- operands --------------------------------------------------------------------------------------

    def _operands(self, operands: Sequence[Operand]) -> list[int]:
        return [
            self._numbers[one] if isinstance(one, Value) else -1 - self._constant(one) for one in operands
        ]

    def _constant(self, constant: Constant) -> int:
        key = self._constant_key(constant)
        if key not in self._constants:
            row = [self.values.encode(constant.value), self._origin(constant.origin)]
            self._constants[key] = len(self._constant_rows)
            self._constant_rows.append(row)
        return self._constants[key]

    def _constant_key(self, constant: Constant) -> Any:
        kind = type(constant.value)
        return (kind, constant.value, constant.origin) if kind in MERGED else constant

    def _origin(self, origin: Origin) -> Any:
        return [origin.kind, origin.path, self._location(origin.location)]

    def _location(self, location: Location | None) -> int | None:
        if location is None:
            return None
        if location not in self._locations:
            self._locations[location] = len(self._locations)
            row = [file_label(location.file), location.line, location.function, location.root_line]
            self._location_rows.append(row)
        return self._locations[location]


def _user(block: Block, value: Value) -> Node | None:
    """The node that uses an input of a block, at whatever depth, rather than a branch or loop around it."""
    same = {value, *(inner for inner, outer in captured(block).items() if outer == value)}
    users = [node for node in nodes(block) if not same.isdisjoint(node.inputs)]
    return next((node for node in users if not node.regions), users[0] if users else None)


def _unsaved(path: Root, user: Node | None) -> BundleError:
    """The error for an object of the world outside; a dict or cell of variables is told by the name that is read of it."""
    where = None if user is None else user.location
    match user:
        case Node(op="read_global" | "read_cell", inputs=[_, Constant(value=name)]):
            what = f"the graph reads the variable `{name}` at each call: what runs before may replace it"
            hint = "assign it to a local variable at the start of the function, or make what runs before an operator"
            return refused("AB201", what, hint, where)
        case _:
            kind, used = type(path.pinned), "" if user is None else f", which `{user.op}` uses"
            what = f"the graph reads `{path.hint}` from outside{used}: an object of {kind.__module__}.{kind.__qualname__}"
            hint = (
                "pass it as an argument, or keep what is read of it in arrays, numbers, texts, lists or dicts"
            )
            return refused("AB201", what, hint, where)


def own_signature(graph: FrozenGraph) -> inspect.Signature:
    """The signature of a graph as it is called: without what every call begins with, without annotations."""
    signature = graph.signature
    parameters = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    plain = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    if not graph.first and not graph.named:
        return plain

    def called() -> None:
        """Stands for the function."""

    called.__signature__ = plain  # type: ignore[attr-defined]
    return inspect.signature(functools.partial(called, *graph.first, **graph.named))


@functools.cache
def file_label(file: str) -> str:
    """The name of a file in a bundle: its place in its package, or its own name.

    Example:
        >>> file_label("/home/me/project/model.py"), file_label("<stdin>")
        ('model.py', '<stdin>')
    """
    path = Path(file)
    parts = [path.name]
    folder = path.parent
    while folder.name and (folder / "__init__.py").is_file():
        parts.append(folder.name)
        folder = folder.parent
    return "/".join(reversed(parts))
