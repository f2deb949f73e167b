"""A helper that is left to plain Python imports a module for the first time; what is called between its calls is looked up again."""

import collections
import sys

PLAIN = "AT205"

opaque = {"sys": sys}
exec("def forget(): sys.modules.pop('colorsys', None)", opaque)


def late(k):
    import colorsys

    return colorsys.rgb_to_hsv(k, 0.5, 0.25)


class Kinds:
    ordered = collections.OrderedDict
    late = staticmethod(late)


def f(kinds, k, n):
    items, late = kinds.ordered(), kinds.late
    first = late(k)
    items.x = 1
    second = late(k + 1)
    items.update([(i, i) for i in range(n)])
    third = late(k)
    items.update([(i, k) for i in range(n, n + 2)])
    last = late(k)
    opaque["forget"]()
    return first, second, third, last, items, list(items.keys())


CALLS = [(Kinds(), 1.0, 0), (Kinds(), 1.0, 2), (Kinds(), 2.0, 1), (Kinds(), 3, 3)]
