"""The attributes of an `ImportError` that is raised by hand."""


def f(x):
    try:
        raise ImportError("m", name="n", path="p")
    except ImportError as e:
        return e.name, e.path, e.msg, e.args


CALLS = [(1,), (0,), (True,)]
