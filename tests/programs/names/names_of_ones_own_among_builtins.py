"""Lists, arrays, numbers, objects and functions that a program keeps among the builtins are read at each call, as globals are."""

import builtins

import numpy as np


class Held:
    k = 1


def same(x):
    return x


NAMES = {
    "own_list": [1, 2],
    "own_array": np.ones(2),
    "own_dict": {"a": 1},
    "own_number": 3,
    "own_object": Held(),
    "own_function": same,
}
vars(builtins).update(NAMES)

HIDDEN = {}
exec("def hand_over(x): return x", HIDDEN)
hand_over = HIDDEN["hand_over"]


def changed(x):
    own_list.append(x)
    own_array[0] += x
    own_dict["n"] = x
    seen = len(own_list), own_array.copy(), dict(own_dict)
    own_array[0] -= x
    del own_dict["n"]
    return seen, own_list.pop()


def looped(n):
    total = 0
    for i in range(n):
        hand_over(i)
        total = total + own_number * i
        for item in own_list:
            total = total + item
    return total, own_list is builtins.own_list


def f(x, n):
    read = own_function(x), own_object.k, own_number, sum(own_list), own_array.sum(), list(own_dict)
    return read, looped(n), changed(x), own_function(own_number)


PLAIN = "AT101"
CALLS = [(1.0, 0), (2.0, 1), (3, 3), (1.0, 2), (2.5, 1)]
BEFORE = {
    1: "own_list[:] = [5]; own_array[:] = 7; own_dict['b'] = 2; Held.k = 9",
    2: "builtins.own_number = 2.5; own_object.k = 4; builtins.own_function = lambda x: -x",
    3: "builtins.own_list = (3, 4); own_list = [0]; builtins.own_array = np.arange(3)",
    4: "del own_list; builtins.own_list = [8]; builtins.own_dict = {}; own_function = same",
}
AFTER = "[vars(builtins).pop(name, None) for name in NAMES] and None"


def noise(rng):
    vars(builtins).update(NAMES)
    return float(rng.integers(1, 9)), int(rng.integers(4))
