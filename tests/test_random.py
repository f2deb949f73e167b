"""Random numbers are effects in order: every method draws what it draws in plain Python, and leaves the same state.

Each row is a call; each call stands in programs of several forms.  What is compared are results, what is left of
the arguments, and the states of all generators.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import harness
import numpy as np
import pytest

import astrace
from fuzz.compare import loaded

SHARED = {
    "beta": "2.0, 3.0",
    "binomial": "9, 0.4, 3",
    "bytes": "3",
    "chisquare": "2, size=2",
    "choice": "x",
    "dirichlet": "[1.0, 2.0, 3.0]",
    "exponential": "t + 2",
    "f": "2, 3, (2, 2)",
    "gamma": "2.0",
    "geometric": "0.4, 3",
    "gumbel": "t, 1.0",
    "hypergeometric": "5, 6, 7",
    "laplace": "t",
    "logistic": "t",
    "lognormal": "0.0, 1.0, size=n",
    "logseries": "0.5",
    "multinomial": "5, [0.2, 0.3, 0.5]",
    "multivariate_normal": "[0.0, t], [[1.0, 0.0], [0.0, 1.0]]",
    "negative_binomial": "4, 0.5",
    "noncentral_chisquare": "3, 1.0",
    "noncentral_f": "3, 4, 1.0",
    "normal": "t, 2.0, size=n",
    "pareto": "3.0",
    "permutation": "x",
    "poisson": "x * x",
    "power": "2.0",
    "random": "n",
    "rayleigh": "",
    "shuffle": "x",
    "standard_cauchy": "2",
    "standard_exponential": "n",
    "standard_gamma": "x * x + 1",
    "standard_normal": "n",
    "standard_t": "3.0",
    "triangular": "-1.0, 0.0, 2.0",
    "uniform": "-1.0, 1.0, x.shape",
    "vonmises": "0.0, 2.0",
    "wald": "1.0, 2.0",
    "weibull": "2.0",
    "zipf": "3.0",
}
"""Methods of both classes, with arguments."""

GENERATOR = {
    **SHARED,
    "integers": "0, n + 2, 3",
    "multivariate_hypergeometric": "[3, 4, 5], 6",
    "permuted": "x",
    "spawn": "2",
}
STATE = {
    **SHARED,
    "get_state": "",
    "rand": "n",
    "randint": "0, n + 2, 3",
    "randn": "2, 2",
    "random_integers": "5",
    "random_sample": "n",
    "seed": "n",
    "set_state": "np.random.RandomState(n).get_state()",
    "tomaxint": "n",
}
MODULE = {**STATE, "ranf": "n", "sample": "n", "default_rng": "n"}
del MODULE["tomaxint"]
PYTHON = {
    "betavariate": "2.0, 3.0",
    "choice": "[1, 2, 3]",
    "choices": "[1, 2, 3], k=n",
    "expovariate": "2.0",
    "gammavariate": "2.0, 1.0",
    "gauss": "t, 1.0",
    "getrandbits": "9",
    "getstate": "",
    "lognormvariate": "0.0, 1.0",
    "normalvariate": "t, 1.0",
    "paretovariate": "3.0",
    "randbytes": "n",
    "randint": "0, n + 2",
    "random": "",
    "randrange": "n + 1",
    "sample": "range(9), n",
    "seed": "n",
    "setstate": "random.Random(n).getstate()",
    "shuffle": "x",
    "triangular": "0.0, 1.0, 0.5",
    "uniform": "t, 2.0",
    "vonmisesvariate": "0.0, 2.0",
    "weibullvariate": "1.0, 2.0",
}
MORE = (
    "G.random(out=x)",
    "G.standard_normal(out=x[1:])",
    "G.standard_gamma(2.0, out=x)",
    "G.standard_exponential(method='inv', out=x)",
    "G.permuted(x, out=x)",
    "G.shuffle(x.reshape(2, 2), axis=1)",
    "G.choice(x, n, replace=False)",
    "G.choice(9, p=np.ones(9) / 9)",
    "G.integers(0, 9, dtype=np.uint8, endpoint=True)",
    "G.random(dtype=np.float32)",
    "G.bit_generator.random_raw(n)",
    "G.bit_generator.advance(n)",
    "G.bit_generator.jumped().random_raw()",
    "G.bit_generator.state['state']['state']",
    "G.bit_generator.seed_seq.spawn(1)[0].generate_state(2)",
    "G.spawn(2)[1].random()",
    "G.normal(x, abs(x) + 1)",
    "G.normal(0.0, -1.0 + t)",
    "G.shuffle(5)",
    "np.random.default_rng(n).random(3)",
    "np.random.default_rng(G).random(3)",
    "np.random.RandomState(n).rand(3)",
    "np.random.Generator(np.random.MT19937(n)).normal()",
    "np.random.Generator(G.bit_generator).normal()",
    "np.random.SeedSequence(n).spawn(2)[0].generate_state(2)",
    "random.Random(n).random()",
)
CALLS = (
    *(f"G.{name}({given})" for name, given in GENERATOR.items()),
    *(f"S.{name}({given})" for name, given in STATE.items()),
    *(f"np.random.{name}({given})" for name, given in MODULE.items()),
    *(f"random.{name}({given})" for name, given in PYTHON.items()),
    *(f"R.{name}({given})" for name, given in PYTHON.items()),
    *MORE,
)
HEAD = """
import random

import numpy as np

G, S, R = np.random.default_rng(1), np.random.RandomState(2), random.Random(3)
OUT = []


class Owner:
    def __init__(self):
        self.G, self.S, self.R = G, S, R


