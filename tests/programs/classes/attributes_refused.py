"""Attributes that Python refuses to set or delete, of values that are known while tracing and of others."""


class Fixed:
    __slots__ = ("x",)

    @property
    def only_read(self):
        return 1


def sets(owner, name):
    try:
        if name == "foo":
            owner.foo = 3
        else:
            owner.only_read = 3
    except AttributeError as error:
        return str(error)
    return "set"


def deletes(owner):
    try:
        del owner.foo
    except AttributeError as error:
        return str(error)
    return "deleted"


def f(x):
    found = []
    for owner in (3, "text", (1, 2), None, 2.5, len, x):
        found.append(sets(owner, "foo"))
        found.append(deletes(owner))
    fixed = Fixed()
    return found, sets(fixed, "foo"), sets(fixed, "only_read"), deletes(fixed)


CALLS = [(1.0,), (7,), ("text",)]
