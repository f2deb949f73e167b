"""Running a program of the corpus as plain Python and as captured, and comparing all that can be seen.

A program is a module of ``tests/programs`` with a function ``f`` and its ``CALLS``, a list of argument
tuples.  It may also have

* ``BEFORE``: statements run in the module before a call, by the call's number;
* ``AFTER``: an expression evaluated in the module at the end (``LAST`` is the last call's arguments);
* ``VARIES = True``: two calls must give different results;
* ``WARNS = True``: every warning is expected, as often as in plain Python; otherwise it may come less often;
* ``noise(rng)``: random arguments, where arbitrary ones would not end;
* ``PLAIN = "code"``: the reason code with which the function, or calls in it, are expected to run as plain Python;
  several codes are a tuple.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import importlib.util
import inspect
import io
import itertools
import linecache
import random
import re
import sys
import traceback
import types
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from astrace.check.compare.observe import TimeUp

PROGRAMS = Path(__file__).parent.parent / "programs"
OUTSIDE = PROGRAMS / "outside"
"""Cases in which the world changes between two calls: no programs of this form."""
COMMON = tuple(
    """
    alias_set and_cond assert_traced attr_changed binary_search bool_call break_for_array
    break_for_dyn break_while bubble_sort builtin_any_all builtin_max_min_abs carry_dataclass
    carry_dict carry_list_elem carry_namedtuple carry_tuple chained_assign chained_cmp_once
    class_in_fn closure_read del_var dict_dispatch_traced_key dyn_index dyn_slice dyn_zeros
    elif_chain for_array for_array2d_rows for_array_if for_list_of_arrays for_neg_range
    for_static_range for_traced_range for_traced_range3 func_var_select generator_traced_branch
    global_dict_changed global_list_changed global_scalar_changed global_write_loop
    helper_with_branch iadd_alias if_else if_no_else implicit_none_return input_mutation
    int_div_carry item_call lambda_call listcomp_static loop_local_temp loop_var_after
    mandelbrot_complex_obj method_self_mut_branch nested_if newton_sqrt none_init np_random_baked
    numpy_call_on_traced one_branch_var_unbound operator_overload or_cond partial_call power_iter
    print_traced raise_traced_branch recursion_static return_in_for_dyn return_in_while shape_branch
    short_circuit_guard sieve starred_unpack super_property ternary time_baked triangular_loop
    truthy_float try_except_static try_finally untaken_div_zero walrus_while while_basic with_stmt
    """.split()
)
"""The programs with which systems of this kind are compared; the others were added as they were met."""

_numbers = itertools.count()


def program_names() -> list[str]:
    """The names of all programs."""
    return sorted(_files())


def program_file(name: str) -> Path:
    """Return the path of a program, which is in the folder of its feature."""
    return _files()[name]


@functools.cache
def _files() -> dict[str, Path]:
    found = [path for path in PROGRAMS.rglob("*.py") if path.parent != OUTSIDE]
    assert len({path.stem for path in found}) == len(found), "two programs have one name"
    return {path.stem: path for path in found}


def load_program(name: str) -> types.ModuleType:
    """A fresh copy of a program's module."""
    fresh = f"program_{name}_{next(_numbers)}"
    spec = importlib.util.spec_from_file_location(fresh, program_file(name))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[fresh] = module
    exec(_code_of(name), module.__dict__)
    return module


@functools.cache
def _code_of(name: str) -> types.CodeType:
    """The code of a program, compiled once: functions of all its modules are rewritten once, as those of one module are."""
    file = program_file(name)
    return compile(file.read_bytes(), str(file), "exec", dont_inherit=True)


Warning_: TypeAlias = tuple[str, str, str, int]
"""A warning's class and message, the file and the line that it tells."""


