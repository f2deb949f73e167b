"""An array whose shape or type is set in place, by whatever means: nothing known of it holds any longer."""

import numpy as np


def set_shape(x, shape):
    x.shape = shape


class Holder:
    def __init__(self, x):
        self.x = x


def f(x, items, way, i):
    y = x * 2
    match way:
        case "helper":
            set_shape(x, (3, 2))
            set_shape(y, (3, 2))
        case "method":
            x.__setattr__("shape", (3, 2))
        case "descriptor":
            np.ndarray.shape.__set__(x, (3, 2))
        case "item":
            items[i].shape = (3, 2)
        case "attribute":
            Holder(x).x.shape = (3, 2)
        case "builtin":
            setattr(x, "dtype", np.int64)
        case "resize":
            items[i].resize((2, 2), refcheck=False)
        case "state":
            x.__setstate__((1, (1, 2), np.dtype(float), False, np.arange(2.0).tobytes()))
    return x.ndim, x.dtype, x.shape, x[0], y.ndim, y[0], [row for row in x]


def call(way):
    x = np.arange(6.0)
    return x, [x], way, 0


CALLS = [call(way) for way in ("helper", "method", "descriptor", "item", "attribute", "builtin", "resize", "state")]
AFTER = "LAST"
PLAIN = "AT210"


def noise(rng):
    return call(str(rng.choice(["helper", "method", "item", "attribute"])))
