"""Properties, descriptors and ``__getattr__`` of an object that a branch chose run the user's code, once; so do `with` and `bool`."""

N = 0


class Box:
    def __init__(self, v):
        self.v = v

    @property
    def size(self):
        global N
        N += 1
        return self.v

    @size.deleter
    def size(self):
        global N
        N += 100

    def __getattr__(self, name):
        global N
        if name.startswith("_"):
            raise AttributeError(name)
        N += 10
        return name, self.v

    def __bool__(self):
        global N
        N += 1000
        return self.v > 1

    def __enter__(self):
        global N
        N += 1
        return self.v

    def __exit__(self, *error):
        global N
        N += 1


def read(box):
    before = N
    found = box.size, N - before, box.other, N - before
    asked = getattr(box, "third", 3), N - before, hasattr(box, "fourth"), N - before
    return found, asked, getattr(box, "_none", "missing")


def deleted(k):
    before, box = N, Box(k)
    if k:
        del box.size
    return N - before, box.v


def tested(box, other):
    before = N
    found = 1 if box else 2
    both = box and other.v
    return found, both is box, N - before


def entered(box):
    before = N
    with box as v:
        during = N - before
    return v, during, N - before


def f(one, other, k):
    box = one if k > 0 else other
    return read(box), read(one), deleted(k), tested(box, other), entered(box), N


CALLS = [(Box(1), Box(2), 0), (Box(3), Box(4), 1), (Box(0.5), Box(1.5), 2)]
AFTER = "N"
