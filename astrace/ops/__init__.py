"""The ops of a block, as tables: what each does, and what is known of its results.

Takes a name or a function; gives its row: how outputs follow from inputs, what is written, shared or raised.  It knows
no tracing and no backend.  ``OPS`` is the table of all rows.

======================  ========================================================
``registry``            what a row holds; the table by name and by function
``rules``               result rules that many rows share
``infer``               from a node's inputs to the specs of its outputs
``effects``             what a node may write, share or read
``retained_arguments``  which arguments an op keeps or hands on
``lookup_errors``       what Python writes into exceptions of attributes
``rechecks``            ops that check a guard in the middle of a program
``promised``            what operators are declared to give, and its check
``constant_folding``    which computations on constants may not be folded
``lowered``             rows of ops on machine numbers, which only lowered blocks have
``lowered_algebra``     loops of ``np.linalg``, likewise
``lowered_copies``      copies of what a program overwrites, in case it gives up
``lowered_lists``       the same on lists of machine numbers
``lowered_draws``       draws from random generators, likewise
``lowered_math``        functions of `math` that Python computes by itself, and signs
``lowered_parts``       the same on complex numbers, their parts and bits
``lowered_views``       the views of arrays
``lowered_products``    products of few numbers, and in what orders libraries add up
``lowered_solutions``   systems of few equations, and in what ways libraries solve them
``lowered_rounding``    whole floats
``lowered_searches``    places in sorted items
``python/``             rows of operators, builtins, containers, special methods
``numpy/``              rows of NumPy's functions, ufuncs and array methods
``jax/``                rows of calls on arrays of JAX
``callables/``          what is known of functions that are not ops
======================  ========================================================
"""

from typing import Final

from astrace.ops import lowered, lowered_algebra, lowered_draws, lowered_lists
from astrace.ops.numpy import array_methods, rows
from astrace.ops.python import builtins, object_rows, operators, special_methods
from astrace.ops.registry import Op, Table

__all__ = ["OPS", "Op", "Table"]

FUNCTIONS: Final = tuple(rows.rows())
OPS: Final = Table(
    (
        *(op for module in (operators, builtins, object_rows, special_methods) for op in module.rows()),
        *FUNCTIONS,
        *array_methods.rows(),
        *array_methods.retried_rows(FUNCTIONS),
    ),
    (*lowered.rows(), *lowered_lists.rows(), *lowered_algebra.rows(), *lowered_draws.rows()),
)
