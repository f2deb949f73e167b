"""Subclasses of `property`, `staticmethod`, `classmethod` and `cached_property` with methods of their own."""

import functools

PLAIN = ("AT101", "AT201")
LOG = []


class ClassValue(property):
    """Another value where the class is asked."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None, classval=None):
        self.classval = classval
        property.__init__(self, fget=fget, fset=fset, fdel=fdel, doc=doc)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self.classval
        return property.__get__(self, instance, owner) + 100


class Logged(property):
    def __set__(self, instance, value):
        LOG.append(("set", value))
        super().__set__(instance, value * 2)

    def __delete__(self, instance):
        LOG.append("delete")
        super().__delete__(instance)


class Static(staticmethod):
    def __get__(self, instance, owner=None):
        LOG.append(("static", instance is None))
        return super().__get__(instance, owner)


class OfClass(classmethod):
    def __get__(self, instance, owner=None):
        LOG.append(("class", instance is None))
        return super().__get__(instance, owner)


class Cached(functools.cached_property):
    def __get__(self, instance, owner=None):
        if instance is None:
            return "of the class"
        LOG.append("cached")
        return super().__get__(instance, owner)


class Plain(property):
    """No method of its own."""


class Meta(type):
    @ClassValue
    def above(cls):
        return len(cls.__name__)

    @Plain
    def plainly(cls):
        return cls.__name__


class Box(metaclass=Meta):
    def __init__(self, value):
        self._value = value

    @ClassValue
    def func(self):
        return self._value

    @Logged
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value

    @value.deleter
    def value(self):
        self._value = 0

    @Plain
    def plain(self):
        return self._value * 3

    @Static
    def static(x):
        return x + 1

    @OfClass
    def of_class(cls, x):
        return cls.__name__, x

    @Cached
    def cached(self):
        return self._value + 1


class Below(Box):
    @property
    def func(self):
        return "below", super().func

    def others(self):
        return super().static(1), super().of_class(2), super().plain


exec("def opaque(x):\n    if x < 0: raise TypeError(x)\n    return x")


def f(box, x):
    LOG.clear()
    try:
        first = opaque(x)
    except TypeError:
        first = box.func
    found = [first, box.func, Box.func, box.plain, box.static(x), Box.static(x)]
    found += [box.of_class(x), Box.of_class(x), Box.cached, Box.above, Box.plainly]
    box.value = x
    found += [box.value, box.cached, box.cached]
    if x > 1:
        del box.value
        box.value += 3
    found += [box.value, Below(x).func, Below(x).others(), hasattr(box, "func"), getattr(Box, "func", 5)]
    return found, LOG[:]


CALLS = [(Box(1), 1), (Box(1), 2), (Below(2), -1), (Box(3), 3)]
