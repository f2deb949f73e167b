"""Assignments and other statements: in place where the user's are, and in one line where several nodes are one statement.

``x[i] += y`` is three nodes, which read an item, compute and write it back; ``a, b = pair`` is one for each item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from astrace.backends.numpy.emitter import Emitter, words
from astrace.backends.python_source.expressions import ATOM, Code
from astrace.backends.python_source.spelling import is_attribute_name
from astrace.ir.block import Node, Operand, Value
from astrace.ops.infer import arguments
from astrace.ops.python.operators import ARITHMETIC, COMPARISON, INPLACE, keeps_target
from astrace.ops.rules import spec_of
from astrace.util.trees import Tree

SYMBOLS: Final = {**ARITHMETIC, **COMPARISON}


class StatementEmitter(Emitter):
    """Writes leaf nodes that are statements."""

    def statement(self, node: Node, inputs: Sequence[Code]) -> None:
        """Write a node that is a statement."""
        args, _ = self.speller.arguments(node, inputs)
        codes = self.speller
        owner = codes.code(args[0]).at(ATOM) if args else ""
        match node.op:
            case "set_item":
                text = stored_in(codes.spell_item(node, args), codes.code(args[2]))
            case "delete_item":
                text = f"del {codes.spell_item(node, args)}"
            case "set_attr" | "delete_attr":
                text = codes.attribute_statement(args)
            case "append":
                text = f"{owner}.append({codes.code(args[1]).text})"
            case "raise_":
                cause = f" from {codes.code(args[1]).text}" if len(args) > 1 else ""
                text = f"raise {codes.code(args[0]).text}{cause}"
            case "reraise":
                text = "raise"
            case "unpack":
                text = self._unpack(node, codes.code(args[0]))
            case _:
                text = self._update(node, codes.code(args[0]), codes.code(args[1]))
        self.line(text, node.location)

    # -- in place ------------------------------------------------------------------------------------

    def _update(self, node: Node, owner: Code, value: Code) -> str:
        """``x += y``: in the variable that ``x`` is in, where that holds the same object afterwards or is not read."""
        symbol = f"{SYMBOLS[INPLACE[node.op]]}="
        back = self._written_back(node, owner)
        if back is not None:
            self.written.add(back)
            return f"{owner.text} {symbol} {value.text}"
        operand, output = node.inputs[0], node.output
        name = owner.text
        in_variable = operand not in self.constants and operand in self.names and name.isidentifier()
        is_last = in_variable and self.names.is_last_use(operand)
        keeps = keeps_target(node.op, *map(spec_of, arguments(node)[0]))
        if self.is_used(node) or not (in_variable and (is_last or keeps)):
            wanted = self.scope.targets.get(output, "") or (name if is_last and not output.name else "")
            name = self.names.assign(output, wanted, {*words(value.text)} - {name})
            if isinstance(operand, Value) and not self._is_at_hand(operand):
                self.names.share(operand, name)
        if name != owner.text:
            self.line(f"{name} = {owner.text}", owner.location or node.location)
        return f"{name} {symbol} {value.text}"

    def _written_back(self, node: Node, owner: Code) -> Node | None:
        """Return the node that stores what was computed in place, if that is where it was read from."""
        back = self.scope.stores.get(node)
        if back is None or not all(map(self._is_at_hand, back.inputs[:-1])):
            return None
        args, _ = self.speller.arguments(back, [*map(self.operand, back.inputs[:-1]), Code("")])
        return back if self._place(back, args) == owner.text else None

    def _is_at_hand(self, operand: Operand) -> bool:
        """Return whether an operand is a constant or in a variable."""
        return not isinstance(operand, Value) or operand in self.names or operand in self.constants

    def _place(self, node: Node, args: Sequence[Tree]) -> str:
        """Write where a node stores its value; nothing where that is no plain attribute or item."""
        if node.op == "set_item":
            return self.speller.spell_item(node, args)
        name = self.speller.code(args[1]).text[1:-1]
        return self.speller.attribute(args) if is_attribute_name(name) else ""

    # -- items ---------------------------------------------------------------------------------------

    def _unpack(self, node: Node, items: Code) -> str:
        names = [self.names.assign(output, self.scope.targets.get(output, "")) for output in node.outputs]
        if "after" in node.attrs:
            names[node.attrs["before"]] = f"*{names[node.attrs['before']]}"
        if not names:
            return f"() = {items.text}"
        return f"{', '.join(names)}{',' if len(names) == 1 else ''} = {items.text}"

    def leaf(self, node: Node) -> None:
        """Write a leaf node; with those that follow, if they take the items of a tuple one after the other."""
        group = self.scope.groups.get(node)
        if group is None:
            super().leaf(node)
            return
        (items,) = self.take(node.inputs[:1])
        self.flush([items])
        self.written.update(group)
        outputs = [one.output for one in group]
        self.names.frame.index += len(group) - 1
        names = [self.names.assign(output, self.scope.targets.get(output, "")) for output in outputs]
        self.names.frame.index -= len(group) - 1
        self.line(f"{', '.join(names)} = {items.text}", node.location)


def stored_in(place: str, value: Code) -> str:
    """Write an assignment; in place where the value is an operator's whose left operand is a number from there."""
    if value.update is not None and value.update[0] == place:
        return f"{place} {value.update[1]}= {value.update[2]}"
    return f"{place} = {value.text}"
