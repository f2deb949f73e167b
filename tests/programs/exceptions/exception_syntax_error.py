"""The attributes of a `SyntaxError`."""


def syntax(x):
    try:
        compile("a b", "file", "exec")
    except SyntaxError as e:
        return e.lineno, e.offset, e.text, e.msg, e.filename


def syntax2(x):
    try:
        raise SyntaxError("m", ("f", 1, 2, "t"))
    except SyntaxError as e:
        return e.lineno, e.offset, e.text, e.msg, e.filename, e.args


def f(x):
    return syntax(x), syntax2(x)


CALLS = [(1,), (0,), (True,)]
