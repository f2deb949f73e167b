"""`__new__` written in Python: singletons, caches, what gives something else, what takes other arguments than `__init__`."""

import abc


class Singleton:
    inst = None

    def __new__(cls, *a):
        if cls.inst is None:
            cls.inst = super().__new__(cls)
        return cls.inst

    def __init__(self, v):
        self.v = v


class Cached:
    made = {}
    count = 0

    def __new__(cls, name, v=0):
        if name not in cls.made:
            cls.count += 1
            cls.made[name] = object.__new__(cls)
        return cls.made[name]

    def __init__(self, name, v=0):
        self.name, self.v = name, v


class Value:
    __slots__ = ("re", "im")

    def __new__(cls, re, im=0):
        self = super().__new__(cls)
        self.re, self.im = re, im
        return self

    def __add__(self, other):
        return type(self)(self.re + other.re, self.im + other.im)

    @classmethod
    def bare(cls, re):
        made = cls.__new__(cls, re)
        made.im = "bare"
        return made


class Sub(Value):
    def __new__(cls, re, *rest):
        if not rest:
            return re
        return super().__new__(cls, re, *rest)

    def __init__(self, re, im):
        self.im = [self.im, im]


class Other:
    def __new__(cls, v):
        return Value(v, "other") if v > 1 else object.__new__(cls)

    def __init__(self, v):
        self.inited = v


class Wrong:
    def __new__(cls, v):
        return object.__new__(cls, v)


class GivesBack:
    def __new__(cls, v):
        return object.__new__(cls)

    def __init__(self, v):
        return v


class Abstract(abc.ABC):
    def __new__(cls, v):
        self = super().__new__(cls)
        self.v = v
        return self

    @abc.abstractmethod
    def area(self): ...


class Square(Abstract):
    def area(self):
        return self.v * self.v


class Plain:
    def __init__(self, v):
        self.v = v

    def copy(self):
        new = self.__class__.__new__(self.__class__)
        new.__dict__.update(self.__dict__)
        return new


def told(function, *args):
    try:
        return function(*args)
    except TypeError as error:
        return str(error)


def singleton(x):
    a = Singleton(x)
    b = Singleton(x + 1)
    return a is b, a.v, Singleton.inst is a


def cached(x):
    a, b, c = Cached("a", x), Cached("b", x), Cached("a")
    return a is c, a.v, b.v, Cached.count, sorted(Cached.made), type(a) is Cached


def values(x):
    total = Value(x) + Value(1, x)
    for i in range(3):
        total = total + Value(i, x)
    bare = Value.bare(x)
    return total.re, total.im, bare.re, bare.im


def others(x):
    sub, plain, made = Sub(x, 2), Sub(x), Other(x)
    return type(sub).__name__, sub.re, sub.im, plain, type(made).__name__, getattr(made, "inited", "not")


def errors(x):
    return told(Wrong, x), told(GivesBack, None), told(GivesBack, x), told(Abstract, x), told(Value)


def abstracts(x):
    return [Square(v).area() for v in (x, x + 1)], isinstance(Square(x), Abstract)


def copies(x):
    first = Plain(x)
    second = first.copy()
    second.v += 1
    return first.v, second.v, type(second) is Plain, first is second


def f(x):
    return singleton(x), cached(x), values(x), others(x), errors(x), abstracts(x), copies(x)


CALLS = [(1,), (2.5,), (3,), (0,), (1,)]
AFTER = "Singleton.inst.v, Cached.count, sorted(Cached.made), Cached.made['a'].v"
