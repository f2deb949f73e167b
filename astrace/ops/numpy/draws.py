"""What is known of draws from ``np.random.Generator``: their parameters, what they give, and the C function behind them.

A method with numbers as parameters and without ``size`` gives one number, with a ``size`` an array of as many draws, one after
the other.  NumPy's C functions are public (``numpy/random/distributions.h``): they are given the generator and the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from astrace.ir.specs import (
    FLOAT,
    INT,
    AnySpec,
    ArraySpec,
    GenericSpec,
    ScalarSpec,
    Spec,
)
from astrace.ops.numpy.draw_results import array_of, is_none, is_number, result_of

POSITIVE: Final = "positive"
PROBABILITY: Final = "probability"
RATE: Final = "rate"


@dataclass(frozen=True, slots=True)
class DrawParameter:
    """A parameter of a distribution.

    Args:
        name: its keyword.
        default: the number that it is where it is not given; ``None`` where it has to be.
        domain: which numbers are certain to be accepted; all, if nothing is said.
    """

    name: str
    default: float | None = None
    domain: str = ""


@dataclass(frozen=True, slots=True)
class DrawMethod:
    """A method that draws.

    Args:
        function: the C function that makes one draw; it takes the parameters as floats. Nothing where compiled code draws by itself.
        parameters: of the distribution.
        gives: the type of a single draw.
    """

    function: str
    parameters: tuple[DrawParameter, ...]
    gives: Spec = FLOAT

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of an array of draws."""
        return np.dtype(np.float64 if self.gives == FLOAT else np.int64)


def _scale(name: str = "scale", default: float | None = 1.0) -> DrawParameter:
    return DrawParameter(name, default, POSITIVE)


_PLACE: Final = DrawParameter("loc", 0.0)
_UNIFORM: Final = (DrawParameter("low", 0.0), DrawParameter("high", 1.0))
_INTEGERS: Final = (DrawParameter("low"), DrawParameter("high", 0.0))

METHODS: Final[Mapping[str, DrawMethod]] = {
    "random": DrawMethod("random_standard_uniform", ()),
    "uniform": DrawMethod("random_uniform", _UNIFORM),
    "integers": DrawMethod("random_bounded_uint64_fill", _INTEGERS, GenericSpec(np.dtype(np.int64))),
    "standard_normal": DrawMethod("random_standard_normal", ()),
    "normal": DrawMethod("random_normal", (_PLACE, _scale())),
    "lognormal": DrawMethod("random_lognormal", (DrawParameter("mean", 0.0), _scale("sigma"))),
    "standard_exponential": DrawMethod("random_standard_exponential", ()),
    "exponential": DrawMethod("random_exponential", (_scale(),)),
    "standard_gamma": DrawMethod("random_standard_gamma", (_scale("shape", None),)),
    "gamma": DrawMethod("random_gamma", (_scale("shape", None), _scale())),
    "beta": DrawMethod("random_beta", (_scale("a", None), _scale("b", None))),
    "chisquare": DrawMethod("random_chisquare", (_scale("df", None),)),
    "standard_t": DrawMethod("random_standard_t", (_scale("df", None),)),
    "standard_cauchy": DrawMethod("random_standard_cauchy", ()),
    "laplace": DrawMethod("random_laplace", (_PLACE, _scale())),
    "gumbel": DrawMethod("random_gumbel", (_PLACE, _scale())),
    "logistic": DrawMethod("random_logistic", (_PLACE, _scale())),
    "rayleigh": DrawMethod("random_rayleigh", (_scale(),)),
    "weibull": DrawMethod("random_weibull", (_scale("a", None),)),
    "pareto": DrawMethod("random_pareto", (_scale("a", None),)),
    "power": DrawMethod("random_power", (_scale("a", None),)),
    "poisson": DrawMethod("random_poisson", (DrawParameter("lam", 1.0, RATE),), INT),
    "geometric": DrawMethod("random_geometric", (DrawParameter("p", None, PROBABILITY),), INT),
}
"""By name.  Methods without a row, such as ``choice``, are NumPy's."""
LEGACY_INTEGERS: Final = "randint"
"""The method of ``np.random.RandomState`` that gives an integer between two."""
BITS: Final = "getrandbits"
"""The method of Python's ``random.Random`` that gives an integer of so many random bits."""
INTERVAL: Final = "interval"
"""The name here of the draws that put items in another order: no method has it."""
FUNCTIONS: Final[Mapping[str, DrawMethod]] = {
    **METHODS,
    INTERVAL: DrawMethod("random_interval", (DrawParameter("last"),), GenericSpec(np.dtype(np.int64))),
    LEGACY_INTEGERS: DrawMethod("random_bounded_uint64_fill", _INTEGERS, GenericSpec(np.dtype(np.int64))),
    BITS: DrawMethod("", (DrawParameter("k"),), GenericSpec(np.dtype(np.int64))),
}
"""All draws that kernels make."""
OF_INTEGERS: Final = frozenset({"integers", LEGACY_INTEGERS, INTERVAL, BITS})
"""The draws whose parameters are integers."""
OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "random": {"dtype": np.float64, "out": None},
    "standard_normal": {"dtype": np.float64, "out": None},
    "standard_exponential": {"dtype": np.float64, "method": "zig", "out": None},
    "standard_gamma": {"dtype": np.float64, "out": None},
    "integers": {"dtype": np.int64, "endpoint": False},
}
"""What may be given behind the size, in order, and what is the same as leaving it out."""
FREE: Final[Mapping[str, frozenset[str]]] = {"integers": frozenset({"endpoint"})}
"""Of these, what may be any constant."""


