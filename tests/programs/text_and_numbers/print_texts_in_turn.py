"""``print`` makes and writes one text after the other: a method that makes one may print, change state or raise."""

import io


class Loud:
    made = 0

    def __init__(self, value):
        self.value = value

    def __str__(self):
        print("(in str)", end="")
        Loud.made += 1
        return f"<{self.value} {Loud.made}>"


class Failing:
    def __repr__(self):
        raise ValueError("no text")


class Written:
    def __init__(self):
        self.texts = []

    def write(self, text):
        self.texts.append(text)

    def flush(self):
        self.texts.append(None)


def refused(value, **options):
    try:
        print(value, Loud(value), **options)
    except TypeError as error:
        return str(error)
    return None


def f(x, n, separator):
    for i in range(n):
        print(i, Loud(x), i, Loud(i), sep=separator)
    print(Loud(x), Loud.made, end="!\n")
    stream, kept = io.StringIO(), Written()
    print(x, Loud(x), x, sep=None, end="", file=stream)
    print(x, Loud(x), file=kept, flush=True)
    try:
        print(x, Failing(), x, file=kept)
    except ValueError as error:
        return str(error), stream.getvalue(), kept.texts, refused(x, sep=n), refused(x, end=x), Loud.made


CALLS = [(2.5, 2, ", "), (1, 0, ""), (2.5, 3, None), (7, 1, ", ")]
AFTER = "Loud.made"
