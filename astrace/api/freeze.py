"""`freeze` compiles a function anew with some of its reads from outside turned into constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from astrace.compiler.bound_compiled import BoundCompiled
from astrace.compiler.compiled import Compiled
from astrace.compiler.stages import Options
from astrace.errors import InvalidArgument
from astrace.tracing.external.freezer import normalised

P = ParamSpec("P")
R = TypeVar("R")


def freeze(function: Callable[P, R], *names: str) -> Compiled[P, R]:
    """Compile a function so that some of its reads from outside are constants.

    A frozen read is neither made nor checked at a call.  It is fixed when it is captured first, an array as a copy that
    cannot be written; what becomes of it later is not seen.  What is read below a name is frozen with it: ``"CFG"``
    freezes every item of it that is read, and the keys and lengths that a capture found.  Attributes of an argument
    (``"self.w"``) are frozen for each object that is passed.

    Args:
        function: what to compile, or a compiled function, whose options are kept.
        *names: access paths, as ``explain`` and graphs show them: a global, a closure's variable, attributes and items
            of them or of parameters, the default of a parameter by the parameter's name.

    Returns:
        A new compiled function; the one that was given stays as it is.

    Raises:
        InvalidArgument: a name is no access path; at the first capture, that the function does not read it.

    Example:
        >>> import numpy as np
        >>> config = {"rate": 2.0}
        >>> def scale(x):
        ...     return x * config["rate"]
        >>> scaled = freeze(scale, "config['rate']")
        >>> scaled(3.0)
        6.0
        >>> config["rate"] = 5.0
        >>> scaled(3.0), scaled.stages(3.0).graph.constants[0].origin.path
        (6.0, "config['rate']")
    """
    if not names:
        raise InvalidArgument("freeze: which reads? Name access paths, such as \"CFG['eps']\" or 'self.w'")
    inner: Any = function.__func__ if isinstance(function, BoundCompiled) else function
    options = inner.__astrace_options__ if isinstance(inner, Compiled) else Options()
    wanted = replace(options, freeze=(*options.freeze, *map(normalised, names)))
    plain: Any = inner.__astrace_function__ if isinstance(inner, Compiled) else inner
    if isinstance(function, BoundCompiled):
        plain = plain.__get__(function.__self__)
    return Compiled(plain, wanted)
