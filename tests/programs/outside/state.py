"""The world changes between two calls: the second call sees it."""

import abc
import atexit
import contextvars
import functools
import os
import shutil
import sqlite3
import tempfile
import types

import numpy as np
from cases import case

FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)

SCALE = 2.0


@case(change="SCALE = 3.0")
def global_number(x):
    return x * SCALE  # frozen: global_number


WEIGHTS = np.ones(3)


@case(change="WEIGHTS[:] = 9.0")
def global_array_written_in_place(x):
    return x * WEIGHTS  # frozen: global_array_written_in_place


CONFIG = {"eps": 0.1}


@case(change="CONFIG['eps'] = 9.0")
def global_dict_item(x):
    return x + CONFIG["eps"]  # frozen: global_dict_item


class Model:
    t = 1.0

    def __init__(self):
        self.w = 2.0

    def __call__(self, x):
        return x * self.w  # frozen: attribute_of_instance

    @property
    def rate(self):
        return 1.0 / self.t  # frozen: property_computed_from_state


model = Model()
attribute_of_instance = lambda x: model(x)  # noqa: E731
attribute_of_instance.__name__ = "attribute_of_instance"
case(change="model.w = 8.0")(attribute_of_instance)


@case(change="model.t = 4.0")
def property_computed_from_state(x):
    return x * model.rate


def helper(x):
    return x + 1


@case(change="helper = lambda x: x - 1")
def helper_rebound(x):
    return helper(x)  # frozen: helper_rebound


DEBUG = False


@case(change="DEBUG = True")
def flag_chooses_branch(x):
    if DEBUG:  # frozen: flag_chooses_branch
        return x * 0
    return x


FAST, SLOW = object(), object()
MODE = FAST


@case(change="MODE = SLOW")
def identity_of_object(x):
    return x if MODE is FAST else -x  # frozen: identity_of_object


LAYERS = [2.0, 3.0]


@case(change="LAYERS.append(10.0)")
def length_of_list(x):
    for w in LAYERS:  # frozen: length_of_list
        x = x * w
    return x


CONTEXT = contextvars.ContextVar("context", default=1.0)


@case(change="CONTEXT.set(7.0)")
def context_variable(x):
    return x * CONTEXT.get()  # frozen: context_variable


TEXT = os.path.join(FOLDER, "weight.txt")
with open(TEXT, "w") as file:
    file.write("1")


@case(change="with open(TEXT, 'w') as file:\n    file.write('4')")
def content_of_file(x):
    with open(TEXT) as file:  # frozen: content_of_file
        return x * float(file.read())


SAVED = os.path.join(FOLDER, "weights.npy")
np.save(SAVED, np.ones(3))


@case(change="np.save(SAVED, np.full(3, 3.0))")
def array_from_file(x):
    return x * np.load(SAVED)  # frozen: array_from_file


database = sqlite3.connect(":memory:")
atexit.register(database.close)
database.execute("create table t (v)")
database.execute("insert into t values (1.0)")


@case(change="database.execute('update t set v = 6.0')")
def query(x):
    return x * database.execute("select v from t").fetchone()[0]  # frozen: query


MEMO = {}


@case(change="MEMO.clear(); MEMO[(3,)] = 11.0")
def memo_keyed_by_shape(x):
    key = x.shape
    if key not in MEMO:
        MEMO[key] = 2.0
    return x * MEMO[key]


@case(change="np.seterr(over='ignore')", after="np.seterr(over='warn') and None")
def error_state_of_numpy(x):
    return x * (1.0 if np.geterr()["over"] == "ignore" else 2.0)  # frozen: error_state_of_numpy


DEFAULTS = {"dtype": "float64"}


@case(change="DEFAULTS['dtype'] = 'float32'")
def default_dtype(x):
    return x.astype(DEFAULTS["dtype"])  # frozen: default_dtype


module = types.ModuleType("module")
exec("def h(x): return x + 1", module.__dict__)


@case(change="exec('def h(x): return x * 100', module.__dict__)", plain="AT101")
def reloaded_module_without_source(x):
    return module.h(x)  # frozen: reloaded_module_without_source


machine = types.SimpleNamespace(cpu_count=lambda: 2)


@case(change="machine.cpu_count = lambda: 64")
def count_of_processors(x):
    return x * machine.cpu_count()  # frozen: count_of_processors


STORE = {"w": 1.0}


class Stored:
    def __getattr__(self, name):
        return STORE[name]  # frozen: attribute_backed_by_store


stored = Stored()


@case(change="STORE['w'] = 6.0")
def attribute_backed_by_store(x):
    return x * stored.w


REGISTRY = []


@case(change="REGISTRY.append(int)")
def registry_of_types(x):
    return x * (1.0 if isinstance(3, tuple(REGISTRY)) else 2.0)  # frozen: registry_of_types


SIZES = {"n": 2}


@functools.cache
def squared(n):
    return float(n * n)


@case(change="SIZES['n'] = 5")
def item_given_to_cached_function(x):
    return x * squared(SIZES["n"])  # frozen: item_given_to_cached_function


FACTOR = 2.0


@functools.cache
def factor():
    return FACTOR * 10


@case(change="FACTOR = 3.0; factor.cache_clear()")
def global_read_by_cached_function(x):
    return x * factor()  # frozen: global_read_by_cached_function


class Grid:
    cells = 4

    @functools.cache  # noqa: B019 - as programs do
    def width(self):
        return 1.0 / self.cells


grid = Grid()


@case(change="Grid.cells = 8; Grid.width.cache_clear()")
def cached_method(x):
    return x * grid.width()  # frozen: cached_method


class Plain:
    def rate(self):
        return 2.0


class Doubled(Plain):
    def rate(self):
        return 4.0


rated = Plain()


@case(change="rated.__class__ = Doubled")
def class_of_object(x):
    return x * rated.rate()  # frozen: class_of_object


class Scalar(abc.ABC):  # noqa: B024 - it is there for what is registered
    pass


@case(change="Scalar.register(Plain)")
def class_registered_with_abstract_one(x):
    return x * 0 if isinstance(plain, Scalar) else x  # frozen: class_registered_with_abstract_one


plain = Plain()


@functools.singledispatch
def weight(of):
    return 1.0


@case(change="weight.register(Plain, lambda of: 5.0)")
def function_chosen_by_type(x):
    return x * weight(plain)  # frozen: function_chosen_by_type


class Basis:
    size = 2

    @functools.cached_property
    def scale(self):
        return self.size * 1.5  # frozen: cached_property_forgotten


basis = Basis()


@case(change="basis.size = 5; basis.__dict__.pop('scale', None)")
def cached_property_forgotten(x):
    return x * basis.scale
