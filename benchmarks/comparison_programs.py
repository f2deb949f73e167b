"""Small programs, each about one promise: what a compiler makes of them is compared with plain Python.

A program takes ``compiled``, which compiles a function, and ``np``, the array module of the compiler; it returns what a user
can see.  It is run with nothing compiled first, so that no expectation is written down here.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any, Final

import numpy

Compiler = Callable[[Callable[..., Any]], Callable[..., Any]]
RATE = 2.0
TABLE = numpy.ones(3)


def printed(function: Callable[..., Any], *args: Any) -> str:
    """What a call prints."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        function(*args)
    return told.getvalue()


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives, or the type of what it raises."""
    try:
        return function(*args)
    except (ArithmeticError, LookupError) as error:
        return type(error).__name__


# -- control flow ----------------------------------------------------------------------------------------


def loop_until(compiled: Compiler, np: Any) -> Any:
    """A `while` that ends when the data say so."""

    def f(x):
        steps = 0
        while x.sum() > 1.0:
            x = x / 2
            steps += 1
        return x, steps

    g = compiled(f)
    return [g(np.ones(3) * size) for size in (1.0, 50.0)]


def branch(compiled: Compiler, np: Any) -> Any:
    """An `if` that the data decide."""

    def f(x):
        if x.sum() > 0.0:
            return x * 2
        return x - 1

    g = compiled(f)
    return [g(np.ones(3)), g(-np.ones(3))]


def early_exit(compiled: Compiler, np: Any) -> Any:
    """A `for` with `break` and `else`."""

    def f(x, limit):
        for i in range(len(x)):
            if x[i] > limit:
                break
        else:
            i = -1
        return i

    g = compiled(f)
    return [g(np.arange(5.0), 2.5), g(np.arange(5.0), 9.0)]


def caught(compiled: Compiler, np: Any) -> Any:
    """An exception that is caught."""

    def f(x, i):
        try:
            return x[i]
        except IndexError:
            return -1.0

    g = compiled(f)
    return [g(np.arange(3.0), 1), g(np.arange(3.0), 7)]


# -- the world -------------------------------------------------------------------------------------------


def _scaled(x):
    return x * RATE


def _shifted(x):
    return x + TABLE


def global_number(compiled: Compiler, np: Any) -> Any:
    """A global number that changes between two calls."""
    global RATE  # noqa: PLW0603
    g = compiled(_scaled)
    RATE = 2.0
    first = g(np.ones(3))
    RATE = 3.0
    return [first, g(np.ones(3))]


def global_array(compiled: Compiler, np: Any) -> Any:
    """A global array that is written between two calls."""
    g = compiled(_shifted)
    TABLE[:] = 1.0
    first = numpy.array(g(np.ones(3)))
    TABLE[:] = 5.0
    return [first, g(np.ones(3))]


def writes(compiled: Compiler, np: Any) -> Any:
    """An argument that is written."""

    def f(x):
        x[0] = 7.0
        return x.sum()

    x = np.zeros(3)
    return [compiled(f)(x), x]


def prints(compiled: Compiler, np: Any) -> Any:
    """Printing, at two calls."""

    def f(x):
        print("called")
        return x * 2

    g = compiled(f)
    return [printed(g, np.ones(2)), printed(g, np.ones(2))]


def draws(compiled: Compiler, np: Any) -> Any:
    """Random numbers of NumPy's own stream, after a seed."""

    def f(x):
        return x + np.random.random()

    g = compiled(f)
    numpy.random.seed(3)  # noqa: NPY002
    return [g(1.0), g(1.0)]


# -- results ---------------------------------------------------------------------------------------------


def bits(compiled: Compiler, np: Any) -> Any:
    """The bits of some functions and sums of 10,000 numbers."""

    def f(x):
        waves = np.sin(x) * np.exp(-x * x)
        return waves, waves.sum(), x.mean(), np.cumsum(x)[-1]

    return compiled(f)(np.asarray(numpy.random.default_rng(5).normal(size=10_000)))


def bounds(compiled: Compiler, np: Any) -> Any:
    """An index that is out of bounds."""

    def f(x, i):
        return x[i]

    return outcome(compiled(f), np.arange(9.0)[:3], 5)


def zero(compiled: Compiler, np: Any) -> Any:
    """A division of Python numbers by zero."""

    def f(a, b):
        return a / b

    return outcome(compiled(f), 1, 0)


def large(compiled: Compiler, np: Any) -> Any:
    """A Python integer beyond 64 bits."""

    def f(n):
        result = 1
        for _ in range(50):
            result = result * n
        return result

    return compiled(f)(3)


def kind(compiled: Compiler, np: Any) -> Any:
    """The type of a sum."""

    def f(x):
        return x.sum()

    return type(compiled(f)(np.ones(3))).__name__


# -- data ------------------------------------------------------------------------------------------------


def dicts(compiled: Compiler, np: Any) -> Any:
    """A dict in, a dict out."""

    def f(state):
        return {"x": state["x"] + state["v"], "v": state["v"]}

    return compiled(f)({"x": np.zeros(2), "v": np.ones(2)})


def growing(compiled: Compiler, np: Any) -> Any:
    """A list that grows as the data say."""

    def f(x):
        found = []
        for i in range(len(x)):
            if x[i] > 1.0:
                found.append(x[i])
        return found

    return compiled(f)(np.arange(4.0))


class Counter:
    """An object with a state."""

    def __init__(self) -> None:
        self.calls = 0


def objects(compiled: Compiler, np: Any) -> Any:
    """An object whose attribute is changed."""

    def f(counter, x):
        counter.calls += 1
        return x * counter.calls

    counter, g = Counter(), compiled(f)
    return [g(counter, np.ones(2)), g(counter, np.ones(2)), counter.calls]


def selections(compiled: Compiler, np: Any) -> Any:
    """A result whose size depends on the data."""

    def f(x):
        return x[x > 1.0]

    g = compiled(f)
    return [g(np.arange(4.0)), g(np.zeros(3))]


def texts(compiled: Compiler, np: Any) -> Any:
    """A text made from a number."""

    def f(x):
        return f"the sum is {float(x.sum()):.2f}"

    return compiled(f)(np.ones(3))


PROGRAMS: Final[dict[str, Callable[[Compiler, Any], Any]]] = {
    "a `while` that ends when the data say so": loop_until,
    "an `if` on data": branch,
    "`for` … `break` … `else` on data": early_exit,
    "`try` … `except IndexError`": caught,
    "a changed global number is noticed": global_number,
    "a changed global array is noticed": global_array,
    "an argument that is written is changed for the caller": writes,
    "`print` prints once a call": prints,
    "`np.random` continues NumPy's stream": draws,
    "the result is NumPy's to the bit": bits,
    "an index out of bounds is an `IndexError`": bounds,
    "`1 / 0` is a `ZeroDivisionError`": zero,
    "integers grow beyond 64 bits": large,
    "`x.sum()` is a `float64` of NumPy": kind,
    "a dict in, a dict out": dicts,
    "a list that grows": growing,
    "an object whose attribute changes": objects,
    "`x[x > 1]`, of any size": selections,
    "a text made from a number": texts,
}
