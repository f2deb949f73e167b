"""``try`` as XLA runs it: where something is raised that is not known to be, the exact backend starts the call afresh.

What a program gives counts only where nothing raised and all of its checks hold, so in the place of a ``try`` stands its
body; or the handler, where the body is known to end with an exception.

Takes a block; gives one without ``try_`` nodes but those whose handlers look at an exception that is certain.
"""

from __future__ import annotations

from astrace.ir.block import Block, Constant, Node, Operand, Value
from astrace.ir.builder import Builder, rebuild
from astrace.ir.specs import AnySpec
from astrace.ir.walk import nodes, uses


def without_tries(block: Block) -> Block:
    """A block in which bodies, or handlers, stand in the places of ``try`` statements."""
    return rebuild(block, _step)


def has_tries(block: Block) -> bool:
    """Whether something in a block goes on behind an exception."""
    return any(node.op == "try_" for node in nodes(block))


def _step(node: Node, builder: Builder) -> None:
    if node.op != "try_":
        builder.keep(node)
        return
    node = builder.updated(node)
    body = node.regions[0]
    if not _raises(body):
        _put(builder, node, body, node.inputs)
        return
    handler = _handler(node)
    if handler is None or uses(handler)[handler.inputs[0]]:
        builder.nodes.append(node)
    else:
        builder.splice(Block(body.inputs, body.nodes[:-1]), node.inputs)
        _put(builder, node, handler, (Constant(None), *node.inputs))


def _put(builder: Builder, node: Node, region: Block, given: tuple[Operand, ...]) -> None:
    """A region in the place of the node; one that raises at its end has no outputs that count."""
    builder.replace(node.outputs, builder.splice(region, given))


def _raises(region: Block) -> bool:
    return bool(region.nodes) and region.nodes[-1].op in ("raise_", "reraise")


def _handler(node: Node) -> Block | None:
    """The handler of the exception that a body raises at its end; ``None`` where that is not known."""
    body, *handlers = node.regions
    cls = _raised(body)
    for classes, handler in zip(node.attrs["catches"], handlers, strict=True):
        if cls is not None and any(one in cls.__mro__ for one in classes):
            return handler
    return None


def _raised(body: Block) -> type | None:
    """The class of what a body raises at its end."""
    error = body.nodes[-1].inputs[0] if body.nodes[-1].inputs else None
    if isinstance(error, Value):
        return error.spec.cls if isinstance(error.spec, AnySpec) else None
    return type(error.value) if error is not None else None
