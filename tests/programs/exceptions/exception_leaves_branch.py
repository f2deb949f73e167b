"""Exceptions that leave branches, with all that hangs on them."""

import sys


def leaves_name2(x):
    if x != -1:
        return nope
    return x


def leaves_attr(x):
    if x != -1:
        return [].nope
    return x


def leaves_key(x):
    if x != -1:
        return {}["a"]
    return x


def leaves_kbd(x):
    if x != -1:
        raise KeyboardInterrupt("a")
    return x


def leaves_gx2(x):
    for i in range(2):
        if x != -1:
            raise GeneratorExit(i)
    return x


def leaves_notes(x):
    try:
        if x != -1:
            raise ValueError("a")
    except ValueError as e:
        e.add_note(f"x={x}")
        raise
    return x


def leaves_assert(x):
    try:
        int("s")
    except ValueError:
        assert x > 5, "hm"
    return x


def leaves_unbound(x):
    if x != -1:
        y = 1
    return y


def leaves_exit(x):
    try:
        if x != -1:
            sys.exit(2)
    finally:
        print("f")
    return x


def leaves_loop(x):
    for i in range(3):
        try:
            raise KeyError(i)
        except KeyError:
            if i == 1:
                raise ValueError(i)
    return x


def leaves_group(x):
    errs = []
    for k in "ab":
        try:
            int(k)
        except ValueError as e:
            errs.append(e)
    raise ExceptionGroup("all", errs)


def f(x):
    if x == 0:
        return leaves_name2(x)
    if x == 1:
        return leaves_attr(x)
    if x == 2:
        return leaves_key(x)
    if x == 3:
        return leaves_kbd(x)
    if x == 4:
        return leaves_gx2(x)
    if x == 5:
        return leaves_notes(x)
    if x == 6:
        return leaves_assert(x)
    if x == 7:
        return leaves_unbound(x)
    if x == 8:
        return leaves_exit(x)
    if x == 9:
        return leaves_loop(x)
    if x == 10:
        return leaves_group(x)
    return x


CALLS = [(i,) for i in range(12)]
