"""`astrace.trace`: a function as a graph that runs anywhere.

The compiler captures and freezes (``compiler.frozen_graph``); what it gives is made into a graph that can be saved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from astrace.bundle.portable_graph import PortableGraph
from astrace.compiler.frozen_graph import trace as frozen


def trace(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> PortableGraph:
    """Capture a function for arguments like these, with all that it reads from outside frozen.

    Nothing of the function is done, except calls that depend on no argument and whose results the graph needs
    (a clock, a random draw, a file): they are made now, once.

    Args:
        function: a function, a method, a partial or a callable object; a compiled one too.
        *args: the arguments of a call.
        **kwargs: its keyword arguments; but ``assets``, unless the function has a parameter of that name: as in
            `script`, the parameters of operators whose values are taken for paths, ``"Tokenise.label"`` or ``"label"``.

    Returns:
        A graph that can be called as the function is, with arguments of the same kinds: the same types, dtypes
        and ranks, the same flags and texts, the same lengths and keys where these decided something.  Any other
        call raises `SignatureMismatch`.  Its ``save`` writes a bundle, which `astrace.load` loads anywhere.

    Raises:
        NotCaptured: the function can't be captured whole; the reason says where and why.
        InvalidArgument: it is a class, or no callable at all.
        AssetError: a file that an operator was made from is missing, was changed since, or is too large.

    Example:
        >>> import numpy as np
        >>> rate = 2.0
        >>> def scale(x):
        ...     return x * rate
        >>> graph = trace(scale, np.arange(3.0))
        >>> rate = 5.0
        >>> graph(np.arange(3.0))
        array([0., 2., 4.])
    """
    return PortableGraph.of(frozen(function, *args, **kwargs))
