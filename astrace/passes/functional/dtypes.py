"""The dtypes of Python's numbers in programs that do not compute on objects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

BOOL: Final = np.dtype(bool)
INT: Final = np.dtype(np.int64)
FLOAT: Final = np.dtype(np.float64)
COMPLEX: Final = np.dtype(np.complex128)
PYTHON_DTYPES: Final[Mapping[str, np.dtype[Any]]] = {
    "bool": BOOL,
    "int": INT,
    "float": FLOAT,
    "complex": COMPLEX,
}
"""The dtype of a number, by the kind that its spec tells."""