@dataclass(frozen=True)
class Outcome:
    """All that can be seen of one call.

    Args:
        result: what it gave.
        error: the class and the message of what it raised.
        printed: what it printed.
        arguments: what became of its arguments.
        warned: its warnings.
        line: where in the function's own file it raised.
        told: all else that its exception tells, and those that led to it.
        given: the numbers, texts and tuples in its arguments as it was called.
    """

    result: Any
    error: tuple[str, str] | None
    printed: str
    arguments: Any
    warned: tuple[Warning_, ...] = ()
    line: int | None = None
    told: Any = None
    given: tuple[Any, ...] = ()


def observe(function: Any, arguments: tuple[Any, ...]) -> Outcome:
    """Call a function and look at all that can be seen."""
    printed = io.StringIO()
    given = tuple(filter(is_told, objects(arguments)))
    result, error, line, chain = None, None, None, None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", RuntimeWarning)
        try:
            result = function(*arguments)
        except TimeUp:
            raise
        except BaseException as raised:
            error = (type(raised).__qualname__, message_of(raised))
            line = line_of(function, raised)
            chain = told_by(raised)
    return Outcome(result, error, printed.getvalue(), arguments, tuple(map(told, warned)), line, chain, given)


def told_by(error: BaseException | None, inside: tuple[int, ...] = ()) -> Any:
    """All that an exception tells, but for its traceback and the objects that it is about."""
    if error is None or id(error) in inside:
        return error and "itself"
    fields = {name: shape_of(getattr(error, name, None)) for name in FIELDS if name in dir(type(error))}
    if isinstance(error, RecursionError) or message_of(error) != str(error):
        fields["args"] = message_of(error)
    own = {name: shape_of(value) for name, value in vars(error).items() if name not in FIELDS}
    around = [told_by(one, (*inside, id(error))) for one in (error.__cause__, error.__context__)]
    return (type(error).__qualname__, message_of(error), fields, own, error.__suppress_context__, around)


def message_of(error: BaseException) -> str:
    """The text of an exception; of Python's recursion limit without the operation that happened to reach it.

    Which one that is depends on how deep the caller of the program stood.  The names of a program's copies are one.
    """
    text = COPY.sub("program", str(error))
    limit = "maximum recursion depth exceeded"
    return limit if isinstance(error, RecursionError) and text.startswith(limit) else text


COPY = re.compile(r"\bprogram_\w+(?=\.)")
"""The name of a module that is a copy of a program, in front of what it holds."""

FIELDS = (
    "args code encoding end errno exceptions filename filename2 lineno message msg name offset path reason start "
    "strerror text value"
).split()
"""Attributes of exceptions of Python's own."""


def told(warning: warnings.WarningMessage) -> Warning_:
    """Return a warning as comparable data."""
    return warning.category.__name__, str(warning.message), warning.filename, warning.lineno


