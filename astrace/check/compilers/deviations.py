"""What other compilers are known to do otherwise, with the page that says so, and what to do then.

Takes a difference that was seen, gives the sentences for a finding.  A row is looked at in order, the first that fits is
told; a difference that no row knows is a finding all the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from astrace.check.compare.observe import Divergence

NUMBA: Final = "numba.readthedocs.io/en/stable/reference/pysemantics.html"
NUMBA_JIT: Final = "numba.readthedocs.io/en/stable/reference/jit-compilation.html"
JAX: Final = "docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html"
JAX_TYPES: Final = "docs.jax.dev/en/latest/type_promotion.html"
TORCH: Final = "docs.pytorch.org/docs/stable/torch.compiler_faq.html"


@dataclass(frozen=True, slots=True)
class Deviation:
    """Something that a compiler does otherwise.

    Args:
        compiler: its name.
        codes: of the findings that it makes.
        message: what their messages hold, as a regular expression.
        because: how it comes about.
        fix: what to change.
        page: where its documentation says so.
    """

    compiler: str
    codes: tuple[str, ...]
    message: str
    because: str
    fix: str
    page: str


LARGE: Final = r" is (?:\S*\()?-?[\d.e+]+\)? instead of (?:np\.\w+\()?-?(\d{19,})"
LARGER_THAN_32: Final = r" is (?:np\.int32\()?-?\d+\)? instead of (?:np\.\w+\()?-?\d{10,}"
OUTSIDE: Final = r"the graph returns, the function raises IndexError"
RETURNS: Final = r"the graph returns, the function raises"

DEVIATIONS: Final = (
    Deviation(
        "numba",
        ("AC103",),
        r"the graph raises ZeroDivisionError",
        'Numba divides as Python does where NumPy gives inf or nan: `error_model` is "python" unless it is set',
        'compile it with `numba.njit(error_model="numpy")`, or test the divisor',
        NUMBA_JIT,
    ),
    Deviation(
        "numba",
        ("AC103",),
        OUTSIDE,
        "Numba does not look whether an index lies in the array: it reads, and writes, what lies there",
        "compile it with `numba.njit(boundscheck=True)`, or test the index",
        NUMBA,
    ),
    Deviation(
        "numba",
        ("AC101", "AC102"),
        LARGE,
        "integers of Python have 64 bits in Numba, and wrap around",
        "compute with floats, or keep the numbers below 2**63",
        NUMBA,
    ),
    Deviation(
        "numba",
        ("AC102",),
        r" is \w+\[.*\] instead of \w+\[|np\.\w+\(.*instead of",
        "Numba finds the dtype of each variable from all that is stored in it, and by its own table of promotions",
        "name the dtype: `x.astype(...)`, `np.float64(...)`",
        NUMBA,
    ),
    Deviation(
        "jax",
        ("AC103",),
        OUTSIDE,
        "JAX takes the nearest item for an index outside an array, and drops what is written there",
        'test the index, or use `x.at[i].get(mode="fill")`',
        JAX,
    ),
    Deviation(
        "jax",
        ("AC103",),
        RETURNS,
        "code compiled by XLA raises nothing",
        "test the arguments before the call, or use `jax.experimental.checkify`",
        JAX,
    ),
    Deviation(
        "jax",
        ("AC104",),
        "",
        "arrays of JAX do not change: what the function writes to an argument stays inside",
        "return the new array",
        JAX,
    ),
    Deviation(
        "jax",
        ("AC106",),
        "",
        "JAX runs the function once for each kind of arguments, to trace it: its effects happen then, and not at a call",
        "return what is to be kept, or use `jax.debug.print` and `jax.debug.callback`",
        JAX,
    ),
    Deviation(
        "jax",
        ("AC101",),
        LARGER_THAN_32,
        "integers have 32 bits where x64 is off, and wrap around",
        'switch it on: `jax.config.update("jax_enable_x64", True)`, `JAX_ENABLE_X64=1`',
        JAX,
    ),
    Deviation(
        "jax",
        ("AC102",),
        "",
        "JAX has a table of promotions of its own",
        "name the dtype: `x.astype(...)`",
        JAX_TYPES,
    ),
    Deviation(
        "torch",
        ("AC102",),
        "",
        "torch.compile runs NumPy's functions as PyTorch's, which have other dtypes and no scalars of NumPy",
        "name the dtype: `x.astype(...)`",
        TORCH,
    ),
)
"""Rows in the order in which they are looked at."""


def known_deviation(compiler: str, apart: Divergence) -> Deviation | None:
    """The first row that fits a difference; nothing where none does.

    Args:
        compiler: its name.
        apart: the difference.
    """
    for one in DEVIATIONS:
        if one.compiler == compiler and apart.code in one.codes and re.search(one.message, apart.message):
            return one
    return None
