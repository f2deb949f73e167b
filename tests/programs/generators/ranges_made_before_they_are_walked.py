"""A range, an `enumerate` or a `zip` that can't be made raises where it is made, not where it is walked."""

NOT_A_NUMBER = {3: 4}


class Whole:
    def __index__(self):
        return 2


def made(*bounds):
    try:
        found = range(*bounds)
    except (TypeError, ValueError) as error:
        return str(error)
    return list(found)


def stepped(n, step):
    try:
        numbers = range(0, n, step)
    except ValueError as error:
        return str(error)
    total = 0
    for number in numbers:
        total += number
    return total


def counted(items, start):
    try:
        numbered = enumerate(items, start)
    except TypeError as error:
        return str(error)
    return list(numbered)


def paired(*items):
    try:
        pairs = zip(*items)
    except TypeError as error:
        return str(error)
    return list(pairs)


def global_bound():
    try:
        return range(NOT_A_NUMBER)
    except TypeError as error:
        return str(error)


def f(n, step, other):
    return (
        made(n), made(0, n, step), made(other), made(n, other), stepped(n, step), counted([n, 2], step), counted([n], other),
        counted(n, other), counted(n, 1), paired([n], n), paired(n, other), paired([n], [other]), global_bound(), made(Whole()),
    )


CALLS = [(3, 1, "a"), (3, 0, 2.5), (5, -1, None), (0, 2, (1,)), (True, 2, [1])]
