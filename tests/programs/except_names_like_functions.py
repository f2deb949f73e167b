"""A variable that an `except` clause sets has the name of a function that is called there, and in other clauses."""

from operator import index as position


class Lists:
    def __init__(self, *lists):
        self.lists = list(lists)

    def item(self, index):
        try:
            start, stop = index.start, index.stop
        except AttributeError:
            index = position(index)
        else:
            return "slice", start, stop
        for found in self.lists:
            if index < len(found):
                return found[index]
            index -= len(found)
        return None


def twice(value):
    try:
        value.append(1)
    except AttributeError:
        try:
            value = position(value)
        except TypeError:
            value = position(len(value))
    return value, position(3)


def f(lists, index):
    return lists.item(index), twice(index), index


CALLS = [(Lists([1, 2], [3]), 0), (Lists([1, 2], [3]), 2), (Lists([1], []), 5), (Lists([1]), slice(1, 2)), (Lists(), "ab"), (Lists(), [1])]
