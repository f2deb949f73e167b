"""What a special method gives is checked and converted, as Python does."""


class Gives:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        return self.value

    def __len__(self):
        return self.value

    def __str__(self):
        return self.value

    def __hash__(self):
        return self.value

    def __int__(self):
        return self.value

    def __float__(self):
        return self.value

    def __format__(self, spec):
        return self.value


def asked(action):
    try:
        return action()
    except (TypeError, ValueError, OverflowError) as error:
        return type(error).__name__, str(error)


def f(value):
    given = Gives(value)
    return (
        asked(lambda: bool(given)),
        asked(lambda: "yes" if given else "no"),
        asked(lambda: not given),
        asked(lambda: len(given)),
        asked(lambda: str(given)),
        asked(lambda: f"{given!s}"),
        asked(lambda: f"{given}"),
        asked(lambda: hash(given)),
        asked(lambda: int(given)),
        asked(lambda: float(given)),
        asked(lambda: complex(given)),
    )


CALLS = [(True,), (3,), (-1,), (2.5,), ("text",), (2**70,), (None,)]
