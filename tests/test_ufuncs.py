"""Ufuncs in compiled functions: every method, every keyword, on several ufuncs."""

from __future__ import annotations

from typing import Final

import harness
import pytest
import samples

import astrace

BINARY: Final = (
    *("add", "subtract", "multiply", "fmax", "floor_divide"),
    *("greater", "logical_and", "bitwise_or", "true_divide"),
)
UNARY: Final = ("negative", "sqrt", "isnan", "logical_not", "conjugate")
PAIRS: Final = ("divmod", "modf", "frexp")

UNARY_CALLS: Final = (
    "{u}(x)",
    "{u}(p)",
    "{u}(g)",
    "{u}(v, where=h)[h]",
    "{u}(v, out=w, where=h, casting='unsafe')",
    "{u}(v, w)\nreturn w",
    "one = {u}(v, out=w)\nreturn one is w, one, w",
    "{u}(v, out=(w,))\nreturn w",
    "{u}(v, out=v)\nreturn v",
    "{u}(v[1:], out=v[:-1])\nreturn v",
    "{u}(v, dtype='float32')",
    "{u}(v, dtype=np.complex128)",
    "{u}(v, order='F', subok=False)",
    "{u}([1, n, r])",
    "{u}(v.tolist())",
    "{u}.at(v, [0, 2])\nreturn v",
    "{u}.at(v, h)\nreturn v",
)
BINARY_CALLS: Final = (
    "{u}(x, y)",
    "{u}(v, p)",
    "{u}(p, q)",
    "{u}(t, t[0])",
    "{u}(t[:, :1], t[:1])",
    "{u}(v, w, where=h)[h]",
    "{u}(v, w, out=v, where=h, casting='unsafe')\nreturn v",
    "{u}(v, w, v)\nreturn v",
    "one = {u}(v, v, out=v)\nreturn one is v, one",
    "{u}(v[1:], v[:-1], out=v[1:])\nreturn v",
    "{u}(v, w, dtype='float64')",
    "{u}(v, w, dtype='int32', casting='unsafe')",
    "{u}(v, w, np.zeros((2, 4), complex))",
    "{u}.reduce(x)",
    "{u}.reduce(t, axis=1)",
    "{u}.reduce(t, 0)",
    "{u}.reduce(t, axis=(0, 1))",
    "{u}.reduce(t, axis=None, keepdims=True)",
    "{u}.reduce(t, axis=-1, keepdims=True, dtype='float64')",
    "{u}.reduce(v, initial=p)",
    "{u}.reduce(v, initial=2, where=h)",
    "{u}.reduce(v[:0], initial=1)",
    "{u}.reduce(v[:0])",
    "{u}.reduce(t, axis=0, out=t[0])\nreturn t",
    "{u}.reduce([v, w])",
    "{u}.accumulate(x)",
    "{u}.accumulate(t, axis=1)",
    "{u}.accumulate(v, dtype='float64')",
    "{u}.accumulate(v, out=v)\nreturn v",
    "{u}.reduceat(v, [0, 2])",
    "{u}.reduceat(v, [3, 1, 1])",
    "{u}.reduceat(t, [0, n % 3], axis=1)",
    "{u}.reduceat(v, i)",
    "{u}.outer(v, w)",
    "{u}.outer(t, p)",
    "{u}.outer(p, q)",
    "{u}.outer(v, v, dtype='float64')",
    "{u}.at(v, [0, 2, 0], p)\nreturn v",
    "{u}.at(v, h, w[:3])\nreturn v",
    "{u}.at(t, (0, [1, 1]), n)\nreturn t",
)
PAIR_CALLS: Final = ("{u}(v)", "one, two = {u}(x)\nreturn two, one", "{u}(v, v, w)\nreturn v, w", "{u}(p)[0]")
DIVMOD_CALLS: Final = ("{u}(v, w)", "one, two = {u}(x, 2)\nreturn two, one", "{u}(p, q)[1]", "{u}(v, 2, v)")

CASES: Final = [
    *((name, text) for name in UNARY for text in UNARY_CALLS),
    *((name, text) for name in BINARY for text in BINARY_CALLS),
    *((name, text) for name in PAIRS[1:] for text in PAIR_CALLS),
    *((name, text) for name in PAIRS[:1] for text in DIVMOD_CALLS),
]
MOST_CASES: Final = 5


@pytest.mark.parametrize(("name", "template"), CASES)
def test_ufunc_in_a_compiled_function(name: str, template: str) -> None:
    """The value, the exception and what became of the arguments are NumPy's, to the bit."""
    text = template.replace("{u}", f"np.{name}")
    plain = samples.function_of(text)
    compiled = astrace.compile(plain, recompile_limit=MOST_CASES)
    for case in samples.cases(text)[:MOST_CASES]:
        given = tuple(case.values())
        expected = harness.observe(plain, harness.fresh_arguments(given))
        found = harness.observe(compiled, harness.fresh_arguments(given))
        assert harness.differences(expected, found) == [], given
    assert compiled.stats.fallbacks == 0
