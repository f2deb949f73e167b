"""Exceptions that branches choose, loops carry and containers keep."""

KINDS_1 = [ValueError, KeyError, KeyboardInterrupt]


def raise_var_class(x):
    out = []
    for k in KINDS_1:
        try:
            raise k("m")
        except BaseException as e:
            out.append((type(e).__name__, e.args))
    return out


def raise_data_class(x):
    cls = ValueError if x > 0 else KeyError
    try:
        raise cls("m")
    except ValueError as e:
        return "v", repr(e)
    except KeyError as e:
        return "k", repr(e)


def raise_data_inst(x):
    err = ValueError("a") if x > 0 else KeyError("b")
    try:
        raise err
    except Exception as e:
        return repr(e), e is err


def raise_or_not(x):
    err = None
    try:
        {}["z"]
    except KeyError as e:
        err = e
    if err is not None and x > 0:
        try:
            raise RuntimeError("wrapped") from err
        except RuntimeError as r:
            return repr(r.__cause__), repr(r.__context__), r.__cause__ is err
    return err


def two_errors(x):
    errs = []
    try:
        {}["z"]
    except KeyError as e:
        errs.append(e)
    try:
        [][3]
    except IndexError as e:
        errs.append(e)
    return [repr(e) for e in errs], errs[0] is errs[1], errs[x]


def merged_errors(x):
    try:
        {}["z"]
    except KeyError as e:
        a = e
    try:
        [][3]
    except IndexError as e:
        b = e
    c = a if x > 0 else b
    return repr(c), c is a, c is b


def carried_error(x):
    last = None
    for k in range(x + 3):
        try:
            [1, 2][k]
        except IndexError as e:
            last = e
    return repr(last)


def carried_error2(x):
    try:
        {}["z"]
    except KeyError as e:
        last = e
    for k in range(x + 3):
        try:
            [1, 2][k]
        except IndexError as e:
            last = e
    return repr(last), repr(last.__context__)


def f(x):
    return (
        raise_var_class(x),
        raise_data_class(x),
        raise_data_inst(x),
        raise_or_not(x),
        two_errors(x),
        merged_errors(x),
        carried_error(x),
        carried_error2(x),
    )


CALLS = [(1,), (0,), (True,)]
