"""`KeyboardInterrupt` that the program raises and catches itself."""


def kbd(x):
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as e:
        return repr(e)


def kbd_msg(x):
    try:
        raise KeyboardInterrupt("stop", 3)
    except BaseException as e:
        return e.args


def f(x):
    return kbd(x), kbd_msg(x)


CALLS = [(1,), (0,), (True,)]