owner = Owner()


def seen(value):
    '''What a call gave, as something to compare.'''
    return value if isinstance(value, (int, float, bytes, str, np.ndarray, np.generic)) else None


def helper(x, t, n):
    return DRAW


"""
FORMS = {
    "once": """
def f(x, t, n):
    a = DRAW
    return seen(a), x, DRAW is None
""",
    "argument": """
def f(x, t, n, G=G, S=S, R=R):
    a = DRAW
    OUT.append(G.random())
    return seen(a), S.random_sample(), R.random()
""",
    "branches": """
def f(x, t, n):
    if t > 0:
        a = DRAW
    else:
        a = G.random() if n % 2 else S.rand()
    b = t > 0.5 and seen(DRAW)
    return seen(a), x, b
""",
    "loop": """
def f(x, t, n):
    for i in range(n):
        OUT.append(seen(DRAW))
        if G.random() > 0.8:
            return i, x
        t = t + S.rand() + random.random()
    while R.random() < t / 4:
        t -= 0.5
        helper(x, t, n)
    return t, x
""",
    "comprehension": """
def f(x, t, n):
    first = [seen(DRAW) for _ in range(n) if G.random() > 0.2]
    return first, sum(G.random() + t for _ in range(n)), {i: S.rand() for i in range(n)}, x
""",
    "raises": """
def f(x, t, n):
    for i in range(n):
        try:
            if G.random() > 0.5:
                raise ValueError(i)
            OUT.append(seen(DRAW))
        except ValueError:
            t -= S.rand()
        finally:
            random.random()
    DRAW
    if t < 0:
        raise KeyError(t)
    return t, x
""",
    "attribute": """
def f(x, t, n):
    G, S, R = owner.G, owner.S, owner.R
    a = DRAW
    owner.G = np.random.default_rng(n)
    return seen(a), owner.G.random(), owner.R.random(), G.random()
""",
    "fallback": """
def f(x, t, n):
    a = DRAW
    out = sorted([2.0, t, G.random()], key=lambda v: -v)
    return seen(a), out, helper(x, t, n) is None
""",
}


def public(owner: Any) -> set[str]:
    """The methods that draw, of a class or a module."""
    return {name for name in dir(owner) if not name.startswith("_")}


def test_the_rows_are_complete() -> None:
    """Every method of the classes, and every function of the modules, stands in a row."""
    assert public(np.random.Generator) - {"bit_generator"} <= set(GENERATOR)
    assert public(np.random.RandomState) <= set(STATE)
    classes = {name for name in public(np.random) if isinstance(getattr(np.random, name), type)}
    rest = {"bit_generator", "mtrand", "test", "get_bit_generator", "set_bit_generator"}
    assert public(np.random) - classes - rest <= set(MODULE)
    assert {name for name in public(random) if hasattr(getattr(random, name), "__self__")} <= set(PYTHON)


def states(module: Any) -> str:
    """The states of everything that draws."""
    generators = {"G": module.G, "owner.G": module.owner.G}
    found = [generators[name].bit_generator.state for name in generators]
    found += [one.bit_generator.seed_seq.n_children_spawned for one in generators.values()]
    return repr([*found, module.S.get_state(), np.random.get_state(), module.R.getstate(), random.getstate()])


def outcomes(source: str, name: str, *, compiled: bool) -> tuple[list[Any], list[str]]:
    """Return the outcomes of a program's calls, in order, and why some were left to plain Python."""
    np.random.seed(5)
    random.seed(6)
    found: list[Any] = []
    with loaded(source, name) as module:
        function = astrace.compile(module.f) if compiled else module.f
        for t, n in ((0.75, 3), (-1.0, 2), (0.0, 0), (2.0, 3)):
            outcome = harness.observe(function, (np.array([0.5, -1.0, 2.0, 0.25]), t, n))
            seen = (outcome.result, outcome.error, outcome.arguments, module.OUT)
            found += [harness.shape_of(seen), states(module)]
        entries = function._entries if compiled else []
    return found, [entry.stages.fallback.code for entry in entries if entry.stages.fallback]


@pytest.fixture(autouse=True)
def _streams_as_before() -> Any:
    """The streams of NumPy and Python themselves are put back."""
    kept = np.random.get_state(), random.getstate()
    yield
    np.random.set_state(kept[0])
    random.setstate(kept[1])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("turn", [0, 3])
def test_streams(turn: int) -> None:
    """The same numbers in the same order, and the same states behind each call; each call in two forms."""
    for number, call in enumerate(CALLS):
        assert_same_streams(list(FORMS)[(turn + number) % len(FORMS)], call, f"draw_{number}")


def assert_same_streams(form: str, call: str, name: str) -> None:
    """One program, plain and compiled."""
    source = (HEAD + FORMS[form]).replace("DRAW", call)
    plain, _ = outcomes(source, f"{name}_plain", compiled=False)
    captured, codes = outcomes(source, f"{name}_captured", compiled=True)
    assert captured == plain, source
    assert set(codes) <= ({"AT204"} if form == "fallback" else set()), source


@pytest.mark.parametrize("call", CALLS[::7])
def test_tracing_draws_nothing(call: str) -> None:
    """To look at the stages of a call is no draw."""
    source = (HEAD + FORMS["loop"]).replace("DRAW", call)
    with loaded(source, "draws_nothing") as module:
        before = states(module)
        for t, n in itertools.product((0.75, -1.0), (0, 3)):
            x = np.ones(4)
            astrace.compile(module.f).stages(x, t, n)
            assert x.tolist() == [1.0] * 4 and module.OUT == []
        assert states(module) == before
