"""Native code: kernels do what NumPy and Python do, to the bit, or leave it to them."""

from __future__ import annotations

import functools
import itertools
import linecache
import math
import re
import resource
import signal
import sys
import threading
import types
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import chain_programs
import complex_programs
import harness
import list_programs
import loop_programs
import numpy as np
import pytest
import random_programs
import row_programs

import astrace
from astrace.backends.native import backend, machine, symbols
from astrace.backends.native import kernel as native_kernel
from astrace.backends.native.arithmetic import product_orders
from astrace.backends.native.callees import callee
from astrace.backends.native.entry.admission import is_writeable, runs_as_in_c
from astrace.backends.native.kernel import Kernel
from astrace.backends.native.partition import Partition
from astrace.ir.block import Block, Value
from astrace.ir.interpret import interpret
from astrace.ir.walk import nodes
from astrace.ops import OPS
from astrace.ops.lowered import Deoptimised
from astrace.ops.numpy import few_items
from astrace.ops.numpy.draws import GENERATOR
from astrace.passes.lowering.block import Unlowered
from astrace.passes.lowering.functions.python_calls import MATH
from astrace.passes.lowering.lower import lower
from benchmarks.kernels import KERNELS
from benchmarks.kernels import Kernel as Program

PROGRAMS = {**loop_programs.PROGRAMS, **complex_programs.PROGRAMS, **random_programs.PROGRAMS}
CHAINS = {
    **chain_programs.PROGRAMS,
    **complex_programs.CHAINS,
    **list_programs.PROGRAMS,
    **row_programs.PROGRAMS,
}
MANY = 50


