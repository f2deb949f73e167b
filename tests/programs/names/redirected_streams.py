"""`sys.stdout` and what else the standard library replaces for a while: read where the program reads it."""

import contextlib
import io
import sys
import warnings

exec("def opaque(x):\n    return x")


def printed(x):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print("Hello", x, file=sys.stdout)
        sys.stdout.write("written\n")
        inside = sys.stdout is out
    return out.getvalue(), inside, sys.stdout is out


def in_turns(x):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        for index in range(x):
            print(index, file=sys.stdout)
        if x > 1:
            sys.stdout.write("many")
        opaque(x)
        sys.stdout.write("!")
    return out.getvalue()


def assigned(x):
    out, before = io.StringIO(), sys.stdout
    sys.stdout = out
    try:
        print(x, file=sys.stdout)
    finally:
        sys.stdout = before
    return out.getvalue(), sys.stdout is before


def by_helper(x):
    def show(value, file=None):
        print(value, file=file or sys.stdout)

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        show(x)
    show(x)
    return out.getvalue()


def errors(x):
    out = io.StringIO()
    with contextlib.redirect_stderr(out):
        print(x, file=sys.stderr)
    return out.getvalue()


def filters(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("told", stacklevel=1)
        inside = len(warnings.filters)
    return len(seen), inside == len(warnings.filters)


def f(x):
    return printed(x), in_turns(x), assigned(x), by_helper(x), errors(x), filters(x)


PLAIN = "AT101"
CALLS = [(3,), (0,), (1,)]
