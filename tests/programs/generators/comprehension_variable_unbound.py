"""A variable of a comprehension is read before it is assigned."""


def f(n):
    try:
        return [i for i in [1] for j in [j]]
    except NameError as e:
        return type(e).__name__, str(e)


CALLS = [(0,), (4,), (2.5,)]
