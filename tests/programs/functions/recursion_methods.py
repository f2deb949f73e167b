"""Methods that call themselves on the parts of an object."""


class Tree:
    def __init__(self, v, l=None, r=None):
        self.v = v
        self.l = l
        self.r = r

    def total(self):
        return self.v + (self.l.total() if self.l else 0) + (self.r.total() if self.r else 0)

    def depth(self):
        return 1 + max(self.l.depth() if self.l else 0, self.r.depth() if self.r else 0)

    def insert(self, v):
        if v < self.v:
            if self.l is None:
                self.l = Tree(v)
            else:
                self.l.insert(v)
        else:
            if self.r is None:
                self.r = Tree(v)
            else:
                self.r.insert(v)

    def walk(self):
        if self.l:
            yield from self.l.walk()
        yield self.v
        if self.r:
            yield from self.r.walk()


def build(k):
    return None if k == 0 else Tree(k, build(k - 1), build(k - 1))


def tree(n):
    t = Tree(3, Tree(1), Tree(5, Tree(4), Tree(n)))
    return t.total(), t.depth()


def build(n):
    t = build(int(n))
    return t.total() if t else 0


def insert(n):
    t = Tree(3)
    for v in [5, 1, n, 9, 2]:
        t.insert(v)
    return t.total(), t.depth(), list(t.walk())


def f(n):
    return tree(n), build(n), insert(n)


CALLS = [(0,), (1,), (5,)]
PLAIN = "AT203"
