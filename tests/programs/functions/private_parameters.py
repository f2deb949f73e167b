"""Parameters with private names: callers name them with the class's name before theirs."""

import numpy as np


class Maker:
    @staticmethod
    def made():
        def scaled(*args, __by=3.0, **more):
            total = args[0] * __by
            for value in args[0]:
                if value > __by:
                    total = total + value
            return total, sorted(more)

        return scaled

    @staticmethod
    def around():
        def wrapper(*args, __inner=None, **more):
            return __inner(*args, **more)

        wrapper.__kwdefaults__["_Maker__inner"] = Maker.made()
        return wrapper

    def method(self, x, __shift=1.0, *, __by=2.0):
        return x * __by + __shift

    def calls(self, x):
        return self.method(x, _Maker__by=5.0), self.method(x, 2.0)


SCALED, WRAPPER = Maker.made(), Maker.around()


def f(x, maker):
    return SCALED(x), SCALED(x, _Maker__by=1.0), WRAPPER(x, more=1), maker.calls(x), maker.method(x, _Maker__shift=0.0)


CALLS = [(np.array([1.0, 4.0]), Maker()), (np.array([2.0, 0.5]), Maker())]
