"""An attribute of the class is read through an instance, and then looked for among the instance's own."""


class Config:
    strict = False
    limit = 3

    def __contains__(self, name):
        return name in self.fields if self.strict else name in self.__dict__

    fields = ("x",)


def missing(config):
    try:
        return config.limit, config.__dict__["limit"]
    except KeyError as error:
        return error.args


def stored(config, n):
    before = config.limit, "limit" in vars(config)
    config.limit = n
    return before, "limit" in vars(config), config.__dict__["limit"]


def f(config, name, n):
    found = name in config, config.strict, "strict" in config, getattr(config, name, None), name in config.__dict__
    got = config.limit, config.__dict__.get("limit", "no"), list(vars(config)), len(config.__dict__)
    return found, got, missing(config), stored(config, n) if n else None


def given(**own):
    config = Config()
    vars(config).update(own)
    return config


CALLS = [
    (given(x=1), "strict", 0),
    (given(), "limit", 5),
    (given(strict=True), "x", 0),
    (given(x=2), "x", 7),
    (given(limit=9), "limit", 0),
    (given(y=0), "limit", 1),
]