def line_of(function: Any, error: BaseException) -> int | None:
    """The innermost line of a function's file that an exception came through."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if code and frame.f_code.co_filename == code.co_filename]
    return lines[-1] if lines else None


def same(left: Any, right: Any) -> bool:
    """Return whether two results are the same to the bit: values, types, dtypes, shapes, structure."""
    return shape_of(left) == shape_of(right)


def shape_of(value: Any) -> Any:
    """A value as something that ``==`` compares to the bit, types included."""
    kind = type(value)
    if kind in ATOMS:  # most of what is asked for
        return (kind.__name__, value)
    if isinstance(value, np.ndarray):
        return shape_of_array(value)
    if isinstance(value, np.generic):
        return ("generic", str(value.dtype), bits(np.asarray(value)))
    if isinstance(value, STREAMS):
        return shape_of_stream(value)
    if isinstance(value, float):
        return ("float", float.hex(value))
    if isinstance(value, complex):
        return ("complex", value.real.hex(), value.imag.hex())
    if isinstance(value, dict):
        return (kind.__name__, [(shape_of(key), shape_of(item)) for key, item in dict.items(value)])
    if isinstance(value, PLAIN_CONTAINERS):  # what a subclass does when it is walked is not asked
        base = next(base for base in PLAIN_CONTAINERS if isinstance(value, base))
        return (kind.__name__, [shape_of(item) for item in base.__iter__(value)])
    if isinstance(value, BaseException):
        return ("exception", told_by(value))
    return shape_of_object(value)


STREAMS = (np.random.Generator, np.random.RandomState, random.Random)


def shape_of_stream(value: Any) -> Any:
    """What a random stream gives from now on, as something that ``==`` compares."""
    match value:
        case np.random.Generator():
            return ("stream", str(value.bit_generator.state))
        case np.random.RandomState():
            return ("stream", shape_of(value.get_state(legacy=False)))
        case random.SystemRandom():
            return ("stream",)
        case _:
            return (type(value).__name__, value.getstate(), sorted(vars(value).keys() - {"gauss_next"}))


def shape_of_object(value: Any) -> Any:
    """An instance of any other class as something that ``==`` compares."""
    kind = type(value)
    if kind is types.SimpleNamespace:
        return (kind.__name__, [(name, shape_of(held)) for name, held in vars(value).items()])
    if is_dataclass(value) or kind.__module__.startswith("program_"):
        held = attributes(value)
        # Some releases of Python remember the inverse of a flag there, which remembers the flag: a cycle.
        names = sorted(held.keys() - {"_inverted_"})
        return (kind.__name__, [(name, shape_of(held[name])) for name in names])
    return (
        kind.__name__,
        value if isinstance(value, bool | int | str | bytes | type(None)) else repr_of(value),
    )


def shape_of_array(value: np.ndarray) -> Any:
    """An array as something that ``==`` compares to the bit."""
    base = np.asarray(value)
    content = shape_of(base.tolist()) if base.dtype.hasobject else bits(base)
    strides = [step for step, size in zip(base.strides, base.shape, strict=True) if size > 1]
    return (
        "array",
        type(value).__name__,
        str(base.dtype),
        base.shape,
        strides,
        value.flags.num & LAYOUT,
        content,
    )


LAYOUT = 0x1 | 0x2 | 0x400
"""The flags for C order, Fortran order and being writeable; NumPy warns who asks a broadcast array for the last by name."""
ATOMS = frozenset({bool, int, str, bytes, type(None)})
"""The classes of values without parts, which ``==`` compares as they are."""
PLAIN_CONTAINERS = (list, tuple, set, frozenset)


def bits(array: np.ndarray) -> bytes:
    """Return the bits of an array, without the bytes that pad a long double."""
    if array.dtype.char not in "gG" or LONG_DOUBLE == np.dtype(np.longdouble).itemsize:
        return array.tobytes()
    apart = np.frombuffer(array.tobytes(), np.uint8).reshape(-1, np.dtype(np.longdouble).itemsize)
    return apart[:, :LONG_DOUBLE].tobytes()


LONG_DOUBLE = 10 if np.finfo(np.longdouble).nmant == 63 else np.dtype(np.longdouble).itemsize
"""The bytes of a long double that mean something."""


def attributes(value: Any) -> dict[str, Any]:
    """The attributes that an instance has of its own, whatever its class does when it is asked."""
    try:
        return object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}


def repr_of(value: Any) -> str:
    """A text for any other object, without its address."""
    return getattr(value, "__qualname__", None) or type(value).__qualname__


def sharing(outcome: Outcome, values: bool = True) -> list[Any]:
    """Return which objects in arguments and result are the same, and where arrays begin in the memory that they share.

    Args:
        outcome: the arguments and the result.
        values: numbers, texts and tuples are told apart, too, not only what can change.
    """
    found = [one for one in objects((outcome.arguments, outcome.result)) if has_identity(one)]
    first: dict[int, int] = {}
    classes = [first.setdefault(id(one), index) for index, one in enumerate(found)]
    arrays = [found[index] for index in first.values() if isinstance(found[index], np.ndarray)]
    shared = [apart(a, b) for a, b in itertools.combinations(arrays, 2)]
    return [classes, shared, passed_on(outcome) if values else []]


def passed_on(outcome: Outcome) -> list[int | None]:
    """Return for each number, text or tuple of the result the argument, or part of one, that it is."""
    given = {id(one): index for index, one in enumerate(outcome.given)}
    return [given.get(id(one)) for one in objects(outcome.result) if is_told(one)]


def is_told(value: Any) -> bool:
    """Return whether Python may have another object that equals a value which can't change."""
    if isinstance(value, int):
        return int.__index__(value) not in range(-5, 257)
    return isinstance(value, TOLD) or (isinstance(value, SEQUENCES) and len(value) > 1)


