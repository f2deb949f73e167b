"""Graphs in the formats of others: derived from the IR, stamped with what they were derived from.

====================  ================================================================
``stamp``             the file beside an export: versions, hashes
``stablehlo``         a module of StableHLO, through `jax.export`
``flat_results``      results one by one, with names
``onnx_model``        a model of ONNX: its inputs, outputs and versions
``onnx_control``      control flow as ``If`` and ``Loop``
``onnx_spaces``       what loops iterate over
``onnx_blocks``       blocks as nodes, arrays that are written
``onnx_table``        all ops that are exported to ONNX, a row each
``onnx_elementwise``  rows of arithmetic, comparisons, ufuncs, selection
``onnx_selection``    rows of maxima, minima, bounds, `np.where`
``onnx_division``     floor division and remainder
``onnx_reductions``   rows of reductions and products of matrices
``onnx_functions``    rows of functions that are written with others
``onnx_sorting``      rows of what is in order, and of places
``onnx_rearranging``  rows of what moves elements
``onnx_shapes``       rows of sizes, reshapes, new arrays
``onnx_indexing``     rows of items: reads, writes, views
``onnx_calls``        a node as a call with named parameters; refusals
``onnx_writer``       writes the parts of a model
``onnx_values``       tensors, arrays that may be written, views
====================  ================================================================
"""
