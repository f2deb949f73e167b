"""Special methods of two operands that give `NotImplemented` as the data decide: the next method is asked, or nobody answers."""

CALLS_OF = []


class Amount:
    """Declines what its limit refuses."""

    def __init__(self, value, limit=5.0):
        self.value, self.limit = value, limit

    def __add__(self, other):
        CALLS_OF.append("add")
        if self.value > self.limit:
            return NotImplemented
        return Amount(self.value + getattr(other, "value", other), self.limit)

    __iadd__ = None

    def __sub__(self, other):
        CALLS_OF.append("sub")
        return ANSWERS.get(self.value, self.value)

    def __eq__(self, other):
        if self.value > self.limit:
            return NotImplemented
        return self.value == getattr(other, "value", other)

    __hash__ = None

    def __lt__(self, other):
        return ANSWERS.get(self.value, "less")

    def __pow__(self, other):
        return NotImplemented if self.value > self.limit else self.value**other

    def __divmod__(self, other):
        return NotImplemented if self.value > self.limit else (self.value, other)

    def __matmul__(self, other):
        return NotImplemented if self.value > self.limit else "matrix"


del Amount.__iadd__
ANSWERS = {6.0: NotImplemented, 7.0: None}


class Other:
    def __init__(self, value):
        self.value = value

    def __radd__(self, other):
        CALLS_OF.append("radd")
        return "radd", self.value

    def __rsub__(self, other):
        CALLS_OF.append("rsub")
        return NotImplemented if self.value > 1 else "rsub"

    def __eq__(self, other):
        CALLS_OF.append("eq")
        return "eq", self.value

    def __gt__(self, other):
        return "greater"

    __hash__ = None


def told(call):
    try:
        return call()
    except TypeError as error:
        return str(error)


def shown(value):
    return ("amount", value.value) if isinstance(value, Amount) else value


def added(one, two):
    one += two
    return shown(one)


def with_itself(one, two):
    return (
        told(lambda: shown(one + two)),
        told(lambda: one == two),
        told(lambda: one != two),
        told(lambda: added(one, two)),
    )


def ordered(one, two):
    return told(lambda: one < two), told(lambda: one > two), told(lambda: one - two), one == one


def forms(one, two):
    return told(lambda: one**two.value), told(lambda: divmod(one, 2)), told(lambda: one @ two)


def with_another(one, other):
    return told(lambda: shown(one + other)), told(lambda: one - other), told(lambda: one < other)


def equal_to_another(one, other):
    return told(lambda: one == other), told(lambda: other == one), told(lambda: one != other)


def with_numbers(one):
    return (
        told(lambda: one - 1.5),
        told(lambda: one == 6.0),
        told(lambda: one - None),
        told(lambda: one - "text"),
        told(lambda: one - [1]),
        told(lambda: shown(one + 1)),
    )


def f(kind, x):
    CALLS_OF.clear()
    one = Amount(x)
    match kind:
        case "numbers":
            found = with_numbers(one)
        case "itself" | "ordered" | "forms":
            found = {"itself": with_itself, "ordered": ordered, "forms": forms}[kind](one, Amount(x + 1.0))
        case _:
            found = {"another": with_another, "equal": equal_to_another}[kind](one, Other(x - 5.0))
    return found, list(CALLS_OF)


CALLS = [
    (kind, x)
    for kind in ("itself", "ordered", "forms", "another", "equal", "numbers")
    for x in (1.0, 6.0, 7.0, 8.0)
]
