"""A container that the function makes is asked for an attribute that its class lacks, as a way of telling what it is."""

import numpy as np


class Image:
    def __init__(self, shape, affine):
        self.shape, self.affine = shape, affine


def parts(mapped):
    try:
        shape, affine = mapped.shape, mapped.affine
    except AttributeError:
        shape, affine = mapped
    return shape, affine


def told(values, name):
    try:
        getattr(values, name)
    except AttributeError as error:
        return str(error), error.name, error.obj is values
    return None


def f(x, n):
    table = {"x": x}
    try:
        table.append(n)
    except AttributeError:
        table["n"] = n
    pair = (x, x + n)
    return (
        parts(pair),
        parts(Image(n, x)),
        table,
        told(pair, "shape"),
        told([x], "add"),
        told({x.sum()}, "append"),
        told(pair, "count"),
    )


CALLS = [(np.arange(2.0), 2), (np.arange(3), 1.5)]
