"""`OSError` picks its class by the number, and keeps the file out of its arguments."""


def oserr(x):
    try:
        raise OSError(2, "no", "file.txt")
    except OSError as e:
        return type(e).__name__, e.errno, e.strerror, e.filename, e.args, str(e)


def oserr2(x):
    try:
        open("/nonexistent/file")
    except OSError as e:
        return type(e).__name__, e.errno, e.strerror, e.filename, e.args, str(e)


def f(x):
    return oserr(x), oserr2(x)


CALLS = [(1,), (0,), (True,)]
