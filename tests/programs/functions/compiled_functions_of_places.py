"""Which compiled function, or bound compiled method, an argument, an attribute, an item or a global holds is looked at anew."""

import functools

import astrace


@astrace.compile
def first(x=0):
    return "first", x


@astrace.compile
def second(x=5, *, k=3):
    return "second", x, k


class Counter:
    def __init__(self, n):
        self.n = n

    @astrace.compile
    def up(self, x=0):
        return "up", self.n + x

    @astrace.compile
    def down(self, x=0):
        return "down", self.n - x


class Holder:
    def __init__(self, held):
        self.held = held

    def __call__(self, *args):
        return self.held(*args)

    @property
    def result(self):
        return self.held(2)


class Bound:
    """A descriptor that binds what it wraps."""

    def __init__(self, wrapped):
        self.wrapped = wrapped

    def __get__(self, instance, owner):
        return Holder(self.wrapped.__get__(instance, owner))


class Owner:
    @Bound
    @classmethod
    @astrace.compile
    def inner(cls):
        return "inner", cls.__name__

    @classmethod
    @Bound
    @astrace.compile
    def outer(cls):
        return "outer", cls.__name__


one, two = Counter(1), Counter(2)
FUNCTIONS = {"first": first, "second": second, "up": one.up, "down": two.down}
current = first


def called(function):
    held = Holder(function)
    walked = [one(1) for one in (function, function)], list(map(function, [1, 2]))
    return function(1), held(), held.result, functools.partial(function, 4)(), walked


def described(function):
    return function.__name__, function.__defaults__, function.__kwdefaults__, function.__code__.co_name


def replaced(name):
    global current
    before = current(1)
    current = FUNCTIONS[name]
    return before, current(1)


def f(name, functions, holder):
    return (
        called(functions[0]),
        described(functions[0]),
        holder.result,
        holder(),
        replaced(name),
        Owner.inner(),
        Owner.outer(),
    )


CALLS = [
    (name, [FUNCTIONS[name]], Holder(FUNCTIONS[name])) for name in ("first", "second", "up", "down", "second", "first")
]