@pytest.fixture
def by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python runs the text of kernels."""
    monkeypatch.setattr(backend, "Partition", functools.partial(Partition, compiled=False))


def kernels_of(function: Any) -> list[Kernel]:
    """The kernels of all captures."""
    stages = [one for one in function.captures if one.executable is not None]
    return [kernel for one in stages for kernel in one.executable.kernels]


def check(function: Any, calls: Any) -> Any:
    """Compare calls of a function with the native one, in order; gives that."""
    native = astrace.compile(function, backend="native", recompile_limit=MANY)
    for make in calls:
        expected = harness.observe(function, make())
        found = harness.observe(native, make())
        assert harness.differences(expected, found) == []
        assert set(found.warned) == set(expected.warned)
    return native


# -- programs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROGRAMS)
def test_loops(name: str) -> None:
    function, calls = PROGRAMS[name]
    native = check(function, [*calls, *calls])
    assert sum(kernel.runs for kernel in kernels_of(native))
    assert all(kernel.refused is None for kernel in kernels_of(native))


@pytest.mark.usefixtures("by_python")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_runs_without_numba(name: str) -> None:
    function, calls = PROGRAMS[name]
    assert kernels_of(check(function, calls))


@pytest.mark.parametrize("name", PROGRAMS)
def test_lowered_blocks_can_be_interpreted(name: str) -> None:
    """The ops of a lowered block mean what their rows say: no backend is needed to run one."""
    function, calls = PROGRAMS[name]
    loops = 0
    for make in calls:
        graph = astrace.compile(function).stages(*make()).graph
        loops += sum(interpreted(node) for node in graph.block.nodes if node.op in LOOPS)
    assert loops


# -- array code outside loops --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHAINS)
def test_chains(name: str) -> None:
    function, calls = CHAINS[name]
    native = astrace.compile(function, backend="native", recompile_limit=MANY)
    for make in [*calls, *calls[:3]]:
        check_all(function, native, make)
    kernels = kernels_of(native)
    assert any(kernel.runs for kernel in kernels)
    assert all(kernel.refused is None for kernel in kernels)


@pytest.mark.usefixtures("by_python")
@pytest.mark.parametrize("name", CHAINS)
def test_the_text_of_chains_runs_without_numba(name: str) -> None:
    """Each call is made on its own: a kernel that has given up often is not called any more."""
    function, calls = CHAINS[name]
    runs = 0
    for make in calls:
        native = astrace.compile(function, backend="native")
        check_all(function, native, make)
        check_all(function, native, make)
        assert kernels_of(native)
        runs += sum(kernel.runs for kernel in kernels_of(native))
    assert runs


def test_lists_let_go_of_the_lists_that_they_hold() -> None:
    """Tables that are made, replaced, cut and left behind by a program that gives up."""

    def turns(n: int, bad: int) -> Any:
        grid = [[0] * 100 for _ in range(n)]
        for i in range(n):
            new = [[i] * 100 for _ in range(n)]
            new[0] = grid[i]
            grid = new
            grid.pop()
            grid.append([i] * 100)
        return grid[bad][0]

    native = astrace.compile(turns, backend="native")
    assert native(20, 1) == turns(20, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(500):
        assert native(20, 3) == 19
    assert any(kernel.runs for kernel in kernels_of(native))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024  # of 160 MB


def test_items_of_lists_are_the_objects_that_came_in() -> None:
    native = astrace.compile(list_programs.keeps_what_came_in, backend="native")
    x, y = float("0.5"), float("2.25")
    for _ in range(2):
        found, first = native(x, y, 4)
        assert found[0] is x and found[2] is y and found[4] is y and first is x
        assert found == [x, 0.25, y, 0.25, y]
    assert any(kernel.runs for kernel in kernels_of(native))


def check_all(function: Any, native: Any, make: Any) -> None:
    """Compare one call of a function with the native one, warnings with their lines and layouts of results included."""
    expected, found = (harness.observe(one, make()) for one in (function, native))
    assert harness.differences(expected, found) == []
    assert harness.misplaced(expected, found) == []
    assert sorted(map(str, found.warned)) == sorted(map(str, expected.warned))
    assert layouts(found) == layouts(expected)


def layouts(outcome: Any) -> list[Any]:
    """How the arrays of a result lie in memory, and whether it is theirs."""
    arrays = [one for one in harness.objects(outcome.result) if type(one) is np.ndarray]
    return [(one.strides, one.flags.num, one.base is None, one.flags.writeable) for one in arrays]


LOOPS = ("for_loop", "while_loop")


def interpreted(node: Any) -> bool:
    """Return whether a loop has a lowered form that behaves as the loop; arguments are small ones of its types."""
    inputs = tuple(dict.fromkeys(one for one in node.inputs if isinstance(one, Value)))
    try:
        lowered = lower(Block(inputs, (node,), ()))
    except Unlowered:
        return False
    given = [[sample(value) for value in inputs] for _ in range(2)]
    with np.errstate(all="ignore"):
        try:
            interpret(lowered.block, given[0], OPS.implementation)
        except Deoptimised:
            return True
        interpret(Block(inputs, (node,), ()), given[1], OPS.implementation)
    assert harness.same(given[0], given[1])
    return True


def sample(value: Value) -> Any:
    """A small number or array of a type."""
    spec: Any = value.spec
    shape = getattr(spec, "shape", None)
    if spec == GENERATOR:
        return np.random.default_rng(5)
    if shape is None:
        kind = getattr(spec, "kind", "")
        return {"int": 2, "float": 1.5, "bool": True, "complex": 1.5j}[kind] if kind else spec.dtype.type(1)
    sizes = [size if isinstance(size, int) else 4 for size in shape]
    return (np.arange(math.prod(sizes)) % 3).reshape(sizes).astype(spec.dtype)


# -- numerical kernels ---------------------------------------------------------------------------------------

LEFT_TO_NUMPY = frozenset({"convex_hull", "spanning_tree"})
"""The kernels of which nothing is machine code: lists made before a call that has no lowered form."""


def calls_of(program: Program, whole: bool) -> list[Any]:
    """Makers of arguments: of two sizes, of other kinds, and of the first size again.

    Args:
        program: a kernel.
        whole: of all other kinds; else of one, so that all kernels together have all of them.
    """
    sizes = [functools.partial(program.make, size) for size in (program.small, program.small + 1)]
    others = [functools.partial(harness.fresh_arguments, one) for one in program.others()]
    turn = zlib.crc32(program.name.encode())
    return [*sizes, *(others if whole or not others else [others[turn % len(others)]]), sizes[0]]


@pytest.mark.parametrize("program", KERNELS, ids=lambda one: one.name)
def test_numerical_kernels(program: Program, request: pytest.FixtureRequest) -> None:
    native = check(program.function, calls_of(program, request.config.getoption("--whole")))
    assert bool(sum(kernel.runs for kernel in kernels_of(native))) >= (program.name not in LEFT_TO_NUMPY)
    assert not [kernel.refused for kernel in kernels_of(native) if kernel.refused]


@pytest.mark.usefixtures("by_python")
@pytest.mark.parametrize("program", KERNELS, ids=lambda one: one.name)
def test_the_text_of_numerical_kernels_runs_without_numba(program: Program) -> None:
    native = check(program.function, calls_of(program, whole=True))
    assert bool(sum(kernel.runs for kernel in kernels_of(native))) >= (program.name not in LEFT_TO_NUMPY)


# -- what a kernel leaves behind -----------------------------------------------------------------------------


def test_a_nan_that_the_program_names_is_found_in_lists() -> None:
    """Lists look for it by what object it is: `np.nan` is one, and `float("nan")` another one each time."""

    def named(x: Any) -> Any:
        found = []
        for i in range(len(x)):
            found.append(np.nan)
            found.append(np.nan if x[i] > 0.5 else x[i])
        return found

    def made(x: Any) -> Any:
        found = []
        for i in range(len(x)):
            found.append(float("nan") if x[i] > 0.5 else 1.0)
        return [found.count(one) for one in found]

    native = astrace.compile(named, backend="native")
    x = np.array([0.25, 0.75, 1.0])
    assert [one is np.nan for one in native(x)] == [one is np.nan for one in named(x)]
    assert any(kernel.runs for kernel in kernels_of(native))
    assert astrace.compile(made, backend="native")(x) == made(x) == [1, 1, 1]


def test_a_kernel_that_gives_up_has_written_nothing() -> None:
    function, _ = PROGRAMS["stores_until_an_index_is_outside"]
    native = astrace.compile(function, backend="native")
    a = loop_programs.floats(4)
    native(a, 4)
    (kernel,) = kernels_of(native)
    before = a.copy()
    assert kernel.entry(9, a) is False
    assert a.tobytes() == before.tobytes()


def test_a_kernel_that_always_gives_up_is_called_ever_more_rarely() -> None:
    function, _ = PROGRAMS["scalars_that_may_warn"]
    native = astrace.compile(function, backend="native")
    for _ in range(40):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            native(np.zeros(2))
    kernel, *_ = kernels_of(native)
    assert 3 <= kernel.failures < 10


def test_functions_that_were_replaced_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    function, _ = PROGRAMS["functions_of_numpy"]
    native = astrace.compile(function, backend="native")
    given = np.array([0.5, 2.0])
    assert native(given) == function(given)
    monkeypatch.setattr(np, "sin", np.cos)
    expected = function(given)
    assert native(given) == expected
    monkeypatch.undo()
    assert native(given) != expected


def test_settings_of_numpy_are_followed() -> None:
    function, _ = PROGRAMS["scalars_that_may_warn"]
    native = astrace.compile(function, backend="native")
    native(np.ones(2))
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        native(np.zeros(2))
    with np.errstate(all="ignore"):
        assert harness.same(native(np.zeros(2)), function(np.zeros(2)))


def test_the_text_of_a_kernel_stands_in_front_of_the_program() -> None:
    function, calls = PROGRAMS["stores_until_an_index_is_outside"]
    stages = astrace.compile(function, backend="native").stages(*calls[0]())
    lines = [line.partition("  #@")[0] for line in str(stages.executable).splitlines()]
    assert lines == TEXT.splitlines()


TEXT = """\
def stores_until_an_index_is_outside_kernel(n, a):
    clear_flags()
    n_1 = len(a)
    t1 = n - 1
    t2 = outside(0, n_1)
    t1 = outside(t1, n_1)
    t3 = 0 < n
    if t3 & (t2 | t1):
        return False
    for i in range(n):
        a[i] = a[i] * 2.0
    if warnings_due():
        return False
    return True

