"""An update changes a list and replaces a number, also where only the call tells which it is."""

def f(x, table):
    y = table.get(1)
    z = y
    z += x
    y += x
    both = y
    for k in range(2):
        y += x
    return y, z, both, table

CALLS = [(1, {1: 5}), (1.5, {1: 5}), ([1], {1: [2]}), ("a", {1: "b"}), ((1,), {1: (2, 3)}), (1, {1: "b"}), ([1], {1: 2}), ("a", {1: 2})]
