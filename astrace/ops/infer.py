"""From the specs of a node's inputs to those of its outputs.

Shared by tracing, which makes nodes, and the verifier, which checks them.  A union is taken apart: the rule
is asked for every combination, those that can only raise are left out, and the answers are joined.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

import numpy as np

from astrace.ir.block import Constant, Node, Operand
from astrace.ir.interpret import call_arguments, laid_out
from astrace.ir.specs import ANY, INT, LiteralSpec, ScalarSpec, Spec, UnionSpec, join
from astrace.ops.jax import arrays
from astrace.ops.numpy.list_arrays import EMPTY
from astrace.ops.numpy.probe import always_refuses
from astrace.ops.registry import Impossible, Op

MOST_COMBINATIONS: Final = 16


def arguments(node: Node) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A leaf node's arguments as its rule sees them: a spec for each value, constants as they are."""
    return call_arguments(node, [seen(operand) for operand in node.inputs])


def seen(operand: Operand) -> Any:
    """Return an operand as a rule is given it: constants as they are, a spec for constant arrays and for values."""
    if isinstance(operand, Constant) and not isinstance(operand.value, np.ndarray):
        return operand.value
    return operand.spec


def infer(op: Op, inputs: Sequence[Operand], attrs: Mapping[str, Any], outputs: int) -> tuple[Spec, ...]:
    """The specs of the outputs of a leaf node.

    Args:
        op: the node's op.
        inputs: what it is given.
        attrs: its attributes.
        outputs: how many outputs it has.
    """
    given = list(map(seen, inputs))
    if op.name in HOLDING or not any(type(item) is UnionSpec for item in given):
        # no result may mean that it always raises
        answer = _ask(op, attrs, given, outputs) or (ANY,) * outputs
        return (_with_example(op, given),) if op.symbol in EXAMPLES and answer == (INT,) else answer
    unions = [item.options if isinstance(item, UnionSpec) else (item,) for item in given]
    if math.prod(map(len, unions)) > MOST_COMBINATIONS:
        return (ANY,) * outputs
    answers = [_ask(op, attrs, combination, outputs) for combination in itertools.product(*unions)]
    possible = [answer for answer in answers if answer is not IMPOSSIBLE]
    if None in possible and EMPTY in itertools.chain(*unions):
        possible = [
            answer
            for answer, combination in zip(answers, itertools.product(*unions), strict=True)
            if answer is not IMPOSSIBLE and not (answer is None and _raises(op, attrs, combination))
        ]
    if not possible or None in possible:
        return (ANY,) * outputs
    return tuple(reduce(join, column) for column in zip(*filter(None, possible), strict=True))


def _with_example(op: Op, given: Sequence[Any]) -> Spec:
    """Add to the spec of a computed integer the example value that it has while tracing."""
    known = [item.example if isinstance(item, ScalarSpec) else item for item in given]
    for item in known:
        if type(item) is not int or abs(item) >= LARGEST:
            return INT
    try:
        found = op.function(*known)
    except (ArithmeticError, ValueError, TypeError):
        return INT
    return ScalarSpec("int", found) if type(found) is int else INT


HOLDING: Final = frozenset({"make_tuple", "make_namedtuple"})
"""Ops whose rule for a union is that for any other spec: it is an item."""

EXAMPLES: Final = ("+", "-", "*", "//", "%")
LARGEST: Final = 2**20
"""Examples of integers stay small."""

IMPOSSIBLE: Final[tuple[Spec, ...]] = ()
"""The answer of a rule for arguments that can only raise."""


def _ask(op: Op, attrs: Mapping[str, Any], given: Sequence[Any], outputs: int) -> tuple[Spec, ...] | None:
    args, kwargs = laid_out(attrs, given)
    if any(map(_is_none, args)) and op.symbol and not op.name.startswith(("eq", "ne", "is")):
        return IMPOSSIBLE
    answer = None
    if arrays.involved(op, args, kwargs):
        answer = arrays.result(op.name, op.function, args, kwargs)
    answer = call_rule(op, args, kwargs) if answer is None else answer
    if answer is None:
        return None if outputs else IMPOSSIBLE
    specs = answer if isinstance(answer, tuple) else (answer,)
    return specs if specs == IMPOSSIBLE or len(specs) == outputs else None


def _raises(op: Op, attrs: Mapping[str, Any], given: Sequence[Any]) -> bool:
    """Return whether an op of which nothing is known always raises for an array of no items."""
    if EMPTY not in given or not (op.symbol or op.name.startswith(("np.", "ndarray.", "get_item"))):
        return False
    return always_refuses(op.function, *laid_out(attrs, given))


def _is_none(item: Any) -> bool:
    return item is None or (isinstance(item, LiteralSpec) and item.value is None)


def call_rule(op: Op, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Spec | tuple[Spec, ...] | None:
    """Ask an op's rule; a call that does not fit the rule's signature says nothing."""
    try:
        return op.rule(args, kwargs)
    except Impossible:
        return IMPOSSIBLE
    except (TypeError, ValueError, IndexError, AttributeError):
        return None
