"""Numerical programs as people write them, which know nothing of astrace.

==================  ==============================================================================
``stencils``        explicit differences in one, two and three dimensions, in place and by turns
``factorisations``  LU, Cholesky and QR, with slices that grow or shrink
``triangular``      substitution, triangular products, a recursion over lags
``tables``          dynamic programming: alignment, folding, packing, likeliest paths
``graphs``          shortest paths, sparse matrices in compressed rows
``masks``           escape times, sieves, hulls and histograms by boolean masks
``particles``       attracting bodies, ordinary differential equations
``transforms``      Fourier transforms by stages, checksums, bits of words
``layers``          convolution, pooling, perceptrons, attention, training
``sweeps``          tridiagonal systems, iterations for linear systems
``chance``          Monte Carlo with NumPy's generators
``searches``        roots, integrals, clusters, sorting: loops that the data end
``kernel``          what a kernel is
==================  ==============================================================================
"""

from __future__ import annotations

from typing import Final

from benchmarks.kernels import (
    chance,
    factorisations,
    graphs,
    layers,
    masks,
    particles,
    searches,
    stencils,
    sweeps,
    tables,
    transforms,
    triangular,
)
from benchmarks.kernels.kernel import Kernel

__all__ = ["KERNELS", "Kernel"]

MODULES: Final = (
    *(stencils, factorisations, triangular, tables, graphs, masks),
    *(particles, transforms, layers, sweeps, chance, searches),
)
KERNELS: Final = tuple(kernel for module in MODULES for kernel in module.KERNELS)
"""All kernels."""
