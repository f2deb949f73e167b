"""A method declines as the data decide, and what is left is a sequence, which complains in its own words."""


class Item:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return NotImplemented if self.value > 1 else self.value

    def __rmul__(self, other):
        return NotImplemented if self.value > 1 else self.value


class Items(list):
    pass


def told(call):
    try:
        return call()
    except TypeError as error:
        return str(error)


def f(x, other):
    item = Item(x)
    return (
        told(lambda: item + "text"),
        told(lambda: item + [1]),
        told(lambda: (1, 2) * item),
        told(lambda: other + item),
    )


CALLS = [(0.0, Items()), (2.0, Items()), (2.0, "text"), (0, 1.5), (2, None)]
PLAIN = "AT201"
