"""Dataclasses with order, `__post_init__`, and frozen ones."""

import dataclasses


@dataclasses.dataclass(order=True)
class P:
    x: int
    y: float = 1.5
    tags: list = dataclasses.field(default_factory=list, compare=False)

    def __post_init__(self):
        self.z = self.x + self.y

    def move(self, d):
        return dataclasses.replace(self, x=self.x + d)


@dataclasses.dataclass(frozen=True)
class F:
    a: int

    def grow(self):
        return F(self.a + 1)


def use(x):
    p = P(x)
    q = p.move(2)
    p.tags.append(1)
    try:
        F(1).a = 2
    except dataclasses.FrozenInstanceError as e:
        err = str(e)
    return (
        repr(p),
        repr(q),
        p < q,
        p == P(x),
        q.z,
        dataclasses.asdict(p),
        repr(F(x).grow()),
        err,
        hash(F(x)) == hash(F(x)),
        q.tags is p.tags,
    )
