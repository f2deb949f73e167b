"""More that a capture must not keep: what lies behind closures, descriptors, caches, settings, files and registries."""

import atexit
import collections
import configparser
import contextvars
import csv
import dataclasses
import decimal
import functools
import json
import os
import pathlib
import shutil
import sys
import tempfile
import types
import warnings
import weakref

import numpy as np
from cases import case

FOLDER = pathlib.Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, FOLDER)


# -- closures ----------------------------------------------------------------------------------------------


def _counter(start):
    rate = start

    def layer():
        def inner(x):
            return x * rate  # frozen: closure_over_closure

        def put(value):
            nonlocal rate
            rate = value

        return inner, put

    return layer()


scaled, put_rate = _counter(2.0)


@case(change="put_rate(7.0)")
def closure_over_closure(x):
    return scaled(x)


def _of_list(rates):
    return lambda x: x * sum(rates)  # frozen: closure_over_list


RATES = [1.0, 2.0]
of_list = _of_list(RATES)


@case(change="RATES.append(5.0)")
def closure_over_list(x):
    return of_list(x)


# -- classes -----------------------------------------------------------------------------------------------


class Base:
    rate = 2.0


class Middle(Base):
    pass


class Model(Middle):
    def __init__(self):
        self.shift = 1.0


MODEL = Model()


@case(change="Base.rate = 9.0")
def attribute_of_a_base(x):
    return x * MODEL.rate  # frozen: attribute_of_a_base


class Holder:
    rate = 2.0


HOLDER = Holder()


@case(change="HOLDER.rate = 9.0")
def attribute_shadowed_by_the_instance(x):
    return x * HOLDER.rate  # frozen: attribute_shadowed_by_the_instance


class Stored:
    store = {"rate": 2.0}  # noqa: RUF012 - that it changes is the point

    def __get__(self, owner, cls):
        return self.store["rate"]  # frozen: descriptor


class WithDescriptor:
    rate = Stored()


DESCRIBED = WithDescriptor()


@case(change="Stored.store['rate'] = 9.0")
def descriptor(x):
    return x * DESCRIBED.rate


class Cached:
    def __init__(self):
        self.factor = 2.0

    @property
    def rate(self):
        if not hasattr(self, "_rate"):
            self._rate = self.factor * 2
        return self._rate

    @functools.cached_property
    def once(self):
        return self.factor * 3


CACHED, ONCE = Cached(), Cached()
assert CACHED.rate == 4.0 and ONCE.once == 6.0


@case(change="CACHED._rate = 11.0")
def property_with_a_cache(x):
    return x * CACHED.rate


@case(change="ONCE.__dict__.pop('once'); ONCE.factor = 11.0")
def cached_property_emptied(x):
    return x * ONCE.once


class Slotted:
    __slots__ = ("rate",)


SLOTTED = Slotted()
SLOTTED.rate = 2.0


@case(change="SLOTTED.rate = 9.0")
def slot(x):
    return x * SLOTTED.rate  # frozen: slot


@dataclasses.dataclass
class Settings:
    rate: float = 2.0
    sizes: list = dataclasses.field(default_factory=lambda: [3])


SETTINGS = Settings()


@case(change="SETTINGS.rate = 9.0")
def field_of_a_dataclass(x):
    return x * SETTINGS.rate  # frozen: field_of_a_dataclass


@case(change="SETTINGS.sizes.append(4)")
def list_in_a_dataclass(x):
    return x * len(SETTINGS.sizes)  # frozen: list_in_a_dataclass


@dataclasses.dataclass(frozen=True)
class Fixed:
    rate: float = 2.0


FIXED = Fixed()


@case(change="FIXED = Fixed(9.0)")
def frozen_dataclass_replaced(x):
    return x * FIXED.rate  # frozen: frozen_dataclass_replaced


class Registry(type):
    made = 0


class Made(metaclass=Registry):
    pass


@case(change="Registry.made = 9")
def attribute_of_a_metaclass(x):
    return x * Made.made  # frozen: attribute_of_a_metaclass


# -- functions ---------------------------------------------------------------------------------------------


def helper(x, rates=[2.0]):  # noqa: B006 - that it is kept is the point
    return x * rates[0]  # frozen: default_changed_in_place


@case(change="helper.__defaults__[0][0] = 9.0")
def default_changed_in_place(x):
    return helper(x)


def by_keyword(x, *, rate=2.0):
    return x * rate


@case(change="by_keyword.__kwdefaults__['rate'] = 9.0")
def keyword_default_changed(x):
    return by_keyword(x)  # frozen: keyword_default_changed


def tagged(x):
    return x


tagged.rate = 2.0


@case(change="tagged.rate = 9.0")
def attribute_of_a_function(x):
    return tagged(x) * tagged.rate  # frozen: attribute_of_a_function


@functools.singledispatch
def kind(value):
    return 1.0


VALUE = 3


@case(change="kind.register(int, lambda value: 5.0)")
def registered_later(x):
    return x * kind(VALUE)


HOOKS = {"before": lambda x: x}


@case(change="HOOKS['before'] = lambda x: x * 5")
def hook_in_a_dict(x):
    return HOOKS["before"](x)  # frozen: hook_in_a_dict


PART = functools.partial(np.multiply, np.full(3, 2.0))


@case(change="PART.args[0][:] = 9.0")
def array_in_a_partial(x):
    return PART(x)  # frozen: array_in_a_partial


