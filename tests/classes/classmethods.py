"""Class and static methods, a counter on each class."""


class A:
    n = 0

    @classmethod
    def make(cls, x):
        cls.n += 1
        o = cls()
        o.x = x
        return o

    @staticmethod
    def twice(x):
        return x * 2

    def go(self):
        return self.twice(self.x), self.n, type(self).n, self.__class__.__name__


class B(A):
    pass


def use(x):
    return A.make(x).go(), B.make(x).go(), A.n, B.n, B.make(1).go()
