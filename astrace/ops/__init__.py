"""What the leaf ops of a block do and what is known of their results, as tables.

============== =================================================================
``registry``   what a row holds; the table by name and by function
``operators``  Python's operators
``builtins``   Python's builtins and ``math``
``objects``    containers, items, attributes, calls, strings
``special``    what Python makes of the results of special methods
``numpy_rows`` NumPy's functions and ufuncs
``methods``    methods of arrays; ``method_forms``: those that are functions too
``rules``      rules that many rows share; ``probe``: asking NumPy itself, on ``stand_ins``
``magnitude``  which computations are too large to be done while tracing
``infer``      from a node's inputs to the specs of its outputs
``effects``    what a node may write, share or see
============== =================================================================

``OPS`` is the table of all of them.
"""

from typing import Final

from astrace.ops import builtins, methods, numpy_rows, object_rows, operators, special
from astrace.ops.registry import Op, Table

__all__ = ["OPS", "Op", "Table"]

OPS: Final = Table(
    op for module in (operators, builtins, object_rows, special, numpy_rows, methods) for op in module.rows()
)
