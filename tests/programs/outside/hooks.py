"""Classes, modules and functions that are given hooks, names and code after the capture."""

import types

from cases import case

class Meta(type):
    pass


class Asked(metaclass=Meta):
    pass


@case(change="Meta.__getattr__ = lambda cls, name: 6.0", plain="AT201")
def metaclass_that_gets_a_hook(x):
    return x * getattr(Asked, "late", 0.5) if hasattr(Asked, "late") else x


settings = types.ModuleType("settings")


@case(change="settings.__getattr__ = lambda name: 7.0", plain="AT201")
def module_that_gets_a_hook(x):
    return x * getattr(settings, "late", 0.5) if hasattr(settings, "late") else x


class Late:
    pass


late = Late()


@case(change="Late.__getattr__ = lambda self, name: 5.0")
def class_that_gets_a_hook(x):
    return x if hasattr(late, "late") else -x


class Nameless:
    pass


nameless = Nameless()


@case(change="Nameless.__name__ = 'Named'")
def class_named_in_an_error(x):
    try:
        return x * nameless.missing
    except AttributeError as error:
        return str(error)


def edited(x):
    return x + 1


def other_code(x):
    return x - 1


original_code = edited.__code__


@case(change="edited.__code__ = original_code", after="edited.__code__ is other_code.__code__", plain="AT204")
def code_replaced_before_a_call(x):
    edited.__code__ = other_code.__code__
    return edited(x)
