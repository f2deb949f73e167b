"""The meaning of a block: an interpreter of some thirty lines, the oracle for every pass and backend.

It takes a block, its inputs and a table of what each op does, and gives the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from astrace.errors import StateChanged
from astrace.ir.block import Block, Node, Operand, Value
from astrace.ir.control import ForLoop, WhileLoop
from astrace.ir.iteration import Each, Enumerate, Over, Range, Reversed, Zip
from astrace.ir.jax_arrays import jax_module
from astrace.util.trees import Pattern

Implementations: TypeAlias = Callable[[str], Callable[..., Any]]


def interpret(block: Block, arguments: Sequence[Any], implementation: Implementations) -> tuple[Any, ...]:
    """Run a block.

    Args:
        block: what to run.
        arguments: one object for each input of the block.
        implementation: gives the function that an op name stands for.

    Returns:
        One object for each output of the block.

    Raises:
        Exception: whatever the ops raise.
    """
    env: dict[Value, Any] = dict(zip(block.inputs, arguments, strict=True))

    def read(operand: Operand) -> Any:
        return env[operand] if isinstance(operand, Value) else operand.value

    def run(region: Block, given: Sequence[Any]) -> tuple[Any, ...]:
        return interpret(region, given, implementation)

    for node in block.nodes:
        given = [read(operand) for operand in node.inputs]
        control = CONTROL.get(node.op)
        results = control(node, given, run) if control else step(node, given, implementation(node.op))
        env.update(zip(node.outputs, results, strict=True))
    return tuple(read(operand) for operand in block.outputs)


Run: TypeAlias = Callable[[Block, Sequence[Any]], tuple[Any, ...]]


def step(node: Node, given: Sequence[Any], function: Callable[..., Any]) -> tuple[Any, ...]:
    """Run a leaf node; an op with several outputs, or as many as are wanted, gives a tuple."""
    args, kwargs = call_arguments(node, given)
    result = function(*args, **kwargs)
    if not node.outputs:
        return ()
    return tuple(result) if len(node.outputs) > 1 or node.op == "unpack" else (result,)


def call_arguments(node: Node, given: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The positional and keyword arguments of a leaf node, for one object for each of its inputs."""
    return laid_out(node.attrs, given)


def laid_out(attrs: Mapping[str, Any], given: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The positional and keyword arguments that the attributes of a leaf node make of its inputs."""
    if not attrs:
        return tuple(given), {}
    named = dict(attrs)
    pattern: Pattern | None = named.pop("pattern", None)
    if pattern is None:
        return tuple(given), named
    args, kwargs = pattern.fill(given)
    return args, {**named, **kwargs}


def _cond(node: Node, given: Sequence[Any], run: Run) -> tuple[Any, ...]:
    test, *captures = given
    return run(node.regions[0 if test else 1], captures)


def _while_loop(node: Node, given: Sequence[Any], run: Run) -> tuple[Any, ...]:
    loop = WhileLoop(node)
    carried, captures = tuple(given[: loop.count]), tuple(given[loop.count :])
    while run(loop.test, carried + captures)[0]:
        results = run(loop.body, carried + captures)
        carried = results[loop.breaks :]
        if loop.breaks and results[0]:
            return results
    return (False, *carried) if loop.breaks else carried


def _for_loop(node: Node, given: Sequence[Any], run: Run) -> tuple[Any, ...]:
    loop = ForLoop(node)
    first = len(loop.iterated)
    carried, captures = tuple(given[first : first + loop.count]), tuple(given[first + loop.count :])
    for element in iterate(loop.over, given):
        results = run(loop.body, (*flat_element(loop.over, element), *carried, *captures))
        carried = results[loop.breaks :]
        if loop.breaks and results[0]:
            return results
    return (False, *carried) if loop.breaks else carried


def _try(node: Node, given: Sequence[Any], run: Run) -> tuple[Any, ...]:
    body, *handlers = node.regions
    try:
        return run(body, given)
    except StateChanged:
        raise  # no handler of the program's catches it
    except BaseException as error:
        for classes, handler in zip(node.attrs["catches"], handlers, strict=True):
            if catches(classes, error):
                return run(handler, (error, *given))
        raise


def catches(classes: tuple[type, ...], error: BaseException) -> bool:
    """Return whether a handler for some classes takes an exception, by the bases of its class alone."""
    return any(cls in type.__dict__["__mro__"].__get__(type(error)) for cls in classes)


def _with(node: Node, given: Sequence[Any], run: Run) -> tuple[Any, ...]:
    manager, *captures = given
    results: list[Any] = []  # stays empty where an exception is suppressed: such a node has no outputs
    with manager as entered:
        results.extend(run(node.regions[0], (entered, *captures)))
    return tuple(results)


def _function(node: Node, given: Sequence[Any], run: Run) -> tuple[Any, ...]:
    tree, form = jax_module().tree, node.attrs["form"]

    def made(*arguments: Any) -> Any:
        results = run(node.regions[0], (*tree.leaves(arguments), *given))
        if form.result is None:
            return results[0]
        return results if isinstance(form.result, int) else tree.unflatten(form.result, results)

    return (made,)


def iterate(over: Over, given: Sequence[Any]) -> Any:
    """The Python iterable that ``over`` describes, for one object for each of the node's inputs."""
    match over:
        case Range():
            return range(given[over.start], given[over.stop], given[over.step])
        case Each():
            return given[over.iterable]
        case Enumerate():
            return enumerate(iterate(over.inner, given), given[over.start])
        case Zip():
            return zip(*(iterate(part, given) for part in over.parts), strict=over.strict)
        case Reversed():
            return reversed(iterate(over.inner, given))


def flat_element(over: Over, element: Any) -> Iterator[Any]:
    """The values of one iteration, taken out of the tuples that ``enumerate`` and ``zip`` give."""
    match over:
        case Range() | Each():
            yield element
        case Enumerate():
            yield element[0]
            yield from flat_element(over.inner, element[1])
        case Zip():
            for part, inner in zip(over.parts, element, strict=True):
                yield from flat_element(part, inner)
        case Reversed():
            yield from flat_element(over.inner, element)


CONTROL: dict[str, Callable[[Node, Sequence[Any], Run], tuple[Any, ...]]] = {
    "cond": _cond,
    "while_loop": _while_loop,
    "for_loop": _for_loop,
    "try_": _try,
    "with_": _with,
    "function": _function,
}
