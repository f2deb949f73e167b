"""A text of an array is made anew where how arrays are printed may have changed, in a branch and in opaque code too."""

import numpy as np

shortly = eval("lambda digits: np.set_printoptions(precision=digits)")


def f(x, way):
    third = x / 3
    texts = [str(third), f"{third} of {len(x)}", np.array2string(third)]
    if way == "with":
        with np.printoptions(precision=2):
            texts += [str(third), f"{third} of {len(x)}", np.array2string(third)]
    elif way == "here":
        old = np.get_printoptions()
        np.set_printoptions(precision=3)
        texts += [str(third), f"{third} of {len(x)}", np.array2string(third)]
        np.set_printoptions(**old)
    else:
        shortly(4)
        texts += [str(third), f"{third} of {len(x)}", np.array2string(third)]
        shortly(8)
    return texts, str(third)


PLAIN = "AT101"

CALLS = [
    (np.array([1.0, 2.0]), "with"),
    (np.array([1.0, 2.0]), "here"),
    (np.array([1.0, 2.0]), "opaque"),
]
