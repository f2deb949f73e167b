"""Methods of containers that are arguments, globals, attributes: called, kept, handed on, each time on another container."""

import collections

import astrace

KEPT, TABLE = [], {"a": 1}
add, look = KEPT.append, TABLE.get


class Logger:
    @astrace.compile
    def __init__(self, log):
        self.log = log

    @astrace.compile
    def tell(self, *words):
        self.log(words)


def in_loop(log, n):
    for i in range(n):
        if i % 2:
            log(i)
    return log


def f(log, x, n):
    log(x)
    add(x)
    logger = Logger(log)
    logger.tell("one", x)
    list(map(logger.tell, ["two"]))
    list(map(log, [look("a")]))
    found = in_loop(log, n)
    return found is log, found == log, found.__self__, found.__name__, logger.log is log


def log_of(container, name):
    return getattr(container, name), 1.5, 3


CALLS = [
    log_of([], "append"),
    log_of([1, 2], "append"),
    log_of(collections.deque(), "appendleft"),
    (set().add, 2, 0),
    (Logger(KEPT.append).log, 2.5, 1),
]
AFTER = "KEPT, [given.__self__ for given in LAST[:1]]"