def stores_until_an_index_is_outside(a, n):
    if not stores_until_an_index_is_outside_kernel(n, a):
        for i in range(n):
            a[i] *= 2.0
    return n
"""


def smoothed(a: Any, b: Any) -> None:
    rows, columns = a.shape
    for i in range(1, rows - 1):
        for j in range(2, columns - 2):
            b[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 2] + a[i, j + 2]


def test_an_index_that_sizes_show_to_lie_inside_is_not_tested() -> None:
    """That of the array whose sizes the loop is over; of another one it is, in front of the loop."""
    native = check(smoothed, [lambda: (loop_programs.floats(5, 7), np.zeros((5, 7)))])
    (kernel,) = kernels_of(native)
    front, _, loop = kernel.source.text.partition("    for i in")
    sizes = [f"{name} = " for name in re.findall(r"outside\([^()]*, (\w+)\)", front)]
    lines = {line.strip() for line in front.splitlines()}
    assert sizes and {next(line for line in lines if line.startswith(one)) for one in sizes} == {
        "k = len(b)",
        "p = b.shape[1]",
    }
    assert "outside" not in loop
    assert kernel.runs == 1


def test_loops_without_a_lowered_form_tell_why() -> None:
    native = astrace.compile(texts, backend="native")
    assert native("abc") == ["a", "b", "c"]
    (stages,) = native.captures
    assert stages.executable.backend == "numpy"
    assert stages.refused.code == "AT307"


def texts(text: str) -> list[str]:
    found = []
    for char in text:
        found.append(char)
    return found


# -- conformance ---------------------------------------------------------------------------------------------

FLOATS = "add sub mul truediv floordiv mod neg abs lt le gt ge eq ne".split()
INTEGERS = "add sub mul and_ or_ xor neg abs lt le gt ge eq ne".split()
SPELLED = {
    "add": "{a} + {b}",
    "sub": "{a} - {b}",
    "mul": "{a} * {b}",
    "truediv": "{a} / {b}",
    "floordiv": "{a} // {b}",
    "mod": "{a} % {b}",
    "neg": "-{a}",
    "abs": "abs({a})",
    "lt": "{a} < {b}",
    "le": "{a} <= {b}",
    "gt": "{a} > {b}",
    "ge": "{a} >= {b}",
    "eq": "{a} == {b}",
    "ne": "{a} != {b}",
    "and_": "{a} & {b}",
    "or_": "{a} | {b}",
    "xor": "{a} ^ {b}",
}
UNARY = "sqrt sin cos exp log tanh arctan floor ceil trunc rint sign absolute square expm1 log1p cbrt isnan signbit".split()
BINARY = "minimum maximum arctan2 hypot copysign fmod logaddexp fmax fmin".split()


def expressions(dtype: str) -> list[str]:
    """All operations on elements of a dtype."""
    if np.dtype(dtype).kind == "c":
        return COMPLEX
    if np.dtype(dtype).kind != "f":
        return [
            *(
                f"{{a}} {sign} {by}"
                for sign in ("<<", ">>")
                for by in (0, 1, 7)
                if (sign, dtype) != ("<<", "uint8")
            ),
            *(f"np.logical_{name}({{a}}, {{b}})" for name in ("and", "or", "xor")),
        ] + [SPELLED[name] for name in INTEGERS if np.dtype(dtype).kind == "i" or name not in ("neg", "abs")]
    calls = [f"np.{name}({{a}})" for name in UNARY] + [f"np.{name}({{a}}, {{b}})" for name in BINARY]
    return [*(SPELLED[name] for name in FLOATS if name not in ("floordiv", "mod")), "{a} ** 2", *calls]


COMPLEX = [
    *(SPELLED[name] for name in ("add", "sub", "mul", "truediv", "neg", "abs", "eq", "ne")),
    *("{a} ** 2", "{a}.real", "{a}.imag", "{a}.conj()", "np.multiply({a}, {b})", "np.absolute({a})"),
    *(f"np.{name}({{a}})" for name in "conj angle sqrt square exp log sin cos tanh isnan isfinite".split()),
    *("{a} * 1.5", "{b} * -0.0", "(1.5 - 2j) * {a}", "{a} * -1j", "{a} / 3", "{a}.real * {b}", "{a} - 1j"),
    *("{a}.imag * (2 + 1j)", "1j * {a}.imag", "1j / {a}", "{a} / (1 - 2j)", "{a} * {b}.imag", "{a} + True"),
]
"""Operations on complex elements."""


def operands(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of special and other numbers."""
    rng = np.random.default_rng(1)
    if np.dtype(dtype).kind == "c":
        parts = [0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan, 1e-30, -1e30]
        more = [complex(a, b) for a in parts for b in parts]
        more += [complex(*pair) for pair in rng.normal(size=(40, 2)) * np.exp(rng.uniform(-60, 60, (40, 2)))]
        left, right = np.meshgrid(np.array(more, dtype), np.array(more, dtype))
        divisible = (right != 0) & (left != 0) & ~np.isnan(right) & ~np.isnan(left)
        return left[divisible], right[divisible]
    if np.dtype(dtype).kind == "f":
        limits = np.finfo(dtype)
        special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            np.inf,
            -np.inf,
            np.nan,
            limits.max,
            limits.tiny,
            limits.smallest_subnormal,
            0.5,
            2.5,
            3.0,
        ]
        more = [*special, *rng.normal(size=40), *np.exp(rng.uniform(-80, 80, 40))]
    else:
        limits = np.iinfo(dtype)
        drawn = rng.integers(limits.min, limits.max, 30, dtype=dtype).tolist()
        more = [0, 1, 2, 3, int(limits.min), int(limits.max), *drawn]
    left, right = np.meshgrid(np.array(more, dtype), np.array(more, dtype))
    return left.ravel(), right.ravel()


