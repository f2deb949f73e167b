"""The same call again: what differs from call to call is not kept, what is done is done each time."""

import atexit
import datetime
import io
import os
import shutil
import tempfile
import time

import numpy as np
from cases import case


@case()
def counter_in_default(x, acc=[0.0]):  # noqa: B006 - that it is kept is the point  # frozen: counter_in_default
    acc[0] += 1.0
    return x + acc[0]


@case(varies=True)
def clock(x):
    return x + time.time()  # frozen: clock


@case(varies=True)
def date(x):
    return x + datetime.datetime.now().timestamp()  # frozen: date


@case(varies=True)
def global_random_stream(x):
    return x + np.random.rand(3)  # frozen: global_random_stream


@case()
def date_of_numpy(x):
    return x + np.datetime64("today").astype(int)  # frozen: date_of_numpy


stream = np.random.default_rng(0)


@case()
def random_stream_held_outside(x):
    return x + stream.normal(size=3)  # frozen: random_stream_held_outside


@case((np.arange(64.0),), (np.arange(64.0),), varies=True)
def dropout(x):
    return x * (np.random.rand(64) > 0.5)  # frozen: dropout


@case(varies=True)
def bytes_of_the_system(x):
    return x + int.from_bytes(os.urandom(4), "big")  # frozen: bytes_of_the_system


numbers = (float(i) for i in range(10**6))


@case()
def generator_consumed_call_by_call(x):
    return x + next(numbers)  # frozen: generator_consumed_call_by_call


n = 0


@case(after="n")
def counter(x):
    global n
    n += 1
    return x + n


np.random.seed(0)


@case(varies=True)
def seeded_once_outside(x):
    return x * np.random.normal()  # frozen: seeded_once_outside


total = np.zeros(3)


@case(after="total")
def accumulated_array(x):
    global total
    total = total + np.asarray(x)
    return total * 1.0


class Lazy:
    w = None


lazy = Lazy()


@case((np.array([1.0, 2.0]),), (np.array([-4.0, 5.0]),), change="lazy.w = None", after="lazy.w")
def initialised_from_first_call(x):
    if lazy.w is None:
        lazy.w = float(np.asarray(x)[0])
    return x * lazy.w


OUT = io.StringIO()


@case(after="OUT.getvalue()")
def printed(x):
    print("hi", file=OUT)
    return x * 1.0


FOLDER = tempfile.mkdtemp()
atexit.register(shutil.rmtree, FOLDER)
LOG = os.path.join(FOLDER, "log")


@case(after="os.path.getsize(LOG)")
def written_to_file(x):
    with open(LOG, "a") as file:
        file.write("x")
    return x * 1.0


class Last:
    value = None


last = Last()


@case(after="last.value")
def attribute_written(x):
    last.value = (last.value or 0) + 1
    return x * 1.0


@case((np.ones(3),), (np.full(3, 2.0),))
def view_of_argument_written(x):
    y = x[:2]
    y *= 10
    return x * 1.0


BUFFER = np.zeros(3)


@case((np.array([1.0, 2.0, 3.0]),), (np.array([-4.0, 5.0, 6.0]),), change="BUFFER[:] = 99.0", after="BUFFER")
def shared_buffer(x):
    np.add(np.asarray(x), 1, out=BUFFER)
    return BUFFER * 1.0


@case(({"a": np.ones(2)},), ({"a": np.ones(2)},))
def dict_argument_filled_in(d):
    d["b"] = d["a"] * 2
    return d["b"] * 1.0
