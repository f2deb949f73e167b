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
``signals``         filters, tones, crossings, values in between
``images``          windows over pictures, boards, areas
``orders``          sorting, and what is asked of sorted values
``oceans``          columns of water, flow over grids, distances on the earth
``estimation``      Kalman filters, attitudes, recurrent cells
``motion``          populations, bodies, prices, maps of the plane, number by number
``networks``        searches in graphs, alignments, sparse rows, number by number
``models``          probabilities by rows, mixtures, regressions
``kernel``          what a kernel is
==================  ==============================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from benchmarks.kernels import (
    chance,
    estimation,
    factorisations,
    graphs,
    images,
    layers,
    masks,
    models,
    motion,
    networks,
    oceans,
    orders,
    particles,
    searches,
    signals,
    stencils,
    sweeps,
    tables,
    transforms,
    triangular,
)
from benchmarks.kernels.kernel import Kernel

__all__ = ["GROUPS", "KERNELS", "Kernel"]

MODULES: Final = (
    *(stencils, factorisations, triangular, tables, graphs, masks),
    *(particles, transforms, layers, sweeps, chance, searches),
    *(signals, images, orders, oceans, estimation, motion, networks, models),
)
KERNELS: Final = tuple(kernel for module in MODULES for kernel in module.KERNELS)
"""All kernels."""

GROUPS: Final[Mapping[str, frozenset[str]]] = {
    "loop-carried, triangular, in place": frozenset(
        {
            *(
                "gauss_seidel_2d",
                "shortest_paths",
                "fft_in_place",
                "crc_16",
                "crc_32",
                "diffuse_columns",
                "mix_turbulence",
                "convect",
            ),
            *("lu", "lu_pivoted", "cholesky", "cholesky_by_columns", "gram_schmidt", "householder", "givens"),
            *("substitutions", "symmetric_update", "levinson", "tridiagonal", "alternating_directions"),
            *("edit_distance", "align", "fold", "knapsack", "levenshtein", "global_alignment", "warping"),
            *(
                "biquads",
                "compress",
                "outliers",
                "smooth",
                "running_integral",
                "coordinate_descent",
                "populations",
                "oscillator",
            ),
            *("quicksort", "insertion_sort", "heap_sort", "merge_sort", "counting_sort", "quickselect"),
            *("ising", "ising_by_noise", "flood", "components", "hops", "nearest_first", "spanning_tree"),
        }
    ),
    "small matrices in filters": frozenset(
        {"kalman", "smoother", "one_by_one", "attitude", "recurrent", "gated", "viterbi"}
    ),
}
"""Names of kernels that are summed up apart: each turn needs what earlier ones wrote; matrices of a few rows in long loops."""