def program_of(texts: list[str], whole: bool, dtype: str) -> types.FunctionType:
    """A function with one loop over all operations, on elements or on whole arrays."""
    places = {"a": "a", "b": "b"} if whole else {"a": "a[i]", "b": "b[i]"}
    lines = [
        f"o{index}[{':' if whole else 'i'}] = {text.format(**places)}" for index, text in enumerate(texts)
    ]
    names = ", ".join(f"o{index}" for index in range(len(texts)))
    loop = "range(1)" if whole else "range(len(a))"
    body = "\n".join(f"        {line}" for line in lines)
    source = f"import math\nimport numpy as np\ndef f(a, b, {names}):\n    for i in {loop}:\n{body}\n"
    return loaded(source, f"<conformance {dtype} {whole} {texts[0]}>")


def loaded(source: str, file: str) -> types.FunctionType:
    """The function in a text."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"__name__": "conformance"}
    exec(compile(source, file, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("whole", [False, True], ids=["elements", "arrays"])
@pytest.mark.parametrize(
    "dtype", ["float64", "float32", "int64", "int32", "uint8", "uint32", "uint64", "complex128", "complex64"]
)
def test_operations_give_numpys_bits(dtype: str, whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results of a kernel before anybody looks at the flags: those of NumPy, special values included."""
    monkeypatch.setitem(machine.COMPILED, "warnings_due", callee(lambda: False))  # type: ignore[index]
    texts, (a, b) = list(expressions(dtype)), operands(dtype)
    if not whole:
        texts.remove("{a} ** 2" if np.dtype(dtype).kind in "fc" else "{a} - {b}")
    if not whole and np.dtype(dtype).kind not in "fc":
        a, b = a % 11, b % 11  # scalars would warn where they wrap around
        texts = [text for text in texts if text != "-{a}" and "<<" not in text]
    function = program_of(texts, whole, dtype)
    expected, found = ([np.zeros(len(a), result_of(text, dtype)) for text in texts] for _ in range(2))
    native = astrace.compile(function, backend="native")
    with np.errstate(all="ignore"):
        function(a, b, *expected)
        graph = native.stages(a, b, *found).graph
        (kernel,) = kernels_of(native)
        names = dict(zip([*"ab", *(f"o{i}" for i in range(len(texts)))], (a, b, *found), strict=True))
        kernel._run(*(names.get(value.name, len(a)) for value in kernel._lowered.block.inputs))
    assert any(node.op == "for_loop" for node in nodes(graph.block))
    different = [
        text
        for text, one, other in zip(texts, expected, found, strict=True)
        if harness.bits(one) != harness.bits(other)
    ]
    assert different == []


