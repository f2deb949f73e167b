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
        place, inner = self.place(index)
        return self.lists[place][inner]

    def place(self, index):
        if index < 0:
            index += sum(len(one) for one in self.lists)
        inner = index
        for place in range(len(self.lists)):
            if inner < len(self.lists[place]):
                break
            inner -= len(self.lists[place])
        return place, inner


def f(lists, index):
    return lists.item(index)


CALLS = [(Lists([1, 2], [3]), 0), (Lists([1, 2], [3]), -1), (Lists([1], []), 5), (Lists([1]), slice(1, 2)), (Lists(), "ab")]
