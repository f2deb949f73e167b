"""`f(*items)` where only the running program knows what there is, of functions, classes and methods of the program's own."""

SEEN = []


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y


class Sized:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        SEEN.append("iter")
        return iter(self.items)

    def __len__(self):
        SEEN.append("len")
        return len(self.items)


class Doubtful(Sized):
    def __length_hint__(self):
        return 1

    def __len__(self):
        raise TypeError("no length")


class Kept:
    def __init__(self, *args, **named):
        self.args, self.named = args, named

    def told(self, *args, **named):
        return len(args), named, self.args

    @classmethod
    def made(cls, *args, **named):
        return cls(*args, **named).args


def every(*args, **named):
    SEEN.append(len(args))
    return args, named


def two(a, b, c=0):
    return a - b + c


def positions(x):
    some = [v for v in range(int(x)) if v != 1]
    return (
        every(*some, x),
        every(x, *some, *some, k=x),
        Kept(*some).told(*some, k=x),
        Kept.made(*some),
        max(*some, 1, 0),
        "{} {}".format(*some, x, x),
    )


def instances(x):
    pair = Pair(x, 1) if x > 2 else Pair(1, x)
    other = Pair(x, 1) if x > 2 else Sized([x, x])
    return two(*Pair(x, 2)), two(*Sized([x, 1])), two(*pair), two(*other), two(*Doubtful([1, x])), [*Sized((x,))]


OUTSIDE, LISTED = Pair(3, 4), Sized([5, 6])


def from_outside(x):
    return two(*OUTSIDE, c=x), two(*LISTED, x), [*LISTED, *OUTSIDE], every(*OUTSIDE, *LISTED)


def fills(*lists, **named):
    for one in lists:
        one.append("filled")
    for one in named.values():
        one.append(len(named))


def given_lists(x):
    first, second, third = [x], [1], [2.5]
    fills(*[one for one in (first, second) if one], third=third)
    fills(first, **{f"k{i}": third for i in range(int(x))})
    return first, second, third


def f(x):
    SEEN.clear()
    return positions(x), instances(x), from_outside(x), given_lists(x), list(SEEN)


CALLS = [(3,), (2,), (1,), (0,), (2.5,)]
PLAIN = "AT201"