def result_of(text: str, dtype: str) -> np.dtype:
    """The dtype of a result."""
    one = np.ones(1, dtype)
    return eval(text.format(a="one", b="one"), {"one": one, "np": np}).dtype


REAL = "sin cos tan asinh atan sinh cosh tanh exp expm1 erf erfc fabs"
DOMAINS = {
    REAL: (-30.0, 30.0),
    "asin acos atanh": (-0.999, 0.999),
    "log log2 log10 log1p": (1e-300, 1e3),
    "acosh": (1.0, 1e3),
}


@pytest.mark.parametrize("names", DOMAINS)
def test_functions_of_math_give_the_bits_of_the_c_library(names: str) -> None:
    assert {name for one in DOMAINS for name in one.split()} == set(MATH)
    texts = [f"math.{name}({{a}})" for name in names.split()]
    function = program_of(texts, False, "float64")
    low, high = DOMAINS[names]
    special = [one for one in (0.0, -0.0, 1.0, 5e-324, 1e-310, 0.5, low, high) if low <= one <= high]
    given = np.array([*special, *np.random.default_rng(3).uniform(low, high, 400)])
    native = check(function, [lambda: (given, given, *(np.zeros(len(given)) for _ in texts))])
    assert [kernel.runs for kernel in kernels_of(native)] == [1]


AXES = ("0", "1", "-1", "(0, 1)", "(1, 2)", "None")
LAYOUTS = [
    lambda a: a,
    lambda a: np.asfortranarray(a),
    lambda a: a[:, ::2],
    lambda a: a[::-1],
    lambda a: a.transpose(1, 0, 2),
]


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "bool"])
def test_reductions_give_numpys_bits(dtype: str) -> None:
    """Along all axes of arrays of many shapes and layouts, with elements of all sizes."""
    names = (
        ["all"] if dtype == "bool" else ["max", *(["mean", "prod", "argmin"] if dtype == "float64" else [])]
    )
    texts = [f"{{a}}.sum(axis={axis})" for axis in AXES]
    texts += [f"{{a}}.{name}(axis={axis})" for name in names for axis in (0, 2)]
    texts += [f"({{a}} - 1).sum(axis={axis}, keepdims=True)" for axis in ("1", "None") if dtype != "bool"]
    function = reduction_program(texts, dtype)

    def call(shape: tuple[int, ...], layout: Any) -> Any:
        rng = np.random.default_rng(sum(shape))
        scale = 10.0 ** rng.integers(-6, 6, shape) if np.dtype(dtype).kind == "f" else 20
        a = layout((rng.normal(size=shape) * scale).astype(dtype))
        outputs = [
            np.zeros(np.shape(eval(text.format(a="a"), {"a": a})), result_of_array(text, a)) for text in texts
        ]
        return lambda: (a, *(one.copy() for one in outputs))

    shapes = [(3, 4, 5), (2, 200, 3), (1, 9, 300), (4, 6, 2), (2, 3, 1), (9, 1, 9)]
    calls = [call(shape, layout) for shape in shapes for layout in LAYOUTS]
    native = check(function, [calls[index] for index in (*range(0, len(calls), 5), *range(len(calls)))])
    assert sum(kernel.runs for kernel in kernels_of(native)) >= 4


def result_of_array(text: str, a: Any) -> np.dtype:
    """The dtype of a reduction."""
    return np.asarray(eval(text.format(a="a"), {"a": a})).dtype


def reduction_program(texts: list[str], dtype: str) -> types.FunctionType:
    """A function with a loop that runs once, over reductions of an array."""
    lines = [f"        o{index}[...] = {text.format(a='a')}" for index, text in enumerate(texts)]
    names = ", ".join(f"o{index}" for index in range(len(texts)))
    source = "\n".join([f"def f(a, {names}):", "    for i in range(1):", *lines, ""])
    return loaded(source, f"<reductions {dtype}>")


# -- what is around a kernel ----------------------------------------------------------------------------------


