"""`super()` where its first parameter is another object, is gone, or was never there; a `super` of one's own."""


class Base:
    def name(self):
        return "base"

    @classmethod
    def made(cls):
        return cls.__name__


class Child(Base):
    def name(self):
        return "child of " + super().name()

    def rebound(self, other):
        self = other
        return super().name()

    def gone(self):
        del self
        return super().name()

    def starred(*args):
        return super().name()

    def nested(self):
        def inner(me):
            return super().name()

        return inner(self)

    def nested_on_number(self):
        return (lambda me: super().name())(1)

    @classmethod
    def made(cls):
        return "made by " + super().made()

    def own(self):
        super = lambda: Other()
        return super().name()


class Other:
    def name(self):
        return "other"


def outside_of_classes(x):
    return super().name()


def caught(function, *args):
    try:
        return function(*args)
    except (TypeError, RuntimeError, NameError) as error:
        return type(error).__name__, str(error)


def f(x):
    child = Child()
    found = [child.name(), child.rebound(Child()), child.nested(), Child.made(), child.own()]
    for function, *args in (
        (child.rebound, x),
        (child.gone,),
        (child.starred,),
        (child.nested_on_number,),
        (outside_of_classes, x),
    ):
        found.append(caught(function, *args))
    return found


CALLS = [(1.0,), ("text",)]
