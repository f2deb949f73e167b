"""Classes and modules that are given a `__getattr__` after the capture."""

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