TOLD = (float, complex, np.generic, range, slice, frozenset)
SEQUENCES = (str, bytes, tuple)


def has_identity(value: Any) -> bool:
    """Return whether the identity of a value can be observed, since it can change."""
    made = type(value).__module__.startswith("program_") and not isinstance(value, tuple)
    return made or isinstance(value, CHANGEABLE) or type(value) is types.SimpleNamespace


CHANGEABLE = (np.ndarray, list, dict, set)


def apart(left: np.ndarray, right: np.ndarray) -> int | None:
    """Return the distance between the starts of two arrays over the same memory; ``None`` if they share none."""
    if not np.shares_memory(left, right):
        return None
    return left.__array_interface__["data"][0] - right.__array_interface__["data"][0]


def objects(value: Any) -> list[Any]:
    """All objects in nested containers and instances, these included; one that contains itself once."""
    found: list[Any] = []
    _collect(value, found, set())
    return found


def _collect(value: Any, found: list[Any], inside: set[int]) -> None:
    found.append(value)
    if type(value) in WITHOUT_PARTS or id(value) in inside:
        return
    inside.add(id(value))
    for item in parts_of(value):
        _collect(item, found, inside)
    inside.discard(id(value))


WITHOUT_PARTS = ATOMS | {float, complex, np.ndarray}


def parts_of(value: Any) -> list[Any]:
    """Return the parts of a container, or of an instance of a program's class."""
    if isinstance(value, dict):
        return list(dict.values(value))
    if isinstance(value, (list, tuple)):
        return list((list if isinstance(value, list) else tuple).__iter__(value))
    return [item for _, item in sorted(attributes(value).items())] if has_identity(value) else []


@dataclass(frozen=True)
class Kept:
    """What is compared of an outcome, as it was at once after the call: later calls may change the objects themselves.

    Args:
        outcome: the outcome.
        result: the result, as ``==`` compares it.
        arguments: what became of the arguments, likewise.
        shared: which objects in them are the same.
    """

    outcome: Outcome
    result: Any
    arguments: Any
    shared: Any


def kept(outcome: Outcome) -> Kept:
    """Keep what is compared of an outcome."""
    return Kept(outcome, shape_of(outcome.result), shape_of(outcome.arguments), sharing(outcome))


def differences(plain: Outcome | Kept, captured: Outcome) -> list[str]:
    """Return the differences between two outcomes; empty if there are none."""
    before = plain if isinstance(plain, Kept) else kept(plain)
    plain, found = before.outcome, []
    if plain.error != captured.error:
        found.append(f"raised {captured.error} instead of {plain.error}")
    elif plain.told != captured.told:
        found.append(f"raised what tells {captured.told} instead of {plain.told}")
    if before.result != shape_of(captured.result):
        found.append(f"gave {captured.result!r} instead of {plain.result!r}")
    if plain.printed != captured.printed:
        found.append(f"printed {captured.printed!r} instead of {plain.printed!r}")
    if before.arguments != shape_of(captured.arguments):
        found.append(f"left arguments {captured.arguments!r} instead of {plain.arguments!r}")
    if not found and before.shared != sharing(captured):
        found.append(f"shares memory as {sharing(captured)} instead of {before.shared}")
    return found + unexpected(plain.warned, captured.warned)


