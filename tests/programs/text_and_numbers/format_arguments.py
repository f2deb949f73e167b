"""Every way of formatting shows what objects and containers hold when the program runs."""

import numpy as np


class Box:
    def __init__(self, held):
        self.held = held

    def __repr__(self):
        return f"Box({self.held!r})"

    def __format__(self, spec):
        return f"<{self.held}|{spec}>"


def f(box, items, named, x):
    made = Box(x)
    return [
        "{0.held} {1[0]} {k}".format(box, items, **named),  # first: formatting a box might change `named`
        "{} {!r} {:wide}".format(box, items, made),
        "%s %r %s" % (box, items, (made, items)),
        "%(k)s" % named,
        f"{box:x} {box!r} {items} {[made, items]}",
        format(items) + ascii([box]) + str((items, x)) + repr({"made": made}),
    ]


CALLS = [
    (Box(1), [1.0], {"k": [2]}, 1.5),
    (Box("é"), [np.float64(4)], {"k": {"l": 5}}, 2),
]
