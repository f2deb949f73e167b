"""Context managers that let exceptions pass or swallow them."""


class M:
    def __init__(self, log, swallow):
        self.log, self.s = log, swallow

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, t, v, tb):
        self.log.append((t and t.__name__, str(v)))
        return self.s


def use(x):
    log = []
    with M(log, True) as m:
        log.append(x)
        if x > 1:
            raise ValueError(x)
    try:
        with M(log, False), M(log, x > 2):
            raise KeyError(x)
    except KeyError as e:
        log.append(("out", e.args))
    return log
