"""The text of elements and views of arrays, as kernels have them."""

from __future__ import annotations

from collections.abc import Sequence

from astrace.backends.python_source.expressions import TERNARY, Code
from astrace.ir.block import Node


def view(node: Node, inputs: Sequence[Code]) -> Code:
    """A view of an array.

    Args:
        node: makes it.
        inputs: the text of what it is given.
    """
    match node.op:
        case "slice_of":
            return Code(part(inputs[0], inputs[1:], node.attrs["axes"]))
        case "transpose_of":
            return Code(f"{inputs[0].text}.T")
        case _:
            return Code(f"reshape_of({inputs[0].at(TERNARY)}, {shape(inputs[1:])})")


def shape(sizes: Sequence[Code]) -> str:
    """The shape of an array as a tuple, of which one without axes has nothing in it."""
    return f"({''.join(f'{size.at(TERNARY)}, ' for size in sizes).rstrip(' ')})"


def element(array: Code, indices: Sequence[Code], unsigned: bool) -> str:
    """An element of an array; Numba looks whether an index is negative, unless it can't be."""
    shown = ", ".join(f"unsigned({index.text})" if unsigned else index.at(TERNARY) for index in indices)
    return f"{array.text}[{shown or '()'}]"


def part(array: Code, places: Sequence[Code], axes: str) -> str:
    """A view of an array: an index, or a start, a size and a step for each axis."""
    given = iter(places)
    shown: list[str] = []
    for axis in axes:
        start = next(given)
        if axis == "i":
            shown.append(start.at(TERNARY))
            continue
        size, step = next(given), next(given)
        if axis == "-":
            first = f"{start.at(10)} + ({size.at(11)} - 1) * {step.at(12)}"
            shown.append(f"{first}:{start.at(10)} + 1:-({step.at(2)})")
            continue
        stop = size if start.text == "0" else Code(f"{start.at(10)} + {size.at(11)}", 10)
        if step.text == "1":
            shown.append(f"{'' if start.text == '0' else start.at(2)}:{stop.at(2)}")
        else:
            shown.append(f"{start.at(2)}:{start.at(10)} + {size.at(11)} * {step.at(12)}:{step.at(2)}")
    turned = ["::-1" if axis == "-" else ":" for axis in axes if axis != "i"]
    return f"{array.text}[{', '.join(shown)}]" + (f"[{', '.join(turned)}]" if "::-1" in turned else "")
