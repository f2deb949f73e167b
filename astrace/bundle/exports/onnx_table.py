"""The table of all ops that are exported to ONNX: a row each, by the name of the op."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from astrace.bundle.exports import (
    onnx_elementwise,
    onnx_functions,
    onnx_indexing,
    onnx_rearranging,
    onnx_reductions,
    onnx_selection,
    onnx_shapes,
    onnx_sorting,
)
from astrace.bundle.exports.onnx_calls import Row

ROWS: Final[Mapping[str, Row]] = {
    **onnx_elementwise.ROWS,
    **onnx_selection.ROWS,
    **onnx_reductions.ROWS,
    **onnx_shapes.ROWS,
    **onnx_sorting.ROWS,
    **onnx_rearranging.ROWS,
    **onnx_functions.ROWS,
    **onnx_indexing.ROWS,
}
