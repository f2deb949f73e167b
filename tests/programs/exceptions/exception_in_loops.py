"""Exceptions of all kinds in loops and comprehensions."""


def loop_try(x):
    out = []
    for k in ["1", "a", "2", "b"]:
        try:
            v = int(k)
        except ValueError as e:
            out.append(repr(e))
            if k == "b":
                break
            continue
        else:
            out.append(v)
        finally:
            out.append("f")
    return out


def loop_data(x):
    out = []
    for i in range(x + 4):
        try:
            if i == 2:
                raise KeyboardInterrupt(i)
            if i == 3:
                raise SystemExit(i)
            v = 10 // (i - 1)
        except ArithmeticError as e:
            out.append((repr(e), repr(e.__context__)))
        except (KeyboardInterrupt, SystemExit) as e:
            out.append(repr(e))
        else:
            out.append(v)
    return out


def conv_3(s):
    try:
        return int(s)
    except ValueError as e:
        return repr(e)


def comp(x):
    return [conv_3(s) for s in ("1", "q", str(x))]


def comp_raise(x):
    try:
        return [1 // (i - x) for i in range(x + 2)]
    except ZeroDivisionError as e:
        return repr(e.__context__), e.args


def while_err(x):
    n = x
    try:
        while True:
            n += 1
            if n > 4:
                raise StopIteration(n)
    except StopIteration as e:
        return e.value, repr(e.__context__)


def while_kbd(x):
    n = x
    while True:
        try:
            n += 1
            if n > 4:
                raise KeyboardInterrupt(n)
        except KeyboardInterrupt as e:
            return e.args


def notes_loop(x):
    try:
        for i in range(x + 2):
            try:
                if i == 1:
                    raise ValueError(i)
            except ValueError as e:
                e.add_note(f"at {i}")
                e.add_note(f"x {x}")
                raise
    except ValueError as e:
        return e.__notes__


def h_8(x):
    for i in range(3):
        try:
            {}[i]
        except KeyError as e:
            if i == x:
                return e.args
    return "end"


def return_in_handler(x):
    return h_8(x), h_8(7)


def f(x):
    return (
        loop_try(x),
        loop_data(x),
        comp(x),
        comp_raise(x),
        while_err(x),
        while_kbd(x),
        notes_loop(x),
        return_in_handler(x),
    )


CALLS = [(1,), (0,)]
