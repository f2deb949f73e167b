"""The fields of a dtype are a view that the function walks, asks and looks up."""

import numpy as np


def as_dict(record):
    found = {}
    for key in record.dtype.fields or ():
        found[key] = record[key]
    return found


def f(record):
    fields = record.dtype.fields
    if fields is None:
        return as_dict(record), None
    return (
        as_dict(record),
        len(fields),
        "a" in fields,
        fields["a"][1],
        sorted(fields),
        [kind for kind, _ in fields.values()],
        dict(fields),
        type(fields).__name__,
    )


CALLS = [
    (np.zeros(2, [("a", "i4"), ("b", "f8")]),),
    (np.array([(1, 2.5)], [("a", "i8"), ("c", "f4")]),),
    (np.zeros(2, [("b", "i4")]),),
    (np.zeros(2),),
]