@dataclass(frozen=True, slots=True)
class DrawCall:
    """A call of such a method, its arguments by name.

    Args:
        method: what is drawn.
        parameters: one for each of the method's, or its default.
        size: ``None`` for a single draw.
        options: the others.
    """

    method: DrawMethod
    parameters: tuple[Any, ...]
    size: Any
    options: Mapping[str, Any]


def draw_call(name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> DrawCall | None:
    """Return a call's arguments by name; ``None`` where a method has no row, or is not called as that says.

    Args:
        name: of the method.
        args: behind the generator.
        kwargs: the same by name.

    Example:
        >>> draw_call("uniform", (2.0,), {"size": 3}).parameters
        (2.0, 1.0)
        >>> draw_call("random", (), {"dtype": np.float32}) is None
        True
    """
    method = METHODS.get(name) if isinstance(name, str) else None
    if method is None:
        return None
    options = OPTIONS.get(name, {})
    names = [*(one.name for one in method.parameters), "size", *options]
    given = dict(zip(names, args, strict=False))
    if len(args) > len(names) or given.keys() & kwargs.keys() or kwargs.keys() - set(names):
        return None
    given |= kwargs
    found = tuple(given.get(one.name, one.default) for one in method.parameters)
    if name == "integers" and (given.get("high") is None or is_none(given["high"])):
        found = (0, found[0])
    others = {one: given.get(one, usual) for one, usual in options.items()}
    free = FREE.get(name, frozenset())
    unusual = [one for one, usual in options.items() if one not in free and not _is_same(others[one], usual)]
    if unusual or any(one is None for one in found):
        return None
    size = given.get("size")
    return DrawCall(method, found, None if is_none(size) else size, others)


@dataclass(frozen=True, slots=True)
class ChoiceCall:
    """A call of ``choice`` that draws places with all alike, which may come several times.

    Args:
        items: what is chosen from: an array, or the number of places.
        size: ``None`` for a single item.
    """

    items: Any
    size: Any

    def draws(self, count: Any) -> DrawCall:
        """Return the call that draws the places.

        Args:
            count: how many there are.
        """
        return DrawCall(METHODS["integers"], (0, count), self.size, {"endpoint": False})


CHOOSING: Final[Mapping[str, Any]] = {"replace": True, "p": None, "axis": 0, "shuffle": True}
"""What may be given behind the size of ``choice``, in order, and what is the same as leaving it out."""


def choice_call(name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> ChoiceCall | None:
    """Return the arguments of a call of ``choice``; ``None`` for another method, and where places are drawn in another way.

    Args:
        name: of the method.
        args: behind the generator.
        kwargs: the same by name.

    Example:
        >>> choice_call("choice", (5, 3), {}), choice_call("choice", (5, 3), {"replace": False})
        (ChoiceCall(items=5, size=3), None)
    """
    names = ["a", "size", *CHOOSING]
    given = dict(zip(names, args, strict=False))
    if name != "choice" or len(args) > len(names) or given.keys() & kwargs.keys():
        return None
    given |= kwargs
    if "a" not in given or given.keys() - set(names):
        return None
    usual = all(
        given.get(one, usual) is usual or _is_zero(given[one], usual) for one, usual in CHOOSING.items()
    )
    size = given.get("size")
    return ChoiceCall(given["a"], None if is_none(size) else size) if usual else None


def _is_zero(value: Any, usual: Any) -> bool:
    return type(value) is type(usual) is int and value == usual


def _is_same(value: Any, usual: Any) -> bool:
    """Return whether an option is the usual one."""
    return value is usual or (type(value) is str and value == usual)


def drawn(name: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return what a method of a generator gives; ``None`` where that is not known.

    Args:
        name: of the method.
        args: behind the generator, as rules see them.
        kwargs: the same by name.

    Example:
        >>> print(drawn("normal", (0.0, 2.0), {}), drawn("random", (3,), {}), drawn("shuffle", ([],), {}))
        float float64[3] None
    """
    choice = choice_call(name, args, kwargs)
    if choice is not None:
        return _chosen(choice)
    call = draw_call(name, args, kwargs)
    if call is None or not all(map(is_number, call.parameters)):
        return result_of(name, args, kwargs)
    return call.method.gives if call.size is None else array_of(call.size, call.method.dtype)


def _chosen(call: ChoiceCall) -> Spec | None:
    """Return what a choice gives: items of an array of one axis or of a list of literals, or places."""
    items = call.items
    if type(items) in (list, tuple) and items and {type(one) for one in items} in ({int}, {float}):
        items = ArraySpec((len(items),), np.asarray(items).dtype)
    if isinstance(items, ArraySpec):
        if len(items.shape) != 1 or items.dtype.kind not in "biufc":
            return None
        return GenericSpec(items.dtype) if call.size is None else array_of(call.size, items.dtype)
    if not (type(items) is int or items == INT):
        return None
    return INT if call.size is None else array_of(call.size, np.dtype(np.int64))


SEEDS: Final = (ScalarSpec, GenericSpec, ArraySpec)


def made_generator(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Spec | None:
    """Return the type of a generator that a call makes; ``None`` where it may be the one that is given, or of another class.

    Args:
        function: what is called.
        args: as rules see them.
        kwargs: the same by name.

    Example:
        >>> print(made_generator(np.random.default_rng, (3,), {}), made_generator(sorted, ([],), {}))
        Generator None
    """
    if function is np.random.Generator:
        return GENERATOR
    if function is not np.random.default_rng:
        return None
    seeds = (*args, *kwargs.values())
    known = all(seed is None or isinstance(seed, SEEDS) or type(seed) is int for seed in seeds)
    return GENERATOR if known else None


GENERATOR: Final = AnySpec(np.random.Generator)
