"""A key that changes the list which is sorted by it: Python tells, or does not, as the list then looks to C code."""


def f(by):
    items = [2, 1, 3]

    def key(item):
        if by != 0:
            del items[:]
            items[:] = range(by)
        return item

    try:
        items.sort(key=key)
    except ValueError as error:
        return str(error), items
    return "sorted", items


CALLS = [(9,), (0,), (1,)]
PLAIN = "AT204"
