"""Imports that fail."""


def import_err(x):
    try:
        import nope_nope
    except ImportError as e:
        return e.name, e.path, e.msg, type(e).__name__


def import_err2(x):
    try:
        from math import nope
    except ImportError as e:
        return e.name, str(e)[:40], type(e).__name__


def f(x):
    return import_err(x), import_err2(x)


CALLS = [(1,), (0,), (True,)]
