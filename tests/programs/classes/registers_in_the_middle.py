"""A class is registered with an abstract one between two questions, here, by a helper, and by opaque code."""

import abc
import functools
import types


def fresh():
    scope = {}
    exec("class Fresh: pass", scope)
    return scope["Fresh"]


class Shape(abc.ABC):  # noqa: B024
    pass


def here(value, kind):
    before = isinstance(value, Shape)
    Shape.register(kind)
    return before, isinstance(value, Shape), issubclass(kind, Shape)


def registers(kind):
    return Shape.register(kind) is kind


def by_helper(value, kind):
    before = issubclass(kind, Shape)
    return before, registers(kind), issubclass(kind, Shape), isinstance(value, Shape)


def by_map(value, kind):
    return isinstance(value, Shape), list(map(registers, [kind])), isinstance(value, Shape)


def in_a_loop(value, kinds):
    found = []
    for kind in kinds:
        found.append(isinstance(value, Shape))
        abc.ABCMeta.register(Shape, kind)
    return found, isinstance(value, Shape)


def only_before(value, kind):
    before = isinstance(value, Shape)
    functools.partial(Shape.register, kind)()
    return before


def f(which, kind=None):
    kind = types.new_class("Made") if kind is None else kind
    value = kind()
    if which == "here":
        return here(value, kind)
    if which == "helper":
        return by_helper(value, kind)
    if which == "map":
        return by_map(value, kind)
    if which == "loop":
        return in_a_loop(value, [int, kind])
    return only_before(value, kind)


CALLS = [(which, fresh()) for which in ("here", "helper", "map", "loop", "before")]
CALLS += [("here", float), ("helper", None), ("before", str)]
PLAIN = ("AT213",)
