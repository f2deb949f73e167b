"""`__init_subclass__` with a keyword."""


class A:
    subs = []

    def __init_subclass__(cls, tag=None, **k):
        super().__init_subclass__(**k)
        A.subs.append((cls.__name__, tag))


class B(A, tag=3):
    def go(self, x):
        return x + len(self.subs)


class C(B):
    pass


def use(x):
    return B().go(x), A.subs[-3:], C().go(x)