def turned_elements(a: Any, b: Any, c: Any) -> Any:
    for i in range(len(a)):
        c[i] = -a[i] + b[i]
        c[i] += b[i] - (-a[i]) * 2
        c[i] -= -(b[i] * a[i])
    return c


def turned_arrays(a: Any, b: Any, c: Any) -> Any:
    c += -a * 2 + b
    c[1:] += (-a * -b)[1:]
    return -c - b, np.negative(a) + 1, -(a - b)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "complex64"])
@pytest.mark.parametrize("function", [turned_elements, turned_arrays])
def test_the_sign_of_nan_is_turned(function: Any, dtype: str) -> None:
    """Where one number is NaN; of two that meet, either may come out (0021)."""
    native = astrace.compile(function, backend="native")
    values = np.array([np.nan, -np.nan, 1.0, -2.0, 0.0, -0.0], dtype)
    numbers = np.array([1.0, -3.0, 2.0, 5.0, 4.0, -1.0], dtype)
    for a, b in ((values, numbers), (numbers, values), (numbers, -numbers), (values, numbers)):
        expected = harness.observe(function, (a, b, np.ones(6, dtype)))
        assert harness.differences(expected, harness.observe(native, (a, b, np.ones(6, dtype)))) == []
    assert all(kernel.runs for kernel in kernels_of(native)) and kernels_of(native)


def test_huge_steps() -> None:
    def strided(out: Any) -> None:
        for i in range(len(out)):
            out[i, ::9223372036854775807] = 7.0
            out[i, ::-9223372036854775807] = 5.0

    check(strided, [lambda: (np.zeros((2, 3)),)])


def test_arrays_whose_sizes_change() -> None:
    def shortened(u: Any, n: int) -> Any:
        for _ in range(n):
            u = u[1:] - u[:-1]
        return u

    native = check(
        shortened, [lambda: (np.arange(8.0), 0), lambda: (np.arange(8.0) ** 2, 3), lambda: (np.ones(1), 2)]
    )
    assert kernels_of(native)


def test_two_names_for_a_new_array_stay_one_array() -> None:
    def doubled(u: Any, n: int) -> Any:
        v = u
        for _ in range(n):
            u = u * 2.0
            v = u
        return u, v

    check(doubled, [lambda: (np.ones(3), 0), lambda: (np.ones(3), 2)])


@pytest.mark.parametrize("name", complex_programs.BACKWARDS)
def test_complex_products_of_arrays_that_run_backwards(name: str) -> None:
    """NumPy's loops round them in another way: some calls are NumPy's, all have its bits."""
    function, calls = complex_programs.BACKWARDS[name]
    native = astrace.compile(function, backend="native", recompile_limit=100)
    for make in (*calls, *calls):
        expected, found = (harness.observe(one, make()) for one in (function, native))
        assert harness.differences(expected, found) == []


@pytest.mark.parametrize("how", ["warn", "raise", "print"])
def test_underflow_is_left_to_numpy_where_it_is_not_ignored(how: Any) -> None:
    function, _ = PROGRAMS["keeps_the_last_square"]
    native = astrace.compile(function, backend="native")
    given = np.array([1e-200, 1.0])
    native(given)
    with np.errstate(under=how):
        expected, found = (harness.observe(one, (given,)) for one in (function, native))
    assert harness.differences(expected, found) == []


def fill(a: Any, d: Any, start: int, stop: int) -> None:
    for i in range(start, stop):
        a[i] = 1.0 / d[i]


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_what_other_threads_write_stays_when_a_kernel_gives_up() -> None:
    native = astrace.compile(fill, backend="native")
    native(np.zeros(4), np.ones(4), 0, 4)
    divisors = np.ones(200_000)
    divisors[10] = 0
    for _ in range(20):
        a = np.zeros(len(divisors))
        calls = [(a, divisors, 1000 * j, 1000 * j + 1000) for j in range(4)]
        threads = [threading.Thread(target=native, args=call) for call in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert a[:4000].all()


def wait(flag: Any) -> bool:
    n = 0
    while flag[0] == 0:
        n += 1
    return n > 0


def test_a_loop_that_waits_for_another_thread_ends() -> None:
    native = astrace.compile(wait, backend="native")
    assert native(np.ones(1)) is False
    flag = np.zeros(1)
    timer = threading.Timer(0.1, flag.__setitem__, (0, 1.0))
    timer.start()
    assert native(flag) is True


class Ended(Exception):
    """Raised by a handler."""


def count(n: int) -> int:
    i, x = 0, 0
    while i < n:
        i += 1
        x = (x * 3 + i) % 1000003
    return x


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers that send signals")
def test_a_handler_of_a_signal_ends_a_kernel() -> None:
    def handle(number: int, frame: Any) -> None:
        raise Ended

    native = astrace.compile(count, backend="native")
    assert native(1000) == count(1000)
    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(Ended):
            native(2**31)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert native(1000) == count(1000)


def test_on_an_unknown_processor_numpy_runs_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "FLAGS", ())
    native = check(fill, [lambda: (np.zeros(3), np.array([1.0, 0.0, 2.0]), 0, 3)] * 5)
    (kernel,) = kernels_of(native)
    assert kernel.runs == 0 and "status flags" in kernel.refused.message


