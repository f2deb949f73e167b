"""Programs of JAX's own functions: nodes are written as the user wrote them, JAX's rules hold; functions given to JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from astrace.ir.block import Block, Constant, Node, Operand
from astrace.ir.specs import INT, DeviceSpec, LiteralSpec, ScalarSpec, Spec, TupleSpec, UnionSpec
from astrace.ops import OPS
from astrace.ops.effects import is_ordered
from astrace.ops.jax import arrays
from astrace.ops.jax.arrays import joined_with_numbers
from astrace.ops.python.operators import INPLACE
from astrace.passes.analysis.device_arrays import has_device
from astrace.passes.analysis.int_ranges import LARGEST_SIZE
from astrace.passes.functional.control.branches import Lower, captured
from astrace.passes.functional.dtypes import BOOL, PYTHON_DTYPES
from astrace.passes.functional.forms import Device, Either, Form, Items, Number, Rows, Static, leaves
from astrace.passes.functional.layout.flatten import device_atom, kept
from astrace.passes.functional.layout.lists import whole_stack
from astrace.passes.functional.ops import AS_WRITTEN
from astrace.passes.functional.program import DEVICE, Atom, Lit, variable
from astrace.passes.functional.refusal import Refused
from astrace.passes.functional.state import TRUE, Lowering


def shown(node: Node) -> str:
    """Return the name of a node in a reason."""
    first = node.inputs[0] if node.inputs else None
    if node.op in ("call", "call_method") and isinstance(first, Constant):
        return getattr(first.value, "__name__", node.op)
    return node.op


def is_device_node(state: Lowering, node: Node, forms: Sequence[Form]) -> bool:
    """Return whether JAX computes a leaf node."""
    if node.op in arrays.OPS or any(map(has_device, (output.spec for output in node.outputs))):
        return True
    return any(isinstance(one, Device | Rows) for form in forms for one in leaves(form))


def is_open(form: Form) -> bool:
    """Return whether only the running program tells if a value is an array of JAX or something else."""
    return isinstance(form, Either) and not joined_with_numbers(form.spec)


def device_leaf(state: Lowering, node: Node, forms: Sequence[Form]) -> list[Form]:
    """Write a node as the user wrote it; return the forms of its outputs."""
    special = _item if _is_item(node) else SPECIAL.get(node.op)
    if special is not None:
        return [special(state, node, forms)]
    if node.op not in arrays.OPS and node.op not in INPLACE and _acts(node):
        raise state.refusal("AT305", f"`{shown(node)}` may read or change outside state")
    if node.op.startswith("math."):  # accepts only Python's numbers
        raise state.refusal("AT304", f"`{node.op}` has no counterpart in JAX")
    rows = _all_rows(node, forms)
    if rows is not None:
        return [_opened(state, rows, node.output.spec)]
    if node.op == "unpack":
        return _unpack(state, node, forms)
    first = len(state.scope.nodes)
    made = _kept(state, _result(state, _operands(state, node, forms), node), forms)
    state.scope.note_refusals(first)
    return [made]


def _all_rows(node: Node, forms: Sequence[Form]) -> Atom | None:
    """Return the array of a list that a loop has stacked, for ``jnp.stack`` of it; else ``None``."""
    first = node.inputs[0] if node.inputs else None
    name = getattr(first.value, "__name__", "") if isinstance(first, Constant) else ""
    if node.op != "device_call" or name not in ("stack", "array", "asarray") or node.attrs or len(forms) != 2:
        return None
    return whole_stack(forms[1])


def _kept(state: Lowering, made: Form, forms: Sequence[Form]) -> Form:
    """Return a result with the condition that it has the type that Python would give it: all operands have theirs."""
    if not isinstance(made, Device) or not isinstance(made.spec, UnionSpec):
        return made
    all_kept: Atom = Lit(True)
    for form in forms:
        if isinstance(form, Device) and form.kept is not None:
            all_kept = state.logical("both", all_kept, form.kept)
    return replace(made, kept=all_kept)


def _acts(node: Node) -> bool:
    """Return whether a node may do more than compute."""
    return is_ordered(node) or OPS[node.op].ordered or bool(OPS[node.op].writes)


def _operands(state: Lowering, node: Node, forms: Sequence[Form]) -> list[Atom]:
    """Return the atoms of a node's operands."""
    return [_operand(state, *pair) for pair in zip(node.inputs, forms, strict=True)]