def unexpected(plain: Sequence[Warning_], captured: Sequence[Warning_]) -> list[str]:
    """Warnings that plain Python does not give, or not as often."""
    more = Counter(warning[:2] for warning in captured) - Counter(warning[:2] for warning in plain)
    return [f"warned {warning}" for warning in more]


def misplaced(plain: Outcome, captured: Outcome) -> list[str]:
    """Exceptions and warnings that tell another line than in plain Python."""
    found = [f"raised in line {captured.line} instead of {plain.line}"] if plain.line != captured.line else []
    return found + [f"warned at {warning}" for warning in Counter(captured.warned) - Counter(plain.warned)]


def fresh_arguments(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """A copy of arguments that keeps what is shared among them, and how arrays lie in memory."""
    arrays = {id(one): one for one in objects(arguments) if type(one) is np.ndarray}
    copies: dict[int, Any] = {}
    for array in arrays.values():
        owner = owner_of(array)
        if owner is not None:
            copies.setdefault(id(owner), owner.copy("A"))
            copies[id(array)] = moved(array, owner, copies[id(owner)])
    return copy.deepcopy(arguments, copies)


def owner_of(array: Any) -> Any:
    """The plain array, all in one piece, whose memory an array is in; ``None`` where there is none."""
    owner = array
    while type(owner.base) is np.ndarray:
        owner = owner.base
    contiguous = owner.flags.c_contiguous or owner.flags.f_contiguous
    return owner if owner.base is None and contiguous and not owner.dtype.hasobject else None


def moved(array: Any, owner: Any, copied: Any) -> Any:
    """A view of a copy, where another array is a view of what was copied."""
    if array is owner:
        return copied
    offset = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    raw = copied.reshape(-1, order="A").view(np.uint8)
    view = np.ndarray(array.shape, array.dtype, raw, offset, array.strides)
    view.flags.writeable = array.flags.writeable
    return view


def prepare(module: types.ModuleType, call: int) -> None:
    """Do what a program wants done before one of its calls."""
    statement = getattr(module, "BEFORE", {}).get(call)
    if statement:
        run_with_source(statement, module.__dict__)


def run_with_source(source: str, namespace: dict[str, Any]) -> None:
    """Run statements whose functions have their source, as those of a file or a notebook cell do."""
    file = f"<statements {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), namespace)


def final(module: types.ModuleType, last: tuple[Any, ...]) -> Any:
    """Return what a program wants compared at the end."""
    expression = getattr(module, "AFTER", None)
    return None if expression is None else eval(expression, {**module.__dict__, "LAST": last})


def noisy_arguments(module: types.ModuleType, rng: np.random.Generator) -> tuple[Any, ...]:
    """Random arguments of the kinds that a program's calls have."""
    noise = getattr(module, "noise", None)
    if noise is not None:
        return noise(rng)
    calls = module.CALLS
    return noisy(calls[rng.integers(len(calls))], rng)


def noisy(value: Any, rng: np.random.Generator) -> Any:
    """A random value of the same kind."""
    if isinstance(value, tuple | list):
        return type(value)(noisy(item, rng) for item in value)
    if isinstance(value, dict):
        return {key: noisy(item, rng) for key, item in value.items()}
    if type(value) is np.ndarray and value.dtype.kind == "f":
        return rng.choice([0.0, -0.0, 1.0, -2.5, 3.0, 100.0, 1e-3, np.nan, np.inf], value.shape).astype(
            value.dtype
        )
    if type(value) is np.ndarray and value.dtype.kind in "iu":
        return rng.integers(0, 10, value.shape).astype(value.dtype)
    if isinstance(value, np.floating):
        return type(value)(rng.choice([0.0, -0.0, 1.0, -2.5, 3.0, 17.5, 1e-3, -40.0]))
    if isinstance(value, np.integer):
        return type(value)(rng.integers(0, 9))
    if type(value) is int:
        return int(rng.integers(0, 9))
    if type(value) is float:
        return float(rng.choice([0.0, -0.0, 1.5, -2.0, 7.0]))
    return copy.deepcopy(value)
