"""``try`` where a program gives up: if an exception is raised that is not certain, the exact backend starts the call afresh.

The results of a program count only if nothing raised and all of its checks hold, so a ``try`` is replaced by its
body; or by the handler, if the body is known to end with an exception.

Takes a block; gives one without ``try_`` nodes but those whose handlers use an exception that is certain.
"""

from __future__ import annotations

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.control import always_raises
from astrace.ir.specs import AnySpec
from astrace.ir.walk import nodes, uses


def without_tries(block: Block) -> Block:
    """Return a block in which bodies, or handlers, stand in the places of ``try`` statements."""
    return rebuild(block, _step)


def has_tries(block: Block) -> bool:
    """Return whether a block catches exceptions."""
    return any(node.op == "try_" for node in nodes(block))


def _step(node: Node, builder: Builder) -> None:
    if node.op != "try_":
        builder.keep(node)
        return
    node = builder.updated(node)
    body = node.regions[0]
    if not always_raises(body):
        _put(builder, node, body, node.inputs)
        return
    handler = _handler(node)
    if handler is None or uses(handler)[handler.inputs[0]]:
        builder.nodes.append(node)
    else:
        builder.splice(Block(body.inputs, body.nodes[:-1]), node.inputs)
        _put(builder, node, handler, (Constant(None), *node.inputs))


def _put(builder: Builder, node: Node, region: Block, given: tuple[Operand, ...]) -> None:
    """Put a region in the place of the node; one that raises at its end has no outputs that count."""
    builder.replace(node.outputs, builder.splice(region, given))


def _handler(node: Node) -> Block | None:
    """Return the handler of the exception that a body raises at its end; ``None`` if it is not known."""
    body, *handlers = node.regions
    cls = _raised(body)
    for classes, handler in zip(node.attrs["catches"], handlers, strict=True):
        if cls is not None and any(one in cls.__mro__ for one in classes):
            return handler
    return None


def _raised(body: Block) -> type | None:
    """Return the class of the exception that a body raises at its end."""
    error = body.nodes[-1].inputs[0] if body.nodes[-1].inputs else None
    if isinstance(error, Value):
        return error.spec.cls if isinstance(error.spec, AnySpec) else None
    return type(error.value) if error is not None else None
