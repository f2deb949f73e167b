"""`logging` tells the traceback of what is being handled."""

import io
import logging

out_1 = io.StringIO()
log_1 = logging.Logger("q")
log_1.addHandler(logging.StreamHandler(out_1))


def logexc(x):
    try:
        raise ValueError("a")
    except ValueError:
        log_1.exception("oh")
    return out_1.getvalue()


out_2 = io.StringIO()
log_2 = logging.Logger("q")
log_2.addHandler(logging.StreamHandler(out_2))


def logerr(x):
    try:
        raise ValueError("a")
    except ValueError:
        log_2.error("oh", exc_info=True)
    return out_2.getvalue()


def f(x):
    return logexc(x), logerr(x)


CALLS = [(1,), (0,), (True,)]
PLAIN = "AT212"
