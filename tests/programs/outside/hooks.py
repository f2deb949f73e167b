"""Classes, modules and functions that are given hooks, members, defaults and code after the capture."""

import dataclasses
import enum
import functools
import types
import typing

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


class Unit(type):
    size = 2.0


class Length(metaclass=Unit):
    pass


@case(change="Length.size = 9.0")
def attribute_of_metaclass_hidden_by_the_class(x):
    return x * Length.size


@case(change="Unit.size = 5.0")
def attribute_of_metaclass(x):
    return x * Length.size


@case(change="Unit.wide = 5.0")
def attribute_that_a_metaclass_gets(x):
    return x if hasattr(Length, "wide") else -x


@case(change="Late.early = 3.0")
def attribute_that_new_instances_get(x):
    return x * getattr(Late(), "early", 0.5)


class Kind(enum.Enum):
    FIRST = 1


@case(change="Kind.FIRST.note = 4.0")
def attribute_that_a_member_gets(x):
    return x * getattr(Kind.FIRST, "note", 0.5)


@typing.runtime_checkable
class Named(typing.Protocol):
    name: str


@case(change="late.name = 'late'")
def protocol_that_is_met_later(x):
    return x if isinstance(late, Named) and not isinstance(x, Named) else -x


class Scaler:
    def scaled(self, x, k):
        return x * k

    twice = functools.partialmethod(scaled, k=2.0)


scaler = Scaler()


@case(change="Scaler.twice = functools.partialmethod(Scaler.scaled, k=20.0)")
def partial_method_replaced(x):
    return scaler.twice(x)


def shifted(x, by):
    return x + by


@case(change="shifted.__defaults__ = (3.0,)")
def default_that_was_missing(x):
    try:
        return shifted(x)
    except TypeError as error:
        return str(error)


def lifted(x, *, by):
    return x + by


@case(change="lifted.__kwdefaults__ = {'by': 3.0}")
def default_of_a_name_that_was_missing(x):
    try:
        return lifted(x)
    except TypeError:
        return -x


@dataclasses.dataclass
class Settings:
    rate: float = 1.0
    _: dataclasses.KW_ONLY = None
    decay: float = 2.0
    names: list = dataclasses.field(default_factory=list)


@case(change="Settings.__init__.__defaults__ = (7.0,)")
def default_of_a_dataclass(x):
    return x * Settings().rate


@case(change="Settings.__init__.__kwdefaults__['decay'] = 8.0")
def default_of_a_dataclass_by_name(x):
    return x * Settings(3.0).decay


@case(change="Settings.__post_init__ = lambda self: self.names.append(1)")
def dataclass_that_never_heard_of_its_last_step(x):
    return x * len(Settings().names)


class Pair(typing.NamedTuple):
    left: float = 1.0
    right: float = 2.0


@case(change="Pair.__new__.__defaults__ = (5.0, 6.0)")
def default_of_a_named_tuple(x):
    return x * Pair(3.0).right


caught = ValueError


@case(change="caught = (KeyError, (ValueError,))", plain="AT209")
def what_is_caught(x):
    try:
        if x[0] > 0:
            raise ValueError
        return x
    except caught:
        return -x


def few(x, k=2.0):
    return x * k


@case(change="few.__defaults__ = (1.0, 2.0, 3.0)")
def more_defaults_than_parameters(x):
    return x + sum(few.__defaults__)


class Estimator:
    pass


estimator = Estimator()


@case(change="estimator.rate = 3.0", plain="AT202")
def attribute_that_was_missing(x):
    return x * estimator.rate


class Options:
    def __init__(self, **given):
        self.given = given

    def keys(self):
        return list(self.given)

    def __getitem__(self, name):
        return self.given[name]


options = Options(by=2.0)


@case(change="options.given['by'] = 5.0")
def keywords_of_an_object(x):
    return shifted(x, **options)
