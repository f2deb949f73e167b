"""An array that is reshaped in place through a name of which nothing is known."""

import numpy as np

PLAIN = "AT210"


def f(x, how):
    y = np.ma.getdata(x)
    if how == "shape":
        y.shape = (2, -1)
    elif how == "dtype":
        setattr(y, "dtype", np.dtype("i8"))
    elif how == "resize":
        y.resize((2, 3), refcheck=False)
    else:
        x.__setattr__("shape", (1, -1))
    return x.ndim, x.dtype, x.shape, x


CALLS = [(np.arange(4.0), how) for how in ("shape", "dtype", "resize", "method")]