def _operand(state: Lowering, operand: Operand, form: Form) -> Atom:
    if isinstance(operand, Constant):
        return Lit(operand.value)
    return Lit(form.value) if isinstance(form, Static) else device_atom(state, form)


def _result(state: Lowering, atoms: Sequence[Atom], node: Node) -> Form:
    """Write a node; return the form of its result, which is known when JAX traces if it is no array."""
    spec = node.output.spec
    known = isinstance(spec, ScalarSpec) and node.op in (*arrays.OPS, "get_attr")
    if isinstance(spec, LiteralSpec) and not known:
        return Static(spec.value)
    rank = spec.ndim if isinstance(spec, DeviceSpec) else 0
    out = variable(None if known else DEVICE, rank)
    written = replace(node, op=INPLACE.get(node.op, node.op))
    state.add(Node(AS_WRITTEN, tuple(atoms), (out,), {"node": written}, location=state.location))
    return Number(out, spec) if isinstance(spec, ScalarSpec) else _opened(state, out, spec)


def _opened(state: Lowering, atom: Atom, spec: Spec) -> Form:
    """Return the form of a result of JAX, with tuples item by item."""
    if isinstance(spec, ScalarSpec):
        return Number(atom, spec)
    if not isinstance(spec, TupleSpec):
        return Device(atom, spec)
    items = [
        _opened(state, state.expr("index", (atom, Lit(index)), DEVICE), item)
        for index, item in enumerate(spec.items)
    ]
    return Items(tuple(items), spec.cls)


def _unpack(state: Lowering, node: Node, forms: Sequence[Form]) -> list[Form]:
    """Write ``a, b = x``."""
    if node.attrs.get("after") is not None or not isinstance(forms[0], Device):
        raise state.refusal("AT301", "the rest of an unpacked array is a list")
    outs = tuple(variable(DEVICE, 0, output.name) for output in node.outputs)
    args = (forms[0].atom, Lit(node.attrs["before"]))
    state.add(Node("support.unpacked", args, outs, location=state.location))
    return [Device(out, output.spec) for out, output in zip(outs, node.outputs, strict=True)]


# -- Python's functions --------------------------------------------------------------------------------------


def _is_item(node: Node) -> bool:
    """Return whether a node is ``x.item()``."""
    name = node.inputs[1] if len(node.inputs) == 2 else None
    return node.op == "device_method" and isinstance(name, Constant) and name.value == "item"


def _item(state: Lowering, node: Node, forms: Sequence[Form]) -> Form:
    spec = node.output.spec
    if not isinstance(spec, ScalarSpec):
        raise state.refusal("AT301", f"an item of type {spec}")
    atom = device_atom(state, forms[0])
    return Number(state.expr(".reshape", (atom, ()), PYTHON_DTYPES[spec.kind]), spec)


def _size(state: Lowering, node: Node, forms: Sequence[Form]) -> Form:
    """Write ``len(x)`` and ``x.shape[axis]``."""
    if isinstance(forms[0], Rows) and forms[0].before:
        args = (forms[0].atom, Lit(len(forms[0].before)))
        return Number(state.expr("rows_and", args, None), INT, (0, LARGEST_SIZE))
    axis = forms[1].atom if node.op == "dim" and isinstance(forms[1], Number) else Lit(0)
    owner = forms[0].atom if isinstance(forms[0], Rows) else device_atom(state, forms[0])
    return Number(state.expr("dim", (owner, axis), None), INT, (0, LARGEST_SIZE))


def _as_kind(cls: type) -> Callable[[Lowering, Node, Sequence[Form]], Form]:
    """Return the rule of ``int(x)``, ``float(x)`` or ``complex(x)``."""

    def make(state: Lowering, node: Node, forms: Sequence[Form]) -> Form:
        spec = ScalarSpec(cls.__name__)  # type: ignore[arg-type]
        atom = device_atom(state, forms[0])
        if cls is int:
            atom = state.expr("xp.trunc", (atom,), DEVICE)
        return Number(state.expr("number", (atom, Lit(cls)), PYTHON_DTYPES[spec.kind]), spec)

    return make


def _kept_as(form: Form, spec: Spec) -> Atom | None:
    """Return the condition that a form keeps its type where ``spec`` is expected; ``None`` if it always does."""
    return kept(form, spec) if isinstance(spec, UnionSpec) else None


