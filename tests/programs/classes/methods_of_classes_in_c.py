"""A method of a class written in C is made anew at each look, before and behind opaque calls."""

from collections import OrderedDict

class Mine(OrderedDict):
    pass

class Holder:
    kind = Mine
    made = dict

HIDDEN = {}
exec("def unseen(x): return x", HIDDEN)
unseen = HIDDEN["unseen"]

def f(held, keys):
    kind = held.kind
    first = kind.fromkeys(keys)
    unseen(first)
    second = kind.fromkeys(keys, value=None)
    unseen(second)
    third = held.made.fromkeys(keys, 0)
    unseen(third)
    make = kind.fromkeys
    return first, second, third, held.made.fromkeys(keys, 1), make(keys, 2), unseen(kind.fromkeys)(keys, 3)

CALLS = [(Holder(), "abc"), (Holder(), [1, 2]), (Holder(), ())]
PLAIN = "AT101"
