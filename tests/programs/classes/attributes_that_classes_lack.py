"""Whether something has an attribute: of containers and numbers their class says it, of others what they hold themselves."""

import numpy as np


class Measure:
    def __init__(self, size):
        self.size_ = size

    def times(self, factor):
        return self.size_ * factor


def is_measure(value):
    return hasattr(value, "size_")


def converted(value, factor):
    if is_measure(value):
        return value.times(factor)
    if hasattr(value, "__iter__") and any(is_measure(item) for item in value):
        return [converted(item, factor) for item in value]
    return getattr(value, "real", "none")


def of_metaclass(x):
    return [hasattr(x, name) for name in ("__name__", "mro", "__bases__", "shape", "append", "__qualname__")]


def of_exceptions(x):
    error = ValueError(1) if x[0] > 0 else KeyError(2)
    before = hasattr(error, "note"), hasattr(error, "add_note"), hasattr(error, "mro")
    error.note = x
    return before, hasattr(error, "note"), hasattr(error, "code"), getattr(error, "code", None)


def of_records(x):
    fields = np.rec.fromarrays([x, x + 1], names="a,b")
    return hasattr(fields, "a"), hasattr(fields, "c"), hasattr(fields[0], "b"), hasattr(fields[0], "c")


def f(kind, *values):
    match kind:
        case "converted":
            return [converted(value, 2.0) for value in values]
        case "metaclass":
            return [of_metaclass(value) for value in values]
        case "exceptions":
            return of_exceptions(*values)
        case _:
            return of_records(*values)


CALLS = [
    ("converted", [1.0, 2.0], [], np.arange(3.0), 2, {1.0: 2.0}, "text", None),
    ("converted", [Measure(1.0), Measure(np.ones(2))], Measure(np.ones(2)), [np.ones(2), Measure(2)]),
    ("metaclass", np.arange(2.0), [[1.0], 2], (1, 2.0), 1.5, np.float32(2), {0: 1}, len, Measure),
    ("exceptions", np.array([1.0])),
    ("exceptions", np.array([-1.0])),
    ("records", np.arange(2.0)),
]