# -- settings ----------------------------------------------------------------------------------------------

TOKEN = contextvars.ContextVar("token", default=2.0)


@case(change="TOKEN.set(9.0)", after="TOKEN.set(2.0) and None")
def context_variable(x):
    return x * TOKEN.get()  # frozen: context_variable


@case(change="os.environ['ASTRACE_RATE'] = '9'", after="os.environ.pop('ASTRACE_RATE', None) and None")
def variable_by_getenv(x):
    return x * float(os.getenv("ASTRACE_RATE", "2"))  # frozen: variable_by_getenv


@case(change="os.environ['ASTRACE_RATE'] = '9'", after="os.environ.pop('ASTRACE_RATE', None) and None")
def variable_by_get(x):
    return x * float(os.environ.get("ASTRACE_RATE", "2"))  # frozen: variable_by_get


@case(change="os.environ['ASTRACE_RATE'] = '9'", after="os.environ.pop('ASTRACE_RATE', None) and None")
def variable_expanded(x):
    return x * len(os.path.expandvars("$ASTRACE_RATE"))  # frozen: variable_expanded


@case(change="decimal.getcontext().prec = 3", after="setattr(decimal.getcontext(), 'prec', 28)")
def decimal_context(x):
    return x * float(decimal.Decimal(1) / decimal.Decimal(3))


@case(change="np.seterr(over='ignore')", after="np.seterr(over='warn') and None")
def error_state_asked(x):
    return x * (2.0 if np.geterr()["over"] == "warn" else 3.0)  # frozen: error_state_asked


@case(change="sys.argv.append('more')", after="sys.argv.pop()")
def arguments_of_the_program(x):
    return x * len(sys.argv)  # frozen: arguments_of_the_program


@case(change="warnings.simplefilter('error')", after="warnings.resetwarnings()")
def filters_of_warnings(x):
    return x * len(warnings.filters)


# -- files -------------------------------------------------------------------------------------------------


def _file(name, text):
    path = FOLDER / name
    path.write_text(text)
    return path


TEXT, JSON, INI = _file("a.txt", "2"), _file("a.json", '{"rate": 2}'), _file("a.ini", "[s]\nrate = 2\n")
CSV = _file("a.csv", "1,2\n")


@case(change="TEXT.write_text('9')", after="TEXT.write_text('2') and None")
def text_of_a_path(x):
    return x * float(TEXT.read_text())  # frozen: text_of_a_path


@case(change="JSON.write_text('{\"rate\": 9}')", after="JSON.write_text('{\"rate\": 2}') and None")
def json_file(x):
    return x * json.loads(JSON.read_text())["rate"]  # frozen: json_file


@case(change="INI.write_text('[s]\\nrate = 9\\n')", after="INI.write_text('[s]\\nrate = 2\\n') and None")
def ini_file(x):
    parser = configparser.ConfigParser()
    parser.read(INI)
    return x * parser.getfloat("s", "rate")


@case(change="CSV.write_text('8,9\\n')", after="CSV.write_text('1,2\\n') and None")
def csv_file(x):
    return x * float(next(csv.reader(CSV.read_text().splitlines()))[1])


@case(change="TEXT.write_text('999')", after="TEXT.write_text('2') and None")
def size_of_a_file(x):
    return x * TEXT.stat().st_size  # frozen: size_of_a_file


# -- sizes, orders, references -----------------------------------------------------------------------------

LAYERS = [1.0, 2.0]
TABLE = {"b": 2.0, "a": 1.0}
COUNTS = collections.Counter("aab")
NESTED = types.SimpleNamespace(inner=types.SimpleNamespace(rates=[2.0]))
CHOSEN = {"a"}


@case(change="LAYERS.append(5.0)")
def length_of_a_list(x):
    return x * len(LAYERS)  # frozen: length_of_a_list


@case(change="TABLE['0'] = 5.0")
def first_of_the_sorted(x):
    return x * TABLE[sorted(TABLE)[0]]  # frozen: first_of_the_sorted


@case(change="TABLE['b'] = TABLE.pop('a')")
def order_of_a_dict(x):
    return x * next(iter(TABLE.values()))


@case(change="COUNTS.update('bbbb')")
def counter_of_letters(x):
    return x * COUNTS["b"]  # frozen: counter_of_letters


@case(change="NESTED.inner.rates[0] = 9.0")
def nested_namespaces(x):
    return x * NESTED.inner.rates[0]  # frozen: nested_namespaces


@case(change="CHOSEN.add('b')")
def member_of_a_set(x):
    return x * 2 if "b" in CHOSEN else x  # frozen: member_of_a_set


class Node:
    rate = 2.0


NODES = [Node()]
WEAK = weakref.ref(NODES[0])


@case(change="NODES.clear()")
def weak_reference(x):
    return x * 2 if WEAK() is None else x  # frozen: weak_reference


CHAIN = collections.ChainMap({}, {"rate": 2.0})


@case(change="CHAIN['rate'] = 9.0")
def chain_of_maps(x):
    return x * CHAIN["rate"]


@case((np.ones(3),), (np.ones(3, np.float32),))
def epsilon_of_the_dtype(x):
    return x * (1 if x.dtype == np.float64 else 2)  # frozen: epsilon_of_the_dtype


@case((np.ones(3),), (np.ones(5),))
def constant_of_the_shape(x):
    return x * (2 if x.shape == (3,) else 3)
