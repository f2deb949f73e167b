"""Functions that loop, allocate, sleep, recurse, block or end the process, for some inputs or for all."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import queue
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

LOCK: Final = threading.Lock()


def doubles(x):
    while x.sum() < 100:
        x = x * 2
    return x


def root(x):
    y = x
    while abs(y * y - x).max() > 1e-9:
        y = (y + x / y) / 2
    return y


def loops(x):
    count = 0
    while x[0] != count:
        count += 1
    return count


def loops_for_ever(x):
    while x is not None:
        x = x + 0
    return x


def swallows(x):
    while x[0] > 3:
        with contextlib.suppress(BaseException):
            while x is not None:
                x = x + 0
    return x


def sums_in_c(x):
    return sum(range(int(x[0] ** 9)))


def counts_in_c(x):
    return max(itertools.count()) if x[0] < 0 else x.sum()


def powers(x):
    return 7 ** (int(abs(x[0])) ** 9) % 10


def factorial(x):
    return math.factorial(int(abs(x[0])) ** 8) % 7


def matches(x):
    return re.match("(a+)+$", "a" * (int(abs(x[0])) * 10 + 10) + "b")


def walks_for_ever(x):
    return [v for v in itertools.cycle(x) if v > 10]


def sleeps(x):
    time.sleep(float(x[0]))
    return x


def sleeps_long(x):
    time.sleep(3600)
    return x


def allocates(x):
    return np.arange(int(x[0]) ** 8)


def allocates_zeros(x):
    return np.zeros((int(x[0]) ** 5, 1000)) + 1


def grows(x):
    found = []
    while len(found) != x[0] * 1000:
        found.append([x.sum()] * 1000)
    return len(found)


def grows_in_c(x):
    return len(list(itertools.repeat(1))) if x[0] < 0 else x


def repeats(x):
    return len("ab" * int(x[0]) ** 9)


def recurses(x):
    return recurses(x) + 1


def recurses_deep(x):
    sys.setrecursionlimit(10**9)
    return recurses(x)


def recurses_in_c(x):
    sys.setrecursionlimit(10**9)
    nested = []
    for _ in range(10**6):
        nested = [nested]
    return repr(nested) == x


def exits(x):
    if x[0] > 1:
        sys.exit(3)
    return x


def exits_at_once(x):
    if x[0] > 3:
        os._exit(3)
    return x * 2


def interrupts(x):
    if x[0] > 1:
        raise KeyboardInterrupt
    return x


def kills_itself(x):
    if x[0] > 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def aborts(x):
    if x[0] < 0:
        os.abort()
    return x


def ends_a_generator(x):
    raise GeneratorExit(float(x[0]))


def starts_threads(x):
    threading.Thread(target=loops_for_ever, args=(x,)).start()
    return x


def waits_for_a_lock(x):
    with LOCK, LOCK:
        return x


def waits_for_a_queue(x):
    return queue.Queue().get() if x[0] > 1 else x


def forks(x):
    if not os.fork():
        loops_for_ever(x)
    return x


def ignores_alarms(x):
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_IGN)
    while x[0] > 1:
        x = x + 0
    return x


FUNCTIONS: Final[tuple[Callable[..., Any], ...]] = (
    doubles, root, loops, loops_for_ever, swallows, sums_in_c, counts_in_c, powers, factorial, matches, walks_for_ever,
    sleeps, sleeps_long, allocates, allocates_zeros, grows, grows_in_c, repeats, recurses, recurses_deep, recurses_in_c,
    exits, exits_at_once, interrupts, kills_itself, aborts, ends_a_generator, starts_threads, waits_for_a_lock,
    waits_for_a_queue, forks, ignores_alarms,
)  # fmt: skip
EXAMPLE: Final = np.array([1.0, 2.0, 3.0])
