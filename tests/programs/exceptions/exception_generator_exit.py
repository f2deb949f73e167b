"""`GeneratorExit` raised and caught by the program itself."""


def f(x):
    try:
        raise GeneratorExit
    except GeneratorExit:
        return 1


CALLS = [(1,), (0,), (True,)]
