"""Private names in a class and in its subclass."""


class A:
    __n = 3

    def __init__(self, v):
        self.__v = v

    def __go(self):
        return self.__v + self.__n

    def go(self):
        return self.__go()


class B(A):
    __n = 9

    def also(self):
        return self.__n, self.go()


def use(x):
    return A(x).go(), B(x).also(), sorted(k for k in B(x).__dict__)
