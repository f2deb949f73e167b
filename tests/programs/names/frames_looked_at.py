"""Helpers that look at the frames of their callers: names, lines and variables are those of plain Python."""

import inspect
import sys
import traceback

PLAIN = "AT214"

exec("def unseen(depth):\n    import sys\n    return sys._getframe(depth).f_code.co_name")  # it has no source


def caller(depth=1):
    return sys._getframe(depth).f_code.co_name, sys._getframe(depth).f_lineno


def names_around():
    frame = inspect.currentframe().f_back
    return sorted(frame.f_locals), frame.f_globals["__doc__"][:7]


class Watcher:
    @property
    def place(self):
        return inspect.stack()[1].function

    def __call__(self):
        return caller(2)


def inner(x, look):
    return caller(), caller(2), look(1), names_around(), x


def f(x, look, way):
    watcher = Watcher()
    if way == 0:
        return inner(x, caller)
    if way == 1:
        return [inner(x, unseen) for _ in range(2)]
    if way == 2:
        return watcher.place, watcher(), look(1)[0] == caller()[0]
    return traceback.extract_stack()[-1].name, x


CALLS = [(1.5, caller, 0), (2.5, caller, 1), (3, caller, 2), (4.5, unseen, 3), (1.5, caller, 0)]