def _extreme(op: str) -> Callable[[Lowering, Node, Sequence[Form]], Form]:
    """Return the rule of ``max(a, b)`` or ``min(a, b)``: the first that no other one beats."""

    def make(state: Lowering, node: Node, forms: Sequence[Form]) -> Form:
        if len(forms) < 2 or node.attrs:
            raise state.refusal("AT304", f"`{node.op}` of one array")
        best, spec = device_atom(state, forms[0]), node.output.spec
        own_type = _kept_as(forms[0], spec)
        for form in forms[1:]:
            beats = state.expr(op, (device_atom(state, form), best), BOOL)
            best = state.expr("xp.where", (beats, device_atom(state, form), best), DEVICE)
            other = _kept_as(form, spec)
            if own_type is not None and other is not None:
                own_type = state.expr("xp.where", (beats, other, own_type), BOOL)
        return Device(best, spec, own_type)

    return make


def _reduced(op: str) -> Callable[[Lowering, Node, Sequence[Form]], Form]:
    """Return the rule of ``sum``, ``any`` or ``all`` of an array with one dimension."""

    def make(state: Lowering, node: Node, forms: Sequence[Form]) -> Form:
        spec = forms[0].spec if isinstance(forms[0], Device) else None
        if node.op == "sum" and "pattern" in node.attrs:  # the sum of a few arrays
            return _result(state, _operands(state, node, forms), node)
        atom = whole_stack(forms[0]) if node.op == "sum" else None
        if atom is None:
            if len(forms) != 1 or not isinstance(spec, DeviceSpec) or spec.ndim != 1:
                raise state.refusal(
                    "AT304", f"`{node.op}` of a value that is not an array with one dimension"
                )
            atom = device_atom(state, forms[0])
        if node.op == "sum":  # without items it is Python's zero
            some = state.expr("more_rows", (atom, Lit(0)), None)
            return Device(state.expr(op, (atom,), DEVICE), node.output.spec, some)
        return Number(state.expr(op, (atom,), BOOL), ScalarSpec("bool"))

    return make


SPECIAL: Final[Mapping[str, Callable[[Lowering, Node, Sequence[Form]], Form]]] = {
    "len": _size,
    "dim": _size,
    "int": _as_kind(int),
    "float": _as_kind(float),
    "complex": _as_kind(complex),
    "max": _extreme("gt"),
    "min": _extreme("lt"),
    "sum": _reduced("support.total"),
    "any": _reduced("xp.any"),
    "all": _reduced("xp.all"),
}
OWN: Final = frozenset(
    {"is_", "is_not", "not_", "bool", "check_defined", "check_next", "chosen"}
    | {"make_tuple", "make_namedtuple", "make_list", "make_dict", "make_object"}
)
"""Ops whose rules are the same for all programs."""


def function(state: Lowering, node: Node, lower: Lower) -> None:
    """Write a function.

    Args:
        state: the lowering.
        node: the node.
        lower: writes the nodes of its body.
    """
    captured(state, node)
    body = node.regions[0]
    own = body.inputs[: len(body.inputs) - len(node.inputs)]
    with state.inside(state.branch()) as branch:
        for value in own:
            rank = value.spec.ndim if isinstance(value.spec, DeviceSpec) else 0
            var = variable(DEVICE, rank, value.name)
            state.env[value] = Device(var, value.spec)
            branch.scope.inputs.append(var)
        state.ok = TRUE
        atoms = (*(_leaf(state, form) for form in lower(state, body)), state.ok)
    out = variable(None, 0, node.output.name)
    part = branch.scope.block(atoms)
    state.add(Node("function", (Lit(node.attrs["form"]),), (out,), regions=(part,), location=node.location))
    state.env[node.output] = Device(out, node.output.spec)


def without_checks(part: Block) -> Block:
    """Return a program whose functions do not return ``ok``, which JAX would ignore.

    Raises:
        Refused: something may go wrong in one of them.
    """
    steps: list[Node] = []
    for step in part.nodes:
        parts = tuple(map(without_checks, step.regions))
        if step.op == "function":
            if parts[0].outputs[-1] != TRUE:
                raise Refused(
                    "AT305", "something may raise in a function that is given to JAX", step.location
                )
            parts = (replace(parts[0], outputs=parts[0].outputs[:-1]),)
        steps.append(replace(step, regions=parts))
    return replace(part, nodes=tuple(steps))


def _leaf(state: Lowering, form: Form) -> Atom:
    """Return the atom of a leaf of a function's result."""
    match form:
        case Device() | Number():
            return form.atom
        case Static():
            return Lit(form.value)
        case _:
            raise state.refusal("AT301", "a function that is given to JAX returns values other than arrays")
