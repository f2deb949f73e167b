"""``super()`` where the method has set or deleted ``__class__``, which is a variable of the class's methods like any other."""

PLAIN = ("AT106", "AT204")


def made():
    class Root:
        def deleted(self):
            nonlocal __class__
            del __class__
            return super()

        def number(self):
            nonlocal __class__
            __class__ = 3
            return super()

        def read(self):
            nonlocal __class__
            __class__ = list
            held = __class__
            del __class__
            try:
                return held, __class__
            except NameError as error:
                return held, type(error), str(error)

        def kept(self):
            return super().__init__(), __class__.__name__

    return Root


First, Second = made(), made()
Third = made()


def raised(method):
    try:
        return method()
    except RuntimeError as error:
        return str(error)


def f(k):
    if k == 0:
        return raised(First().deleted)
    if k == 1:
        return raised(Second().number)
    if k == 2:
        return Third().read()
    return made()().kept(), raised(made()().deleted)


CALLS = [(0,), (1,), (2,), (3,), (3,)]
