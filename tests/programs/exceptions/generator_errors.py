"""What Python says of a generator that is used as something else."""


def len_err(n):
    x = (i for i in range(n))
    try:
        return len(x)
    except TypeError as e:
        return str(e)


def add_err(n):
    x = (i for i in range(n))
    try:
        return x + 1
    except TypeError as e:
        return str(e)


def call_err(n):
    x = (i for i in range(n))
    try:
        return x()
    except TypeError as e:
        return str(e)


def f(n):
    return len_err(n), add_err(n), call_err(n)


CALLS = [(0,), (1,), (4,)]
