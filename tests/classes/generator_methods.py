"""A tree that is walked by generators and by recursion."""


class T:
    def __init__(self, v, kids=()):
        self.v, self.kids = v, kids

    def walk(self):
        yield self.v
        for k in self.kids:
            yield from k.walk()

    def depth(self):
        return 1 + max((k.depth() for k in self.kids), default=0)

    def __iter__(self):
        return self.walk()

    def find(self, v):
        if self.v == v:
            return self
        for k in self.kids:
            r = k.find(v)
            if r is not None:
                return r


def use(x):
    t = T(1, [T(2, [T(x)]), T(3)])
    return list(t), t.depth(), t.find(3).v, t.find(99), sum(t), [v for v in t if v > 1]
