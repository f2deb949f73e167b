"""A metaclass with `__call__`, `__getitem__` and a property."""


class Meta(type):
    def __call__(cls, *a):
        o = super().__call__(*a)
        o.made = len(a)
        return o

    def __getitem__(cls, i):
        return (cls.__name__, i)

    @property
    def kind(cls):
        return "kind" + cls.__name__


class A(metaclass=Meta):
    def __init__(self, *a):
        self.a = a

    def go(self):
        return self.a, self.made


def use(x):
    return A(x, 2).go(), A[x], A.kind, type(A).__name__
