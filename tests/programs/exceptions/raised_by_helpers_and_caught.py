"""What a helper raises is caught by its caller: where both are known while tracing, no branch is left of it."""

import numpy as np

LOG = []


def number(value):
    if isinstance(value, str):
        raise TypeError("a text")
    if value is None:
        raise LookupError
    return value * 2


class Vector:
    def __init__(self, size):
        self.size = size

    def __add__(self, other):
        if not isinstance(other, Vector):
            raise TypeError("no vector")
        return Vector(self.size + other.size)

    def __getitem__(self, index):
        if index >= 2:
            raise IndexError(index)
        return self.size * index

    @property
    def plain(self):
        raise NotImplementedError("later")


def handled(value):
    try:
        return number(value)
    except TypeError as error:
        return str(error)
    except LookupError:
        return "nothing"


def converted(value):
    """Recursion that ends only if it is known what is no number."""
    if handled(value) == "nothing":
        return []
    if type(value) is tuple:
        return [converted(item) for item in value]
    try:
        return number(value)
    except TypeError:
        return [converted(item) for item in (1.0, None)]


def logged(value):
    LOG.append(value)
    raise ValueError(len(LOG))


def effects(value):
    before = len(LOG)
    try:
        logged(value)
    except ValueError as error:
        return error.args[0] - before, len(LOG) - before, LOG.pop()


def methods(value):
    made = Vector(value)
    found = [item for item in made]
    for ask in (lambda: made + 1, lambda: made[5], lambda: made.plain, lambda: (made + made).size):
        try:
            found.append(ask())
        except (TypeError, IndexError) as error:
            found.append(error.args)
        except NotImplementedError:
            found.append("property")
    return found


def nested(value):
    try:
        try:
            number("text")
        except TypeError:
            number(None)
    except LookupError as error:
        return repr(error), repr(error.__context__)


def caused(value):
    try:
        try:
            number("text")
        except TypeError as error:
            raise ValueError(value) from error
    except ValueError as error:
        return error.args, repr(error.__cause__), error.__suppress_context__


def cleaned(value):
    out = []
    try:
        try:
            out.append(number(value))
            number("text")
        finally:
            out.append("final")
    except TypeError:
        out.append("handled")
    else:
        out.append("never")
    return out


def items(value):
    yield value
    number("text")


def walked(value):
    out = []
    try:
        for item in items(value):
            out.append(item)
    except TypeError as error:
        out.append(str(error))
    return out


def on_one_path(x):
    try:
        if x.sum() > 0:
            number("text")
        found = "passed"
    except TypeError:
        found = "raised"
    return found


def by_turns(values):
    out = []
    for value in values:
        try:
            out.append(number(value))
        except (TypeError, LookupError) as error:
            out.append(type(error).__name__)
            continue
        out.append("fine")
    return out


def f(kind, *values):
    match kind:
        case "handled":
            return [handled(value) for value in values], by_turns(values), [converted(value) for value in values]
        case "path":
            return on_one_path(*values)
        case "escapes":
            return number(*values)
        case _:
            functions = (effects, methods, nested, caused, cleaned, walked)
            return {one.__name__: one(*values) for one in functions}


CALLS = [
    ("handled", 1.0, "text", None, np.arange(2.0), (2.0, "a", None), True),
    ("path", np.ones(2)),
    ("path", -np.ones(2)),
    ("all", 2.0),
    ("all", np.arange(2.0)),
    ("escapes", "text"),
    ("escapes", None),
]