def test_where_numba_can_not_be_loaded_numpy_runs_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "astrace.backends.native.machine", None)
    native = check(fill, [lambda: (np.zeros(3), np.ones(3), 0, 3)] * 5)
    (kernel,) = kernels_of(native)
    assert kernel.runs == 0 and kernel.refused.message.startswith("machine code can't be made here")


@pytest.mark.parametrize(
    ("array", "writeable"),
    [
        (np.zeros((3, 4)), True),
        (np.zeros((3, 4))[::2, ::-1], True),
        (np.zeros((3, 4)).T[1:], True),
        (np.zeros(4)[:0], True),
        (np.broadcast_to(np.zeros(1), (3,)), False),
        (np.lib.stride_tricks.as_strided(np.zeros(9), (3, 3), (8, 8)), False),
        (np.lib.stride_tricks.as_strided(np.zeros(9), (3, 3), (24, 8)), True),
        (np.lib.stride_tricks.as_strided(np.zeros(9), (2, 3), (8, 16)), True),
    ],
)
def test_arrays_whose_elements_share_memory_are_not_written(array: Any, writeable: bool) -> None:
    assert is_writeable(array) is writeable


@pytest.mark.parametrize(
    ("array", "in_order"),
    [
        (np.zeros((3, 4)), True),
        (np.zeros((3, 4)).T, False),
        (np.zeros((3, 4))[:, ::2], True),
        (np.zeros((3, 1)).T, True),
        (np.asfortranarray(np.zeros((3, 4))), False),
        (np.zeros((3, 4))[::-1], True),
        (np.lib.stride_tricks.sliding_window_view(np.zeros(6), 3), False),
    ],
)
def test_the_order_of_axes_is_looked_at(array: Any, in_order: bool) -> None:
    assert runs_as_in_c(array) is in_order


def last_below(a: Any, best: Any) -> Any:
    for i in range(len(a)):
        if a[i] < 0:
            best = a[i] + 0.0
    return best


@pytest.mark.parametrize("best", [2.5, np.float64(2.5), 10**6])
def test_a_number_that_nothing_changes_stays_the_object_that_it_is(best: Any) -> None:
    native = astrace.compile(last_below, backend="native")
    for given in (np.ones(3), np.ones(0)):
        assert native(given, best) is best
    assert sum(kernel.runs for kernel in kernels_of(native))


# -- sums and products of few numbers, which machine code computes without a call -----------------------------------


def products_of_pairs(a: Any, b: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i] = a[i] @ b[i]


def sums_of_rows(a: Any, out: Any) -> None:
    for i in range(len(a)):
        out[i] = a[i].sum()


def turned(stack: Any) -> Any:
    """Matrices with the same items in another order in memory."""
    return np.ascontiguousarray(stack.transpose(0, 2, 1)).transpose(0, 2, 1)


def special(rng: np.random.Generator, stack: Any) -> Any:
    """Matrices of numbers of all sizes, zeros and NaN among them."""
    found = stack * 10.0 ** rng.integers(-150, 150, stack.shape)
    found[rng.random(stack.shape) < 0.1] = -0.0
    found[rng.random(stack.shape) < 0.05] = np.nan
    return found


PAIRS: dict[str, Any] = {
    "in order": lambda rng, a, b: (a, b),
    "left turned": lambda rng, a, b: (turned(a), b),
    "right turned": lambda rng, a, b: (a, turned(b)),
    "parts": lambda rng, a, b: (np.pad(a, ((0, 0), (1, 2), (2, 1)))[:, 1:-2, 2:-1], b),
    "steps": lambda rng, a, b: (np.repeat(a, 2, axis=2)[:, :, ::2], b),
    "special": lambda rng, a, b: (special(rng, a), special(rng, b)),
    "with itself": lambda rng, a, b: (a, a.transpose(0, 2, 1)),
}


@contextmanager
def orders(are_known: bool) -> Iterator[None]:
    """Take what the trial has found, or that it has found nothing."""
    table = symbols.product_orders()
    found = bytes(table)
    table[:] = found if are_known else bytes(len(found))
    try:
        yield
    finally:
        table[:] = found


@pytest.mark.parametrize("are_known", [True, False])
def test_products_of_small_matrices(are_known: bool) -> None:
    """To the bit what NumPy's library gives; where a trial does not show that, the library is called."""
    native = astrace.compile(products_of_pairs, backend="native")
    rng = np.random.default_rng(5)
    with orders(are_known):
        for rows, inner, columns in itertools.product((1, 2, 3, 4, 5, 9), repeat=3):
            made = rng.normal(size=(4, rows, inner)), rng.normal(size=(4, inner, columns))
            for pair in PAIRS.values():
                a, b = pair(rng, *made)
                expected, found = np.zeros((2, 4, rows, b.shape[2]))
                products_of_pairs(a, b, expected)
                native(a, b, found)
                assert expected.tobytes() == found.tobytes()
    assert sum(kernel.runs for kernel in kernels_of(native)) > 1000


