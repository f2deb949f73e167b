"""The special methods of lists, dicts and sets called by their names: what they show and change is what the program has."""

KEPT = [1, {2: 3}]


def shown(x):
    return x.__str__(), x.__repr__(), x.__format__(""), type(x).__repr__(x)


def multiplied(items):
    found = items.__imul__(2)
    return found is items, items


def begun_again(items):
    list.__init__(items, [7, 8])
    return items, len(items)


def rest(items, table):
    return (
        items.__len__(), items.__getitem__(0), items.__contains__(1), items.__eq__([1]), items.__add__([3]), items.__mul__(2),
        table.__contains__(1), table.__getitem__(1), table.__or__({5: 6}),
        table.__eq__({1: 2}), items.__sizeof__() > 0, items.__ne__(3), table.__len__(),
    )


def f(items, table, group):
    made = [items[0], 2]
    return (
        shown(items), shown(table), shown(group), shown(KEPT), shown(made), shown({1: items[0]}), rest(items, table),
        multiplied(items), multiplied(made), begun_again(items), begun_again(made),
    )


CALLS = [([1, 2], {1: 2}, {1}), ([[1.5], 2], {1: [2]}, {1, 2}), ([None], {1: "a"}, set())]
