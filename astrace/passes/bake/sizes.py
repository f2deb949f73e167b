"""Names of sizes that are known: where an array is fixed, so are the sizes that its dimensions name.

Takes a block and numbers for names; gives the block with the numbers in its specs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from astrace.ir.block import Block, Node, Operand, Value, region_inputs
from astrace.ir.iteration import Each, Enumerate, Over, Reversed, Zip
from astrace.ir.specs import ArraySpec, Dim, ListSpec, Spec, TupleSpec, UnionSpec, join
from astrace.passes.pipeline import inferred


def with_sizes(block: Block, sizes: Mapping[str, int]) -> Block:
    """The block with numbers for the names of sizes.

    Args:
        block: any block.
        sizes: what some names are.

    Returns:
        A new block; the same one where there is nothing to name.

    Example:
        >>> import numpy as np
        >>> x = Value(ArraySpec(("n", "m"), np.dtype("int8")), "x")
        >>> print(with_sizes(Block((x,), (), (x,)), {"m": 3}))
        block(x: int8[n, 3]):
          -> x
    """
    return _Sizes(sizes).block(block) if sizes else block


def with_inferred_sizes(block: Block) -> Block:
    """The block with the sizes that its ops infer from those of what they are given, where these are known since.

    What a loop carries keeps its type: another iteration may be given another size.

    Args:
        block: any block.
    """
    return _InferredSizes({}).block(block)


class _Sizes:
    """Writes blocks anew."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        self._values: dict[Value, Value] = {}

    def block(self, block: Block) -> Block:
        """A block and its regions."""
        inputs = tuple(map(self._define, block.inputs))
        nodes = tuple(map(self._node, block.nodes))
        return Block(inputs, nodes, tuple(map(self._operand, block.outputs)))

    def _node(self, node: Node) -> Node:
        return replace(
            node,
            inputs=tuple(map(self._operand, node.inputs)),
            regions=tuple(map(self.block, node.regions)),
            outputs=tuple(map(self._define, node.outputs)),
            attrs={name: self._attribute(value) for name, value in node.attrs.items()},
        )

    def _define(self, value: Value) -> Value:
        spec = self.spec(value.spec)
        self._values[value] = value if spec is value.spec else Value(spec, value.name)
        return self._values[value]

    def _operand(self, operand: Operand) -> Operand:
        return self._values.get(operand, operand) if isinstance(operand, Value) else operand

    def _attribute(self, value: Any) -> Any:
        if isinstance(value, Spec):
            return self.spec(value)
        return self._over(value) if isinstance(value, Over) else value

    def _over(self, over: Over) -> Over:
        match over:
            case Each() if over.element is not None:
                return replace(over, element=self.spec(over.element))
            case Enumerate() | Reversed():
                return replace(over, inner=self._over(over.inner))
            case Zip():
                return replace(over, parts=tuple(map(self._over, over.parts)))
            case _:
                return over

    def spec(self, spec: Spec) -> Spec:
        """A spec with numbers for names; the same one where it has none of them."""
        match spec:
            case ArraySpec() if any(map(self._is_known, spec.shape)):
                return ArraySpec(tuple(map(self._size, spec.shape)), spec.dtype)
            case TupleSpec():
                items = tuple(map(self.spec, spec.items))
                return spec if items == spec.items else TupleSpec(items, spec.cls)
            case ListSpec():
                element = None if spec.element is None else self.spec(spec.element)
                return ListSpec(element, self._size(spec.length))
            case UnionSpec():
                found = self.spec(spec.options[0])
                for option in spec.options[1:]:
                    found = join(found, self.spec(option))
                return found
            case _:
                return spec

    def _is_known(self, size: Dim) -> bool:
        return isinstance(size, str) and size in self._sizes

    def _size(self, size: Dim) -> Dim:
        return self._sizes.get(size, size) if isinstance(size, str) else size


class _InferredSizes(_Sizes):
    """Writes blocks anew, with the sizes that are inferred."""

    def _node(self, node: Node) -> Node:
        for _, inner, outer in region_inputs(node):
            for value, operand in zip(inner, outer, strict=True):
                self._narrow(value, self._operand(operand).spec)
        given = replace(node, inputs=tuple(map(self._operand, node.inputs)))
        found = None if node.regions else inferred(given)
        for value, spec in zip(node.outputs, found or (), strict=found is not None):
            self._narrow(value, spec)
        return super()._node(node)

    def _narrow(self, value: Value, found: Spec) -> None:
        """Give a value the sizes of another spec, where these tell more."""
        spec = value.spec
        if (
            isinstance(spec, ArraySpec)
            and isinstance(found, ArraySpec)
            and len(spec.shape) == len(found.shape)
        ):
            pairs = zip(spec.shape, found.shape, strict=True)
            shape = tuple(new if isinstance(new, int) else old for old, new in pairs)
            self._values[value] = Value(ArraySpec(shape, spec.dtype), value.name)

    def _define(self, value: Value) -> Value:
        return self._values.get(value) or super()._define(value)