def products_with_vectors(a: Any, v: Any, w: Any, right: Any, left: Any, back: Any, dots: Any) -> None:
    for i in range(len(a)):
        right[i] = a[i] @ v[i]
        left[i] = w[i] @ a[i]
        back[i] = a[i] @ v[i, ::-1]
        dots[i, 0] = v[i] @ v[len(a) - 1 - i]
        dots[i, 1] = np.dot(w[i], a[i, :, 0])
        dots[i, 2] = v[i] @ v[i, ::-1]


VECTORS: dict[str, Any] = {
    "in order": lambda rng, v: v,
    "special": special,
    "infinite": lambda rng, v: np.where(rng.random(v.shape) < 0.2, np.inf, v),
    "subnormal": lambda rng, v: v * 1e-310,
    "backwards": lambda rng, v: v[:, ::-1],
    "steps": lambda rng, v: np.repeat(v, 2, axis=1)[:, ::2],
    "backwards with steps": lambda rng, v: np.repeat(v, 3, axis=1)[:, ::-3],
    "the same item": lambda rng, v: np.broadcast_to(v[:, :1], v.shape),
    "odd addresses": lambda rng, v: np.pad(v, ((0, 0), (1, 2)))[:, 1:-2],
}
MATRICES: dict[str, Any] = {
    "in order": lambda rng, a: a,
    "turned": lambda rng, a: turned(a),
    "special": special,
    "parts": lambda rng, a: np.pad(a, ((0, 0), (1, 2), (2, 1)))[:, 1:-2, 2:-1],
    "parts of turned ones": lambda rng, a: turned(np.pad(a, ((0, 0), (1, 0), (0, 1))))[:, 1:, :-1],
    "steps": lambda rng, a: np.repeat(a, 2, axis=2)[:, :, ::2],
    "backwards": lambda rng, a: a[:, ::-1],
}


@pytest.mark.parametrize("are_known", [True, False])
def test_products_with_small_vectors(are_known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the bit what NumPy gives, for all places in memory and sizes, and for numbers of all kinds."""
    monkeypatch.setattr(native_kernel, "BEFORE_REST", MANY * MANY)  # the kernel is asked each time
    native = astrace.compile(products_with_vectors, backend="native")
    rng = np.random.default_rng(6)
    few = [*itertools.product((1, 2, 3, 4), repeat=2), (4, 1), (1, 7), (5, 9)]
    makers = itertools.cycle(itertools.product(MATRICES.values(), VECTORS.values()))
    with orders(are_known), np.errstate(all="ignore"):
        for rows, inner in few if are_known else few[-3:]:
            for of_matrix, of_vector in itertools.islice(makers, 32):
                a = of_matrix(rng, rng.normal(size=(3, rows, inner)))
                v, w = (of_vector(rng, rng.normal(size=(3, size))) for size in (inner, rows))
                outs = [[np.zeros((3, size)) for size in (rows, inner, rows, 3)] for _ in range(2)]
                for function, out in zip((products_with_vectors, native), outs, strict=True):
                    function(a, v, w, *out)
                assert [one.tobytes() for one in outs[0]] == [one.tobytes() for one in outs[1]]
    assert sum(one.runs for one in kernels_of(native)) > (150 if are_known else 40)


def test_orders_that_are_not_known_are_noticed() -> None:
    """Of a library that adds up in another order than those that are asked about, nothing is found."""
    library: Any = {"fma": lambda a, b, c: a * b + c + 1.0}
    found = product_orders.found_orders(library)
    few = [found[product_orders.place_of(product_orders.MATRICES, 2, 2, size)] for size in (2, 3, 4)]
    assert set(few) <= {product_orders.UNKNOWN, product_orders.PLAIN}
    assert product_orders.FUSED not in found


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_sums_of_few(dtype: str) -> None:
    """Up to seven are added up in place, with NumPy's bits: those of NaN, of zeros, and of any order in memory."""
    native = astrace.compile(sums_of_rows, backend="native")
    rng = np.random.default_rng(7)
    numbers = np.array([1.0, -0.0, 2.5, -3.7, 1e-30, np.nan, -np.nan], dtype)
    for size in (*range(1, 10), 0):
        items = numbers[rng.integers(0, len(numbers), size=(100, size))]
        for rows in (items, items[:, ::-1], np.asfortranarray(items), np.repeat(items, 2, axis=1)[:, ::2]):
            expected, found = np.zeros((2, 100), dtype)
            sums_of_rows(rows, expected)
            native(rows, found)
            assert expected.tobytes() == found.tobytes()
    assert sum(kernel.runs for kernel in kernels_of(native)) > 20
    assert few_items.few_are_added_in_turn(np.dtype(dtype).char)
