"""Iterators by `__next__` and by `__getitem__`."""


class It:
    def __init__(self, n):
        self.n = n
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


class Seq:
    def __getitem__(self, i):
        if i > 2:
            raise IndexError(i)
        return i * 10


def use(x):
    it = It(x + 2)
    a = next(it)
    b = [v for v in it]
    return (
        a,
        b,
        list(it),
        next(it, "end"),
        list(Seq()),
        10 in Seq(),
        sum(It(x)),
        max(It(3)),
        [*zip(It(2), Seq())],
        dict(enumerate(It(2))),
    )
