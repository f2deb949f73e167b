"""Programs made smaller: unused steps, values that a loop carries unchanged, branches cheaper as a choice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from astrace.backends.jax.program_ir import DEVICE, Atom, Lit, Part, Step, Var, may_refuse, substituted
from astrace.backends.jax.program_ops import AS_WRITTEN, LOGIC, NO_WARNING, row_of
from astrace.passes.common_nodes import attrs_key

BOOL: Final = np.dtype(bool)
MOST_STEPS: Final = 12
HEADS: Final = {"while_loop": (0, 0), "unrolled_while": (0, 0), "bounded_while": (2, 0)}
"""The number of arguments, and of inputs of the body, in front of the carried values of a loop with a test."""


def tidy(part: Part) -> Part:
    """Return a smaller program of the same meaning.

    Args:
        part: the whole program.
    """
    while True:
        after = without_unused(Rewriter(_unchanged).part(without_repeats(part)))
        after = without_unused(Rewriter(_chosen).part(after))
        if _size(after) == _size(part):
            return after
        part = after


def _size(part: Part) -> int:
    return sum(1 + len(step.outs) + sum(map(_size, step.parts)) for step in part.steps)


class Rewriter:
    """Passes each step, inner ones first, through a function.

    Args:
        change: returns the steps that replace a step, and the atoms that replace variables of it.
    """

    def __init__(self, change: Callable[[Step], tuple[Sequence[Step], Mapping[Var, Atom]]]) -> None:
        self._change = change
        self._replaced: dict[Var, Atom] = {}

    def atom(self, atom: Atom) -> Atom:
        """Return the atom that stands for an atom now."""
        while isinstance(atom, Var) and atom in self._replaced:
            atom = self._replaced[atom]
        return atom

    def part(self, part: Part) -> Part:
        """Return a part with its steps rewritten."""
        steps: list[Step] = []
        for step in part.steps:
            inner = tuple(self.part(one) for one in step.parts)
            made, replaced = self._change(replace(step, args=tuple(map(self.atom, step.args)), parts=inner))
            self._replaced.update(replaced)
            steps.extend(substituted(one, self.atom) for one in made)
        return Part(part.inputs, tuple(steps), tuple(map(self.atom, part.outputs)))


# -- unchanged values --------------------------------------------------------------------------------------


def _unchanged(step: Step) -> tuple[Sequence[Step], Mapping[Var, Atom]]:
    """Drop the outputs of a step that are known: carried along unchanged, or the same in both branches."""
    match step.op:
        case "cond":
            return _same_outputs(step)
        case "while_loop" | "bounded_while" | "for_loop" | "scan" | "unrolled_for" | "unrolled_while":
            return _carried_along(step)
        case "both" | "either" | "same_length":
            return _logic(step)
        case _ if row_of(step.op).kind == NO_WARNING and step.args[0] in step.args[1:]:
            return [], {step.outs[0]: Lit(True)}
        case "not" if isinstance(step.args[0], Lit):
            return [], {step.outs[0]: Lit(not step.args[0].value)}
        case _:
            return [step], {}


def _logic(step: Step) -> tuple[Sequence[Step], Mapping[Var, Atom]]:
    """Simplify ``x & True``, ``x == x`` of integers, and steps like these."""
    if step.op == "same_length":
        return ([], {step.outs[0]: Lit(True)}) if step.args[0] is step.args[1] else ([step], {})
    neutral = step.op == "both"
    for one, other in (step.args, step.args[::-1]):
        if isinstance(one, Lit):
            return [], {step.outs[0]: other if bool(one.value) is neutral else Lit(not neutral)}
        if one is other:
            return [], {step.outs[0]: one}
    return [step], {}


def _same_outputs(step: Step) -> tuple[Sequence[Step], Mapping[Var, Atom]]:
    kept: list[int] = []
    known: dict[Var, Atom] = {}
    for index, (out, a, b) in enumerate(
        zip(step.outs, step.parts[0].outputs, step.parts[1].outputs, strict=True)
    ):
        both_true = isinstance(a, Lit) and a.value is True and a == b
        if (a is b and isinstance(a, Var)) or both_true:
            known[out] = a
        else:
            kept.append(index)
    if not kept and not may_refuse(step):
        return [], known
    return [_with_outputs(step, kept)], known


def _with_outputs(step: Step, kept: Sequence[int]) -> Step:
    parts = tuple(replace(one, outputs=tuple(one.outputs[index] for index in kept)) for one in step.parts)
    return replace(step, outs=tuple(step.outs[index] for index in kept), parts=parts)


def _heads(step: Step) -> tuple[int, int]:
    """Return the number of arguments, and of inputs of the body, in front of the carried values."""
    return HEADS.get(step.op, (2, 1))


def _carried_along(step: Step) -> tuple[Sequence[Step], Mapping[Var, Atom]]:
    first, own = _heads(step)
    body = step.parts[-1]
    kept: list[int] = []
    known: dict[Var, Atom] = {}
    for index, (out, after) in enumerate(zip(step.outs, body.outputs, strict=True)):
        if index >= len(step.args) - first:  # a row of what is stacked
            kept.append(index)
            continue
        given = body.inputs[own + index]
        initial = step.args[first + index]
        if after is given or (isinstance(initial, Lit) and after == initial and initial.value is True):
            known[out] = initial
            known.update((part.inputs[index + (own if part is body else 0)], initial) for part in step.parts)
        else:
            kept.append(index)
    if len(kept) == len(step.outs):
        return [step], {}
    smaller = carrying(step, kept)

    def atom(one: Atom) -> Atom:
        return known.get(one, one) if isinstance(one, Var) else one

    return ([substituted(smaller, atom)] if kept or may_refuse(smaller) else []), known


def carrying(step: Step, kept: Sequence[int]) -> Step:
    """Return a loop that carries less."""
    first, own = _heads(step)
    carried = [index for index in kept if index < len(step.args) - first]
    parts: list[Part] = []
    for position, part in enumerate(step.parts):
        heads = own if position == len(step.parts) - 1 else 0
        inputs = (*part.inputs[:heads], *(part.inputs[heads + index] for index in carried))
        is_body = position == len(step.parts) - 1
        outputs = tuple(part.outputs[index] for index in kept) if is_body else part.outputs
        parts.append(Part(inputs, part.steps, outputs))
    args = (*step.args[:first], *(step.args[first + index] for index in carried))
    return replace(step, args=args, outs=tuple(step.outs[index] for index in kept), parts=tuple(parts))


# -- repeated expressions --------------------------------------------------------------------------------------


def without_repeats(part: Part) -> Part:
    """Return a part that computes no expression again that was computed before, in it or around it."""
    return _Repeats().part(part, {})


class _Repeats:
    """Finds expressions of the same op over the same variables."""

    def __init__(self) -> None:
        self._replaced: dict[Var, Atom] = {}

    def _atom(self, atom: Atom) -> Atom:
        return self._replaced.get(atom, atom) if isinstance(atom, Var) else atom

    def part(self, part: Part, around: Mapping[Hashable, Var]) -> Part:
        """Return a part without repeats, given the expressions around it."""
        known = dict(around)
        steps: list[Step] = []
        for step in part.steps:
            args = tuple(map(self._atom, step.args))
            key = (*_function_of(step), tuple(map(identity, args)))
            if step.parts or step.raises or key not in known:
                parts = tuple(self.part(one, known) for one in step.parts)
                steps.append(replace(step, args=args, parts=parts))
                known.update({} if step.parts else {key: step.outs[0]})
            else:
                self._replaced[step.outs[0]] = known[key]
        return Part(part.inputs, tuple(steps), tuple(map(self._atom, part.outputs)))


def _function_of(step: Step) -> tuple[Hashable, ...]:
    """Return a key for the function that a step applies to its operands."""
    node = step.attrs.get("node")
    return (step.op, attrs_key(step.attrs)) if node is None else (step.op, node.op, attrs_key(node.attrs))


def identity(atom: Atom) -> Hashable:
    """Return a key that equal atoms have in common."""
    if isinstance(atom, Var):
        return id(atom)
    value = atom.value
    plain = isinstance(value, bool | int | float | complex | str | tuple | np.dtype | type(None))
    return (type(value), repr(value)) if plain else id(value)


# -- unused steps ----------------------------------------------------------------------------------------------


def without_unused(part: Part) -> Part:
    """Return a part without unused steps and outputs."""
    return _without_unused(part, set())


def _without_unused(part: Part, needed: set[Var]) -> Part:
    needed = needed | {atom for atom in part.outputs if isinstance(atom, Var)}
    steps: list[Step] = []
    for step in reversed(part.steps):
        if not any(out in needed for out in step.outs) and not may_refuse(step):
            continue
        smaller = _smaller(step, needed)
        needed |= _used_by(smaller)
        steps.append(smaller)
    return Part(part.inputs, tuple(reversed(steps)), part.outputs)


def _smaller(step: Step, needed: set[Var]) -> Step:
    """Return a step without its unused outputs."""
    if step.op == "function":
        return replace(step, parts=tuple(map(without_unused, step.parts)))
    if step.op == "cond":
        kept = [index for index, out in enumerate(step.outs) if out in needed]
        step = _with_outputs(step, kept)
    elif step.parts:
        step = carrying(step, _live(step, needed))
    return replace(step, parts=tuple(without_unused(one) for one in step.parts))


def _live(step: Step, needed: set[Var]) -> list[int]:
    """Return the carried values that are needed: behind the loop, for the test, or for others."""
    _, own = _heads(step)
    body = step.parts[-1]
    live = {index for index, out in enumerate(step.outs) if out in needed}
    if step.op in HEADS:
        test = without_unused(step.parts[0])
        used = _used_inside(test)
        live |= {index for index, var in enumerate(test.inputs) if var in used}
    while True:
        outputs = tuple(body.outputs[index] for index in sorted(live))
        used = _used_inside(without_unused(Part(body.inputs, body.steps, outputs)))
        more = {index for index, var in enumerate(body.inputs[own:]) if var in used} | live
        if more == live:
            return sorted(live)
        live = more


def _used_inside(part: Part) -> set[Var]:
    found = {atom for atom in part.outputs if isinstance(atom, Var)}
    for step in part.steps:
        found |= _used_by(step)
    return found


def _used_by(step: Step) -> set[Var]:
    found = {atom for atom in step.args if isinstance(atom, Var)}
    for part in step.parts:
        found |= _used_inside(part)
    return found


# -- branches as choices -----------------------------------------------------------------------------------------


def _chosen(step: Step) -> tuple[Sequence[Step], Mapping[Var, Atom]]:
    """Rewrite a branch over few scalar steps as ``where``: both sides are computed, one is taken."""
    if step.op == "cond" and len(step.outs) == 1 and step.outs[0].dtype == DEVICE and not step.promotes:
        return _joined_tests(step)
    if step.op != "cond" or not all(map(_is_cheap, step.parts)) or not is_device(step.args[0]):
        return [step], {}
    if any(out.rank or out.dtype == DEVICE for out in step.outs):
        return [step], {}  # JAX would also take derivatives of the side that is not chosen
    steps: list[Step] = [inner for part in step.parts for inner in part.steps]
    known: dict[Var, Atom] = {}
    for out, a, b in zip(step.outs, step.parts[0].outputs, step.parts[1].outputs, strict=True):
        steps.append(choice(step, out, a, b))
    return steps, known


def _joined_tests(step: Step) -> tuple[Sequence[Step], Mapping[Var, Atom]]:
    """Rewrite ``a and b`` of truth values that JAX computes, a branch that gives its own test, as logic."""
    test, parts = step.args[0], step.parts
    steps = [inner for part in parts for inner in part.steps]
    if is_device(test) and len(steps) <= MOST_STEPS and all(map(_is_test, steps)):
        for op, pair in _as_logic(test, *(part.outputs[0] for part in parts)):
            return [*steps, Step(op, pair, step.outs, location=step.location)], {}
    return [step], {}


def _is_test(step: Step) -> bool:
    """Return whether a step reads an item, or computes one number from others."""
    out = step.outs[0]
    if not (step.op == "item" or row_of(step.op).kind in ("", LOGIC)) or len(step.outs) > 1 or out.rank:
        return False
    reads = step.op in ("item", "index") or (step.op == AS_WRITTEN and step.attrs["node"].op == "get_item")
    return reads or all(isinstance(atom, Lit) or atom.rank == 0 for atom in step.args)


def is_device(atom: Atom) -> bool:
    """Return whether an atom is computed when the program runs."""
    return isinstance(atom, Var) and atom.dtype is not None


def _is_cheap(part: Part) -> bool:
    return len(part.steps) <= MOST_STEPS and all(is_scalar(step) for step in part.steps)


def is_scalar(step: Step) -> bool:
    """Return whether a step computes one number from others, or reads an item."""
    if step.op == "item":
        return step.outs[0].rank == 0
    plain = row_of(step.op).kind in ("", LOGIC) and all(out.rank == 0 for out in step.outs)
    return plain and all(isinstance(atom, Lit) or atom.rank == 0 for atom in step.args)


def choice(step: Step, out: Var, a: Atom, b: Atom) -> Step:
    """Return a step that chooses one of two numbers by the test of a branch."""
    test = step.args[0]
    if out.dtype == BOOL:
        for op, pair in _as_logic(test, a, b):
            return Step(op, pair, (out,), location=step.location)
    return Step("jnp.where", (test, a, b), (out,), location=step.location)


def _as_logic(test: Atom, a: Atom, b: Atom) -> Iterator[tuple[str, tuple[Atom, Atom]]]:
    """Yield ``a & b`` or ``a | b`` if a choice between truth values is just that."""
    if b is test or (isinstance(b, Lit) and b.value is False):
        yield "both", (test, a)
    if a is test or (isinstance(a, Lit) and a.value is True):
        yield "either", (test, b)
